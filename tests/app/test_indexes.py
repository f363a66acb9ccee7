"""What is asked often is found by an index, so that it costs the same among many players as among few."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from flask import Flask
from sqlalchemy import event

from app.extensions import db, write_transaction
from app.services import encounters, leaderboards, ratings, results, stats, verdicts
from app.services.times import utcnow, week_of
from tests.app.people import guest
from tests.app.test_standings import change, established


@contextmanager
def plans(app: Flask) -> Iterator[list[list[str]]]:
    """How SQLite goes about each query of the block, by its own account."""
    asked: list[tuple[str, object]] = []
    found: list[list[str]] = []

    def note(_connection: object, _cursor: object, statement: str, parameters: object, *_rest: object) -> None:
        if statement.startswith(("SELECT", "WITH")):
            asked.append((statement, parameters))

    with app.app_context():
        event.listen(db.engine, "before_cursor_execute", note)
        try:
            yield found
        finally:
            event.remove(db.engine, "before_cursor_execute", note)
        with db.engine.connect() as connection:
            for statement, parameters in asked:
                rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
                found.append([str(row[-1]) for row in rows])


@pytest.mark.parametrize("kind", leaderboards.KINDS)
def test_a_board_and_the_ranks_on_it_are_read_by_its_index(app: Flask, kind: str) -> None:
    mona = guest(app)
    change(app, mona.id, **established(1600), board_points=9, week_points=9, week_at=week_of(utcnow()))
    with plans(app) as found:
        leaderboards.board(kind, mona.id, leaderboards.Place(1500, "player-id"), 50)
    own, board = found
    assert [line for line in own if "players" in line] == [
        "SEARCH players USING INDEX sqlite_autoindex_players_1 (id=?)"
    ]
    looked = [line for line in board if "players" in line]
    assert len(looked) == 4
    assert all(line.startswith("SEARCH players USING ") and f"INDEX ix_players_by_{kind} (" in line for line in looked)
    # The page from its place on downwards, and each count from a value on upwards.
    value = {"rating": "rating_value", "week": "week_points", "points": "board_points"}[kind]
    assert len([line for line in looked if f"{value}>? AND {value}<?" in line]) == 1
    assert len([line for line in looked if "COVERING" in line and f"{value}>?)" in line]) == 3
    assert not [line for line in board if "SCAN players" in line]


def test_what_is_asked_of_results_is_found_by_the_player(app: Flask) -> None:
    mona, adel = guest(app), guest(app)
    with plans(app) as found:
        stats.stats_of(mona.id)
        ratings.changes_of(mona.id, mona.id, ratings.Place(utcnow(), 1), 50)
        with write_transaction() as session:
            people = {"people": sorted([mona.id, adel.id]), "since": utcnow()}
            session.connection().execute(verdicts._SCORED_TOGETHER, people).all()
            session.connection().execute(results._COUNTED_TOGETHER, people).all()
            session.connection().execute(encounters._MATCHES, {"of_player": mona.id}).all()
    assert len(found) == 5
    for plan in found:
        assert not [line for line in plan if line.startswith("SCAN") and line.split()[1] in TABLES], plan
        assert [line for line in plan if "ix_player_results_player_id_finished_at (player_id=?" in line], plan


TABLES = {"player_results", "one", "other", "matches", "players"}
