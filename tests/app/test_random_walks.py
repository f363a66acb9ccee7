"""Random commands of several people in one room: each answer is a documented one, and the room stays consistent."""

import random
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from app.extensions import db
from app.models import MatchRow, Room
from app.services.news import MatchMoved, News, RematchSaid, RoomChanged
from engine.shuffle import client_commitment
from tests.app.people import Caller, guest, ok

COMMANDS = [
    ("POST", "/rooms/{code}/joins", lambda rng, seats: {"seat": rng.choice([None, *range(seats + 1)])}),
    ("POST", "/rooms/{code}/joins", lambda rng, seats: {}),
    (
        "POST",
        "/rooms/{code}/joins",
        lambda rng, seats: {"client_commitment": rng.choice([None, client_commitment("ab")])},
    ),
    ("DELETE", "/rooms/{code}/joins/me", None),
    ("DELETE", "/rooms/{code}/joins/{seat}", None),
    ("POST", "/rooms/{code}/bots", lambda rng, seats: {"seat": rng.randrange(seats), "level": "medium"}),
    ("DELETE", "/rooms/{code}/bots/{seat}", None),
    (
        "POST",
        "/rooms/{code}/rematches",
        lambda rng, seats: {"client_commitment": rng.choice([None, client_commitment("cd")])},
    ),
    ("POST", "/rooms/{code}/rematches", lambda rng, seats: {}),
    ("DELETE", "/rooms/{code}/rematches/me", None),
    ("POST", "/rooms/{code}/reveals", lambda rng, seats: {"client_seed": rng.choice(["ab", "cd"])}),
    ("POST", "/matches/{match}/forfeits", lambda rng, seats: {}),
    ("DELETE", "/rooms/{code}", None),
]
# Closing ends a walk; it should come late.
WEIGHTS = [*[4] * 5, 1, 1, 6, 6, 2, 8, 5, 0.1]


def check(app: Flask, room: dict[str, Any]) -> None:
    """What is so of every room at any time."""
    people = [place["player"]["id"] for place in room["seating"] if place["player"]]
    taken = sum(bool(place["player"] or place["bot"]) for place in room["seating"])
    assert len(people) == len(set(people))
    assert all(room["seating"][seat]["player"] for seat in room["rematch"])
    with app.app_context():
        running = list(
            db.session.scalars(
                select(MatchRow.id).where(MatchRow.room_code == room["code"], MatchRow.status == "playing")
            )
        )
        played = db.session.get(Room, room["code"]).matches_played
    assert running == ([room["match_id"]] if room["status"] == "playing" else [])
    assert sum(room["tally"]) <= played
    if room["status"] in ("dealing", "playing", "finished"):
        assert taken == room["seats"]
        assert people
    if room["status"] == "finished":
        assert set(room["rematch"]) < {place["seat"] for place in room["seating"] if place["player"]}
    elif room["status"] != "dealing":
        assert room["rematch"] == []
    if room["status"] == "waiting":
        assert taken < room["seats"]
    assert room["host"] in people or room["status"] == "closed"


def heard_of(heard: list[News], before: dict[str, Any], after: dict[str, Any], status: int) -> None:
    """What is told of one command: the room if it changed, what was said of a rematch before it, a match after it."""
    kinds = [type(item) for item in heard]
    heard.clear()
    if status >= 400:
        assert kinds == []
    if before != after:
        assert RoomChanged in kinds
    if RematchSaid in kinds:
        assert kinds[:2] == [RematchSaid, RoomChanged]
    if after["match_id"] not in (None, before["match_id"]):
        assert kinds[-2:] == [RoomChanged, MatchMoved]


@pytest.mark.parametrize("seed", range(4))
def test_a_room_stays_consistent_whatever_is_done_in_it(app: Flask, heard: list[News], seed: int) -> None:
    rng = random.Random(seed)
    seats = 4 if seed % 2 else 2
    people = [guest(app) for _ in range(seats + 1)]
    room = ok(people[0].post("/rooms", {"seats": seats, "visibility": "public"}), 201)
    heard.clear()
    matches, said = set(), 0
    for _ in range(100):
        if room["status"] == "closed":
            room = ok(people[0].post("/rooms", {"seats": seats}), 201)
            heard.clear()
        method, path, body = rng.choices(COMMANDS, WEIGHTS)[0]
        person: Caller = rng.choice(people)
        path = path.format(code=room["code"], seat=rng.randrange(seats), match=room["match_id"] or "unknown-id")
        response = person.send(method, path, None if body is None else body(rng, seats))
        assert response.status_code < 500
        after = ok(people[0].get(f"/rooms/{room['code']}"))
        check(app, after)
        said += any(isinstance(item, RematchSaid) for item in heard)
        heard_of(heard, room, after, response.status_code)
        if response.status_code in (200, 201) and "rooms" in path:
            assert response.json == after
        room = after
        matches.add(room["match_id"])
    assert len(matches) > 1
    assert said > 1
