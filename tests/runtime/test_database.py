"""The database's set-up: no update is lost, readers wait for nobody, everything works from threads."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable

import pytest
from flask import Flask
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from app.extensions import DatabaseBusy, Writer, checkpoint, db, write_transaction
from app.models import Player
from app.services.times import utcnow

THREADS = 8
ROUNDS = 40


def add_player(app: Flask) -> str:
    with app.app_context(), write_transaction() as session:
        session.add(Player(id="p" * 22, name="Mona", guest=True, points=0, created_at=utcnow()))
    return "p" * 22


def in_threads(work: Callable[[], None]) -> list[Exception]:
    """Run the work in many threads at once, starting together; returns what went wrong."""
    failed: list[Exception] = []
    together = threading.Barrier(THREADS)

    def run() -> None:
        together.wait()
        try:
            work()
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=run) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return failed


def test_no_update_is_lost_when_many_read_and_then_write(app: Flask) -> None:
    """Trap 1: with the driver's own transactions most of these would be lost without an error."""
    player_id = add_player(app)

    def count() -> None:
        for _ in range(ROUNDS):
            with app.app_context(), write_transaction() as session:
                player = session.get_one(Player, player_id)
                player.points += 1

    assert in_threads(count) == []
    with app.app_context():
        assert db.session.get_one(Player, player_id).points == THREADS * ROUNDS


def test_the_database_alone_loses_no_update_either(app: Flask) -> None:
    """Trap 1 without the process's lock: two processes would have only BEGIN IMMEDIATE between them."""
    player_id = add_player(app)
    with app.app_context():
        engine = db.engine

    def count() -> None:
        writer = Writer(engine)  # a lock of its own, as in another process
        for _ in range(10):
            with writer.transaction() as session:
                session.get_one(Player, player_id).points += 1

    assert in_threads(count) == []
    with app.app_context():
        assert db.session.get_one(Player, player_id).points == THREADS * 10


def test_a_failed_transaction_changes_nothing_and_lets_the_next_one_in(app: Flask) -> None:
    player_id = add_player(app)
    with app.app_context():
        with pytest.raises(ZeroDivisionError), write_transaction() as session:
            session.get_one(Player, player_id).points = 7
            session.flush()
            raise ZeroDivisionError
        with write_transaction() as session:
            assert session.get_one(Player, player_id).points == 0


def test_readers_do_not_wait_for_a_writer_and_see_nothing_of_it(app: Flask) -> None:
    player_id = add_player(app)
    seen: list[int] = []

    def read() -> None:
        with app.app_context():
            seen.append(db.session.get_one(Player, player_id).points)

    with app.app_context(), write_transaction() as session:
        session.get_one(Player, player_id).points = 7
        session.flush()
        reader = threading.Thread(target=read)
        reader.start()
        reader.join(timeout=5)
        assert seen == [0]


def test_a_read_lets_its_connection_go_when_a_write_begins(app: Flask) -> None:
    player_id = add_player(app)
    with app.app_context():
        player = db.session.get_one(Player, player_id)
        with write_transaction() as session:
            session.get_one(Player, player_id).points = 7
            assert db.engine.pool.checkedout() == 1  # type: ignore[attr-defined]
        assert player.name == "Mona"
        assert db.session.get_one(Player, player_id).points == 7


def test_a_nested_write_fails_instead_of_hanging(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.extensions.WRITE_LOCK_TIMEOUT_S", 0.05)
    with app.app_context(), write_transaction(), pytest.raises(DatabaseBusy), write_transaction():
        pass


def test_every_connection_is_set_up(app: Flask) -> None:
    with app.app_context():
        found = {
            name: db.session.scalar(text(f"PRAGMA {name}"))
            for name in ("journal_mode", "synchronous", "foreign_keys", "wal_autocheckpoint")
        }
    assert found == {"journal_mode": "wal", "synchronous": 1, "foreign_keys": 1, "wal_autocheckpoint": 10_000}


def test_foreign_keys_hold(app: Flask) -> None:
    with app.app_context(), pytest.raises(IntegrityError), write_transaction() as session:
        session.execute(text("INSERT INTO match_seats (match_id, seat, name, clock_run) VALUES ('none', 0, 'A', 0)"))


def test_an_error_does_not_quote_what_was_written(app: Flask) -> None:
    add_player(app)
    with app.app_context(), pytest.raises(IntegrityError) as refused, write_transaction() as session:
        session.add(Player(id="p" * 22, name="Sphinx", guest=True, points=0, created_at=utcnow()))
    assert "Sphinx" not in str(refused.value)


def test_a_checkpoint_moves_the_log_into_the_file(app: Flask) -> None:
    add_player(app)
    with app.app_context():
        path = app.extensions["settings"].sqlite_path
        checkpoint()
    # Read past the log: only what is in the main file counts.
    alone = sqlite3.connect(f"file:{path}?immutable=1", uri=True)
    try:
        assert alone.execute("SELECT count(*) FROM players").fetchone() == (1,)
    finally:
        alone.close()
