"""Leaving early and never coming is no better than losing; who could not know of the match is not blamed."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy import delete, update

from app.extensions import db, write_transaction
from app.models import MatchRow, Player, Seek
from app.realtime.subscriber import Subscriber
from app.services import clock, matches, voids
from app.services.times import utcnow
from engine.state import Play
from tests.app.accounts import account
from tests.app.ladder import beat, results_of, row
from tests.app.people import Caller, Table, guest, ok, refused, sit_down
from tests.app.rebuild import check_standings


@pytest.fixture(autouse=True)
def nobody_else_seeks(app: Flask) -> Iterator[None]:
    with app.app_context(), write_transaction() as session:
        session.execute(delete(Seek))
    yield
    check_standings(app)


def forfeit(table: Table, seat: int) -> dict:
    return ok(table.person(seat).post(f"{table.path}/forfeits"), 201)["view"]["result"]


def time_out(app: Flask, table: Table) -> dict:
    """Let the turn that is due end."""
    with app.app_context(), write_transaction() as session:
        session.execute(
            update(MatchRow)
            .where(MatchRow.id == table.match_id)
            .values(deadline_at=utcnow() - timedelta(milliseconds=1))
        )
    with app.app_context():
        clock.act_on(table.match_id, utcnow())
        db.session.remove()
    return table.view(0)["result"]


def sought(people: list[Caller], **wish: object) -> Table:
    """A quick match of these people."""
    for person in people:
        made = ok(person.post("/seeks", wish), 201)
    return Table(ok(people[0].get(f"/rooms/{made['room']}")), list(people))


def check_lost(app: Flask, table: Table, seat: int, *, rated: bool) -> None:
    """The match counts for one seat, as a loss without points, and for nobody else."""
    loser = table.person(seat)
    found = results_of(app, table.match_id)
    assert list(found) == [loser.id]
    result = found[loser.id]
    assert (result.outcome, result.forfeited, result.points, result.board_points) == ("loss", True, 0, 0)
    assert (result.rating_after is not None) is rated
    assert (row(app, loser).rating_value < 1500) is rated
    assert ok(loser.get("/players/me"))["stats"].items() >= {"matches": 1, "losses": 1, "forfeits": 1}.items()
    assert row(app, loser).points == 0
    for other in table.people:
        if other is not loser:
            stored = row(app, other)
            assert (stored.points, stored.rating_value, stored.rated_at) == (0, 1500, None)
            assert ok(other.get("/players/me"))["stats"]["matches"] == 0


@pytest.mark.parametrize("plays", [0, 1, 3])
def test_who_leaves_early_has_the_loss_and_nobody_the_win(app: Flask, plays: int) -> None:
    table = sit_down(app, 2, account)
    for _ in range(plays):
        table.play()
    assert forfeit(table, 1)["scored"] is False
    check_lost(app, table, 1, rated=True)
    item = ok(table.person(1).get("/matches"))["items"][0]
    assert (item["outcome"], item["points"], item["rating_change"] < 0) == ("loss", 0, True)
    item = ok(table.person(0).get("/matches"))["items"][0]
    assert (item["outcome"], item["points"], item["rating_change"]) == ("win", None, None)


def test_a_partner_of_who_leaves_early_has_no_loss(app: Flask) -> None:
    table = sit_down(app, 4, account)
    table.play_plays(7)
    forfeit(table, 2)
    check_lost(app, table, 2, rated=False)


def test_a_guest_who_leaves_early_has_the_loss_in_the_record(app: Flask) -> None:
    table = sit_down(app)
    forfeit(table, 0)
    check_lost(app, table, 0, rated=False)


@pytest.mark.parametrize("room", [{"seed": "x"}, {"bot": True}])
def test_leaving_what_would_not_have_been_scored_costs_nothing(app: Flask, room: dict[str, object]) -> None:
    mona, adel = account(app), account(app)
    code = ok(mona.post("/rooms", {name: value for name, value in room.items() if name != "bot"}), 201)["code"]
    if "bot" in room:
        made = ok(mona.post(f"/rooms/{code}/bots", {"seat": 1}), 201)
    else:
        made = ok(adel.post(f"/rooms/{code}/joins"), 201)
    table = Table(made, [mona, adel])
    forfeit(table, 0)
    assert results_of(app, table.match_id) == {}


def test_leaving_the_eleventh_match_of_a_day_costs_nothing(app: Flask) -> None:
    mona, adel = account(app), account(app)
    for _ in range(10):
        beat(app, mona, adel)
    assert results_of(app, beat(app, mona, adel, plays=1)) == {}


def test_a_locked_phone_costs_nothing(app: Flask) -> None:
    table = sit_down(app, 2, account)
    assert time_out(app, table)["reason"] == "timeout"
    assert results_of(app, table.match_id) == {}
    assert row(app, table.person(0)).rated_at is None


def test_who_has_played_and_lets_the_time_run_out_has_lost(app: Flask) -> None:
    table = sit_down(app, 2, account)
    table.play_plays(2)
    result = time_out(app, table)
    check_lost(app, table, result["seat"], rated=True)


def listen(app: Flask, caller: Caller, code: str) -> Subscriber:
    """An open channel of a room."""
    subscriber = Subscriber((code,), caller.id, threading.Event(), lambda: None)
    app.extensions["hub"].join(subscriber)
    return subscriber


@pytest.mark.parametrize("line", ["open", "newer", "closed", "late"])
def test_who_was_there_all_the_time_and_does_not_play_has_lost(app: Flask, line: str) -> None:
    hub = app.extensions["hub"]
    mona, adel = account(app), account(app)
    code = ok(mona.post("/rooms"), 201)["code"]
    opened = [] if line == "late" else [listen(app, one, code) for one in (mona, adel)]
    table = Table(ok(adel.post(f"/rooms/{code}/joins"), 201), [mona, adel])
    if line != "open":
        if line == "closed":
            for one in opened:
                hub.leave(one)
        # Another channel: after a gap, or in place of one that is open still.
        opened += [listen(app, one, code) for one in (mona, adel)]
        hub.seat_players(code, {mona.id: 0, adel.id: 1})
        for one in opened[:-2]:
            hub.leave(one)
    result = time_out(app, table)
    for one in opened:
        hub.leave(one)
    if line in ("open", "newer"):
        check_lost(app, table, result["seat"], rated=True)
    else:
        assert results_of(app, table.match_id) == {}


@pytest.mark.parametrize("how", ["timeout", "forfeit"])
def test_who_never_comes_to_quick_matches_loses_them_and_has_to_wait(app: Flask, how: str) -> None:
    adel = account(app)
    for count in (1, 2, 3):
        table = sought([account(app), adel])
        view = table.view(0)
        if how == "forfeit":
            forfeit(table, 1)
        else:
            if view["to_act"] == 0:
                table.play()
            time_out(app, table)
        assert [one.outcome for one in results_of(app, table.match_id).values()] == ["loss"]
        if count == 1:
            continue
        response = adel.post("/seeks")
        problem = refused(response, 429, "rate_limited")
        assert "retry_after_s" not in problem
        assert 100 < int(response.headers["Retry-After"]) <= 120
        with app.app_context(), write_transaction() as session:
            session.execute(update(Player).where(Player.id == adel.id).values(no_seek_until=utcnow()))
    assert ok(adel.post("/seeks"), 201)["room"] is None


def test_the_second_time_is_within_an_hour_of_the_first(app: Flask) -> None:
    adel = account(app)
    for _ in range(2):
        forfeit(sought([account(app), adel]), 1)
        with app.app_context(), write_transaction() as session:
            session.execute(update(Player).where(Player.id == adel.id).values(no_show_at=utcnow() - timedelta(hours=1)))
    assert ok(adel.post("/seeks"), 201)["room"] is None


def test_who_was_there_pays_nothing_for_who_was_not(app: Flask) -> None:
    table = sought([account(app), account(app)])
    away = table.view(0)["to_act"]
    time_out(app, table)
    check_lost(app, table, away, rated=True)
    assert row(app, table.person(1 - away)).no_show_at is None


def test_a_rematch_of_a_quick_match_is_one_among_friends(app: Flask) -> None:
    people = [account(app), account(app)]
    table = sought(people)
    table.play_plays(4)
    forfeit(table, 0)
    for person in people:
        room = ok(person.post(f"/rooms/{table.code}/rematches"), 201)
    again = Table(room, people)
    time_out(app, again)
    assert results_of(app, again.match_id) == {}
    assert [row(app, person).no_show_at for person in people] == [None, None]


def play_by_clock(app: Flask, table: Table) -> None:
    with app.app_context():
        record = matches.load(table.match_id)
        seat = record.match.to_act
        card = record.match.round.hands[seat][0]
        action = Play(seat, card, None, record.match.turn, "clock")
        matches.act(table.match_id, action, expect_version=record.version)
        db.session.remove()


def test_at_four_seats_who_never_comes_to_a_quick_match_has_lost_it_whoever_wins(app: Flask) -> None:
    people = [account(app) for _ in range(4)]
    table = sought(people, seats=4)
    away = table.view(0)["to_act"]
    play_by_clock(app, table)
    for _ in range(7):
        seat = table.view(0)["to_act"]
        play_by_clock(app, table) if seat == away else table.play()
    result = forfeit(table, (away + 1) % 4)
    assert (result["winner"], result["scored"]) == (away % 2, True)
    found = results_of(app, table.match_id)
    lost, partner = found[people[away].id], found[people[(away + 2) % 4].id]
    assert (lost.outcome, lost.points, lost.board_points) == ("loss", 0, 0)
    assert (partner.outcome, partner.points, partner.board_points) == ("win", 24, 24)
    assert [row(app, person).no_show_at is not None for person in people] == [seat == away for seat in range(4)]
    items = ok(people[away].get("/matches?outcome=loss"))["items"]
    assert [(item["id"], item["outcome"]) for item in items] == [(table.match_id, "loss")]


def test_a_voided_match_is_no_encounter_with_who_never_came(app: Flask) -> None:
    people = [account(app) for _ in range(4)]
    table = sought(people, seats=4)
    away = table.view(0)["to_act"]
    for _ in range(8):
        seat = table.view(0)["to_act"]
        play_by_clock(app, table) if seat == away else table.play()
    assert forfeit(table, (away + 1) % 4)["scored"]
    with app.app_context():
        voids.void_match(table.match_id)
    check_standings(app)


@pytest.mark.parametrize("quick", [False, True])
def test_what_nobody_played_scores_nothing(app: Flask, quick: bool) -> None:
    people = [account(app) for _ in range(4)]
    table = sought(people, seats=4) if quick else sit_down(app, 4, account)
    while table.view(0)["status"] == "playing":
        play_by_clock(app, table)
    result = table.view(0)["result"]
    assert (result["reason"], result["winner"], result["scored"]) == ("abandoned", None, False)
    assert [row(app, person).points for person in table.people] == [0] * 4
    outcomes = [one.outcome for one in results_of(app, table.match_id).values()]
    assert outcomes == (["loss"] * 4 if quick else [])


def test_a_guest_is_kept_waiting_too(app: Flask) -> None:
    adel = guest(app)
    for _ in range(2):
        forfeit(sought([guest(app), adel]), 1)
    refused(adel.post("/seeks"), 429, "rate_limited")
