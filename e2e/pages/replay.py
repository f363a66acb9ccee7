"""The replay of a finished match."""

from __future__ import annotations

from playwright.sync_api import Locator, Page

from e2e.pages.screen import Screen


class Replay(Screen):
    name = "replay"

    def __init__(self, page: Page, lang: str = "en") -> None:
        super().__init__(page, lang)
        self.stage = page.get_by_test_id("replay")
        self.shown_cards = page.get_by_test_id("shown-card")
        self.floor_cards = page.get_by_test_id("floor-card")
        self.scrubber = page.get_by_test_id("scrubber")
        self.sheet = page.get_by_test_id("sheet")
        self.end = page.get_by_test_id("end")
        self.here = page.locator('[data-testid="story-link"][aria-current="step"]')
        self.links = page.get_by_test_id("story-link")
        self.download = page.get_by_test_id("download")

    def open(self, match: str, at: str = "") -> None:
        """Open the replay of a match, at a turn if one is named."""
        self.page.goto(f"/replay/{match}{at and f'#t={at}'}")
        self.stage.wait_for()

    def press(self, testid: str) -> None:
        self.page.get_by_test_id(testid).click()

    def key(self, key: str) -> None:
        self.page.keyboard.press(key)

    def turn(self) -> int:
        return int(self.stage.get_attribute("data-turn") or -1)

    def see_from(self, value: str) -> None:
        """Look from a seat, or with "all" into every hand."""
        self.page.get_by_test_id("seen-from").select_option(value)

    def cards_of(self, seat: int) -> Locator:
        return self.page.locator(f'[data-testid="shown-card"][data-seat="{seat}"]')

    def score(self, side: int) -> Locator:
        return self.stage.locator(f'.board [data-testid="score"][data-side="{side}"]')
