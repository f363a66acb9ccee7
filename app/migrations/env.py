"""Alembic's environment: on a connection of its own, with foreign keys off while a migration runs.

On SQLite a batch migration drops and rebuilds the table. With foreign keys on, `ON DELETE CASCADE` would then silently
delete every child row of a rebuilt parent.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from alembic import context
from flask import current_app
from sqlalchemy import Connection

from app.models import Base

config = context.config


def _migrate(connection: Connection) -> None:
    on_sqlite = connection.dialect.name == "sqlite"
    # DDL of SQLite is transactional as well, so that a migration that fails half-way leaves nothing behind.
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        render_as_batch=on_sqlite,
        compare_type=True,
        transactional_ddl=True,
    )
    with context.begin_transaction():
        context.run_migrations()
        if on_sqlite:
            _refuse_broken_keys(connection)


def _refuse_broken_keys(connection: Connection) -> None:
    broken = {row[0] for row in connection.exec_driver_sql("PRAGMA foreign_key_check")}
    if broken:
        raise RuntimeError(f"after this migration foreign keys point nowhere, from {', '.join(sorted(broken))}")


@contextmanager
def _without_foreign_keys(connection: Connection) -> Iterator[None]:
    """Switch SQLite's foreign keys off, on the driver's own connection: inside a transaction it would do nothing."""
    if connection.dialect.name != "sqlite":
        yield
        return
    driver: Any = connection.connection.dbapi_connection
    driver.execute("PRAGMA foreign_keys = OFF")
    try:
        yield
    finally:
        connection.rollback()
        driver.execute("PRAGMA foreign_keys = ON")


def _run_offline() -> None:
    context.configure(
        url=current_app.config["SQLALCHEMY_DATABASE_URI"], target_metadata=Base.metadata, literal_binds=True
    )
    with context.begin_transaction():
        context.run_migrations()


def _run_online() -> None:
    engine = current_app.extensions["migrate"].db.engine
    with engine.connect() as connection, _without_foreign_keys(connection):
        _migrate(connection)


if context.is_offline_mode():
    _run_offline()
else:
    _run_online()
