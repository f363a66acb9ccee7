"""Joining, moving to another seat, leaving, and bots."""

from collections.abc import Callable

import pytest
from flask import Flask

from app.services.news import News, RoomChanged
from tests.app.accounts import account
from tests.app.people import Caller, Table, guest, ok, refused, sit_down


def open_room(app: Flask, **wish: object) -> tuple[Caller, str]:
    host = guest(app, "Mona")
    return host, f"/rooms/{ok(host.post('/rooms', wish), 201)['code']}"


def taken(room: dict) -> list[str | None]:
    return [place["bot"] or (place["player"]["name"] if place["player"] else None) for place in room["seating"]]


def test_the_last_seat_taken_starts_the_match(app: Flask) -> None:
    mona, path = open_room(app)
    room = ok(guest(app, "Adel").post(f"{path}/joins"), 201)
    assert (room["status"], taken(room)) == ("playing", ["Mona", "Adel"])
    assert len(room["match_id"]) >= 16
    assert ok(mona.get(path)) == room


def test_four_take_their_seats_in_any_order(app: Flask) -> None:
    _, path = open_room(app, seats=4)
    assert taken(ok(guest(app, "Adel").post(f"{path}/joins", {"seat": 2}), 201)) == ["Mona", None, "Adel", None]
    room = ok(guest(app, "Samia").post(f"{path}/joins"), 201)
    assert (taken(room), room["status"]) == (["Mona", "Samia", "Adel", None], "waiting")
    room = ok(guest(app, "Fouad").post(f"{path}/joins", {"seat": None, "client_commitment": None}), 201)
    assert (taken(room)[3], room["status"]) == ("Fouad", "playing")


def test_joining_again_is_no_refusal(app: Flask) -> None:
    mona, path = open_room(app)
    assert taken(ok(mona.post(f"{path}/joins"), 200)) == ["Mona", None]
    adel = guest(app, "Adel")
    ok(adel.post(f"{path}/joins"), 201)
    assert ok(adel.post(f"{path}/joins"), 200)["status"] == "playing"
    assert ok(adel.post(f"{path}/joins", {"seat": 1}), 200)["status"] == "playing"
    refused(adel.post(f"{path}/joins", {"client_commitment": "cd" * 32}), 409, "room.started")
    refused(adel.post(f"{path}/joins", {"seat": 0}), 409, "room.started")


def test_a_seated_player_moves_to_a_free_seat(app: Flask) -> None:
    mona, path = open_room(app, seats=4)
    adel = guest(app, "Adel")
    ok(adel.post(f"{path}/joins"), 201)
    assert taken(ok(mona.post(f"{path}/joins", {"seat": 3}), 200)) == [None, "Adel", None, "Mona"]
    refused(mona.post(f"{path}/joins", {"seat": 1}), 409, "room.seat_taken")
    assert ok(mona.post(f"{path}/joins", {"seat": 3}), 200)["host"] == mona.id


def test_a_join_that_began_a_seeded_match_can_be_sent_twice(app: Flask) -> None:
    mona, adel = guest(app, "Mona"), guest(app, "Adel")
    path = f"/rooms/{ok(mona.post('/rooms', {'seed': 'lesson 1'}), 201)['code']}"
    ok(adel.post(f"{path}/joins", {"client_commitment": "ab" * 32}), 201)
    assert ok(adel.post(f"{path}/joins", {"client_commitment": "ab" * 32}), 200)["status"] == "playing"
    assert ok(mona.post(f"{path}/joins", {"client_commitment": "cd" * 32}), 200)["status"] == "playing"
    refused(adel.post(f"{path}/joins", {"client_commitment": "ab" * 32, "seat": 0}), 409, "room.started")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"client_seed": "ab"}, "client_seed"),
        ({"seat": -1}, "seat"),
        ({"seat": 2}, "seat"),
        ({"seat": 4}, "seat"),
        ({"seat": "1"}, "seat"),
        ({"seat": True}, "seat"),
        ({"seat": 1.0}, "seat"),
        ({"place": 1}, "place"),
    ],
)
def test_bad_joins_are_refused_by_field(app: Flask, body: dict[str, object], field: str) -> None:
    _, path = open_room(app)
    problem = refused(guest(app).post(f"{path}/joins", body), 422, "request.invalid")
    assert list(problem["errors"]) == [field]


def test_joins_are_refused_in_order(app: Flask) -> None:
    adel = guest(app, "Adel")
    mona, path = open_room(app)
    refused(Caller(app).post(f"{path}/joins"), 401, "auth.required")
    refused(adel.post("/rooms/ABCDEF/joins"), 404, "not_found")
    refused(adel.post(f"{path}/joins", {"seat": 0}), 409, "room.seat_taken")
    mona.delete(path)
    refused(adel.post(f"{path}/joins", {"seat": 0}), 409, "room.closed")
    refused(adel.post(f"{path}/joins", {"seat": 3}), 422, "request.invalid")
    table = sit_down(app)
    refused(adel.post(f"/rooms/{table.code}/joins", {"seat": 0}), 409, "room.started")
    ok(table.person(0).post(f"{table.path}/forfeits"), 201)
    refused(adel.post(f"/rooms/{table.code}/joins"), 409, "room.full")
    refused(adel.post(f"/rooms/{table.code}/joins", {"seat": 0}), 409, "room.full")


def test_looking_at_a_room_seats_nobody(app: Flask) -> None:
    _, path = open_room(app)
    before = ok(guest(app).get(path))
    for method in ("GET", "HEAD", "OPTIONS"):
        for end in ("", "/joins"):
            guest(app).send(method, f"{path}{end}", checked=False)
    assert ok(Caller(app).get(path)) == before


def test_leaving_frees_the_seat_and_passes_the_room_on(app: Flask) -> None:
    mona, path = open_room(app, seats=4)
    adel, samia = guest(app, "Adel"), guest(app, "Samia")
    ok(samia.post(f"{path}/joins", {"seat": 1}), 201)
    ok(adel.post(f"{path}/joins", {"seat": 3}), 201)
    assert mona.delete(f"{path}/joins/me").status_code == 204
    room = ok(mona.get(path))
    assert (taken(room), room["host"], room["status"]) == ([None, "Samia", None, "Adel"], samia.id, "waiting")
    refused(mona.delete(f"{path}/joins/me"), 404, "not_found")
    assert samia.delete(f"{path}/joins/me").status_code == 204
    assert ok(mona.get(path))["host"] == adel.id
    assert adel.delete(f"{path}/joins/me").status_code == 204
    assert ok(mona.get(path))["status"] == "closed"


def test_bots_do_not_keep_a_room_open(app: Flask) -> None:
    mona, path = open_room(app, seats=4)
    ok(mona.post(f"{path}/bots", {"seat": 1}), 201)
    assert mona.delete(f"{path}/joins/me").status_code == 204
    assert ok(mona.get(path))["status"] == "closed"


def test_during_a_match_nobody_leaves_his_seat_but_by_forfeiting(app: Flask) -> None:
    table = sit_down(app)
    refused(table.person(1).delete(f"/rooms/{table.code}/joins/me"), 409, "room.started")
    refused(table.person(0).delete(f"/rooms/{table.code}/joins/1"), 409, "room.started")


def test_the_host_unseats_a_player(app: Flask) -> None:
    mona, path = open_room(app, seats=4)
    adel = guest(app, "Adel")
    ok(adel.post(f"{path}/joins"), 201)
    refused(adel.delete(f"{path}/joins/0"), 403, "auth.forbidden")
    refused(mona.delete(f"{path}/joins/2"), 404, "not_found")
    refused(mona.delete(f"{path}/bots/1"), 404, "not_found")
    assert mona.delete(f"{path}/joins/1").status_code == 204
    assert taken(ok(mona.get(path))) == ["Mona", None, None, None]
    for seat in ("9", "-1", "x", "11", "9" * 5000, "%D9%A1"):
        refused(mona.delete(f"{path}/joins/{seat}"), 404, "not_found")


def test_the_host_seats_and_unseats_bots(app: Flask) -> None:
    mona, path = open_room(app, seats=4)
    refused(guest(app).post(f"{path}/bots", {"seat": 1}), 403, "auth.forbidden")
    room = ok(mona.post(f"{path}/bots", {"seat": 1, "level": "easy"}), 201)
    assert taken(room) == ["Mona", "easy", None, None]
    assert room["seating"][1] == {"seat": 1, "side": 1, "player": None, "bot": "easy", "connected": True}
    refused(mona.post(f"{path}/bots", {"seat": 1}), 409, "room.seat_taken")
    refused(mona.post(f"{path}/bots", {"seat": 0}), 409, "room.seat_taken")
    refused(mona.delete(f"{path}/joins/1"), 404, "not_found")
    assert mona.delete(f"{path}/bots/1").status_code == 204
    assert taken(ok(mona.get(path))) == ["Mona", None, None, None]


@pytest.mark.parametrize("level", ["easy", "medium"])
def test_a_bot_has_a_level(app: Flask, level: str) -> None:
    mona, path = open_room(app)
    room = ok(mona.post(f"{path}/bots", {"seat": 1, "level": level}), 201)
    assert taken(room) == ["Mona", level]
    assert mona.view(room["match_id"])["seats"][1]["bot"] == level
    ok(mona.post(f"/matches/{room['match_id']}/forfeits"), 201)
    assert [player["name"] for player in ok(mona.get(f"/matches/{room['match_id']}/transcript"))["players"]] == [
        "Mona",
        level.capitalize(),
    ]


def test_a_bot_on_the_last_seat_starts_the_match(app: Flask) -> None:
    mona, path = open_room(app)
    room = ok(mona.post(f"{path}/bots", {"seat": 1}), 201)
    assert room["status"] == "playing"
    view = mona.view(room["match_id"])
    assert [(place["bot"], place["player"] and place["player"]["name"]) for place in view["seats"]] == [
        (None, "Mona"),
        ("easy", None),
    ]
    assert view["rated"] is False
    refused(mona.post(f"{path}/bots", {"seat": 1}), 409, "room.started")


def test_one_seat_stays_a_persons(app: Flask) -> None:
    host, path = open_room(app, join=False)
    ok(host.post(f"{path}/bots", {"seat": 0}), 201)
    refused(host.post(f"{path}/bots", {"seat": 0}), 409, "room.seat_taken")
    assert list(refused(host.post(f"{path}/bots", {"seat": 1}), 422, "request.invalid")["errors"]) == ["seat"]
    assert ok(guest(app).post(f"{path}/joins"), 201)["status"] == "playing"


def test_a_bot_makes_a_room_unrated_unless_rating_was_asked_for(app: Flask) -> None:
    mona, path = open_room(app, rules="classic", join=False)
    assert ok(mona.post(f"{path}/bots", {"seat": 1}), 201)["rated"] is False
    assert mona.delete(f"{path}/bots/1").status_code == 204
    assert ok(mona.get(path))["rated"] is True
    mona = account(app)
    path = f"/rooms/{ok(mona.post('/rooms', {'rated': True}), 201)['code']}"
    refused(mona.post(f"{path}/bots", {"seat": 1}), 422, "request.invalid")


@pytest.mark.parametrize(
    ("body", "field"),
    [({}, "seat"), ({"seat": None}, "seat"), ({"seat": 2}, "seat"), ({"seat": 1, "level": "perfect"}, "level"),
     ({"seat": 1, "level": "random"}, "level"), ({"seat": 1, "level": "Easy"}, "level"),
     ({"seat": 1, "level": None}, "level"), ({"seat": 1, "name": "x"}, "name")],
)  # fmt: skip
def test_bad_bots_are_refused_by_field(app: Flask, body: dict[str, object], field: str) -> None:
    mona, path = open_room(app)
    assert list(refused(mona.post(f"{path}/bots", body), 422, "request.invalid")["errors"]) == [field]


def finished_table(app: Flask) -> Table:
    table = sit_down(app)
    ok(table.person(1).post(f"{table.path}/forfeits"), 201)
    return table


def test_a_finished_match_leaves_everyone_on_his_seat(app: Flask) -> None:
    table = finished_table(app)
    room = ok(Caller(app).get(f"/rooms/{table.code}"))
    assert (room["status"], taken(room), room["tally"]) == ("finished", ["Mona", "Adel"], [1, 0])
    assert room["match_id"] == table.match_id
    refused(table.person(1).post(f"/rooms/{table.code}/joins", {"seat": 0}), 409, "room.full")
    ok(table.person(1).post(f"/rooms/{table.code}/joins"), 200)


def test_after_a_match_a_seat_can_be_given_up_and_taken_by_another(app: Flask) -> None:
    table = finished_table(app)
    path = f"/rooms/{table.code}"
    assert table.person(0).delete(f"{path}/joins/me").status_code == 204
    room = ok(Caller(app).get(path))
    assert (room["status"], taken(room), room["host"]) == ("waiting", [None, "Adel"], table.person(1).id)
    again = ok(guest(app, "Samia").post(f"{path}/joins"), 201)
    assert (again["status"], again["tally"]) == ("playing", [0, 0])
    assert again["match_id"] != table.match_id


def test_the_host_closes_a_room_whose_match_is_over(app: Flask) -> None:
    table = finished_table(app)
    assert table.person(0).delete(f"/rooms/{table.code}").status_code == 204
    refused(table.person(1).delete(f"/rooms/{table.code}/joins/me"), 409, "room.closed")


Call = Callable[[Caller, Caller, str], object]
CHANGES: dict[str, Call] = {
    "a join": lambda host, other, path: guest(host.app).post(f"{path}/joins"),
    "a move": lambda host, other, path: other.post(f"{path}/joins", {"seat": 2}),
    "leaving": lambda host, other, path: other.delete(f"{path}/joins/me"),
    "the host leaving": lambda host, other, path: host.delete(f"{path}/joins/me"),
    "sending away": lambda host, other, path: host.delete(f"{path}/joins/1"),
    "a bot": lambda host, other, path: host.post(f"{path}/bots", {"seat": 2}),
    "a bot sent away": lambda host, other, path: host.delete(f"{path}/bots/3"),
    "closing": lambda host, other, path: host.delete(path),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=list(CHANGES))
def test_every_change_of_a_room_is_told(app: Flask, heard: list[News], change: Call) -> None:
    host, path = open_room(app, seats=4, visibility="public")
    assert heard == [RoomChanged(path[-6:])]
    other = guest(app)
    ok(other.post(f"{path}/joins", {"seat": 1}), 201)
    ok(host.post(f"{path}/bots", {"seat": 3}), 201)
    before = ok(host.get(path))
    heard.clear()
    change(host, other, path)
    assert ok(host.get(path)) != before
    assert heard[0] == RoomChanged(path[-6:])


def test_the_begin_and_the_end_of_a_match_change_its_room(app: Flask, heard: list[News]) -> None:
    table = sit_down(app)
    assert [type(item).__name__ for item in heard] == ["RoomChanged", "RoomChanged", "MatchMoved"]
    heard.clear()
    ok(table.person(0).post(f"{table.path}/forfeits"), 201)
    assert [type(item).__name__ for item in heard] == ["MatchMoved", "RoomChanged"]


def test_what_changes_nothing_is_not_told(app: Flask, heard: list[News]) -> None:
    mona, path = open_room(app)
    heard.clear()
    ok(mona.post(f"{path}/joins"), 200)
    refused(mona.post(f"{path}/joins", {"seat": 7}), 422, "request.invalid")
    refused(mona.post(f"{path}/rematches"), 409, "match.wrong_phase")
    assert heard == []
