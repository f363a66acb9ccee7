"""The migration that works boards and ratings out anew: guests' matches lose their rating, a profile's points stay."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import flask_migrate
import pytest
import sqlalchemy as sa
from flask import Flask

from app import create_app
from app.config import read_settings
from app.extensions import db
from app.models.base import UtcDateTime
from app.services.glicko import Rating, after_match, at, established_until
from app.services.times import week_of
from tests.app.rebuild import WORTH, check_standings

BEGAN = datetime.fromisoformat("2024-05-01T12:00:00Z")
PEOPLE = [f"player-{number}" for number in range(9)]
GUESTS = PEOPLE[6:]
# More than are worked on at once.
MATCHES = 700
OLD = ("points", "week_points", "week_at", "rating_value", "rating_deviation", "rating_volatility", "rated_at",
       "established_until")  # fmt: skip


@pytest.fixture
def bare(database_url: str) -> Iterator[Flask]:
    """An app on a database without any table."""
    app = create_app(read_settings({"DATABASE_URL": database_url, "RATE_LIMITS": "off"}))
    with app.app_context():
        yield app
        db.session.remove()
        db.engine.dispose()


def table(name: str) -> sa.Table:
    """A table as it is in the database, with moments and JSON as we read them."""
    found = sa.Table(name, sa.MetaData(), autoload_with=db.engine)
    for column in found.columns:
        if isinstance(column.type, sa.DateTime):
            column.type = UtcDateTime()
    return found


def rows(name: str) -> list[dict[str, Any]]:
    of = table(name)
    with db.engine.connect() as connection:
        return [dict(row) for row in connection.execute(sa.select(of).order_by(*of.primary_key)).mappings()]


def insert(name: str, made: list[dict[str, Any]]) -> None:
    with db.engine.begin() as connection:
        connection.execute(table(name).insert(), made)


def match(number: int, people: list[str], winner: int | None, reason: str, **of: Any) -> dict[str, Any]:
    rated = len(people) == 2 and number % 5 > 0
    ended = BEGAN + timedelta(hours=number)
    return {"id": f"match-{number:04}", "room_code": "ABCDEF", "number": number, "public": True, "spectators": False,
            "status": "finished", "rules": {}, "rated": rated, "seeded": False, "server_seed": "ab",
            "client_seeds": [], "turn_seconds": 120, "version": 9, "state": {"rated": rated}, "started_at": ended,
            "finished_at": ended, "scored": True, "result": {"winner": winner, "reason": reason}, **of}  # fmt: skip


def result(of: dict[str, Any], seat: int, player_id: str, outcome: str) -> dict[str, Any]:
    return {"match_id": of["id"], "player_id": player_id, "outcome": outcome, "forfeited": False,
            "points": WORTH[outcome][0], "basras": 0, "best_round": 0, "rating_before": None, "rating_after": None,
            "deviation_before": None, "deviation_after": None, "finished_at": of["finished_at"]}  # fmt: skip


class Past:
    """What was stored by the rules of before: guests were rated, and points with them counted on the boards."""

    def __init__(self) -> None:
        self.players: dict[str, dict[str, Any]] = {
            one: {"id": one, "name": one, "guest": one in GUESTS, "bot": False, "created_at": BEGAN, "points": 0,
                  "week_points": 0, "week_at": None, "rating_value": 1500.0, "rating_deviation": 500.0,
                  "rating_volatility": 0.09, "rated_at": None, "established_until": None}
            for one in PEOPLE
        }  # fmt: skip
        self.matches: list[dict[str, Any]] = []
        self.seats: list[dict[str, Any]] = []
        self.results: list[dict[str, Any]] = []

    def play(self, number: int, people: list[str], winner: int | None, reason: str = "target", **of: Any) -> None:
        made = match(number, people, winner, reason, **of)
        self.matches.append(made)
        self.seats += [
            {"match_id": made["id"], "seat": seat, "player_id": one, "name": one, "clock_run": 0}
            for seat, one in enumerate(people)
        ]
        if not made["scored"]:
            return
        outcomes = [
            "draw" if winner is None else "win" if seat % 2 == winner else "loss" for seat in range(len(people))
        ]
        brought = [result(made, seat, one, outcomes[seat]) for seat, one in enumerate(people)]
        for row in brought:
            self._give_points(row)
        if made["rated"]:
            self._rate(brought, made["finished_at"])
        self.results += brought

    def _give_points(self, row: dict[str, Any]) -> None:
        own, week = self.players[row["player_id"]], week_of(row["finished_at"])
        own["points"] += row["points"]
        own["week_points"] = row["points"] + (own["week_points"] if own["week_at"] == week else 0)
        own["week_at"] = week

    def _rate(self, brought: list[dict[str, Any]], now: datetime) -> None:
        people = [self.players[row["player_id"]] for row in brought]
        before = [
            at(Rating(one["rating_value"], one["rating_deviation"], one["rating_volatility"]), one["rated_at"], now)
            for one in people
        ]
        for row, one, own, other in zip(brought, people, before, before[::-1], strict=True):
            after = after_match(own, other, WORTH[row["outcome"]][1])
            row |= {"rating_before": own.value, "rating_after": after.value,
                    "deviation_before": own.deviation, "deviation_after": after.deviation}  # fmt: skip
            one |= {"rating_value": after.value, "rating_deviation": after.deviation, "rated_at": now,
                    "rating_volatility": after.volatility,
                    "established_until": established_until(after, now)}  # fmt: skip

    def store(self) -> None:
        insert("players", list(self.players.values()))
        room = {"code": "ABCDEF", "host_id": PEOPLE[0], "seats": 2, "rules": {}, "turn_seconds": 120, "rated": True,
                "visibility": "public", "spectators": False, "status": "finished", "matches_played": 0,
                "server_seed": "ab", "tally": [0, 0], "created_at": BEGAN, "active_at": BEGAN}  # fmt: skip
        insert("rooms", [room])
        insert("seeks", [{"id": "seek-id", "player_id": PEOPLE[0], "seats": 2, "rules": "classic",
                          "room_code": "ABCDEF", "created_at": BEGAN, "seen_at": BEGAN}])  # fmt: skip
        insert("matches", self.matches)
        insert("match_seats", self.seats)
        insert("player_results", self.results)


def a_long_past() -> Past:
    rng = random.Random(9)
    past = Past()
    for number in range(MATCHES):
        # Two of them play a lot: more than counts in a week.
        people = PEOPLE[:2] if number % 3 == 0 else rng.sample(PEOPLE, rng.choice([2, 2, 2, 4]))
        past.play(number, people, rng.choice([0, 0, 1, None]))
    past.play(MATCHES, [PEOPLE[0], GUESTS[0]], None, status="playing", scored=False, finished_at=None, result=None,
              rated=True, state={"rated": True})  # fmt: skip
    return past


def test_boards_and_ratings_are_worked_out_anew_and_can_be_again(bare: Flask) -> None:
    flask_migrate.upgrade(revision="0006")
    past = a_long_past()
    past.store()
    before = {name: rows(name) for name in ("players", "matches", "match_seats", "player_results", "rooms")}
    flask_migrate.upgrade(revision="0007")
    # Points on the boards, weeks, ratings, encounters and who vouches for whom, from nothing but the results.
    assert check_standings(bare) == len(past.results)
    now = {row["id"]: row for row in rows("players")}
    assert [now[one]["points"] for one in PEOPLE] == [past.players[one]["points"] for one in PEOPLE]
    assert {(now[one]["rating_value"], now[one]["board_points"]) for one in GUESTS} == {(1500, 0)}
    assert 0 < now[PEOPLE[0]]["board_points"] < now[PEOPLE[0]]["points"]
    assert any(row["established_until"] for row in now.values())
    with_guests = {row["match_id"] for row in rows("match_seats") if not row["registered"]}
    assert with_guests == {seat["match_id"] for seat in past.seats if seat["player_id"] in GUESTS}
    assert {row["rated"] for row in rows("matches") if row["id"] in with_guests} == {False}
    assert [row["quick"] for row in rows("rooms")] == [True]

    # One who left early has a loss by now; the older code knows of no such thing.
    left = {**result(past.matches[-1], 0, PEOPLE[0], "loss"), "points": 0, "seat": 0, "board_points": 0,
            "finished_at": BEGAN}  # fmt: skip
    insert("player_results", [left])
    flask_migrate.downgrade(revision="0006")
    for name, stored in before.items():
        for old, new in zip(stored, rows(name), strict=True):
            assert new == {key: pytest.approx(value) if isinstance(value, float) else value
                           for key, value in old.items()}  # fmt: skip

    # What nobody played counts on no board from now on.
    idle = Past()
    idle.play(MATCHES + 1, PEOPLE[:4], None, "abandoned")
    insert("matches", idle.matches)
    insert("match_seats", idle.seats)
    insert("player_results", idle.results)
    flask_migrate.upgrade(revision="0007")
    assert {row["id"]: row["board_points"] for row in rows("players")} == {
        one: now[one]["board_points"] for one in PEOPLE
    }
