"""Starting, stopping and starting again: nothing is lost, nothing runs twice. Traps 8 and 9."""

from __future__ import annotations

import os
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from http.client import HTTPException
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import inspect

from app import create_app, serving
from app.config import read_settings
from app.extensions import db
from app.jobs import Clock, ClockTaken, scheduler
from app.models import Base
from app.realtime import publish
from app.services import players
from tests.live import ROOT, free_port, live_server, wait_until
from tests.runtime.people import Channel, Person, new_room, open_channel
from tests.runtime.tables import Table

MakeApp = Callable[..., Flask]

# Under a second on a quiet machine. Waiting for the sockets instead would take all the grace that gunicorn is given.
GRACE_S = 60
STOP_S = 20.0
# Two seconds are promised; with the locks of the database it would be five.
STOP_BUSY_S = 3.5


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("worker_class", ["gevent", "gthread"])
def test_stopping_closes_the_channels_at_once_with_the_word_to_come_back(
    worker_class: str, how: signal.Signals
) -> None:
    """Trap 8: gunicorn would wait for sockets until its grace is over."""
    with live_server(WORKER_CLASS=worker_class, GUNICORN_CMD_ARGS=f"--graceful-timeout {GRACE_S}") as server:
        mona = Person(server, "Mona")
        code = new_room(mona)
        seated, own, hello = mona.channel(code), mona.own_channel(), Channel(open_channel(server, code))
        for channel in (seated, own):
            channel.next()
        idle = socket.create_connection(("127.0.0.1", server.port))
        idle.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert idle.recv(1000).startswith(b"HTTP/1.1 200")
        codes: list[int] = []
        listener = threading.Thread(target=lambda: codes.extend(each.close_code() for each in (seated, own)))
        listener.start()
        took_s = server.stop(how)
        listener.join()
        idle.close()
        hello.close()
        assert codes == [1012, 1012]
        assert took_s < STOP_S
        assert "Traceback" not in server.log_text()


@pytest.mark.parametrize("worker_class", ["gevent", "gthread"])
def test_stopping_waits_neither_for_those_who_wait_for_long_nor_for_those_who_come_all_the_time(
    worker_class: str,
) -> None:
    """Requests that wait for the database would wait for 5 s, and among many there is always one that is running."""
    with live_server(WORKER_CLASS=worker_class) as server, closing(sqlite3.connect(server.database)) as other:
        mona = Person(server, "Mona")
        other.execute("BEGIN IMMEDIATE")
        threads = [threading.Thread(target=ask_until_refused, args=(mona, "POST", "/rooms"))]
        threads += [threading.Thread(target=ask_until_refused, args=(mona, "GET", "/rooms")) for _ in range(3)]
        for thread in threads:
            thread.start()
        mona.ask("GET", "/rooms")
        assert server.stop() < STOP_BUSY_S
        for thread in threads:
            thread.join()


def ask_until_refused(person: Person, method: str, path: str) -> None:
    """Ask again and again, until nobody is there."""
    with suppress(OSError, HTTPException):
        for _ in range(100_000):
            person.call(method, path)


def test_a_fresh_database_is_made_and_one_that_is_there_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "new" / "basra.sqlite3"
    for _ in range(2):
        app = create_app(read_settings({"DATABASE_URL": f"sqlite:///{path}"}))
        serving.start(app)
        try:
            with app.app_context():
                assert set(inspect(db.engine).get_table_names()) == {*Base.metadata.tables, "alembic_version"}
        finally:
            serving.stop(app)
            with app.app_context():
                db.engine.dispose()


def test_building_the_app_starts_no_clock(make_app: MakeApp) -> None:
    """Trap 9: the debug reloader and every other command build the app too."""
    before = threading.active_count()
    make_app()
    make_app()
    assert threading.active_count() == before


def test_a_database_has_one_clock(make_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    """Trap 9: two clocks would play twice, and tell the news to half of the players."""
    monkeypatch.setattr(scheduler, "HAND_OVER_S", 0.1)
    first, second = Clock(make_app()), Clock(make_app())
    first.start()
    with pytest.raises(ClockTaken, match="its own DATABASE_URL"):
        second.start()
    first.stop()
    second.start()
    second.stop(wait=True)
    second.stop()


def test_a_clock_waits_for_the_one_that_is_being_replaced(make_app: MakeApp) -> None:
    first, second = Clock(make_app()), Clock(make_app())
    first.start()
    starting = threading.Thread(target=second.start)
    starting.start()
    first.stop()
    starting.join(timeout=5)
    assert not starting.is_alive()
    second.stop(wait=True)


class HeldLock:
    """A lock that is held, or was lost."""

    def __init__(self, *, held: bool = True) -> None:
        self.held = held
        self.closed = False

    def is_held(self) -> bool:
        return self.held

    def close(self) -> None:
        self.closed = True


def test_a_clock_that_is_stopped_while_it_takes_its_lost_lock_again_leaves_it(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    again = HeldLock()
    answers = [None, again]  # another process had it for a while
    monkeypatch.setattr(scheduler, "HOUSEKEEPING_S", 0.05)
    monkeypatch.setattr(scheduler, "_take_lock", lambda path: HeldLock(held=False))
    monkeypatch.setattr(scheduler, "_try_lock", lambda path: answers.pop(0) if answers else None)
    clock = Clock(app)
    clock.start()
    monkeypatch.setattr(scheduler.clock, "begin", lambda now: clock.stop() or 0)
    wait_until(lambda: again.closed, "the lock to be left")


@pytest.mark.parametrize(
    ("arguments", "environ", "cure"),
    [
        (["--workers", "2"], {}, "Leave --workers out"),
        ([], {"WEB_CONCURRENCY": "2"}, "unset WEB_CONCURRENCY"),
    ],
)
def test_what_cannot_be_served_with_ends_the_server_with_the_cure(
    tmp_path: Path, arguments: list[str], environ: dict[str, str], cure: str
) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "gunicorn", "-c", "gunicorn.conf.py", *arguments, "wsgi:app"],
        cwd=ROOT,
        env={**os.environ, "PORT": str(free_port()), "DATABASE_URL": f"sqlite:///{tmp_path / 'b.sqlite3'}", **environ},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert ended.returncode != 0
    assert cure in ended.stderr
    assert "Traceback" not in ended.stderr


def test_it_says_where_it_serves_and_that_it_lives_and_is_ready() -> None:
    with live_server() as server:
        assert f"Basra is at {server.url}" in server.log_text()
        stranger = Person(server, "Stranger")
        for path in ("/healthz", "/readyz"):
            with socket.create_connection(("127.0.0.1", server.port)) as plain:
                plain.sendall(f"GET {path} HTTP/1.0\r\n\r\n".encode())
                assert plain.recv(1000).split()[1] == b"200"
        assert stranger.call("GET", "/players/me")[0] == 200


def test_a_running_clock_checkpoints_what_was_written(make_app: MakeApp) -> None:
    app = make_app()
    path = app.extensions["settings"].sqlite_path

    def guests_in_the_file() -> int:
        # Past the log beside it: only what is in the file itself counts. Read in the middle of a checkpoint it is torn.
        with closing(sqlite3.connect(f"file:{path}?immutable=1", uri=True)) as alone, suppress(sqlite3.DatabaseError):
            return int(alone.execute("SELECT count(*) FROM players").fetchone()[0])
        return 0

    clock = Clock(app)
    clock.start()
    try:
        with app.app_context():
            players.create_guest("Mona", session=False)
        wait_until(lambda: guests_in_the_file() == 1, "a checkpoint")
    finally:
        clock.stop(wait=True)


def test_a_running_clock_answers_for_bots_at_once(make_table: Callable[..., Table]) -> None:
    table = make_table(bots=(1, 2, 3), seats=4)
    clock = Clock(table.app)
    clock.start()
    try:
        for _ in range(3):
            wait_until(lambda: table.record().match.to_act == 0, "three bots to play", 5)
            with table.app.app_context():
                publish(table.play(0))
        wait_until(lambda: table.record().match.turn >= 12, "the last bots to play", 5)
    finally:
        clock.stop(wait=True)
