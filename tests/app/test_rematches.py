"""Rematches: asked, agreed, declined and withdrawn, each told to the others; the next match is drawn anew."""

import hashlib

import pytest
from flask import Flask

from app.extensions import db
from app.models import MatchRow
from app.services.news import MatchMoved, News, RematchSaid, RoomChanged
from engine.shuffle import client_commitment
from tests.app.people import Caller, Table, guest, ok, refused, sit_down


def said(heard: list[News]) -> list[tuple[int, str]]:
    """What was said of rematches since last asked; each time the room is told after it."""
    found = []
    for at, item in enumerate(heard):
        if isinstance(item, RematchSaid):
            found.append((item.seat, item.state))
            assert any(isinstance(later, RoomChanged) and later.code == item.code for later in heard[at:])
    heard.clear()
    return found


def finished(app: Flask, people: int = 2, loser: int = 1, **room: object) -> Table:
    table = sit_down(app, people, **room)
    ok(table.person(loser).post(f"{table.path}/forfeits"), 201)
    return table


def room_of(table: Table) -> dict:
    return ok(table.person(0).get(f"/rooms/{table.code}"))


def ask(table: Table, seat: int, status: int = 201, **body: object) -> dict:
    return ok(table.person(seat).post(f"/rooms/{table.code}/rematches", body or None), status)


def take_back(table: Table, seat: int) -> None:
    assert table.person(seat).delete(f"/rooms/{table.code}/rematches/me").status_code == 204


def test_when_both_agreed_the_next_match_begins(app: Flask, heard: list[News]) -> None:
    table = finished(app)
    heard.clear()
    asked = ask(table, 1)
    assert (asked["status"], asked["rematch"], asked["match_id"]) == ("finished", [1], table.match_id)
    assert room_of(table) == asked
    assert [type(item) for item in heard] == [RematchSaid, RoomChanged]
    agreed = ask(table, 0)
    assert (agreed["status"], agreed["rematch"], agreed["tally"]) == ("playing", [], [1, 0])
    assert agreed["match_id"] != table.match_id
    assert [type(item) for item in heard[2:]] == [RematchSaid, RoomChanged, MatchMoved]
    assert said(heard) == [(1, "asked"), (0, "agreed")]
    assert [place["player"]["name"] for place in agreed["seating"]] == ["Mona", "Adel"]
    again = Table(agreed, table.people)
    assert again.view(0)["status"] == "playing"
    ok(table.person(0).post(f"{again.path}/forfeits"), 201)
    assert room_of(table)["tally"] == [1, 1]


def test_everything_is_drawn_anew_from_the_seed_that_the_room_had_committed_to(app: Flask) -> None:
    table = finished(app)
    before = room_of(table)["fairness"]["commitment"]
    assert before != table.view(0)["fairness"]["commitment"]
    ask(table, 0)
    room = ask(table, 1)
    view = table.person(0).view(room["match_id"])
    assert view["fairness"]["commitment"] == before
    assert room["fairness"]["commitment"] != before
    with app.app_context():
        seeds = [db.session.get(MatchRow, match).server_seed for match in (table.match_id, room["match_id"])]
    assert seeds[0] != seeds[1]
    assert hashlib.sha256(bytes.fromhex(seeds[1])).hexdigest() == before


def test_a_commitment_counts_for_one_match_and_can_be_changed_until_it_is_dealt(app: Flask) -> None:
    table = finished(app)
    ask(table, 0, client_commitment="aa" * 32)
    assert ask(table, 0, 200)["rematch"] == [0]
    again = ask(table, 0, 200, client_commitment=client_commitment("bb"))
    assert again["fairness"]["client_commitments"] == [client_commitment("bb"), ""]
    assert ask(table, 1)["status"] == "dealing"
    room = ok(table.person(0).post(f"/rooms/{table.code}/reveals", {"client_seed": "bb"}), 201)
    assert table.person(0).view(room["match_id"])["fairness"]["client_seeds"] == ["bb", ""]
    ok(table.person(0).post(f"/matches/{room['match_id']}/forfeits"), 201)
    ask(table, 0)
    assert ask(table, 1)["status"] == "playing"


def test_a_seeded_room_goes_on_with_its_next_match(app: Flask) -> None:
    floors = []
    for _ in range(2):
        table = finished(app, seed="tutorial")
        ask(table, 0)
        room = ask(table, 1, client_commitment="ab" * 32)
        view = table.person(0).view(room["match_id"])
        assert view["seeded"] is True
        floors.append((view["round"]["floor"], view["you"]["hand"]))
    assert floors[0] == floors[1]


@pytest.mark.parametrize("seed", [None, "lesson 1"])
def test_an_agreement_that_began_the_match_can_be_sent_twice(app: Flask, heard: list[News], seed: str | None) -> None:
    table = finished(app, seed=seed)
    ask(table, 1)
    agreed = ask(table, 0)
    heard.clear()
    for seat in (0, 1):
        assert ask(table, seat, 200) == agreed
    assert heard == []
    other = table.person(0).post(f"/rooms/{table.code}/rematches", {"client_commitment": "cc" * 32})
    if seed is None:
        refused(other, 409, "room.started")
    else:
        assert ok(other, 200) == agreed


def test_all_four_must_agree(app: Flask, heard: list[News]) -> None:
    table = finished(app, 4)
    heard.clear()
    for seat in (2, 0, 3):
        assert ask(table, seat)["status"] == "finished"
    assert room_of(table)["rematch"] == [0, 2, 3]
    assert ask(table, 1)["status"] == "playing"
    assert said(heard) == [(2, "asked"), (0, "agreed"), (3, "agreed"), (1, "agreed")]


def test_bots_always_agree(app: Flask) -> None:
    mona, adel = guest(app, "Mona"), guest(app, "Adel")
    path = f"/rooms/{ok(mona.post('/rooms', {'seats': 4}), 201)['code']}"
    ok(adel.post(f"{path}/joins", {"seat": 2}), 201)
    ok(mona.post(f"{path}/bots", {"seat": 1}), 201)
    room = ok(mona.post(f"{path}/bots", {"seat": 3}), 201)
    ok(mona.post(f"/matches/{room['match_id']}/forfeits"), 201)
    assert ok(adel.post(f"{path}/rematches"), 201)["status"] == "finished"
    again = ok(mona.post(f"{path}/rematches"), 201)
    assert (again["status"], [place["bot"] for place in again["seating"]]) == ("playing", [None, "easy", None, "easy"])


@pytest.mark.parametrize("seats", [2, 4])
def test_with_bots_only_a_rematch_begins_at_once(app: Flask, heard: list[News], seats: int) -> None:
    mona = guest(app)
    room = ok(mona.post("/rooms", {"seats": seats}), 201)
    path = f"/rooms/{room['code']}"
    for seat in range(1, seats):
        room = ok(mona.post(f"{path}/bots", {"seat": seat}), 201)
    ok(mona.post(f"/matches/{room['match_id']}/forfeits"), 201)
    heard.clear()
    again = ok(mona.post(f"{path}/rematches", {}), 201)
    assert (again["status"], again["tally"]) == ("playing", [0, 1])
    assert said(heard) == [(0, "asked")]


def test_an_ask_can_be_withdrawn(app: Flask, heard: list[News]) -> None:
    table = finished(app)
    heard.clear()
    ask(table, 0)
    take_back(table, 0)
    assert room_of(table)["rematch"] == []
    assert said(heard) == [(0, "asked"), (0, "withdrawn")]
    take_back(table, 0)
    assert heard == []
    assert ask(table, 1)["status"] == "finished"
    assert said(heard) == [(1, "asked")]


def test_who_withdraws_leaves_the_others_asks_alone(app: Flask, heard: list[News]) -> None:
    table = finished(app, 4)
    ask(table, 0)
    ask(table, 1)
    heard.clear()
    take_back(table, 0)
    assert room_of(table)["rematch"] == [1]
    assert said(heard) == [(0, "withdrawn")]


def test_who_has_not_asked_declines_for_all(app: Flask, heard: list[News]) -> None:
    table = finished(app, 4)
    ask(table, 0)
    ask(table, 1)
    heard.clear()
    take_back(table, 3)
    room = room_of(table)
    assert (room["rematch"], room["status"]) == ([], "finished")
    assert said(heard) == [(3, "declined")]
    take_back(table, 3)
    assert heard == []
    assert ask(table, 3)["rematch"] == [3]
    assert said(heard) == [(3, "asked")]


@pytest.mark.parametrize(("askers", "told"), [((), []), ((1,), [(0, "declined")]), ((0,), [(0, "withdrawn")])])
def test_who_leaves_ends_the_rematch(app: Flask, heard: list[News], askers: tuple, told: list) -> None:
    table = finished(app)
    for seat in askers:
        ask(table, seat)
    heard.clear()
    assert table.person(0).delete(f"/rooms/{table.code}/joins/me").status_code == 204
    room = ok(table.person(1).get(f"/rooms/{table.code}"))
    assert (room["status"], room["rematch"], room["tally"]) == ("waiting", [], [0, 0])
    assert said(heard) == told
    again = ok(guest(app, "Samia").post(f"/rooms/{table.code}/joins"), 201)
    assert (again["status"], again["rematch"]) == ("playing", [])


def test_a_host_who_sends_somebody_away_declines(app: Flask, heard: list[News]) -> None:
    table = finished(app)
    ask(table, 1)
    heard.clear()
    assert table.person(0).delete(f"/rooms/{table.code}/joins/1").status_code == 204
    assert said(heard) == [(0, "declined")]


def test_a_host_who_closes_the_room_declines(app: Flask, heard: list[News]) -> None:
    table = finished(app)
    ask(table, 1)
    heard.clear()
    assert table.person(0).delete(f"/rooms/{table.code}").status_code == 204
    assert said(heard) == [(0, "declined")]
    room = room_of(table)
    assert (room["status"], room["rematch"]) == ("closed", [])


def test_refusals_by_the_state_of_the_room(app: Flask) -> None:
    mona = guest(app)
    waiting = f"/rooms/{ok(mona.post('/rooms'), 201)['code']}"
    table, over = sit_down(app), finished(app)
    assert over.person(0).delete(f"/rooms/{over.code}").status_code == 204
    cases = [
        (mona, waiting, "match.wrong_phase"),
        (table.person(0), f"/rooms/{table.code}", "room.started"),
        (over.person(0), f"/rooms/{over.code}", "room.closed"),
    ]
    for person, path, code in cases:
        refused(person.post(f"{path}/rematches"), 409, code)
        refused(person.delete(f"{path}/rematches/me"), 409, code)


def test_refusals_by_who_is_calling(app: Flask) -> None:
    table = finished(app)
    path = f"/rooms/{table.code}"
    stranger = guest(app)
    for caller, where, status, code in (
        (Caller(app), path, 401, "auth.required"),
        (stranger, path, 403, "auth.forbidden"),
        (stranger, "/rooms/ABCDEF", 404, "not_found"),
    ):
        refused(caller.post(f"{where}/rematches"), status, code)
        refused(caller.post(f"{where}/rematches", {"client_seed": 1}), status, code)
        refused(caller.delete(f"{where}/rematches/me"), status, code)
    assert table.person(0).delete(path).status_code == 204
    refused(stranger.post(f"{path}/rematches"), 403, "auth.forbidden")


@pytest.mark.parametrize("body", [{"client_seed": "AB"}, {"client_seed": "0" * 65}, {"client_seed": 7}, {"seat": 0}])
def test_bad_asks_are_refused_by_field(app: Flask, body: dict) -> None:
    table = finished(app)
    problem = refused(table.person(0).post(f"/rooms/{table.code}/rematches", body), 422, "request.invalid")
    assert list(problem["errors"]) == list(body)
    assert room_of(table)["rematch"] == []
