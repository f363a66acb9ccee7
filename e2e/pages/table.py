"""The table: hand, floor, and the one button that says what the lifted card will do."""

from __future__ import annotations

from playwright.sync_api import Locator, Page

from e2e.pages.screen import Screen
from e2e.texts import text


class Table(Screen):
    name = "table"

    def __init__(self, page: Page, lang: str = "en") -> None:
        super().__init__(page, lang)
        self.table = page.locator("#table")
        self.hand = page.get_by_test_id("hand-card")
        self.floor = page.get_by_test_id("floor")
        self.floor_cards = page.get_by_test_id("floor-card")
        self.caught = page.locator('[data-testid="floor-card"][data-caught="true"]')
        self.play_button = page.get_by_test_id("play")
        self.last_play = page.get_by_test_id("last-play")
        self.opponents = page.get_by_test_id("opponent")
        self.replaced = page.get_by_test_id("replaced")
        self.my_turn = page.locator('#table[data-my-turn="true"][data-busy="false"][data-phase="play"]')

    def wait_ready(self) -> None:
        """Wait for a table that follows the match live."""
        self.page.locator('#table[data-conn="open"][data-busy="false"]').wait_for()

    def card(self, card: str) -> Locator:
        return self.page.locator(f'[data-testid="hand-card"][data-card="{card}"]')

    def score(self, side: int) -> Locator:
        return self.root.locator(f'[data-testid="score"][data-side="{side}"]')

    def cards(self) -> list[str]:
        """Give the hand, in its order."""
        return self.hand.evaluate_all("cards => cards.map(card => card.dataset.card)")

    def best_card(self) -> str:
        """Give the card that takes most, as the page itself says."""
        held = self.hand.evaluate_all("all => all.map(one => [one.dataset.card, one.dataset.takes || ''])")
        return str(max(held, key=lambda pair: len(pair[1]))[0])

    def opponent(self, seat: int) -> Locator:
        return self.page.locator(f'[data-testid="opponent"][data-seat="{seat}"]')

    def my_seat(self) -> int:
        return int(self.table.get_attribute("data-my-seat") or -1)

    def to_act(self) -> int:
        return int(self.table.get_attribute("data-to-act") or -1)

    def turn(self) -> int:
        return int(self.table.get_attribute("data-turn") or -1)

    def lift(self, card: str) -> None:
        self.card(card).click()

    def play(self, card: str) -> None:
        """Lift a card, and play it by the button."""
        self.lift(card)
        self.play_button.click()

    def leave(self) -> None:
        self.button("leave.button").click()
        self.button("leave.yes").click()

    def cut(self, at: int) -> None:
        self.page.get_by_role("slider", name=text("cut.where", self.lang)).fill(str(at))
        self.button("cut.here").click()

    def take_back(self) -> None:
        """Play on in this tab when another one has taken over."""
        self.button("replaced.take_back").click()
