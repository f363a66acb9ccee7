"""What a hand feels like, and what becomes of it on the way out and back."""

from collections.abc import Callable

from playwright.sync_api import expect

from e2e.person import Person
from e2e.play import in_turn, play_a_turn


def test_a_second_tap_a_tap_on_the_floor_and_enter_all_play(pair: Callable[..., tuple[Person, Person]]) -> None:
    first, second = in_turn(*pair(seed="tea", target=10))

    card = first.table.cards()[0]
    first.table.lift(card)
    first.table.lift(card)
    expect(second.table.last_play).to_have_attribute("data-turn", "0")
    expect(first.table.card(card)).to_have_count(0)

    second.table.my_turn.wait_for()
    second.table.lift(second.table.cards()[0])
    second.table.floor.click(position={"x": 4, "y": 4})
    expect(first.table.last_play).to_have_attribute("data-turn", "1")

    first.table.my_turn.wait_for()
    first.table.card(first.table.cards()[0]).focus()
    first.page.keyboard.press("Enter")
    first.page.keyboard.press("Enter")
    expect(second.table.last_play).to_have_attribute("data-turn", "2")


def test_the_opponents_hand_is_backs_and_a_number(pair: Callable[..., tuple[Person, Person]]) -> None:
    first, second = in_turn(*pair(seed="tea", target=10))
    expect(second.table.opponents.first).to_have_attribute("data-cards", "4")
    play_a_turn(first)
    expect(second.table.opponents.first).to_have_attribute("data-cards", "3")
    content = second.page.content()
    assert not [card for card in first.table.cards() if f'"{card}"' in content]


def test_reload_in_mid_hand_returns_to_the_same_seat_and_hand(pair: Callable[..., tuple[Person, Person]]) -> None:
    first, second = in_turn(*pair(seed="tea", target=10))
    play_a_turn(first)
    seat, hand = first.table.table.get_attribute("data-my-seat"), first.table.cards()
    first.page.reload()
    first.table.wait_ready()
    expect(first.table.table).to_have_attribute("data-my-seat", str(seat))
    assert first.table.cards() == hand
    play_a_turn(second)
    first.table.my_turn.wait_for()
    play_a_turn(first)
    expect(second.table.table).to_have_attribute("data-turn", "3")


def test_home_leads_back_to_the_running_match(pair: Callable[..., tuple[Person, Person]]) -> None:
    mona, _ = pair()
    hand = mona.table.cards()
    mona.home.open()
    mona.home.go_back_to_the_match()
    mona.table.wait_ready()
    assert mona.table.cards() == hand


def test_leaving_gives_the_match_to_the_other(pair: Callable[..., tuple[Person, Person]]) -> None:
    mona, karim = pair()
    mona.table.leave()
    for each, outcome in ((mona, "lost"), (karim, "won")):
        expect(each.result.result).to_have_attribute("data-reason", "forfeit")
        expect(each.result.result).to_have_attribute("data-winner", "1")
        expect(each.result.result).to_have_attribute("data-outcome", outcome)


def test_a_stranger_at_the_link_of_a_full_room_is_told_so(
    pair: Callable[..., tuple[Person, Person]], person: Callable[..., Person]
) -> None:
    mona, _ = pair()
    code = mona.api("/matches?player=me")["items"][0]["room"]
    stranger = person("Tarek")
    stranger.room.open(f"/r/{code}")
    expect(stranger.room.error).to_be_visible()
    expect(stranger.table.table).to_have_count(0)


def test_a_code_that_nobody_made_is_told_so(person: Callable[..., Person]) -> None:
    lost = person("Tarek")
    lost.home.open()
    lost.home.enter("KTRMSA")
    expect(lost.room.error).to_have_attribute("data-error", "room_missing")
