"""A match moves points and ratings exactly once, whatever crashes, repeats or happens at the same moment."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

import pytest
from flask import Flask
from sqlalchemy import event, select

from app.extensions import db, write_transaction
from app.models import MatchRow, Player, PlayerResult
from app.services import clock, match_store, matches, results, times
from app.services.times import utcnow
from engine.state import Forfeit
from tests.app.accounts import account
from tests.app.people import Table, guest, ok, sit_down
from tests.app.rebuild import check_standings
from tests.app.test_at_once import at_once, stored_events


def standing(table: Table) -> list[tuple[object, ...]]:
    """All that a match may move, seat by seat, and what is noted of it."""
    app = table.person(0).app
    with app.app_context():
        people = [db.session.get(Player, person.id) for person in table.people]
        match = db.session.get(MatchRow, table.match_id)
        query = select(PlayerResult.player_id).where(PlayerResult.match_id == table.match_id)
        noted = sorted(db.session.scalars(query))
        return [
            (match.status, match.finished_at, match.scored, tuple(noted)),
            *((one.points, one.week_points, one.rating_value, one.rating_deviation, one.rated_at) for one in people),
        ]


def points(table: Table) -> list[object]:
    return [row[0] for row in standing(table)[1:]]


def played(app: Flask, people: int = 2, **room: object) -> Table:
    """A match in which enough was played to be scored."""
    table = sit_down(app, people, account, **room)
    table.play_plays(2 * people)
    return table


class Crash(Exception):
    """The process is gone in the middle of something."""


@contextmanager
def crashing(app: Flask, at: int) -> Iterator[None]:
    """Have the database fail at some statement, counted from 1 after the transaction's beginning."""
    left = [at]

    def crash(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        if not statement.startswith(("BEGIN", "SELECT pg_advisory")):
            left[0] -= 1
            if left[0] == 0:
                raise Crash

    with app.app_context():
        engine = db.engine
    event.listen(engine, "before_cursor_execute", crash)
    try:
        yield
    finally:
        event.remove(engine, "before_cursor_execute", crash)


@pytest.mark.parametrize("people", [2, 4])
def test_a_crash_at_any_statement_of_the_end_leaves_nothing_behind(app: Flask, people: int) -> None:
    table = played(app, people)
    before = standing(table)
    for at in range(1, 50):
        try:
            with crashing(app, at), app.app_context():
                matches.forfeit(table.person(1).id, table.match_id)
            break
        except Crash:
            assert standing(table) == before
    assert 8 < at < 49
    assert points(table) == [24, 3] * (people // 2)
    check_standings(app)


DIE = """
import os, sys
from sqlalchemy import event
from app import create_app
from app.config import read_settings
from app.extensions import db
from app.services import matches
url, player, match, before = sys.argv[1:]
app = create_app(read_settings({"DATABASE_URL": url, "RATE_LIMITS": "off"}))
with app.app_context():
    @event.listens_for(db.engine, "before_cursor_execute")
    def die(_connection, _cursor, statement, *_rest):
        if statement.startswith(before):
            os._exit(9)
    @event.listens_for(db.engine, "commit")
    def die_late(_connection):
        os._exit(9)
    matches.forfeit(player, match)
"""


@pytest.mark.parametrize("statement", ["INSERT INTO player_results", "COMMIT"])
def test_a_process_that_is_killed_as_a_match_ends_has_ended_nothing(
    app: Flask, database_url: str, statement: str
) -> None:
    table = played(app)
    before = standing(table)
    arguments = [database_url, table.person(1).id, table.match_id, statement]
    killed = subprocess.run([sys.executable, "-c", DIE, *arguments], capture_output=True, check=False)
    assert killed.returncode == 9, killed.stderr.decode()
    assert standing(table) == before
    ok(table.person(1).post(f"{table.path}/forfeits"), 201)
    assert points(table) == [24, 3]
    check_standings(app)


def test_settling_again_changes_nothing(app: Flask) -> None:
    table = played(app)
    ok(table.person(1).post(f"{table.path}/forfeits"), 201)
    after = standing(table)
    room = ok(table.person(0).get(f"/rooms/{table.code}"))
    with app.app_context():
        for _ in range(2):
            with write_transaction() as session:
                connection = session.connection()
                record = match_store.load(connection, table.match_id)
                again = results.settle(connection, record, utcnow() + timedelta(hours=1))
            assert (again.finished_at, again.scored) == (record.finished_at, True)
    assert standing(table) == after
    assert ok(table.person(0).get(f"/rooms/{table.code}")) == room
    check_standings(app)


def test_a_late_turn_met_by_two_sweeps_and_a_move_is_one_loss(app: Flask) -> None:
    for _ in range(4):
        table = played(app)
        person, view = table.due()
        with app.app_context(), write_transaction() as session:
            session.get(MatchRow, table.match_id).deadline_at = utcnow() - timedelta(milliseconds=1)

        def sweep(match_id: str = table.match_id) -> object:
            with app.app_context():
                return clock.act_on(match_id, utcnow())

        def move(table: Table = table, person=person, view=view) -> int:
            body = {"turn": view["turn"], "card": view["you"]["hand"][0]}
            return person.post(f"{table.path}/moves", body, checked=False).status_code

        answers = at_once([sweep, move, sweep, move])
        assert not [answer for answer in answers if isinstance(answer, Exception)]
        assert {answers[1], answers[3]} == {409}
        assert stored_events(app, table.match_id).count("match_finished") == 1
        assert points(table) == ([3, 24] if view["to_act"] == 0 else [24, 3])
    check_standings(app)


def test_matches_that_end_at_once_for_one_player_are_rated_one_after_the_other(app: Flask) -> None:
    mona = account(app, "Mona")
    tables = []
    for _ in range(6):
        other = account(app)
        code = ok(mona.post("/rooms"), 201)["code"]
        table = Table(ok(other.post(f"/rooms/{code}/joins"), 201), [mona, other])
        table.play_plays(4)
        tables.append(table)
    answers = at_once(
        [lambda table=table, seat=seat: table.person(seat).post(f"{table.path}/forfeits") for seat, table in
         enumerate_seats(tables)]
    )  # fmt: skip
    assert {answer.status_code for answer in answers} == {201}
    assert ok(mona.get("/players/me"))["points"] == 3 * 24 + 3 * 3
    check_standings(app)


def enumerate_seats(tables: list[Table]) -> list[tuple[int, Table]]:
    """Each table with the seat that gives it up: by turns one and the other."""
    return [(number % 2, table) for number, table in enumerate(tables)]


def test_a_time_out_is_a_loss_and_so_is_a_forfeit(app: Flask) -> None:
    for reason in ("timeout", "forfeit"):
        table = played(app)
        with app.app_context():
            record = matches.load(table.match_id)
            seat = record.match.to_act
            matches.act(table.match_id, Forfeit(seat, reason), expect_version=record.version)
            found = {
                one.player_id: one
                for one in db.session.scalars(select(PlayerResult).where(PlayerResult.match_id == table.match_id))
            }
        lost, won = found[table.person(seat).id], found[table.person(1 - seat).id]
        assert (lost.outcome, lost.forfeited, lost.points) == ("loss", True, 3)
        assert (won.outcome, won.forfeited, won.points) == ("win", False, 24)
        assert lost.rating_after < 1500 < won.rating_after


@pytest.mark.parametrize(
    ("people", "room", "rated"),
    [
        (2, {}, True),
        (2, {"rules": "traditional"}, True),
        (2, {"rated": False}, False),
        (2, {"rules": "komi"}, False),
        (2, {"target": None}, False),
        (2, {"overrides": {"jack_on_jack": 10}}, False),
        (4, {}, False),
    ],
)
def test_only_rated_matches_of_two_move_ratings(app: Flask, people: int, room: dict, rated: bool) -> None:
    table = sit_down(app, people, account, **room)
    while table.view(0)["turn"] < 2 * people:
        person, view = table.due()
        if view["round"]["phase"] == "cut":
            ok(person.post(f"{table.path}/cuts", {"round": view["round"]["number"], "at": 20}), 201)
        else:
            table.play()
    assert ok(table.person(1).post(f"{table.path}/forfeits"), 201)["view"]["result"]["scored"] is True
    assert {row[2] != 1500 for row in standing(table)[1:]} == {rated}
    check_standings(app)


def give_up(app: Flask, people: list, plays: int | None = None) -> bool:
    """A match of these people in a new room that the second gives up; whether it was scored."""
    seats = len(people)
    made = ok(people[0].post("/rooms", {"seats": seats}), 201)
    for seat, person in enumerate(people[1:], start=1):
        made = ok(person.post(f"/rooms/{made['code']}/joins", {"seat": seat}), 201)
    table = Table(made, people)
    table.play_plays(2 * seats if plays is None else plays)
    return ok(table.person(1).post(f"{table.path}/forfeits"), 201)["view"]["result"]["scored"]


def test_two_guests_farm_no_more_by_changing_seats_rooms_or_the_table(app: Flask) -> None:
    mona, adel = guest(app, "Mona"), guest(app, "Adel")
    for number in range(8):
        assert give_up(app, [mona, adel] if number % 2 else [adel, mona])
    # Partners or opponents at a table for four, with new guests each time.
    assert give_up(app, [mona, guest(app), adel, guest(app)])
    assert give_up(app, [mona, adel, guest(app), guest(app)])
    before = [ok(person.get("/players/me"))["points"] for person in (mona, adel)]
    assert not give_up(app, [adel, mona])
    assert not give_up(app, [mona, adel])
    assert not give_up(app, [guest(app), mona, guest(app), adel])
    assert not give_up(app, [guest(app), adel, mona, guest(app)])
    assert [ok(person.get("/players/me"))["points"] for person in (mona, adel)] == before
    assert give_up(app, [mona, guest(app)])
    check_standings(app)


def test_who_played_little_together_is_no_farm_however_much_each_played(app: Flask) -> None:
    people = [guest(app) for _ in range(5)]
    for other in people[1:]:
        for _ in range(3):
            assert give_up(app, [people[0], other])
    assert give_up(app, people[:4])
    check_standings(app)


def test_matches_that_do_not_score_are_no_part_of_the_ten(app: Flask) -> None:
    mona, adel = guest(app), guest(app)
    for _ in range(11):
        assert not give_up(app, [mona, adel], plays=1)
    assert give_up(app, [mona, adel])


def test_points_of_the_week_begin_anew_on_monday_in_utc(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    mona, adel = account(app), account(app)
    seen = []
    for text in ("2024-05-05T23:50:00Z", "2024-05-05T23:59:59Z", "2024-05-06T00:00:00Z", "2024-05-08T09:00:00Z"):
        now = datetime.fromisoformat(text)
        for module in (times, matches, clock):
            monkeypatch.setattr(module, "utcnow", lambda now=now: now, raising=False)
        assert give_up(app, [mona, adel])
        with app.app_context():
            row = db.session.get(Player, mona.id)
            seen.append((row.points, row.week_points, row.week_at.date().isoformat()))
    assert seen == [(24, 24, "2024-04-29"), (48, 48, "2024-04-29"), (72, 24, "2024-05-06"), (96, 48, "2024-05-06")]
    check_standings(app)


def test_after_many_matches_results_points_and_ratings_agree(app: Flask) -> None:
    rng = random.Random(5)
    people = [account(app) for _ in range(4)] + [guest(app)]
    for number in range(12):
        seats = rng.choice([2, 2, 2, 4])
        chosen = rng.sample(people, seats)
        if number % 4:
            give_up(app, chosen, plays=rng.choice([1, 2 * seats, 3 * seats]))
            continue
        made = ok(chosen[0].post("/rooms", {"seats": seats, "target": rng.choice([10, 121])}), 201)
        for seat, person in enumerate(chosen[1:], start=1):
            made = ok(person.post(f"/rooms/{made['code']}/joins", {"seat": seat}), 201)
        Table(made, chosen).play_out(rng)
    assert check_standings(app) > 12
