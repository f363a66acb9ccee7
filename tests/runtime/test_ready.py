"""Whether the service is ready: the answer is found out by reading and writing, and says what is wrong."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from app.api import health
from app.extensions import DatabaseBusy
from app.jobs import Clock
from app.services import readiness


@pytest.fixture
def ready(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Callable[[], str]:
    """Asks whether the app is ready, and writes each time: the reason why not, or "ok"."""
    monkeypatch.setattr(readiness, "TRIED_EVERY_S", 0)

    def ask() -> str:
        answer = app.test_client().get("/readyz")
        assert answer.status_code == (200 if answer.json == {"status": "ok"} else 503)
        return str(answer.json.get("reason", "ok"))

    return ask


Ready = Callable[[], str]


def test_it_is_ready_when_it_can_read_and_write(ready: Ready) -> None:
    assert ready() == "ok"


def test_a_database_that_does_not_answer(app: Flask, ready: Ready, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "text", lambda _: text("SELECT * FROM a_table_that_is_gone"))
    assert ready() == "database_unreachable"
    assert app.test_client().get("/healthz").status_code == 200


def test_a_database_that_may_only_be_read(app: Flask, ready: Ready, monkeypatch: pytest.MonkeyPatch) -> None:
    def only_read(_wait_s: float) -> None:
        raise OperationalError("UPDATE", {}, Exception("read-only"))

    monkeypatch.setattr(readiness, "try_writing", only_read)
    assert ready() == "database_not_writable"


def test_a_database_that_is_locked(ready: Ready, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(_wait_s: float) -> None:
        raise DatabaseBusy

    with monkeypatch.context() as locked:
        locked.setattr(readiness, "try_writing", busy)
        assert ready() == "database_locked"
    assert ready() == "ok"


def test_a_process_that_lost_the_clock(app: Flask, ready: Ready) -> None:
    clock = app.extensions["clock"] = Clock(app)
    assert ready() == "clock_lost"
    clock.start()
    assert ready() == "ok"
    clock.stop(wait=True)
    assert ready() == "clock_lost"


def test_however_many_ask_it_is_written_once_in_a_while(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[float] = []
    now = 1000.0
    monkeypatch.setattr(readiness, "try_writing", written.append)
    monkeypatch.setattr(readiness.time, "monotonic", lambda: now)
    client = app.test_client()
    for moment in (1000.0, 1001.0, 1004.9, 1005.0, 1005.1):
        now = moment
        assert client.get("/readyz").status_code == 200
    assert written == [readiness.LOCK_WAIT_S] * 2


def test_the_log_tells_of_a_trouble_once_and_of_its_end(
    ready: Ready, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)

    def told() -> list[Any]:
        return [r.getMessage() for r in caplog.records if "ready" in r.getMessage() and "/readyz" not in r.getMessage()]

    ready()
    assert told() == []
    with monkeypatch.context() as broken:
        broken.setattr(health, "text", lambda _: text("SELECT * FROM a_table_that_is_gone"))
        for _ in range(3):
            ready()
    ready()
    ready()
    assert told() == ["not_ready reason=database_unreachable", "ready_again"]
