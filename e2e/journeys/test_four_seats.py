"""Four people, or people and bots, in two partnerships."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from e2e.party import make_room
from e2e.person import Person
from e2e.play import in_turn, play_a_turn, play_out

PLACES = ["right", "across", "left"]


def test_four_people_play_a_whole_match(party: Callable[..., list[Person]], tmp_path: Path) -> None:
    people = party(4, seats=4, target=41)
    match_id = people[0].api("/matches?player=me")["items"][0]["id"]

    for each in people:
        seat = each.table.my_seat()
        for step, place in enumerate(PLACES, start=1):
            other = each.table.opponent((seat + step) % 4)
            expect(other).to_have_attribute("data-place", place)
            expect(other).to_have_attribute("data-partner", "true" if place == "across" else "false")

    play_out(people)

    item = people[0].api("/matches?player=me")["items"][0]
    assert item["result"]["reason"] == "target"
    assert max(item["scores"]) >= 41
    winner = item["result"]["winner"]
    for each, seat in zip(people, range(4), strict=True):
        expect(each.result.result).to_have_attribute("data-winner", str(winner))
        expect(each.result.result).to_have_attribute("data-outcome", "won" if seat % 2 == winner else "lost")
        for side in (0, 1):
            expect(each.result.score(side)).to_have_attribute("data-value", str(item["scores"][side]))
    file = tmp_path / "match.json"
    file.write_text(json.dumps(people[0].api(f"/matches/{match_id}/transcript")))
    verified = subprocess.run([sys.executable, "-m", "engine", "verify", str(file)], capture_output=True, text=True)
    assert verified.returncode == 0, verified.stdout + verified.stderr


def test_two_people_and_two_bots_play_a_whole_match(party: Callable[..., list[Person]]) -> None:
    people = party(2, bots=(2, 3), seats=4, target=None)
    for each in people:
        for seat in (2, 3):
            expect(each.table.opponent(seat)).to_have_attribute("data-bot", "easy")
    assert play_out(people) == 24
    for each in people:
        expect(each.result.result).to_have_attribute("data-reason", "round")
    assert people[0].api("/matches?player=me")["items"][0]["result"]["scored"] is False


def test_a_seat_and_so_a_partner_may_be_chosen_while_waiting(person: Callable[..., Person]) -> None:
    mona, karim = person("Mona"), person("Karim")
    karim.room.open(make_room(mona, seats=4))
    karim.room.join("Karim", "Mona")
    expect(karim.room.seat(1)).to_have_attribute("data-me", "true")
    karim.room.sit_at(2)
    expect(mona.room.seat(2)).to_contain_text("Karim")
    expect(mona.room.seat(2)).to_have_attribute("data-place", "across")
    expect(mona.room.seat(1)).to_have_attribute("data-taken", "false")


def test_the_host_seats_and_unseats_bots(person: Callable[..., Person]) -> None:
    mona = person("Mona")
    make_room(mona, seats=4)
    mona.room.add_bot(1)
    expect(mona.room.seat(1)).to_have_attribute("data-bot", "easy")
    mona.room.remove_bot(1)
    expect(mona.room.seat(1)).to_have_attribute("data-taken", "false")


def test_a_partner_who_leaves_loses_for_both(party: Callable[..., list[Person]]) -> None:
    people = party(4, seats=4)
    play_a_turn(in_turn(*people)[0])
    people[2].table.leave()
    for seat, each in enumerate(people):
        expect(each.result.result).to_have_attribute("data-reason", "forfeit")
        expect(each.result.result).to_have_attribute("data-winner", "1")
        expect(each.result.result).to_have_attribute("data-outcome", "won" if seat % 2 else "lost")
