"""People who stall, go and come back."""

from collections.abc import Callable

from playwright.sync_api import expect

from e2e.person import Person
from e2e.play import in_turn, play_a_turn

CLOCK_MS = 20_000  # a turn of 5 s, a second of grace, and a slow machine


def test_at_two_seats_a_slow_turn_loses_the_match(pair: Callable[..., tuple[Person, Person]]) -> None:
    first, second = in_turn(*pair(turn_seconds=5))
    play_a_turn(first)  # the very first turn has a minute more
    expect(first.result.result).to_have_attribute("data-reason", "timeout", timeout=CLOCK_MS)
    expect(first.result.result).to_have_attribute("data-outcome", "won")
    expect(second.result.result).to_have_attribute("data-outcome", "lost")


def test_at_four_seats_the_bot_plays_a_slow_turn_and_the_match_goes_on(party: Callable[..., list[Person]]) -> None:
    first, second, third, _ = in_turn(*party(4, seats=4, turn_seconds=5))
    play_a_turn(first)
    slow_hand = second.table.cards()
    expect(third.table.last_play).to_have_attribute("data-by", "clock", timeout=CLOCK_MS)
    expect(second.table.hand).to_have_count(len(slow_hand) - 1)
    third.table.my_turn.wait_for()  # the match goes on


def test_an_absent_opponent_is_shown(pair: Callable[..., tuple[Person, Person]]) -> None:
    mona, karim = pair()
    expect(mona.table.opponents).to_have_attribute("data-connected", "true")
    karim.leave_the_browser()
    expect(mona.table.opponents).to_have_attribute("data-connected", "false")
    karim.come_back(mona.page.url)
    expect(mona.table.opponents).to_have_attribute("data-connected", "true")


def test_the_newer_tab_plays_and_the_older_offers_to_take_over(pair: Callable[..., tuple[Person, Person]]) -> None:
    mona, _ = pair()
    newer = mona.another_tab()
    newer.room.open(mona.page.url)
    newer.table.wait_ready()
    expect(mona.table.replaced).to_be_visible()
    mona.table.take_back()
    mona.table.wait_ready()
    expect(newer.table.replaced).to_be_visible()
