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
        self.field("field.name").fill(name)
        self.button("home.play_friend").click()

    def enter(self, code: str) -> None:
        self.field("field.code").fill(code)
        self.button("home.enter").click()

    def go_back_to_the_match(self) -> None:
        self.page.get_by_test_id("resume").click()

    def quick_match(self, name: str) -> None:
        self.field("field.name").fill(name)
        self.button("home.quick").click()

    def practice(self) -> None:
        self.button("home.practice").click()

    def open_table(self, code: str) -> Locator:
        return self.page.locator(f'[data-testid="open-table"][data-code="{code}"]')

    def join_table(self, code: str, host: str) -> None:
        self.button("room.join", self.open_table(code), name=host).click()
