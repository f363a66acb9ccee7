"""Fixtures that every test may use: an app on a database of its own, and clients of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app import create_app
from app.config import read_settings
from app.extensions import db
from app.models import Base


@pytest.fixture
def make_app(tmp_path: Path) -> Iterator[Callable[..., Flask]]:
    """Build an app from environment settings, on a fresh SQLite file unless DATABASE_URL is given."""
    made: list[Flask] = []

    def make(**environ: str) -> Flask:
        given = {
            "DATABASE_URL": f"sqlite:///{tmp_path / 'basra.sqlite3'}",
            "RATE_LIMITS": "off",
            "BOT_PAUSE_S": "0",
            **environ,
        }
        app = create_app(read_settings(given))
        app.testing = True
        with app.app_context():
            Base.metadata.create_all(db.engine)
        made.append(app)
        return app

    yield make
    for app in made:
        with app.app_context():
            db.session.remove()
            db.engine.dispose()


@pytest.fixture
def app(make_app: Callable[..., Flask]) -> Flask:
    """An app whose limits are off, whose bots do not wait, and whose clock is not running."""
    return make_app()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A client that keeps no cookies, as a program would be."""
    return app.test_client(use_cookies=False)
