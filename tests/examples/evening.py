"""An evening at Basra in which every operation is called once: its requests and answers are the document's examples.

Clock and chance are fixed, so that each evening is the same one.
"""

from __future__ import annotations

import random
import secrets
import string
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any
from unittest.mock import patch

from flask import Flask
from flask.testing import FlaskClient

from app import create_app
from app.config import read_settings
from app.extensions import db
from app.models import Base
from app.services import times

BEGIN = datetime(2026, 3, 6, 19, 0, tzinfo=UTC)
URL_LETTERS = string.ascii_letters + string.digits + "-_"
AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
METHODS = ("get", "post", "put", "patch", "delete")


class FixedClock(datetime):
    """A clock that the evening moves."""

    moment = BEGIN

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
        return cls.moment.astimezone(tz)


@contextmanager
def fixed_chance() -> Iterator[None]:
    """Have secrets come from a generator that anybody can repeat. For examples only."""
    chance = random.Random("tea")

    def text(size: int = 16) -> str:
        return "".join(chance.choice(URL_LETTERS) for _ in range(size * 4 // 3 + 1))

    with ExitStack() as stack:
        for name, replacement in {
            "token_urlsafe": text,
            "token_hex": lambda size: chance.randbytes(size).hex(),
            "choice": chance.choice,
            "randbelow": chance.randrange,
        }.items():
            stack.enter_context(patch.object(secrets, name, replacement))
        yield


@contextmanager
def service() -> Iterator[Flask]:
    """A service with a fixed clock and fixed chance."""
    with tempfile.TemporaryDirectory(prefix="basra-") as folder, fixed_chance():
        FixedClock.moment = BEGIN
        url = f"sqlite:///{Path(folder) / 'basra.sqlite3'}"
        app = create_app(read_settings({"DATABASE_URL": url, "PUBLIC_URL": "https://basra.example"}))
        app.testing = True
        with patch.object(times, "datetime", FixedClock):
            with app.app_context():
                Base.metadata.create_all(db.engine)
            yield app
            with app.app_context():
                db.session.remove()
                db.engine.dispose()


class Evening:
    """Calls operations, and notes for each its request and its answers."""

    def __init__(self, app: Flask) -> None:
        self._client: FlaskClient = app.test_client(use_cookies=False)
        spec = self._client.get("/api/v1/openapi.json").json
        assert spec is not None
        self._where = {
            operation["operationId"]: (path, method)
            for path, operations in spec["paths"].items()
            for method, operation in operations.items()
            if method in METHODS
        }
        self.noted: dict[str, dict[str, Any]] = {name: {"answers": {}} for name in self._where}

    def call(self, token: str | None, operation: str, body: Any = None, /, **path: Any) -> Any:
        """Call an operation and give its answer; what the path has not takes goes into the query."""
        template, method = self._where[operation]
        query = {name: value for name, value in path.items() if f"{{{name}}}" not in template}
        FixedClock.moment += timedelta(seconds=1)
        answer = self._client.open(
            template.format_map(path),
            method=method.upper(),
            json=body,
            query_string=query,
            headers={"User-Agent": AGENT, **({} if token is None else {"Authorization": f"Bearer {token}"})},
        )
        assert answer.status_code < 300, (operation, body, answer.get_data(as_text=True))
        noted = self.noted[operation]
        if body is not None and (answer.status_code == 201 or "body" not in noted):
            noted.setdefault("body", body)
        noted["answers"].setdefault(str(answer.status_code), answer.json)
        return answer.json
