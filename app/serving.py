"""What happens when a built application begins to serve, and when it ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Flask
from flask_migrate import upgrade

from app.jobs import Clock


class NotMigrated(Exception):
    """The tables are not what this version needs."""


def start(app: Flask, aside: Callable[[Callable[[], Any]], Any] | None = None) -> None:
    """Bring the database up to date and start the clock.

    `aside` runs what takes long and would hold up the server's other requests.

    Errors: ClockTaken if another process serves this database, NotMigrated if its tables cannot be brought up to date.
    """
    clock = app.extensions["clock"] = Clock(app)
    clock.take()  # before the tables are changed: another process may be using them
    try:
        _migrate(app)
    except NotMigrated:
        clock.stop()
        raise
    if aside is not None:
        app.extensions["hasher"].aside = aside
    clock.start()


def _migrate(app: Flask) -> None:
    with app.app_context():
        try:
            upgrade()
        except SystemExit as failed:  # Flask-Migrate's way to fail; it has logged why
            raise NotMigrated("the database's tables cannot be brought up to date; the log says why") from failed


def stop(app: Flask) -> None:
    """Close every channel with the order to come back, and stop the clock; may be called twice."""
    app.extensions["hub"].close_all()
    app.extensions["clock"].stop()
