"""The room while people gather."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from e2e.pages.screen import Screen
from e2e.texts import text


class Room(Screen):
    name = "room"

    def __init__(self, page: Page, lang: str = "en") -> None:
        super().__init__(page, lang)
        self.code = page.get_by_test_id("room-code")
        self.link = page.get_by_test_id("room-link")
        self.seats = page.get_by_test_id("seat")
        # What a guest is told before sitting down where matches would be rated.
        self.unrated = page.get_by_test_id("guest-unrated")
        self.error = page.locator('main[data-screen="error"]')

    def link_to_share(self) -> str:
        """Give the link, once the page shows it."""
        expect(self.link).to_have_value(re.compile("/r/"))
        return self.link.input_value()

    def open(self, link: str) -> None:
        self.page.goto(link)

    def join(self, name: str, host: str) -> None:
        self.field("field.name").fill(name)
        self.button("room.join", name=host).click()

    def seat(self, seat: int) -> Locator:
        return self.page.locator(f'[data-testid="seat"][data-seat="{seat}"]')

    def seat_button(self, seat: int, key: str) -> Locator:
        """Give a button of one seat; its name goes on to say which seat that is."""
        return self.seat(seat).get_by_role("button", name=text(key, self.lang))

    def sit_at(self, seat: int) -> None:
        self.seat_button(seat, "room.sit").click()

    def add_bot(self, seat: int) -> None:
        self.seat_button(seat, "room.add_bot").click()

    def remove_bot(self, seat: int) -> None:
        self.seat_button(seat, "room.remove").click()
