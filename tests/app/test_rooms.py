"""Making, showing, listing and closing rooms."""

import hashlib
import re

import pytest
from flask import Flask

from app.extensions import db
from app.models import Room
from engine.shuffle import commitment, seeded_server_seed
from tests.app.accounts import account
from tests.app.people import Caller, guest, ok, refused, sit_down

ROOM = {
    "code",
    "url",
    "host",
    "name",
    "seats",
    "rules",
    "turn_seconds",
    "visibility",
    "rated",
    "seeded",
    "spectators",
    "chat",
    "status",
    "seating",
    "match_id",
    "tally",
    "fairness",
    "created_at",
    "rematch",
}


def test_a_room_without_wishes(app: Flask) -> None:
    mona = account(app)
    response = mona.post("/rooms")
    room = ok(response, 201)
    assert room.keys() == ROOM
    assert response.headers["Location"] == f"/api/v1/rooms/{room['code']}"
    assert re.fullmatch("[A-HJKMNPRSTW-Z]{6}", room["code"])
    assert room["url"] == f"http://127.0.0.1:8000/r/{room['code']}"
    assert room["rules"]["profile"] == "classic"
    assert room["rules"]["target"] == 121
    expected = {
        "host": mona.id,
        "name": None,
        "seats": 2,
        "turn_seconds": 120,
        "visibility": "private",
        "rated": True,
        "seeded": False,
        "spectators": False,
        "status": "waiting",
        "match_id": None,
        "tally": [0, 0],
    }
    assert {name: room[name] for name in expected} == expected
    assert room["seating"] == [
        {
            "seat": 0,
            "side": 0,
            "player": {"id": mona.id, "name": "Mona", "guest": False, "bot": False},
            "bot": None,
            "connected": False,
        },
        {"seat": 1, "side": 1, "player": None, "bot": None, "connected": False},
    ]
    assert room["fairness"].keys() == {"scheme", "commitment", "client_commitments"}
    assert (room["fairness"]["scheme"], room["fairness"]["client_commitments"]) == ("basra-deal/2", ["", ""])


def test_a_room_with_every_wish(app: Flask) -> None:
    wish = {
        "seats": 4,
        "rules": "komi",
        "target": None,
        "overrides": {"jack_on_jack": 10, "cut": "neighbour"},
        "turn_seconds": 5,
        "visibility": "private",
        "rated": False,
        "name": "قهوة",
        "join": False,
        "spectators": True,
        "seed": "a text",
    }
    room = ok(guest(app).post("/rooms", wish), 201)
    assert [place["player"] for place in room["seating"]] == [None] * 4
    assert [place["side"] for place in room["seating"]] == [0, 1, 0, 1]
    assert (room["rules"]["target"], room["rules"]["jack_on_jack"], room["rules"]["cut"]) == (None, 10, "neighbour")
    assert (room["name"], room["seeded"], room["spectators"], room["turn_seconds"]) == ("قهوة", True, True, 5)
    assert "seed" not in room


def test_a_room_is_shown_to_anyone_by_its_code_in_either_case(app: Flask) -> None:
    room = ok(guest(app).post("/rooms"), 201)
    assert ok(Caller(app).get(f"/rooms/{room['code'].lower()}")) == room
    assert ok(Caller(app).get(f"/rooms/{room['code']}")) == room


@pytest.mark.parametrize(
    "code", ["ABCDEF", "abc", "ABCDEFG", "IIIIII", "AB1CDE", "%00%00%00%00%00%00", "ſſſſſſ", "ßßß"]
)
def test_an_unknown_code_is_not_found(app: Flask, code: str) -> None:
    refused(Caller(app).get(f"/rooms/{code}"), 404, "not_found")


def test_the_commitment_binds_the_seed_of_the_next_match(app: Flask) -> None:
    room = ok(guest(app).post("/rooms"), 201)
    with app.app_context():
        seed = db.session.get(Room, room["code"]).server_seed
    assert len(bytes.fromhex(seed)) == 32
    assert room["fairness"]["commitment"] == hashlib.sha256(bytes.fromhex(seed)).hexdigest()
    assert seed not in str(room)


def test_a_match_gets_the_seed_that_was_committed_to_and_the_room_a_new_one(app: Flask) -> None:
    mona, adel = guest(app, "Mona"), guest(app, "Adel")
    before = ok(mona.post("/rooms"), 201)
    after = ok(adel.post(f"/rooms/{before['code']}/joins"), 201)
    match = mona.view(after["match_id"])
    assert match["fairness"]["commitment"] == before["fairness"]["commitment"]
    assert after["fairness"]["commitment"] != before["fairness"]["commitment"]


def test_a_seeded_room_deals_the_same_every_time(app: Flask) -> None:
    floors = []
    for _ in range(2):
        table = sit_down(app, seed="tutorial 1")
        view = table.view(0)
        assert view["seeded"] is True
        assert view["rated"] is False
        assert view["fairness"]["commitment"] == commitment(seeded_server_seed("tutorial 1", 1))
        floors.append((view["round"]["floor"], view["you"]["hand"]))
    assert floors[0] == floors[1]


@pytest.mark.parametrize(
    ("wish", "rated"),
    [
        ({}, True),
        ({"rules": "traditional"}, True),
        ({"target": 200}, True),
        ({"rated": True}, True),
        ({"rated": False}, False),
        ({"seats": 4}, False),
        ({"rules": "komi"}, False),
        ({"rules": "casual"}, False),
        ({"target": 120}, False),
        ({"target": None}, False),
        ({"overrides": {"jack_on_jack": 10}}, False),
        ({"seed": "x"}, False),
    ],
)
def test_a_room_is_rated_where_it_may_be(app: Flask, wish: dict[str, object], rated: bool) -> None:
    assert ok(account(app).post("/rooms", wish), 201)["rated"] is rated


@pytest.mark.parametrize(
    ("wish", "field"),
    [
        ({"rated": True, "seats": 4}, "rated"),
        ({"rated": True, "rules": "komi"}, "rated"),
        ({"rated": True, "rules": "casual"}, "rated"),
        ({"rated": True, "target": 120}, "rated"),
        ({"rated": True, "target": None}, "rated"),
        ({"rated": True, "seed": "x"}, "rated"),
        ({"rated": True, "overrides": {"burned_komi": 30}}, "rated"),
        ({"rated": 1}, "rated"),
        ({"seats": 3}, "seats"),
        ({"seats": "2"}, "seats"),
        ({"seats": 2.0}, "seats"),
        ({"seats": True}, "seats"),
        ({"seats": None}, "seats"),
        ({"seats": 4, "rules": "casual"}, "seats"),
        ({"rules": "poker"}, "rules"),
        ({"rules": {"profile": "classic"}}, "rules"),
        ({"target": 9}, "target"),
        ({"target": 501}, "target"),
        ({"target": "121"}, "target"),
        ({"target": True}, "target"),
        ({"target": 10**40}, "target"),
        ({"overrides": {"target": 50}}, "overrides"),
        ({"overrides": {"profile": "komi"}}, "overrides"),
        ({"overrides": {"jack_on_jack": 5}}, "overrides"),
        ({"overrides": {"jack_on_jack": True}}, "overrides"),
        ({"overrides": {"jack_on_jack": 10.0}}, "overrides"),
        ({"overrides": {"carry": 1}}, "overrides"),
        ({"overrides": {"carry": True}, "target": None}, "overrides"),
        ({"overrides": {"majority": 30}}, "overrides"),
        ({"overrides": {"cut": ["neighbour"]}}, "overrides"),
        ({"overrides": []}, "overrides"),
        ({"overrides": None}, "overrides"),
        ({"turn_seconds": 4}, "turn_seconds"),
        ({"turn_seconds": 601}, "turn_seconds"),
        ({"turn_seconds": None}, "turn_seconds"),
        ({"visibility": "secret"}, "visibility"),
        ({"name": ""}, "name"),
        ({"name": "x" * 25}, "name"),
        ({"join": None}, "join"),
        ({"join": "yes"}, "join"),
        ({"spectators": 0}, "spectators"),
        ({"seed": 7}, "seed"),
        ({"seed": "x" * 201}, "seed"),
        ({"seed": "a\0"}, "seed"),
        ({"seed": "x", "visibility": "public"}, "seed"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_wishes_that_cannot_be_are_refused_by_field(app: Flask, wish: dict[str, object], field: str) -> None:
    problem = refused(guest(app).post("/rooms", wish), 422, "request.invalid")
    assert list(problem["errors"]) == [field]
    assert all(isinstance(message, str) and message for message in problem["errors"][field])


def test_rooms_are_made_by_those_who_are_known(app: Flask) -> None:
    refused(Caller(app).post("/rooms", {}), 401, "auth.required")


def test_public_rooms_that_wait_are_listed_newest_first(app: Flask) -> None:
    mona = guest(app)
    public = [ok(mona.post("/rooms", {"visibility": "public", "name": str(n)}), 201)["code"] for n in range(3)]
    ok(mona.post("/rooms", {}), 201)
    ok(guest(app).post(f"/rooms/{public[1]}/joins"), 201)
    listed, path = [], "/rooms?limit=1"
    while path:
        page = ok(Caller(app).get(path))
        assert page.keys() == {"items", "next"}
        assert len(page["items"]) == 1
        listed += [room["code"] for room in page["items"]]
        path = page["next"] and f"/rooms?limit=1&cursor={page['next']}"
    assert listed == [public[2], public[0]]
    assert [room["code"] for room in ok(Caller(app).get("/rooms"))["items"]] == listed


@pytest.mark.parametrize(
    "query",
    [
        "limit=0",
        "limit=501",
        "limit=-1",
        "limit=x",
        "limit=",
        "limit=1e3",
        "limit=%D9%A1",
        "limit=" + "9" * 5000,
        "cursor=",
        "cursor=x",
        "cursor=bnVsbA",
        "cursor=WzEsMl0",
        "cursor=%00",
        "cursor=" + "A" * 5000,
        "colour=red",
        "cursor=WyIyMDI0LTAxLTAxIiwieCJd",
        "cursor=WyIwMDAxLTAxLTAxVDAwOjAwOjAwKzIzOjU5IiwieCJd",
    ],
)
def test_bad_pages_are_refused(app: Flask, query: str) -> None:
    for path in ("/rooms", "/rules", "/matches"):
        refused(guest(app).get(f"{path}?{query}"), 422, "request.invalid")


def test_the_host_closes_his_room(app: Flask) -> None:
    mona, adel = guest(app, "Mona"), guest(app, "Adel")
    path = f"/rooms/{ok(mona.post('/rooms'), 201)['code']}"
    refused(Caller(app).delete(path), 401, "auth.required")
    refused(adel.delete(path), 403, "auth.forbidden")
    response = mona.delete(path)
    assert (response.status_code, response.data) == (204, b"")
    assert ok(Caller(app).get(path))["status"] == "closed"
    refused(mona.delete(path), 409, "room.closed")
    refused(mona.delete("/rooms/ABCDEF"), 404, "not_found")


def test_a_room_cannot_be_closed_while_a_match_is_played(app: Flask) -> None:
    table = sit_down(app)
    refused(table.person(0).delete(f"/rooms/{table.code}"), 409, "room.started")


def test_the_rule_sets_are_listed(app: Flask) -> None:
    page = ok(Caller(app).get("/rules"))
    assert [rules["profile"] for rules in page["items"]] == ["classic", "traditional", "komi", "casual"]
    assert page["next"] is None
    assert page["items"][0] == {
        "profile": "classic",
        "target": 121,
        "seats": [2, 4],
        "allocation": "best",
        "cut": "automatic",
        "komi_basra": "total",
        "jack_on_jack": 0,
        "burned_komi": 10,
        "majority": 30,
        "carry": True,
        "card_points": {"A": 1, "J": 1, "2C": 2, "TD": 3},
    }
    first = ok(Caller(app).get("/rules?limit=3"))
    assert len(first["items"]) == 3
    assert [rules["profile"] for rules in ok(Caller(app).get(f"/rules?cursor={first['next']}"))["items"]] == ["casual"]
