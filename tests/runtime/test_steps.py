"""The system's clock is set forward or back while people play: nobody loses by that, and nobody gains."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta, tzinfo
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import func, select, update

from app.extensions import db, write_transaction
from app.jobs import Clock
from app.jobs.sweeps import DeadlineSweep, ExpirySweep
from app.models import Room, Seek, Token, Transfer
from app.services import clock, dealing, penalties, players, rooms, seating, seeks, steps, times, transfers
from app.services.errors import Refusal
from app.services.news import MatchMoved, News
from app.services.room_rules import RoomWish
from app.services.times import utcnow
from engine.shuffle import client_commitment
from tests.live import wait_until
from tests.runtime.tables import REAL_DATETIME, MovedClock, Table

MakeTable = Callable[..., Table]
HOUR = 3600.0
MS = 0.002  # moments are shown to the millisecond
STEPS = pytest.mark.parametrize("step_s", [150.0, HOUR, -HOUR, 40 * 24 * HOUR])


def view(table: Table, seat: int = 0) -> dict[str, Any]:
    answer = table.app.test_client().get(f"/api/v1/matches/{table.match_id}", headers=headers(table, seat))
    found: dict[str, Any] = answer.json
    return found


def headers(table: Table, seat: int) -> dict[str, str]:
    return {"Authorization": f"Bearer {table.tokens[seat]}"}


def left_s(table: Table) -> float:
    """How long the turn still lasts, as its player is shown it."""
    shown = view(table)
    return (datetime.fromisoformat(shown["deadline"]) - datetime.fromisoformat(shown["now"])).total_seconds()


def moved_s(table: Table, before: datetime | None) -> float:
    """By how much the deadline was moved."""
    after = table.record().deadline_at
    assert before is not None
    assert after is not None
    return (after - before).total_seconds()


def move(table: Table) -> int:
    """Have whoever is due play a card; returns the status of the answer."""
    seat = view(table)["to_act"]
    shown = view(table, seat)
    body = {"turn": shown["turn"], "card": shown["you"]["hand"][0]}
    path = f"/api/v1/matches/{table.match_id}/moves"
    return table.app.test_client().post(path, json=body, headers=headers(table, seat)).status_code


@STEPS
def test_a_step_moves_every_deadline_along(make_table: MakeTable, working: MovedClock, step_s: float) -> None:
    table = make_table()
    heard: list[News] = []
    table.app.extensions["news_watchers"].append(heard.append)
    working.forward(20)
    left, deadline = left_s(table), table.record().deadline_at
    working.step(step_s)
    table.sweep()
    assert left_s(table) == pytest.approx(left, abs=MS)
    assert moved_s(table, deadline) == pytest.approx(step_s, abs=MS)
    told = [item for item in heard if isinstance(item, MatchMoved)]
    assert [(item.events, item.record.deadline_at) for item in told] == [((), table.record().deadline_at)]
    table.sweep()
    assert left_s(table) == pytest.approx(left, abs=MS)
    working.forward(left - 1)
    table.sweep()
    assert not table.record().is_over
    working.forward(1.01)
    table.sweep()
    assert table.record().is_over


@STEPS
def test_a_move_between_a_step_and_the_next_sweep_counts(
    make_table: MakeTable, working: MovedClock, step_s: float
) -> None:
    table = make_table(turn_seconds=50)
    assert move(table) == 201
    working.step(step_s)
    assert left_s(table) == pytest.approx(51, abs=MS)
    assert move(table) == 201
    table.sweep()
    assert left_s(table) == pytest.approx(51, abs=MS)
    assert move(table) == 201


def test_a_step_back_while_no_service_ran_gives_nobody_an_hour(
    app: Flask, make_table: MakeTable, moved_clock: MovedClock
) -> None:
    quick, slow = make_table(turn_seconds=50), make_table(turn_seconds=3 * 24 * 3600)
    moved_clock.stop()
    with app.app_context():
        gone = players.create_guest("Mona", session=False)[0]["id"]
        seeks.seek(gone, RoomWish())
    moved_clock.step(-HOUR)
    with app.app_context():
        clock.begin(utcnow())
    assert left_s(quick) == pytest.approx(111, abs=MS)
    assert left_s(slow) == pytest.approx(3 * 24 * HOUR + 61, abs=MS)
    moved_clock.forward(31)
    with app.app_context():
        assert seeks.open_seeks(gone) == []


def test_what_is_too_little_adds_up(make_table: MakeTable, working: MovedClock) -> None:
    table = make_table()
    deadline, left = table.record().deadline_at, left_s(table)
    for _ in range(2):
        working.step(-0.4)
        table.sweep()
        assert table.record().deadline_at == deadline
        assert left_s(table) == pytest.approx(left, abs=MS)
    working.step(-0.4)
    table.sweep()
    assert moved_s(table, deadline) == pytest.approx(-1.2, abs=MS)
    assert left_s(table) == pytest.approx(left, abs=MS)


def test_who_is_not_the_clock_moves_nothing(app: Flask, make_table: MakeTable, working: MovedClock) -> None:
    table = make_table()
    deadline = table.record().deadline_at
    with app.app_context():
        clock.end()
        working.step(HOUR)
        assert steps.follow() is None
        assert utcnow() == working.now(utcnow().tzinfo)
    assert table.record().deadline_at == deadline


def test_a_step_that_cannot_be_stored_is_followed_later(
    app: Flask, make_table: MakeTable, working: MovedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = make_table()
    deadline, left = table.record().deadline_at, left_s(table)
    working.step(HOUR)

    def fail(self: object) -> None:
        raise OSError("no room")

    with monkeypatch.context() as failing, app.app_context():
        failing.setattr("sqlalchemy.orm.Session.commit", fail)
        with pytest.raises(OSError, match="no room"):
            steps.follow()
    assert table.record().deadline_at == deadline
    assert left_s(table) == pytest.approx(left, abs=MS)
    table.sweep()
    assert moved_s(table, deadline) == pytest.approx(HOUR, abs=MS)
    assert left_s(table) == pytest.approx(left, abs=MS)


def test_what_was_decided_before_a_step_back_is_not_done_after_it(make_table: MakeTable, working: MovedClock) -> None:
    table = make_table()
    with table.app.app_context():
        before = utcnow()
        working.step(-HOUR)
        steps.follow()
        assert clock.act_on(table.match_id, before) == []
    assert not table.record().is_over


@STEPS
def test_who_waits_for_others_goes_on_waiting(app: Flask, working: MovedClock, step_s: float) -> None:
    """Seeks, rooms and codes for another device end by moments, too."""
    with app.app_context():
        player_id = players.create_guest("Mona", session=False)[0]["id"]
        rooms.create(player_id, RoomWish())
        seeks.seek(player_id, RoomWish())
        transfers.create(player_id)
        working.step(step_s)
        DeadlineSweep(app)()
        working.forward(20)
        ExpirySweep(app)()
        db.session.expire_all()
        assert [db.session.scalar(select(row.__table__.c[0])) is not None for row in (Seek, Transfer)] == [True, True]
        assert db.session.scalar(select(Room.status)) == "waiting"
        assert len(seeks.open_seeks(player_id)) == 1
        working.forward(10.01)
        assert seeks.open_seeks(player_id) == []


@STEPS
def test_who_has_to_wait_before_seeking_waits_no_longer_and_no_shorter(
    app: Flask, working: MovedClock, step_s: float
) -> None:
    def looks() -> bool:
        try:
            seeks.seek(mona, RoomWish())
        except Refusal:
            return False
        return True

    with app.app_context():
        mona = players.create_guest("Mona", session=False)[0]["id"]
        for _ in range(2):
            with write_transaction() as session:
                penalties.note_no_shows(session.connection(), [mona], utcnow())
        working.step(step_s)
        DeadlineSweep(app)()
        assert not looks()
        working.forward(119)
        assert not looks()
        working.forward(1.01)
        assert looks()


def test_nothing_is_forgotten_for_its_age_for_an_hour(app: Flask, working: MovedClock) -> None:
    def kept() -> int | None:
        ExpirySweep(app)()
        db.session.rollback()
        return db.session.scalar(select(func.count()).select_from(Token))

    with app.app_context():
        players.create_guest("Mona", session=False)
        with write_transaction() as session:
            session.execute(update(Token).values(revoked_at=utcnow()))
        working.step(40 * 24 * HOUR)
        DeadlineSweep(app)()
        for _ in range(2):
            assert kept() == 1
            working.forward(HOUR / 2)
        assert kept() == 0


def test_a_look_that_was_interrupted_is_no_step(
    app: Flask, working: MovedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process is put aside between its looks at the two clocks."""
    monkeypatch.setattr(times, "system_now", lambda: working.forward(30) or working.now(utcnow().tzinfo))
    with app.app_context():
        assert times.gap_s() == 0
        monkeypatch.undo()


@pytest.mark.parametrize("step_s", [-HOUR, HOUR])
def test_the_sweeps_go_on_whatever_the_clock_is_set_to(
    make_table: MakeTable, monkeypatch: pytest.MonkeyPatch, step_s: float
) -> None:
    """The scheduler plans by the system's clock, and would wait for an hour until that is where it was."""
    stepped = timedelta()

    class Datetime(REAL_DATETIME):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
            return REAL_DATETIME.now(tz) + stepped

    for module in ("apscheduler.schedulers.base", "app.jobs.steady", "app.services.times"):
        monkeypatch.setattr(f"{module}.datetime", Datetime)
    table = make_table(bots=(1,))
    running = Clock(table.app)
    running.start()
    try:
        stepped = timedelta(seconds=step_s)
        before = table.record().deadline_at
        wait_until(lambda: table.record().deadline_at != before, "the deadline to be moved")
        for _ in range(3):
            wait_until(lambda: table.record().match.to_act == 0, "the bot to play")
            table.play()
    finally:
        running.stop(wait=True)


@STEPS
def test_a_step_moves_a_dealing_along(app: Flask, working: MovedClock, step_s: float) -> None:
    with app.app_context():
        mona, adel = (players.create_guest(name, session=False)[0]["id"] for name in ("Mona", "Adel"))
        part = client_commitment("ab")
        code = rooms.create(mona, RoomWish(client_commitment=part))[0]["code"]
        shown = seating.join(adel, code, client_commitment=part)[0]["fairness"]["reveal_by"]
    working.forward(4)
    working.step(step_s)
    DeadlineSweep(app)()
    with app.app_context():
        room = rooms.room_json(code)
        moved = datetime.fromisoformat(room["fairness"]["reveal_by"]) - datetime.fromisoformat(shown)
        assert (room["status"], moved.total_seconds()) == ("dealing", pytest.approx(step_s, abs=MS))
        assert dealing.due(utcnow()) == []
    working.forward(1.01)
    DeadlineSweep(app)()
    with app.app_context():
        assert rooms.room_json(code)["status"] == "playing"
