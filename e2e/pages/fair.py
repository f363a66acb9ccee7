"""The windows of the fair deal: what the service is bound to, and the check afterwards."""

from __future__ import annotations

from playwright.sync_api import Locator, Page


class Fair:
    def __init__(self, page: Page) -> None:
        self.page = page
        self.chip = page.get_by_test_id("fair-chip")
        self.promise = page.get_by_test_id("fair-promise")
        self.commitment = self.promise.get_by_test_id("commitment")
        self.window = page.get_by_test_id("fair-check")
        self.verdict = page.get_by_test_id("verdict")
        self.part = page.get_by_test_id("deal-part")
        self.wrong = page.get_by_test_id("wrong")
        self.notes = page.get_by_test_id("notes")
        self.failed = page.locator('[data-testid="step"][data-ok="false"]')

    def check(self) -> None:
        """Deal everything again."""
        self.page.get_by_test_id("check-deal").first.click()
        self.window.wait_for()

    def step(self, name: str) -> Locator:
        return self.page.locator(f'[data-testid="step"][data-step="{name}"]')

    def close(self) -> None:
        self.page.keyboard.press("Escape")
