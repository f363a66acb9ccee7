"""Practice, quick match, the lobby, watching, and once more."""

import re
from collections.abc import Callable

from playwright.sync_api import expect

from e2e.party import make_room
from e2e.person import Person
from e2e.play import in_turn, play_a_turn

# A card as a value; as a key it is one of the rules' card points, which everybody knows.
CARD = re.compile(r'"([A23456789TJQK][CDHS])"(?!:)')


def test_practice_starts_at_once_and_without_a_name(person: Callable[..., Person]) -> None:
    tarek = person("Tarek")
    tarek.home.open()
    tarek.home.practice()
    tarek.table.wait_ready()
    expect(tarek.table.opponents).not_to_have_attribute("data-bot", "")
    tarek.table.my_turn.wait_for()
    play_a_turn(tarek)
    tarek.table.my_turn.wait_for()
    tarek.table.leave()
    expect(tarek.result.result).to_have_attribute("data-outcome", "lost")


def test_quick_match_pairs_two_strangers(person: Callable[..., Person]) -> None:
    mona, karim = person("Mona"), person("Karim")
    for each in (mona, karim):
        each.home.open()
        each.home.quick_match(each.name)
    for each in (mona, karim):
        each.table.wait_ready()
    expect(mona.table.opponents).to_contain_text("Karim")
    expect(karim.table.opponents).to_contain_text("Mona")


def test_a_public_room_is_in_the_lobby_until_it_starts(person: Callable[..., Person]) -> None:
    watcher, mona, karim = person("Salma"), person("Mona"), person("Karim")
    watcher.home.open()
    watcher.post("/players", {"name": "Salma", "session": True})
    watcher.home.open()
    karim.home.open()
    make_room(mona, visibility="public")
    code = mona.room.code.inner_text()
    expect(watcher.home.open_table(code)).to_be_visible()
    karim.home.open()
    karim.home.join_table(code, "Mona")
    karim.table.wait_ready()
    expect(watcher.home.open_table(code)).to_have_count(0)


def test_a_rematch_is_asked_agreed_and_keeps_seats_and_tally(pair: Callable[..., tuple[Person, Person]]) -> None:
    mona, karim = pair()
    mona.table.leave()
    mona.result.button("rematch.ask").click()
    expect(karim.result.rematch).to_have_attribute("data-state", "invited")
    karim.result.button("rematch.agree").click()
    for seat, each in enumerate((mona, karim)):
        each.table.wait_ready()
        expect(each.table.table).to_have_attribute("data-my-seat", str(seat))
    code = mona.page.url.rsplit("/", 1)[1]
    assert mona.api(f"/rooms/{code}")["tally"] == [0, 1]


def test_a_rematch_may_be_declined_and_the_other_is_told(pair: Callable[..., tuple[Person, Person]]) -> None:
    mona, karim = pair()
    mona.table.leave()
    mona.result.button("rematch.ask").click()
    karim.result.button("rematch.decline").click()
    expect(mona.result.rematch).to_have_attribute("data-state", "declined")


def test_a_spectator_sees_the_table_and_no_card_of_a_hand(
    pair: Callable[..., tuple[Person, Person]], person: Callable[..., Person]
) -> None:
    first, second = in_turn(*pair(spectators=True))
    watcher = person("Salma")
    received: list[str] = []
    watcher.page.on("websocket", lambda line: line.on("framereceived", lambda frame: received.append(str(frame))))
    watcher.room.open(first.page.url)
    expect(watcher.page.get_by_test_id("watching")).to_be_visible()
    expect(watcher.table.hand).to_have_count(0)
    hidden = {*first.table.cards(), *second.table.cards()}
    played = play_a_turn(first)
    expect(watcher.table.last_play).to_have_attribute("data-turn", "0")
    told = {card for text in [*received, watcher.page.content()] for card in CARD.findall(text)}
    assert told & hidden == {played}
    assert received


def test_the_neighbour_cuts_the_pack(pair: Callable[..., tuple[Person, Person]]) -> None:
    mona, karim = pair(rules="traditional")
    cutter, dealer = in_turn(mona, karim)
    expect(dealer.page.get_by_test_id("cut")).to_have_attribute("data-mine", "false")
    cutter.table.cut(17)
    for each in (mona, karim):
        expect(each.table.hand).to_have_count(4)
    match = mona.api("/matches?player=me")["items"][0]["id"]
    cut = next(event for event in mona.api(f"/matches/{match}/events")["items"] if event["type"] == "cut")
    assert (cut["cut"], cut["by"]) == (17, "player")


def test_a_cut_that_nobody_makes_is_made_by_the_clock(pair: Callable[..., tuple[Person, Person]]) -> None:
    mona, karim = pair(rules="traditional")
    for each in (mona, karim):
        expect(each.table.hand).to_have_count(4, timeout=20_000)
