"""Alembic's environment: on a connection of its own, with foreign keys off while a migration runs.

On SQLite a batch migration drops and rebuilds the table. With foreign keys on, `ON DELETE CASCADE` would then silently
delete every child row of a rebuilt parent.
"""

from __future__ import annotations

from alembic import context
from flask import current_app
from sqlalchemy import Connection

from app.models import Base

config = context.config


def _migrate(connection: Connection) -> None:
    sqlite = connection.dialect.name == "sqlite"
    if sqlite:
        # Takes effect only outside a transaction, and must precede context.configure, which may begin one.
        connection.exec_driver_sql("PRAGMA foreign_keys=OFF")
        connection.commit()
    context.configure(connection=connection, target_metadata=Base.metadata, render_as_batch=sqlite, compare_type=True)
    with context.begin_transaction():
        context.run_migrations()
    if sqlite:
        broken = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
        connection.commit()
        connection.exec_driver_sql("PRAGMA foreign_keys=ON")
        if broken:
            raise RuntimeError(f"foreign keys point nowhere after the migration: {sorted({row[0] for row in broken})}")


def _run_offline() -> None:
    context.configure(
        url=current_app.config["SQLALCHEMY_DATABASE_URI"], target_metadata=Base.metadata, literal_binds=True
    )
    with context.begin_transaction():
        context.run_migrations()


def _run_online() -> None:
    engine = current_app.extensions["migrate"].db.engine
    with engine.connect() as connection:
        _migrate(connection)


if context.is_offline_mode():
    _run_offline()
else:
    _run_online()
