"""The sweep of rooms that nobody uses and of seeks whose players are gone."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy import func, select

from app.extensions import db
from app.jobs import Clock, scheduler
from app.jobs.sweeps import ExpirySweep
from app.models import Token, Transfer
from app.services import rooms, seeks
from tests.live import wait_until
from tests.runtime.conftest import Served
from tests.runtime.people import Person, begin, new_room
from tests.runtime.tables import MovedClock

Serve = Callable[[Flask], Served]

MINUTES = 60.0


@pytest.fixture
def served(app: Flask, serve: Serve, moved_clock: MovedClock) -> Served:
    moved_clock.stop()
    return serve(app)


@pytest.fixture
def mona(served: Served) -> Person:
    return Person(served, "Mona")


@pytest.fixture
def pass_by(served: Served, moved_clock: MovedClock) -> Callable[[float], None]:
    """Let minutes pass one by one, each with its sweep."""

    def go(minutes: float) -> None:
        for _ in range(int(minutes)):
            moved_clock.forward(MINUTES)
            ExpirySweep(served.app)()

    return go


PassBy = Callable[[float], None]


def test_a_room_is_in_use_while_anyone_follows_it(mona: Person, pass_by: PassBy) -> None:
    code = new_room(mona, join=False)
    channel = Person(mona.server, "Visitor").channel(code)
    channel.next()
    pass_by(130)
    assert mona.ask("GET", f"/rooms/{code}")["status"] == "waiting"
    channel.close()
    wait_until(lambda: not mona.server.app.extensions["hub"].is_used(code), "the channel to be gone")  # type: ignore[attr-defined]
    pass_by(110)
    assert mona.ask("GET", f"/rooms/{code}")["status"] == "waiting"
    pass_by(15)
    assert mona.ask("GET", f"/rooms/{code}")["status"] == "closed"


def test_a_room_in_which_somebody_sits_down_is_in_use(mona: Person, pass_by: PassBy) -> None:
    code = new_room(mona, seats=4)
    pass_by(110)
    Person(mona.server, "Karim").ask("POST", f"/rooms/{code}/joins")
    pass_by(110)
    assert mona.ask("GET", f"/rooms/{code}")["status"] == "waiting"


def test_a_running_match_is_left_alone(mona: Person, moved_clock: MovedClock) -> None:
    code, match_id = begin(mona, Person(mona.server, "Karim"))
    moved_clock.forward(timedelta(days=3).total_seconds())
    ExpirySweep(mona.server.app)()  # type: ignore[attr-defined]
    assert mona.ask("GET", f"/rooms/{code}")["status"] == "playing"
    assert mona.view(match_id)["status"] == "playing"


def test_who_looks_at_the_lobby_sees_a_room_go(mona: Person, pass_by: PassBy) -> None:
    code = new_room(mona, visibility="public")
    lobby = Person(mona.server, "Laila").own_channel()
    lobby.until(lambda m: m["type"] == "lobby" and [room["code"] for room in m["items"]] == [code])
    pass_by(121)
    lobby.until(lambda m: m["type"] == "lobby" and m["items"] == [])


def test_who_is_not_heard_of_is_no_longer_looked_for(mona: Person, moved_clock: MovedClock) -> None:
    looking = mona.ask("POST", "/seeks", {"seats": 2})
    karim = Person(mona.server, "Karim")
    moved_clock.forward(31)
    ExpirySweep(mona.server.app)()  # type: ignore[attr-defined]
    assert mona.call("GET", f"/seeks/{looking['id']}")[0] == 404
    assert karim.ask("POST", "/seeks", {"seats": 2})["room"] is None


def test_one_that_fails_does_not_keep_the_other(
    mona: Person, moved_clock: MovedClock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    swept: list[str] = []
    monkeypatch.setattr(rooms, "expire", lambda *_: 1 / 0)
    monkeypatch.setattr(seeks, "expire", lambda *_: swept.append("seeks") or [])
    ExpirySweep(mona.server.app)()  # type: ignore[attr-defined]
    assert swept == ["seeks"]
    assert "sweep_failed error=ZeroDivisionError" in caplog.text


def test_codes_and_tokens_that_ended_are_swept_away(served: Served, mona: Person, moved_clock: MovedClock) -> None:
    made = mona.ask("POST", "/tokens", {"label": "bot", "scopes": ["read"]})
    mona.ask("DELETE", f"/tokens/{made['id']}")
    mona.ask("POST", "/players/me/transfers")  # after it: who is put out takes the open codes along

    def kept() -> list[int | None]:
        ExpirySweep(served.app)()
        with served.app.app_context():
            return [db.session.scalar(select(func.count()).select_from(row)) for row in (Transfer, Token)]

    assert kept() == [1, 2]
    moved_clock.forward(11 * MINUTES)
    assert kept() == [0, 2]
    moved_clock.forward(30 * 24 * 60 * MINUTES)
    assert kept() == [0, 1]


def test_the_clock_sweeps_by_itself(mona: Person, moved_clock: MovedClock, monkeypatch: pytest.MonkeyPatch) -> None:
    assert scheduler.EXPIRY_S == 60
    monkeypatch.setattr(scheduler, "EXPIRY_S", 0.1)
    code = new_room(mona)
    clock = Clock(mona.server.app)  # type: ignore[attr-defined]
    clock.start()
    try:
        moved_clock.forward(3 * 60 * MINUTES)
        wait_until(lambda: mona.ask("GET", f"/rooms/{code}")["status"] == "closed", "the room to be closed")
    finally:
        clock.stop(wait=True)
