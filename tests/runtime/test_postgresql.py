"""The clock's lock in PostgreSQL: it goes with the server, or with its connection, and comes back."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Flask

from app.jobs import Clock, ClockTaken, scheduler
from app.jobs.locks import ADVISORY_LOCK
from tests.live import wait_until
from tests.postgresql import PostgreSQL, postgresql

pytestmark = pytest.mark.postgres
MakeApp = Callable[..., Flask]

HOLDERS = "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = %s AND granted"


@pytest.fixture(scope="module")
def server() -> Iterator[PostgreSQL]:
    """A server that these tests may stop."""
    with postgresql() as found:
        yield found


@pytest.fixture
def database_url(server: PostgreSQL) -> str:
    return server.new_database()


@pytest.fixture
def clock(make_app: MakeApp, caplog: pytest.LogCaptureFixture) -> Iterator[Clock]:
    """A clock that runs."""
    caplog.set_level(logging.INFO)
    started = Clock(make_app())
    started.start()
    yield started
    started.stop(wait=True)


@pytest.fixture
def asking(server: PostgreSQL, database_url: str) -> Iterator[Callable[[], Any]]:
    """Gives new connections to the database of the clock."""
    opened = []

    def connect() -> Any:
        opened.append(server.connect(database_url.split("/")[3].split("?")[0]))
        return opened[-1]

    yield connect
    for connection in opened:
        connection.close()


def holders(connection: Any) -> list[int]:
    """The processes of the server that hold the clock of the connection's database."""
    rows = connection.execute(
        HOLDERS + " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
        [ADVISORY_LOCK],
    )
    return [row[0] for row in rows]


def test_a_restarted_database_has_its_clock_again(
    server: PostgreSQL, make_app: MakeApp, clock: Clock, asking: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(holders(asking())) == 1
    server.stop()
    server.start()
    connection = asking()
    wait_until(lambda: len(holders(connection)) == 1, "the clock to take its lock again")
    monkeypatch.setattr(scheduler, "HAND_OVER_S", 0.1)
    with pytest.raises(ClockTaken):
        Clock(make_app()).start()


def test_a_clock_that_another_process_took_waits_until_it_is_free(
    clock: Clock, asking: Callable[[], Any], caplog: pytest.LogCaptureFixture
) -> None:
    other = asking()
    [pid] = holders(other)
    # In one go, so that nobody can come between the loss and the other's turn.
    other.execute("SELECT pg_terminate_backend(%s), pg_advisory_lock(%s)", [pid, ADVISORY_LOCK])
    wait_until(lambda: "clock_lost_to_another_process" in caplog.text, "the clock to see that it was replaced")
    assert holders(asking()) == [other.info.backend_pid]
    other.close()
    wait_until(lambda: "clock_taken_again" in caplog.text, "the clock to go on")
    assert caplog.text.count("clock_lost_to_another_process") == 1


def test_a_clock_that_stops_leaves_the_lock(
    make_app: MakeApp, clock: Clock, asking: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock.stop(wait=True)
    wait_until(lambda: holders(asking()) == [], "the lock to be free")
    monkeypatch.setattr(scheduler, "HAND_OVER_S", 0.1)
    second = Clock(make_app())
    second.start()
    second.stop(wait=True)
