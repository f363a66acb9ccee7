"""How the match ended."""

from __future__ import annotations

from playwright.sync_api import Locator, Page

from e2e.pages.screen import Screen


class Result(Screen):
    name = "result"

    def __init__(self, page: Page, lang: str = "en") -> None:
        super().__init__(page, lang)
        self.result = page.get_by_test_id("result")
        self.rematch = page.get_by_test_id("rematch")
        self.register = page.get_by_test_id("register-for-rating")

    def score(self, side: int) -> Locator:
        return self.root.locator(f'[data-testid="score"][data-side="{side}"]')
