"""What the clock does when a deadline has passed, beyond the table of test_slow_and_gone.py."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from flask import Flask

from app.services import clock, matches
from app.services.errors import Refusal
from app.services.times import utcnow
from engine import bots
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
    table = make_table(bots=(1,), target=500)
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
        clock.give_grace(utcnow())
    table.sweep()
    record = table.record()
    assert not record.is_over
    assert record.match.to_act == 0


def test_after_the_service_was_down_everyone_has_thirty_seconds(make_table: MakeTable, moved_clock: MovedClock) -> None:
    late, early = make_table(turn_seconds=5), make_table(turn_seconds=600)
    before = seconds_left(early)
    moved_clock.forward(120)
    with late.app.app_context():
        assert clock.give_grace(utcnow()) == 1
    late.sweep()
    assert 29 < seconds_left(late) <= 30
    assert seconds_left(early) == pytest.approx(before - 120, abs=2)


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
