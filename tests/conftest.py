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
from app.services.passwords import Hasher
from e2e.browser import browser_type_launch_args
from tests.live import LiveServer, live_server
from tests.postgresql import PostgreSQL, postgresql

__all__ = ["browser_type_launch_args"]

# What runs on PostgreSQL too: where the database takes part in what is tested.
ON_BOTH = {
    f"tests.app.test_{name}"
    for name in (
        "accounts", "admin_api", "admin_commands", "at_once", "blocks", "dealing", "departures", "dodging",
        "establishing", "expiry", "history", "ladder_migration", "match_filters", "programs", "rated",
        "rematches", "results", "retention", "seating", "seeks", "settling", "standings", "talk", "time",
        "transfers", "voids",
    )
} | {"tests.runtime.test_clock", "tests.runtime.test_steps", "tests.runtime.test_ready"}  # fmt: skip


def pytest_configure(config: pytest.Config) -> None:
    """Name the mark of the tests that need a PostgreSQL server."""
    config.addinivalue_line("markers", "postgres: needs a PostgreSQL server on this machine")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Have the tests of some files run on both databases."""
    if metafunc.module.__name__ in ON_BOTH and "database_url" in metafunc.fixturenames:
        both = ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)]
        metafunc.parametrize("database_url", both, indirect=True)


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[PostgreSQL]:
    """A throw-away PostgreSQL for the whole run."""
    with postgresql() as server:
        yield server


def new_database(request: pytest.FixtureRequest, directory: Path) -> str:
    """The URL of a new database: on PostgreSQL where the test asks for it, else a SQLite file."""
    if getattr(request, "param", "sqlite") == "postgresql":
        server: PostgreSQL = request.getfixturevalue("postgresql_server")
        return server.new_database()
    return f"sqlite:///{directory / 'basra.sqlite3'}"


def quick_hasher() -> Hasher:
    """What hashes passwords in no time, as many at once as may come: for tests of anything else."""
    return Hasher("scrypt:1024:8:1", at_once=100)


@pytest.fixture
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database of the test's own."""
    return new_database(request, tmp_path)


@pytest.fixture
def make_app(database_url: str) -> Iterator[Callable[..., Flask]]:
    """Build an app from environment settings, on the test's own database unless DATABASE_URL is given."""
    made: list[Flask] = []

    def make(**environ: str) -> Flask:
        given = {
            "DATABASE_URL": database_url,
            "RATE_LIMITS": "off",
            "BOT_PAUSE_S": "0",
            **environ,
        }
        app = create_app(read_settings(given))
        app.testing = True
        app.extensions["hasher"] = quick_hasher()
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


@pytest.fixture(scope="module")
def server() -> Iterator[LiveServer]:
    """A server that the tests of a file share."""
    with live_server() as running:
        yield running
