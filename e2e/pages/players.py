"""The pages about players: a profile, one's own matches, the leaderboard."""

from __future__ import annotations

from playwright.sync_api import Locator, Page

from e2e.pages.screen import Screen


class Profile(Screen):
    name = "profile"

    def __init__(self, page: Page, lang: str = "en") -> None:
        super().__init__(page, lang)
        self.rating = page.get_by_test_id("rating")
        self.curve = page.get_by_test_id("curve")
        self.matches = page.get_by_test_id("match")
        self.mute = page.get_by_test_id("mute")
        self.block = page.get_by_test_id("block")
        self.ready = self.root.locator('[data-state="ready"]')

    def open(self, player: str = "") -> None:
        """Open a player's page, or one's own."""
        self.page.goto(f"/players/{player}" if player else "/profile")
        self.ready.wait_for()

    def figure(self, name: str) -> Locator:
        return self.page.locator(f'[data-testid="figure"][data-name="{name}"] dd')

    def report(self, words: str) -> None:
        self.page.get_by_test_id("report").click()
        window = self.page.get_by_test_id("report-window")
        window.get_by_role("textbox").fill(words)
        self.button("report.send", window).click()


class History(Screen):
    name = "history"

    def __init__(self, page: Page, lang: str = "en") -> None:
        super().__init__(page, lang)
        self.matches = page.get_by_test_id("match")
        self.none = page.get_by_test_id("no-matches")

    def open(self, query: str = "") -> None:
        self.page.goto(f"/history{query}")
        self.root.wait_for()

    def narrow(self, name: str, value: str) -> None:
        """Choose a filter; the first choice opens them."""
        field = self.page.get_by_test_id(f"filter-{name}")
        if not field.is_visible():
            self.page.get_by_test_id("filters").locator("summary").click()
        field.select_option(value)


class Leaderboard(Screen):
    name = "leaderboard"

    def __init__(self, page: Page, lang: str = "en") -> None:
        super().__init__(page, lang)
        self.rows = page.get_by_test_id("leader")
        self.mine = page.locator('[data-testid="leader"][aria-current="true"]')
        self.nobody = page.get_by_test_id("nobody")
        self.unranked = page.get_by_test_id("unranked")

    def open(self, board: str = "rating") -> None:
        self.page.goto(f"/leaderboard?board={board}")
        self.root.wait_for()
