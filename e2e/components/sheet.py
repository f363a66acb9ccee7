"""The score sheet at the end of a round, laid over the table."""

from __future__ import annotations

from playwright.sync_api import Locator, Page


class Sheet:
    def __init__(self, page: Page) -> None:
        self.root = page.get_by_test_id("sheet")

    def cell(self, row: str, side: int) -> Locator:
        return self.root.locator(f'[data-testid="sheet-row"][data-row="{row}"] [data-side="{side}"]')

    def put_away(self) -> None:
        self.root.get_by_role("button").click()
