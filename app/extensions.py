"""The extensions, made unbound here and bound by the app factory; with them how the database is opened and written."""

from __future__ import annotations

import threading
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

BUSY_TIMEOUT_S = 5
WRITE_LOCK_TIMEOUT_S = 10
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


def init_database(app: Flask) -> None:
    """Bind the database to the app and set up each of its connections."""
    settings: Settings = app.extensions["settings"]
    path = settings.sqlite_path
    options: dict[str, Any] = {
        "pool_size": 20,
        "max_overflow": 20,
        "pool_timeout": 10,
        "hide_parameters": True,  # an error's text would quote them, and they hold cards
    }
    if path is None:
        options["pool_pre_ping"] = True
    else:
        options["connect_args"] = {"timeout": BUSY_TIMEOUT_S}
        path.parent.mkdir(parents=True, exist_ok=True)
    app.config["SQLALCHEMY_DATABASE_URI"] = settings.database_url
    app.config["SQLALCHEMY_ENGINE_OPTIONS"] = options
    db.init_app(app)
    migrate.init_app(app, db)
    with app.app_context():
        engine = db.engine
        app.extensions["writer"] = Writer(engine)
    if path is not None:
        event.listen(engine, "connect", _open_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    else:
        event.listen(engine, "begin", _begin_postgresql)


class Writer:
    """Opens writing transactions one after the other.

    Waiting for a lock of our own costs nothing, where SQLite's busy handler sleeps in steps of up to 100 ms.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine.execution_options(**{WRITING: True})
        self._lock = threading.Lock()

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        """A session whose work is committed at the end, or rolled back on an error."""
        if not self._lock.acquire(timeout=WRITE_LOCK_TIMEOUT_S):
            raise DatabaseBusy("another writing transaction did not end in time")
        try:
            with Session(self._engine, expire_on_commit=False) as session, session.begin():
                session.connection()  # BEGIN IMMEDIATE now, before the first read
                yield session
        finally:
            self._lock.release()


@contextmanager
def write_transaction() -> Iterator[Session]:
    """A writing transaction: everything read in it stays true until its commit.

    What `db.session` had read before is let go first: no request holds two connections, and nobody decides from
    rows that are older than the transaction.

    Errors: DatabaseBusy if the database cannot be had in time.
    """
    db.session.close()
    writer: Writer = current_app.extensions["writer"]
    with writer.transaction() as session:
        yield session


def delete_if_any(model: type[Base], dead: ColumnElement[bool]) -> None:
    """Delete the rows that are dead; where there are none, which is looked up first, no writer has to wait."""
    if db.session.scalar(select(exists().where(dead))):
        with write_transaction() as session:
            session.execute(delete(model).where(dead))


def checkpoint() -> None:
    """Move what is in SQLite's write-ahead log into the database file, waiting for nobody."""
    with db.engine.connect() as connection:
        # Past SQLAlchemy, which would begin a transaction: a checkpoint has none.
        raw: Any = connection.connection.dbapi_connection
        raw.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()


def _open_sqlite(connection: Any, _record: Any) -> None:
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
    writing = connection.get_execution_options().get(WRITING)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


def _begin_postgresql(connection: Connection) -> None:
    # Writers one after the other, as on SQLite: a decision made from a row stays right until it is stored.
    if connection.get_execution_options().get(WRITING):
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": ADVISORY_LOCK})
