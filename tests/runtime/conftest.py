"""What the tests of the running service share."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Any

import pytest
from flask import Flask
from werkzeug.serving import make_server

from app.services import clock as service_clock
from app.services import players, rooms, seating, times
from app.services.room_rules import RoomWish
from tests.live import LiveServer
from tests.runtime import people
from tests.runtime.people import Person
from tests.runtime.tables import MovedClock, StandingClock, Table


@pytest.fixture
def moved_clock(monkeypatch: pytest.MonkeyPatch) -> MovedClock:
    """A clock that goes on as always until the test moves it."""
    moved = MovedClock()

    class Datetime(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
            return moved.now(tz)

    monkeypatch.setattr(times, "datetime", Datetime)
    monkeypatch.setattr(times, "running_s", moved.running_s)
    monkeypatch.setattr(service_clock, "running_s", moved.stood_still_s)
    return moved


@pytest.fixture
def working(app: Flask, moved_clock: MovedClock) -> MovedClock:
    """The time of a clock that has begun; it stands still but for what the test lets pass."""
    moved_clock.stop()
    with app.app_context():
        service_clock.begin(times.utcnow())
    return moved_clock


@pytest.fixture
def clock() -> StandingClock:
    """A clock for limits."""
    return StandingClock()


@pytest.fixture
def mona(server: LiveServer) -> Person:
    """A guest of the server."""
    return Person(server, "Mona")


@pytest.fixture
def karim(server: LiveServer) -> Person:
    """Another guest of the server."""
    return Person(server, "Karim")


@pytest.fixture
def make_table(app: Flask) -> Callable[..., Table]:
    """Seat players and bots at a new room, and so begin its match.

    `bots` says which seats bots of a `level` take; the rest of the keywords describe the room.
    """

    def make(bots: tuple[int, ...] = (), level: str = "easy", **wish: Any) -> Table:
        ids, tokens = [], []
        seats = wish.get("seats", 2)
        with app.app_context():
            for seat in range(seats):
                player, token = players.create_guest(f"Player {seat}", session=False)
                ids.append(player["id"])
                tokens.append(token)
            code = rooms.create(ids[0], RoomWish(**wish))[0]["code"]
            for seat in range(1, seats):
                if seat in bots:
                    seating.seat_bot(ids[0], code, seat, level)
                else:
                    seating.join(ids[seat], code, seat)
            match_id = rooms.room_json(code)["match_id"]
        return Table(app, code, match_id, ids, tokens)

    return make


@pytest.fixture(autouse=True)
def close_channels() -> Iterator[None]:
    """Leave no channel open behind a test."""
    yield
    people.close_all()


@dataclass
class Served:
    """An app served by a thread of this process, where a test may reach into it."""

    app: Flask
    url: str
    port: int


@pytest.fixture
def serve() -> Iterator[Callable[[Flask], Served]]:
    """Serve an app in this process, on threads."""
    running = []

    def start(app: Flask) -> Served:
        app.testing = False
        server = make_server("127.0.0.1", 0, app, threaded=True)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        running.append((app, server, thread))
        return Served(app, f"http://127.0.0.1:{server.server_port}", server.server_port)

    yield start
    people.close_all()
    for app, server, thread in running:
        app.extensions["hub"].close_all()
        server.shutdown()
        thread.join()
        server.server_close()
