"""Talking at the table, in a waiting room, on the result: phrases, bubbles, messages, and what is done about others."""

from __future__ import annotations

from playwright.sync_api import Locator, Page

from e2e.texts import text


class Talk:
    def __init__(self, page: Page, lang: str = "en") -> None:
        self.page = page
        self.lang = lang
        self.button = page.get_by_test_id("talk-button")
        self.sheet = page.get_by_test_id("talk")
        self.note = page.get_by_test_id("talk-note")
        self.bubbles = page.get_by_test_id("bubble")
        self.messages = page.get_by_test_id("message")
        self.person = page.get_by_test_id("person")

    def open(self) -> None:
        """Open the sheet, where it does not lie beside the table anyway."""
        if not self.sheet.is_visible():
            self.button.click()
        self.phrase("hello").wait_for()

    def phrase(self, phrase: str) -> Locator:
        return self.sheet.locator(f'[data-phrase="{phrase}"]')

    def say(self, phrase: str) -> None:
        self.open()
        self.phrase(phrase).click()

    def bubble(self, seat: int) -> Locator:
        return self.page.locator(f'[data-testid="bubble"][data-seat="{seat}"]')

    def write(self, words: str) -> None:
        self.open()
        field = self.sheet.get_by_label(text("talk.write", self.lang))
        field.fill(words)
        field.press("Enter")

    def close(self) -> None:
        self.page.keyboard.press("Escape")

    def about(self, name: str) -> Locator:
        """The button over the face and the name of another player."""
        return self.page.get_by_role("button", name=text("talk.about", self.lang, name=name), exact=True)

    def do(self, what: str, name: str) -> None:
        """Mute or block another player, and put the window away."""
        self.about(name).click()
        done = self.person.get_by_test_id(what)
        done.click()
        self.person.locator(f'[data-testid="{what}"][aria-pressed="true"]').wait_for()
        self.close()
