"""axe-core finds nothing at the table, in any state, in either language."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from e2e.accessibility.conftest import Look, Seat
from e2e.network import cut_off
from e2e.person import Person
from e2e.play import in_turn, play_a_turn, play_quickly

# Cut after 17 cards, this pack lets the first player choose between two catches, and the second make a basra.
SEED, CUT = "ahwa125", 17
TURNS_BEFORE_THE_LAST_DEAL = 40
TURNS_A_ROUND = 48
# Stops every picture of a basra where its star stands over the table.
HOLD = """() => {
    const hold = () => {
        if (!document.querySelector('.burst')) return requestAnimationFrame(hold);
        for (const one of document.getAnimations()) {
            one.pause();
            one.currentTime = 600;
        }
    };
    hold();
}"""


def test_from_the_cut_to_a_basra(seated: Seat, look: Look) -> None:
    first, second = in_turn(*seated(rules="traditional", seed=SEED))
    look(first, "my cut")
    look(second, "the cut of the other")
    first.table.cut(CUT)
    first.table.my_turn.wait_for()
    look(first, "my turn")
    first.table.lift(card_with_a_choice(first))
    expect(first.page.get_by_test_id("choice")).to_be_visible()
    look(first, "a lifted card with a choice")
    second.table.my_turn.wait_for(state="detached")
    second.table.lift(second.table.cards()[0])
    expect(second.table.play_button).to_have_attribute("data-kind", "wait")
    look(second, "lifted while the other's turn lasts")
    second.page.keyboard.press("Escape")
    first.table.play_button.click()
    second.table.my_turn.wait_for()
    burst(second)
    look(second, "a basra bursting")


def card_with_a_choice(one: Person) -> str:
    """Lift one card after the other until one has more than one catch."""
    for card in one.table.cards():
        one.table.lift(card)
        if one.page.get_by_test_id("choice").is_visible():
            one.page.keyboard.press("Escape")
            return card
    raise AssertionError("no card of the hand can catch in two ways")


def burst(one: Person) -> None:
    """Play the card that makes a basra, and stop the pictures in the middle."""
    one.page.emulate_media(reduced_motion="no-preference")
    one.page.evaluate(HOLD)
    for card in one.table.cards():
        one.table.lift(card)
        if one.table.play_button.get_attribute("data-basra") == "true":
            break
    one.table.play_button.click()
    one.page.locator(".burst").wait_for()


def test_from_the_last_deal_to_the_score_sheet(seated: Seat, look: Look) -> None:
    people = seated(target=121)
    play_quickly(people, TURNS_BEFORE_THE_LAST_DEAL)
    for each in people:  # before the pages have heard of every play, they do not know whose turn it is
        each.page.locator(f'#table[data-turn="{TURNS_BEFORE_THE_LAST_DEAL}"]').wait_for()
    due, other = in_turn(*people)
    due.table.my_turn.wait_for()
    expect(due.page.get_by_test_id("left")).to_have_attribute("data-value", "0")
    look(due, "the last deal")
    play_quickly(people, TURNS_A_ROUND - TURNS_BEFORE_THE_LAST_DEAL)
    due.sheet.root.wait_for()
    look(due, "the score sheet")
    other.page.reload()
    other.table.wait_ready()
    look(other, "another round")


def test_the_windows_over_the_table(seated: Seat, look: Look) -> None:
    first, second = in_turn(*seated())
    first.table.button("leave.button").click()
    look(first, "leave the match?")
    first.table.button("leave.no").click()
    first.page.get_by_test_id("open-settings").click()
    first.page.get_by_test_id("settings").wait_for()
    look(first, "the settings")
    for name in ("fourColours", "letters"):
        first.page.locator(f"[data-setting={name}]").check()
    first.page.keyboard.press("Escape")
    look(first, "four colours, with letters")
    first.table.card(first.table.cards()[0]).focus()
    first.page.keyboard.press("?")
    first.page.get_by_test_id("help").wait_for()
    look(first, "the keys")
    newer = second.another_tab()
    newer.room.open(second.page.url)
    newer.table.wait_ready()
    expect(second.table.replaced).to_be_visible()
    look(second, "moved to another tab")


def test_a_line_that_is_lost(seated: Seat, look: Look) -> None:
    first, second = seated()
    cut_off(first)
    expect(first.page.get_by_test_id("connection")).to_be_visible()
    look(first, "reconnecting")
    second.page.context.set_offline(True)
    expect(second.page.get_by_test_id("connection")).to_be_visible()
    look(second, "offline")


def test_who_watches_and_four_at_a_table(seated: Seat, person: Callable[..., Person], look: Look, lang: str) -> None:
    people = seated(4, seats=4, spectators=True)
    watcher = person("Salma", lang)
    watcher.room.open(people[0].page.url)
    expect(watcher.page.get_by_test_id("watching")).to_be_visible()
    look(watcher, "watching")
    due = in_turn(*people)[0]
    due.table.lift(due.table.cards()[0])
    look(due, "four seats, a lifted card")
    due.page.keyboard.press("Escape")
    play_a_turn(due)
    people[1].leave_the_browser()
    expect(people[0].table.opponent(1)).to_have_attribute("data-connected", "false")
    look(people[0], "a player away")


def test_at_twice_the_size(seated: Seat, look: Look) -> None:
    """A page at 200 % has half the room: a desktop of 1280 by 800 then is 640 by 400, a phone 195 by 390."""
    first, second = in_turn(*seated())
    for each, (width, height) in ((first, (640, 400)), (second, (320, 480))):
        each.page.set_viewport_size({"width": width, "height": height})
        each.table.lift(each.table.cards()[0])
        look(each, f"zoomed to {width} by {height}")
