"""Locks that other processes hold on the SQLite file: who needs them waits, for a while, and nobody else does."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from app.extensions import DatabaseBusy, Writer, checkpoint, db
from app.models import Player
from app.services import bearers, players
from app.services.errors import DATABASE_AWAY
from tests.live import LiveServer
from tests.runtime.people import Person


@contextmanager
def held(path: Path, *statements: str) -> Iterator[sqlite3.Connection]:
    """Hold a lock on the file, as another program does; it is let go at the end at the latest."""
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        for statement in statements or ("BEGIN IMMEDIATE",):
            other.execute(statement).fetchall()
        yield other


class Waiting:
    """Work that a thread does meanwhile, and its outcome."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self.outcome: list[Any] = []
        self._thread = threading.Thread(target=lambda: self.outcome.append(work()))
        self._thread.start()

    def result(self) -> Any:
        self._thread.join(30)
        assert self.outcome, "it still waits"
        return self.outcome[0]


@pytest.fixture
def path(app: Flask) -> Path:
    found = app.extensions["settings"].sqlite_path
    assert found is not None
    return found


def make_guest(app: Flask) -> str:
    with app.app_context():
        return players.create_guest("Mona", session=False)[1]


def test_who_writes_waits_alone_while_another_program_holds_the_file(server: LiveServer, mona: Person) -> None:
    """With SQLite's own waiting the whole process would stand still, and everybody be answered after the writer."""
    with held(server.database) as other:
        writing = Waiting(lambda: Person(server, "Karim"))
        for _ in range(5):
            assert mona.call("GET", "/rooms")[0] == 200
            assert mona.call("GET", "/players/me")[0] == 200
        assert not writing.outcome
        other.execute("ROLLBACK")
    assert writing.result().ask("GET", "/players/me")["name"] == "Karim"


def test_who_has_waited_long_enough_is_told_so_and_the_others_are_served(
    app: Flask, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.extensions.WRITE_LOCK_TIMEOUT_S", 0.05)
    client = app.test_client()
    with held(path):
        refused = client.post("/api/v1/players", json={})
        assert (refused.status_code, refused.json["code"]) == (503, "unavailable")
        assert client.get("/api/v1/rooms").status_code == 200
    assert client.post("/api/v1/players", json={}).status_code == 201


def test_who_only_reads_does_not_wait_to_be_noted(app: Flask, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A minute after its last note each request writes one; with the lock held that would cost it five seconds."""
    token = make_guest(app)
    asked: list[float | None] = []
    transaction = Writer.transaction

    def listen(self: Writer, wait_s: float | None = None) -> Any:
        asked.append(wait_s)
        return transaction(self, wait_s)

    monkeypatch.setattr(bearers, "USE_NOTED_EVERY", bearers.USE_NOTED_EVERY * 0)
    monkeypatch.setattr(Writer, "transaction", listen)
    with held(path):
        answer = app.test_client().get("/api/v1/players/me", headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 200
    assert asked == [bearers.NOTE_WAIT_S]
    assert bearers.NOTE_WAIT_S < 0.1


def test_a_reader_waits_for_a_lock_that_keeps_readers_out(app: Flask, path: Path) -> None:
    """Another program has the file for itself, as while it recovers the log."""
    make_guest(app)
    with app.app_context():
        db.engine.dispose()

    def count() -> int:
        with app.app_context():
            return db.session.query(Player).count()

    with held(path, "PRAGMA locking_mode = EXCLUSIVE", "BEGIN EXCLUSIVE") as other:
        reading = Waiting(count)
        reading._thread.join(0.1)
        assert not reading.outcome
        other.close()
    assert reading.result() == 1


def test_a_reader_gives_up_in_the_end(app: Flask, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.sqlite.LOCK_WAIT_S", 0.02)
    with app.app_context():
        db.engine.dispose()
        with held(path, "PRAGMA locking_mode = EXCLUSIVE", "BEGIN EXCLUSIVE"), pytest.raises(OperationalError):
            db.session.query(Player).count()


def test_a_checkpoint_waits_for_nobody(app: Flask, path: Path) -> None:
    make_guest(app)
    with app.app_context(), held(path), closing(sqlite3.connect(path)) as reader:
        reader.execute("BEGIN").close()
        reader.execute("SELECT * FROM players").fetchall()
        checkpoint()


def test_a_transaction_that_can_never_be_written_does_not_wait(app: Flask) -> None:
    """It began to read before another wrote: patience cannot help it."""
    with app.app_context(), db.engine.connect() as old:
        old.exec_driver_sql("SELECT count(*) FROM players").all()
        make_guest(app)
        with pytest.raises(OperationalError) as refused:
            old.exec_driver_sql("DELETE FROM players")
    assert refused.value.orig.sqlite_errorcode == sqlite3.SQLITE_BUSY_SNAPSHOT  # type: ignore[union-attr]


def test_waiting_for_a_connection_ends(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    with app.app_context():
        monkeypatch.setattr(db.engine.pool, "_timeout", 0.01)
        taken = [db.engine.connect() for _ in range(40)]
        with pytest.raises(PoolTimeout) as refused:
            db.engine.connect()
        for connection in taken:
            connection.close()
    assert isinstance(refused.value, DATABASE_AWAY)
    assert issubclass(DatabaseBusy, DATABASE_AWAY)


def test_one_patience_covers_all_that_a_writer_waits_for(app: Flask, path: Path) -> None:
    """First their turn in this process, then the lock of another: both together no longer than promised."""
    with app.app_context():
        engine = db.engine
    writer = Writer(engine)
    began = threading.Event()

    def hold_the_turn() -> None:
        with writer.transaction():
            began.set()
            released.wait(30)

    released = threading.Event()
    holder = Waiting(hold_the_turn)
    began.wait(30)
    with pytest.raises(DatabaseBusy), writer.transaction(0.01):
        pass
    released.set()
    holder.result()
    with held(path), pytest.raises(OperationalError), writer.transaction(0.01):
        pass
    with writer.transaction() as session:
        assert session.query(Player).count() == 0
