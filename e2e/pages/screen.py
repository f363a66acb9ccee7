"""What all screens share."""

from __future__ import annotations

from playwright.sync_api import Locator, Page


class Screen:
    """One screen of the page, rooted in `main`."""

    name: str

    def __init__(self, page: Page) -> None:
        self.page = page
        self.root = page.locator(f'main[data-screen="{self.name}"]')

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)
