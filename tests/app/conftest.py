"""One app for the tests of a file: they make players, rooms and matches of their own and share nothing else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask

from app import create_app
from app.config import read_settings
from app.extensions import db
from app.models import Base
from app.services.news import News
from tests.conftest import new_database, quick_hasher


@pytest.fixture(scope="module")
def database_url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The URL of a database for the tests of a file."""
    return new_database(request, tmp_path_factory.mktemp("database"))


@pytest.fixture(scope="module")
def app(database_url: str) -> Iterator[Flask]:
    """An app on a fresh database, without rate limits, with bots that do not wait and without a running clock."""
    app = create_app(read_settings({"DATABASE_URL": database_url, "RATE_LIMITS": "off", "BOT_PAUSE_S": "0"}))
    app.testing = True
    app.extensions["hasher"] = quick_hasher()
    with app.app_context():
        Base.metadata.create_all(db.engine)
    yield app
    with app.app_context():
        db.session.remove()
        db.engine.dispose()


@pytest.fixture
def heard(app: Flask) -> Iterator[list[News]]:
    """All that is published during the test."""
    news: list[News] = []
    app.extensions["news_watchers"].append(news.append)
    yield news
    app.extensions["news_watchers"].remove(news.append)
