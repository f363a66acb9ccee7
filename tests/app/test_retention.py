"""What is forgotten after a while, and what never is: matches, accounts, and all that they need."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import func, select, update

from app.config import ConfigError, read_settings
from app.extensions import db, write_transaction
from app.jobs import retention as job
from app.jobs.retention import RetentionSweep
from app.models import MatchRow, Message, Player, Report, Room, RoomSeat, Token
from app.services import retention, steps
from app.services.times import utcnow
from tests.app.accounts import account
from tests.app.people import Caller, guest, ok, sit_down

DAY = timedelta(days=1)


def age(app: Flask, row: Any, days: float, *where: Any, **moments: None) -> None:
    """Let moments of rows be so many days ago."""
    with app.app_context(), write_transaction() as session:
        session.execute(update(row).where(*where).values(dict.fromkeys(moments, utcnow() - days * DAY)))


def stay_away(app: Flask, caller: Caller, days: float) -> None:
    """Let a player have come, and been here for the last time, so many days ago."""
    age(app, Player, days, Player.id == caller.id, created_at=None)
    age(app, Token, days, Token.player_id == caller.id, created_at=None, last_used_at=None)


def close(app: Flask, host: Caller, code: str, days: float) -> None:
    """Let a room have been closed so many days ago."""
    assert host.delete(f"/rooms/{code}").status_code == 204
    age(app, Room, days, Room.code == code, active_at=None)


def sweep(app: Flask) -> None:
    RetentionSweep(app, lambda: True)()


def kept(app: Flask, row: Any, key: Any) -> bool:
    with app.app_context():
        return db.session.get(row, key) is not None


@pytest.fixture(autouse=True)
def without_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job, "PAUSE_S", 0)


@pytest.fixture
def keep(app: Flask) -> Iterator[Callable[..., None]]:
    """Changes for how long something is kept."""
    before = app.extensions["settings"]

    def change(**days: int) -> None:
        app.extensions["settings"] = replace(before, **days)

    yield change
    app.extensions["settings"] = before


def test_guests_who_stay_away_are_forgotten(app: Flask) -> None:
    away, young, new_here = guest(app), guest(app), guest(app)
    stay_away(app, away, 90)
    stay_away(app, young, 89.9)
    age(app, Player, 200, Player.id == new_here.id, created_at=None)  # but here lately
    sweep(app)
    assert [kept(app, Player, one.id) for one in (away, young, new_here)] == [False, True, True]
    assert away.get("/players/me").status_code == 401


def test_a_token_that_was_never_used_counts_from_its_making(app: Flask) -> None:
    one = guest(app)
    age(app, Player, 200, Player.id == one.id, created_at=None)
    age(app, Token, 200, Token.player_id == one.id, created_at=None)
    with app.app_context(), write_transaction() as session:
        session.execute(update(Token).where(Token.player_id == one.id).values(last_used_at=None))
    sweep(app)
    assert not kept(app, Player, one.id)


def test_accounts_and_whoever_has_a_match_stay(app: Flask) -> None:
    table = sit_down(app)
    people = [account(app), table.person(0), table.person(1)]
    for one in people:
        stay_away(app, one, 1000)
    sweep(app)
    ok(table.person(1).post(f"{table.path}/forfeits"), 201)
    for one in people:
        stay_away(app, one, 1000)
    age(app, Room, 1000, Room.code == table.code, active_at=None)
    sweep(app)
    assert all(kept(app, Player, one.id) for one in people)
    assert table.view(0)["status"] == "finished"
    assert [item["id"] for item in ok(table.person(0).get("/matches?player=me"))["items"]] == [table.match_id]


def test_who_is_in_an_open_room_stays(app: Flask) -> None:
    host, sits = guest(app), guest(app)
    code = ok(host.post("/rooms", {"seats": 4, "join": False}), 201)["code"]
    ok(sits.post(f"/rooms/{code}/joins"), 201)
    for one in (host, sits):
        stay_away(app, one, 1000)
    sweep(app)
    assert kept(app, Player, host.id)
    assert kept(app, Player, sits.id)


def test_who_is_reported_or_reports_stays_as_long_as_the_report(app: Flask) -> None:
    reporter, reported = guest(app), guest(app)
    ok(reporter.post("/reports", {"player": reported.id, "reason": "name"}), 201)
    for one in (reporter, reported):
        stay_away(app, one, 1000)
    sweep(app)
    assert kept(app, Player, reporter.id)
    assert kept(app, Player, reported.id)
    age(app, Report, 180, Report.reporter_id == reporter.id, created_at=None)
    sweep(app)
    assert not kept(app, Player, reporter.id)
    assert not kept(app, Player, reported.id)


def test_a_room_that_was_closed_without_a_match_is_forgotten(app: Flask) -> None:
    host = guest(app)
    old, young, open_one = (ok(host.post("/rooms"), 201)["code"] for _ in range(3))
    close(app, host, old, 30)
    close(app, host, young, 29.9)
    age(app, Room, 1000, Room.code == open_one, active_at=None)
    sweep(app)
    assert [kept(app, Room, code) for code in (old, young, open_one)] == [False, True, True]
    assert kept(app, Player, host.id)
    with app.app_context():
        assert db.session.scalar(select(func.count()).where(RoomSeat.room_code == old)) == 0


def test_of_a_room_with_a_match_stays_what_the_match_needs(app: Flask) -> None:
    table = sit_down(app, name="Mona and friends")
    ok(table.person(1).post(f"{table.path}/forfeits"), 201)
    close(app, table.person(0), table.code, 30)
    before = table.view(0)
    sweep(app)
    room = ok(guest(app).get(f"/rooms/{table.code}"))
    assert (room["status"], room["name"], [place["player"] for place in room["seating"]]) == (
        "closed",
        None,
        [None] * 2,
    )
    assert {**table.view(0), "now": None} == {**before, "now": None}
    ok(table.person(0).get(f"{table.path}/transcript"))


def test_a_guest_who_made_a_room_for_others_leaves_it_to_them(app: Flask) -> None:
    host, mona, adel = guest(app), guest(app), guest(app)
    code = ok(host.post("/rooms", {"join": False, "name": "Friday"}), 201)["code"]
    ok(mona.post(f"/rooms/{code}/joins"), 201)
    match_id = ok(adel.post(f"/rooms/{code}/joins"), 201)["match_id"]
    ok(adel.post(f"/matches/{match_id}/forfeits"), 201)
    stay_away(app, host, 90)
    sweep(app)
    assert kept(app, Player, host.id)  # while the room is open
    with app.app_context(), write_transaction() as session:
        session.execute(update(Room).where(Room.code == code).values(status="closed"))
    sweep(app)
    assert not kept(app, Player, host.id)
    room = ok(mona.get(f"/rooms/{code}"))
    assert room["host"] in (mona.id, adel.id)
    assert kept(app, MatchRow, match_id)


def test_words_are_forgotten_and_matches_are_not(app: Flask) -> None:
    table = sit_down(app, chat=True)
    writer, other = table.person(0), table.person(1)
    texts = ("old", "young")
    for text in texts:
        ok(writer.post(f"/rooms/{table.code}/messages", {"text": text}), 201)
    ok(writer.post("/reports", {"player": other.id, "reason": "name"}), 201)
    ok(other.post("/reports", {"player": writer.id, "reason": "name"}), 201)
    age(app, Message, 180, Message.text == "old", Message.player_id == writer.id, sent_at=None)
    age(app, Message, 179.9, Message.text == "young", Message.player_id == writer.id, sent_at=None)
    age(app, Report, 180, Report.reporter_id == writer.id, created_at=None)
    age(app, Report, 179.9, Report.reporter_id == other.id, created_at=None)
    sweep(app)
    with app.app_context():
        assert list(db.session.scalars(select(Message.text).where(Message.room_code == table.code))) == ["young"]
        reporters = select(Report.reporter_id).where(Report.reporter_id.in_([writer.id, other.id]))
        assert list(db.session.scalars(reporters)) == [other.id]
    assert table.view(0)["status"] == "playing"


@pytest.mark.parametrize("name", ["guests", "rooms", "messages", "reports"])
def test_nothing_is_forgotten_where_it_is_kept_for_ever(app: Flask, keep: Callable[..., None], name: str) -> None:
    keep(**{f"keep_{name}_days": 0})
    kind = next(one for one in retention.KINDS if one.name == name)
    one = guest(app)
    code = ok(one.post("/rooms"), 201)["code"]
    close(app, one, code, 10_000)
    stay_away(app, one, 10_000)
    with app.app_context():
        assert list(retention.walk(kind)) == []
    keep(**{f"keep_{name}_days": 36_500})
    with app.app_context():
        assert sum(retention.walk(kind)) == 0


def test_how_long_is_a_setting() -> None:
    found = read_settings({"KEEP_GUESTS_DAYS": "7", "KEEP_ROOMS_DAYS": "0"})
    days = (found.keep_guests_days, found.keep_rooms_days, found.keep_messages_days, found.keep_reports_days)
    assert days == (7, 0, 180, 180)
    with pytest.raises(ConfigError, match="KEEP_REPORTS_DAYS"):
        read_settings({"KEEP_REPORTS_DAYS": "-1"})


def test_a_long_table_is_walked_in_small_steps(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "STEP", 3)
    away = [guest(app) for _ in range(10)]
    for one in away:
        stay_away(app, one, 90)
    with app.app_context():
        forgotten = list(retention.walk(next(one for one in retention.KINDS if one.name == "guests")))
    assert max(forgotten) <= 3
    assert sum(forgotten) == 10
    assert not any(kept(app, Player, one.id) for one in away)


def test_who_comes_back_between_the_look_and_the_step_stays(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    away = guest(app)
    stay_away(app, away, 90)
    transaction = retention.write_transaction

    def come_back_first() -> Any:
        ok(away.get("/players/me"))
        return transaction()

    monkeypatch.setattr(retention, "write_transaction", come_back_first)
    sweep(app)
    assert kept(app, Player, away.id)


@pytest.fixture
def walked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Which kinds were walked, while nothing is forgotten."""
    walked: list[str] = []

    def walk(kind: retention.Kind) -> Iterator[int]:
        walked.append(kind.name)
        yield 0

    monkeypatch.setattr(retention, "walk", walk)
    return walked


EACH = [kind.name for kind in retention.KINDS]


def test_it_is_swept_once_an_hour(app: Flask, walked: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(job.time, "monotonic", lambda: now)
    sweep = RetentionSweep(app, lambda: True)
    for moment in (5.0, 3604.0, 3605.0, 3666.0):
        now = moment
        sweep()
    assert walked == EACH * 2


def test_it_rests_after_the_clock_was_set(app: Flask, walked: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Ninety days may have passed, or none."""
    sweep = RetentionSweep(app, lambda: True)
    with monkeypatch.context() as stepped:
        stepped.setattr(steps, "is_quiet", lambda: False)
        sweep()
    assert walked == []
    sweep()
    assert walked == EACH


def test_it_stops_in_the_middle_when_it_may_not_go_on(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server is being stopped, another process is the clock, or the clock was set just now."""
    taken: list[int] = []

    def walk(kind: retention.Kind) -> Iterator[int]:
        for step in range(10):
            taken.append(step)
            yield 0

    monkeypatch.setattr(retention, "walk", walk)
    monkeypatch.setattr(retention, "KINDS", retention.KINDS[:1])
    RetentionSweep(app, lambda: len(taken) < 3)()
    assert taken == [0, 1, 2]


def test_one_kind_that_fails_keeps_no_other_and_is_one_line(
    app: Flask, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    away = guest(app)
    stay_away(app, away, 90)
    broken = replace(retention.KINDS[0], is_due=lambda since: 1 / 0)
    monkeypatch.setattr(retention, "KINDS", (broken, *retention.KINDS[1:]))
    sweep = RetentionSweep(app, lambda: True)
    caplog.clear()
    sweep()
    sweep()
    assert not kept(app, Player, away.id)
    lines = [record.getMessage().split(" at=")[0] for record in caplog.records]
    assert [line for line in lines if "retention" in line] == ["retention_failed error=ZeroDivisionError"]
    assert "forgotten of=guests count=1" in lines
