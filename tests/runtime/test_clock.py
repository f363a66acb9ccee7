"""What the clock does when a deadline has passed, beyond the table of test_slow_and_gone.py."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest
from flask import Flask
from sqlalchemy.exc import OperationalError

from app.extensions import DatabaseBusy
from app.jobs.sweeps import DeadlineSweep
from app.realtime import publish
from app.services import clock, deadlines, matches
from app.services.errors import Refusal
from app.services.news import MatchMoved, News
from app.services.times import utcnow
from engine import bots
from engine.state import Forfeit
from tests.runtime.tables import MovedClock, Table, together

MakeTable = Callable[..., Table]


def seconds_left(table: Table) -> float:
    deadline = table.record().deadline_at
    assert deadline is not None
    return (deadline - utcnow()).total_seconds()


def let_the_turn_pass(table: Table, moved_clock: MovedClock) -> None:
    deadline = table.record().deadline_at
    assert deadline is not None
    moved_clock.to(deadline + timedelta(milliseconds=1))
    table.sweep()


def test_nothing_happens_before_the_deadline(make_table: MakeTable, moved_clock: MovedClock) -> None:
    table = make_table()
    before = table.record()
    moved_clock.to(before.deadline_at - timedelta(seconds=1))  # type: ignore[operator]
    table.sweep()
    assert table.record().version == before.version


def test_one_person_who_plays_keeps_the_match_alive(make_table: MakeTable, moved_clock: MovedClock) -> None:
    table = make_table(seats=4)
    for _ in range(40):
        if table.record().match.to_act == 2:
            table.play()
        else:
            let_the_turn_pass(table, moved_clock)
    assert not table.record().is_over


def test_bots_play_by_themselves_and_are_never_late(make_table: MakeTable, moved_clock: MovedClock) -> None:
    table = make_table(bots=(1, 2, 3), seats=4)
    for _ in range(12):
        table.sweep()
        assert table.record().match.to_act == 0
        table.play()
    moved_clock.forward(0.001)
    played = [event for event in table.events() if event["type"] == "played"]
    assert {event["by"] for event in played if event["seat"]} == {"bot"}
    assert {event["by"] for event in played if not event["seat"]} == {"player"}


def test_a_bot_is_told_what_its_own_seat_saw_of_this_round(
    make_table: MakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = make_table(bots=(1,), level="medium", target=500)
    told: list[tuple[dict[str, Any], list[dict[str, Any]]]] = []
    choose = bots.choose

    def listen(level: str, view: dict[str, Any], events: list[dict[str, Any]], rng: Random) -> bots.Choice:
        told.append((view, events))
        return choose(level, view, events, rng)

    monkeypatch.setattr(bots, "choose", listen)
    while table.record().match.round.number == 1:
        table.sweep()
        if table.record().match.to_act == 0:
            table.play()
    table.sweep()
    table.play()
    table.sweep()
    for view, events in told:
        assert [event["version"] for event in events] == list(range(events[0]["version"], view["version"] + 1))
        assert (events[0]["type"], events[0]["round"]) == ("cut", view["round"]["number"])
        dealt = [event for event in events if event["type"] == "dealt"]
        assert not [event for event in dealt if "hands" in event]
        assert set(view["you"]["hand"]) <= set(dealt[-1]["hand"])
    assert {view["round"]["number"] for view, _ in told} == {1, 2}


def test_a_bot_that_could_not_play_for_long_plays_and_does_not_forfeit(
    make_table: MakeTable, moved_clock: MovedClock
) -> None:
    table = make_table(bots=(1,))
    if table.record().match.to_act == 0:
        table.play()
    moved_clock.forward(3600)
    with table.app.app_context():
        clock.begin(utcnow())
    table.sweep()
    record = table.record()
    assert not record.is_over
    assert record.match.to_act == 0


def test_after_the_service_was_down_everyone_has_thirty_seconds(make_table: MakeTable, moved_clock: MovedClock) -> None:
    late, early = make_table(turn_seconds=5), make_table(turn_seconds=600)
    moved_clock.stop()
    before = seconds_left(early)
    moved_clock.forward(120)
    with late.app.app_context():
        assert clock.begin(utcnow()) == 1
    late.sweep()
    assert seconds_left(late) == pytest.approx(30)
    assert seconds_left(early) == pytest.approx(before - 120)


def test_after_the_database_was_away_everyone_has_thirty_seconds(
    app: Flask, make_table: MakeTable, working: MovedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    late, early = make_table(turn_seconds=5), make_table(turn_seconds=600)
    heard: list[News] = []
    app.extensions["news_watchers"].append(heard.append)

    def fail(*_: object) -> None:
        raise OperationalError("SELECT", {}, Exception())

    with monkeypatch.context() as away:
        away.setattr(clock, "due", fail)
        away.setattr(clock, "write_transaction", fail)
        for _ in range(40):
            working.stand_still(2)
            late.sweep()
    late.sweep()
    assert seconds_left(late) == pytest.approx(30)
    assert seconds_left(early) > 500
    told = [item for item in heard if isinstance(item, MatchMoved)]
    assert [(item.match_id, item.events, item.record.deadline_at) for item in told] == [
        (late.match_id, (), late.record().deadline_at)
    ]
    let_the_turn_pass(late, working)
    assert late.record().is_over


def test_a_process_that_stood_still_blames_nobody(make_table: MakeTable, working: MovedClock) -> None:
    table = make_table()
    working.stand_still(3600)
    table.sweep()
    assert seconds_left(table) == pytest.approx(30)


def test_a_sweep_that_is_a_little_late_is_no_absence(make_table: MakeTable, working: MovedClock) -> None:
    table = make_table()
    working.to(table.record().deadline_at - timedelta(seconds=1))  # type: ignore[operator]
    working.stand_still(deadlines.AWAY_S)
    table.sweep()
    assert table.record().is_over


@pytest.mark.parametrize("command", ["moves", "forfeits"])
def test_the_first_command_after_an_absence_counts(
    app: Flask, make_table: MakeTable, working: MovedClock, command: str
) -> None:
    table = make_table()
    record = table.record()
    seat = record.match.to_act
    assert seat is not None
    working.stand_still(3600)
    body = {"turn": 0, "card": record.match.round.hands[seat][0]} if command == "moves" else {}
    answer = app.test_client().post(
        f"/api/v1/matches/{table.match_id}/{command}",
        json=body,
        headers={"Authorization": f"Bearer {table.tokens[seat]}"},
    )
    assert answer.status_code == 201, answer.text
    assert [event.get("by") or event["result"]["reason"] for event in answer.json["events"]] == [
        "player" if command == "moves" else "forfeit"
    ]


def test_a_sweep_that_stands_still_midway_blames_nobody_for_it(
    make_table: MakeTable, working: MovedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = make_table(), make_table()
    act = matches.act

    def act_and_stand_still(*given: Any, **named: Any) -> list[News] | None:
        news = act(*given, **named)
        working.stand_still(20)
        return news

    monkeypatch.setattr(matches, "act", act_and_stand_still)
    working.forward(200)
    first.sweep()
    assert first.record().is_over
    assert not second.record().is_over
    assert seconds_left(second) > 0


def test_what_was_decided_long_ago_is_not_done(make_table: MakeTable, moved_clock: MovedClock) -> None:
    table = make_table()
    record = table.record()
    decided = record.deadline_at + timedelta(milliseconds=1)  # type: ignore[operator]
    moved_clock.stop()
    moved_clock.to(decided + timedelta(seconds=deadlines.AWAY_S + 1))
    late = Forfeit(record.match.to_act, "timeout")  # type: ignore[arg-type]
    with table.app.app_context():
        assert matches.act(table.match_id, late, expect_version=record.version, due_by=decided) is None
    assert not table.record().is_over


@pytest.mark.parametrize(
    "passing", [DatabaseBusy(), OperationalError("UPDATE", {}, Exception()), Refusal("unavailable")], ids=repr
)
def test_a_hindrance_that_passes_costs_no_more_than_one_sweep(
    make_table: MakeTable, moved_clock: MovedClock, monkeypatch: pytest.MonkeyPatch, passing: Exception
) -> None:
    hindered, fine = make_table(), make_table()
    act_on = clock.act_on

    def act(match_id: str, now: datetime) -> list[News]:
        if match_id == hindered.match_id:
            raise passing
        return act_on(match_id, now)

    sweep = DeadlineSweep(hindered.app)
    moved_clock.forward(200)
    with monkeypatch.context() as busy:
        busy.setattr(clock, "act_on", act)
        sweep()
    assert (hindered.record().is_over, fine.record().is_over) == (False, True)
    sweep()
    assert hindered.record().is_over


def test_who_fails_to_listen_keeps_the_news_from_nobody(
    app: Flask, make_table: MakeTable, caplog: pytest.LogCaptureFixture
) -> None:
    table = make_table()
    heard: list[News] = []

    def fail(news: News) -> None:
        raise RuntimeError("listens badly")

    def leave(news: News) -> None:
        app.extensions["news_watchers"].remove(leave)

    app.extensions["news_watchers"] += [fail, leave, heard.append]
    news = [*table.play(), *table.play()]
    with app.app_context():
        publish(news)
    assert heard == news
    assert caplog.text.count("watcher_failed") == 2


def test_a_match_that_fails_does_not_stop_the_others(
    make_table: MakeTable, moved_clock: MovedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, fine = make_table(), make_table()
    act_on = clock.act_on

    def act(match_id: str, now: object) -> object:
        if match_id == broken.match_id:
            raise RuntimeError("cannot be acted on")
        return act_on(match_id, now)  # type: ignore[arg-type]

    monkeypatch.setattr(clock, "act_on", act)
    moved_clock.forward(200)
    fine.sweep()
    assert fine.record().is_over
    assert not broken.record().is_over


def test_two_sweeps_at_once_act_once(make_table: MakeTable, moved_clock: MovedClock) -> None:
    for _ in range(10):
        table = make_table(seats=4)
        moved_clock.to(table.record().deadline_at + timedelta(milliseconds=1))  # type: ignore[operator]
        together(table.sweep, table.sweep, table.sweep)
        assert sum(event["type"] == "played" for event in table.events()) == 1


@pytest.mark.parametrize("seats", [2, 4])
def test_a_move_that_meets_the_sweep_after_its_deadline_does_not_count(
    app: Flask, make_table: MakeTable, moved_clock: MovedClock, seats: int
) -> None:
    for _ in range(30):
        table = make_table(seats=seats)
        record = table.record()
        seat = record.match.to_act
        assert seat is not None
        moved_clock.to(record.deadline_at + timedelta(milliseconds=1))  # type: ignore[operator]
        card = record.match.round.hands[seat][0]
        told: list[str] = []

        def move(table: Table = table, seat: int = seat, card: str = card, told: list[str] = told) -> None:
            try:
                with app.app_context():
                    matches.play(table.players[seat], table.match_id, 0, card)
            except matches.Overdue:
                told.append("overdue")  # the sweep has not been there yet
            except Refusal as refusal:
                told.append(refusal.code)

        together(move, table.sweep)
        after = [event for event in table.events() if event["version"] > record.version]
        assert [event["type"] for event in after] == ["match_finished" if seats == 2 else "played"]
        assert after[0].get("by", "clock") == "clock"
        assert told[0] in {"overdue", "match.over" if seats == 2 else "match.stale_turn"}
