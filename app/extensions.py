"""The extensions, made unbound here and bound by the app factory; with them how the database is opened and written."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from flask import Flask, current_app
from flask_migrate import Migrate
from flask_sock import Sock
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import ColumnElement, Connection, Engine, delete, event, exists, select, text
from sqlalchemy.orm import Session

from app.config import Settings
from app.models import Base
from app.sqlite import LOCK_WAIT_S, DatabaseFile, PatientConnection

# So long one caller waits for the turn to write, or for a connection; nobody else waits with them.
WRITE_LOCK_TIMEOUT_S = LOCK_WAIT_S
POOL_TIMEOUT_S = LOCK_WAIT_S
# The clock moves the write-ahead log into the database; this is only the net below it, in pages of 4 KiB.
CHECKPOINT_PAGES = 10_000
# Names the writers' lock of this service among PostgreSQL's advisory locks.
ADVISORY_LOCK = 0x42415352
WRITING = "basra_writing"

db = SQLAlchemy(metadata=Base.metadata)
migrate = Migrate(directory=str(Path(__file__).resolve().parent / "migrations"), render_as_batch=True)
sock = Sock()


class DatabaseBusy(Exception):
    """The database could not be written in time; nothing was changed and the command may be sent again."""


class DatabaseReplaced(DatabaseBusy):
    """The database's file was deleted or replaced: what is written into the one that is open will be lost."""


def init_database(app: Flask) -> None:
    """Bind the database to the app and set up each of its connections."""
    settings: Settings = app.extensions["settings"]
    path = settings.sqlite_path
    options: dict[str, Any] = {
        "pool_size": 20,
        "max_overflow": 20,
        "pool_timeout": POOL_TIMEOUT_S,
        "hide_parameters": True,  # an error's text would quote them, and they hold cards
    }
    if path is None:
        options["pool_pre_ping"] = True
    else:
        options["connect_args"] = {"timeout": 0, "factory": PatientConnection}
        path.parent.mkdir(parents=True, exist_ok=True)
    app.config["SQLALCHEMY_DATABASE_URI"] = settings.database_url
    app.config["SQLALCHEMY_ENGINE_OPTIONS"] = options
    db.init_app(app)
    migrate.init_app(app, db)
    file = None if path is None else DatabaseFile(path)
    with app.app_context():
        engine = db.engine
        app.extensions["writer"] = Writer(engine, file)
    if file is not None:
        event.listen(engine, "connect", lambda connection, _record: _open_sqlite(connection, file))
        event.listen(engine, "begin", _begin_sqlite)
    else:
        event.listen(engine, "begin", _begin_postgresql)


class Writer:
    """Opens writing transactions one after the other: they wait for a lock of our own, which costs nothing."""

    def __init__(self, engine: Engine, file: DatabaseFile | None = None) -> None:
        self._engine = engine.execution_options(**{WRITING: self})
        self._file = file
        self._lock = threading.Lock()
        # Until then the transaction that has the turn waits for the locks of other processes.
        self.give_up_at = 0.0

    @contextmanager
    def transaction(self, wait_s: float | None = None) -> Iterator[Session]:
        """A session whose work is committed at the end, or rolled back on an error."""
        wait_s = WRITE_LOCK_TIMEOUT_S if wait_s is None else wait_s
        give_up_at = time.monotonic() + wait_s
        if not self._lock.acquire(timeout=wait_s):
            raise DatabaseBusy("another writing transaction did not end in time")
        try:
            self.give_up_at = give_up_at
            self._require_file()
            with Session(self._engine, expire_on_commit=False) as session, session.begin():
                session.connection()  # BEGIN IMMEDIATE now, before the first read
                yield session
            self._require_file()  # nothing is acknowledged that went into a file without a name
        finally:
            self._lock.release()

    def has_file(self) -> bool:
        """Whether the database is still where it was opened; one that is a server always is."""
        return self._file is None or self._file.is_there()

    def _require_file(self) -> None:
        if not self.has_file():
            raise DatabaseReplaced("the database file was deleted or replaced")


@contextmanager
def write_transaction(wait_s: float | None = None) -> Iterator[Session]:
    """A writing transaction: everything read in it stays true until its commit.

    What `db.session` had read before is let go first: no request holds two connections, and nobody decides from
    rows that are older than the transaction. `wait_s` is how long it may wait for its turn.

    Errors: DatabaseBusy, or the driver's OperationalError, if the database cannot be had in time.
    """
    db.session.close()
    with writer().transaction(wait_s) as session:
        yield session


def writer() -> Writer:
    """What opens the writing transactions of the current application."""
    found: Writer = current_app.extensions["writer"]
    return found


def delete_if_any(model: type[Base], dead: ColumnElement[bool]) -> None:
    """Delete the rows that are dead; where there are none, which is looked up first, no writer has to wait."""
    if db.session.scalar(select(exists().where(dead))):
        with write_transaction() as session:
            session.execute(delete(model).where(dead))


def try_writing(wait_s: float) -> None:
    """Write next to nothing, for good: what may be written does not change, and no table is touched.

    Errors: whatever keeps the database from being written.
    """
    with write_transaction(wait_s) as session:
        if session.get_bind().dialect.name == "sqlite":
            session.execute(text("PRAGMA user_version = 0"))
        else:
            session.execute(text("SELECT pg_logical_emit_message(true, 'basra', 'ready')"))


def checkpoint() -> None:
    """Move what is in SQLite's write-ahead log into the database file, waiting for nobody."""
    with db.engine.connect() as connection:
        # Past SQLAlchemy, which would begin a transaction: a checkpoint has none.
        raw: Any = connection.connection.dbapi_connection
        raw.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()


def _open_sqlite(connection: Any, file: DatabaseFile) -> None:
    if not file.is_there():
        raise DatabaseReplaced("the database file was deleted or replaced")
    file.note_opened()
    # The driver's own transactions begin too late, at the first write, and then lose updates: we begin them ourselves.
    connection.isolation_level = None
    for pragma in (
        "journal_mode = WAL",
        "synchronous = NORMAL",
        "foreign_keys = ON",
        f"wal_autocheckpoint = {CHECKPOINT_PAGES}",
    ):
        connection.execute(f"PRAGMA {pragma}").close()


def _begin_sqlite(connection: Connection) -> None:
    turn: Writer | None = connection.get_execution_options().get(WRITING)
    if turn is None:
        connection.exec_driver_sql("BEGIN")
        return
    raw: Any = connection.connection.dbapi_connection
    raw.give_up_at = turn.give_up_at
    try:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    finally:
        raw.give_up_at = None


def _begin_postgresql(connection: Connection) -> None:
    # Writers one after the other, as on SQLite: a decision made from a row stays right until it is stored.
    turn: Writer | None = connection.get_execution_options().get(WRITING)
    if turn is not None:
        wait_ms = max(1, int(1000 * (turn.give_up_at - time.monotonic())))
        connection.exec_driver_sql(f"SET LOCAL lock_timeout = {wait_ms}; SELECT pg_advisory_xact_lock({ADVISORY_LOCK})")
