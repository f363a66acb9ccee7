"""The first screen."""

from __future__ import annotations

from playwright.sync_api import Locator

from e2e.pages.screen import Screen


class Home(Screen):
    name = "home"

    def open(self) -> None:
        self.page.goto("/")
        self.root.wait_for()

    def play_with_a_friend(self, name: str) -> None:
        self.page.get_by_label("Your name").fill(name)
        self.button("Play with a friend").click()

    def enter(self, code: str) -> None:
        self.page.get_by_label("Room code").fill(code)
        self.button("Enter room").click()

    def go_back_to_the_match(self) -> None:
        self.page.get_by_test_id("resume").click()

    def choose_players(self, count: int) -> None:
        self.page.get_by_role("radio", name=f"{count} players").check(force=True)

    def quick_match(self, name: str) -> None:
        self.page.get_by_label("Your name").fill(name)
        self.button("Quick match").click()

    def practice(self) -> None:
        self.button("Practice").click()

    def open_table(self, code: str) -> Locator:
        return self.page.locator(f'[data-testid="open-table"][data-code="{code}"]')
