"""The first screen."""

from __future__ import annotations

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
