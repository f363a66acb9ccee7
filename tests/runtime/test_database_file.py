"""The file underneath: deleted, replaced, or served under another name."""

from __future__ import annotations

import logging
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from flask import Flask

from app.extensions import db, write_transaction
from app.jobs import Clock, ClockTaken, scheduler, sweeps
from app.jobs.sweeps import Housekeeping
from app.jobs.troubles import Quiet
from app.services import readiness
from app.services.errors import DATABASE_AWAY
from tests.live import ROOT
from tests.runtime.tables import Table

HOLD = """
import sys
from pathlib import Path
from app.jobs.locks import try_file
lock = try_file(Path(sys.argv[1]))
print("held" if lock else "refused", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def path(app: Flask) -> Path:
    found: Path = app.extensions["settings"].sqlite_path
    return found


def delete(path: Path) -> None:
    path.unlink()


def replace(path: Path) -> None:
    shutil.copy(path, path.with_suffix(".copy"))
    path.with_suffix(".copy").replace(path)


def move_aside(path: Path) -> None:
    path.rename(path.with_suffix(".aside"))


def point_elsewhere(path: Path) -> None:
    shutil.copy(path, path.with_suffix(".copy"))
    path.unlink()
    path.symlink_to(path.with_suffix(".copy"))


def play(table: Table) -> int:
    record = table.record()
    seat = record.match.to_act
    assert seat is not None
    answer = table.app.test_client().post(
        f"/api/v1/matches/{table.match_id}/moves",
        json={"turn": record.match.turn, "card": record.match.round.hands[seat][0]},
        headers={"Authorization": f"Bearer {table.tokens[seat]}"},
    )
    return answer.status_code


@pytest.mark.parametrize("lose", [delete, replace, move_aside, point_elsewhere])
def test_nothing_is_acknowledged_that_would_be_lost_with_the_file(
    make_table: Callable[..., Table], path: Path, lose: Callable[[Path], None]
) -> None:
    table = make_table()
    client = table.app.test_client()
    assert play(table) == 201
    assert client.get("/readyz").status_code == 200
    lose(path)
    assert play(table) == 503
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json) == (503, {"status": "unavailable", "reason": "database_replaced"})
    assert client.get("/healthz").status_code == 200


def test_a_file_that_goes_while_it_is_written_is_not_acknowledged_either(app: Flask, path: Path) -> None:
    with app.app_context(), pytest.raises(DATABASE_AWAY), write_transaction():
        delete(path)


def test_nobody_opens_another_file_under_the_same_name(app: Flask, path: Path) -> None:
    """Old connections and new ones would read two different databases."""
    replace(path)
    with app.app_context():
        db.engine.dispose()
        with pytest.raises(DATABASE_AWAY):
            db.engine.connect()


def test_a_file_that_comes_back_is_the_same(make_table: Callable[..., Table], path: Path) -> None:
    table = make_table()
    move_aside(path)
    assert play(table) == 503
    path.with_suffix(".aside").rename(path)
    assert play(table) == 201


def test_a_full_disk_is_no_place_to_serve_from(app: Flask, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The log of the database has room that it can write over: what is tried has to need more."""
    monkeypatch.setattr(readiness, "TRIED_EVERY_S", 0)
    client = app.test_client()
    path.with_name(path.name + ".ready").symlink_to("/dev/full")
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json) == (503, {"status": "unavailable", "reason": "disk_full"})
    assert client.get("/readyz").status_code == 200


def lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage().split(" at=")[0] for record in caplog.records if not record.exc_info]


def test_the_log_tells_once_that_the_file_is_gone(app: Flask, path: Path, caplog: pytest.LogCaptureFixture) -> None:
    keep = Housekeeping(app)
    move_aside(path)
    for _ in range(3):
        keep()
    path.with_suffix(".aside").rename(path)
    for _ in range(2):
        keep()
    assert lines(caplog) == ["database_replaced", "database_back"]


def test_the_log_tells_once_that_no_checkpoint_can_be_made(
    app: Flask, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    keep = Housekeeping(app)

    def fail() -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as full:
        full.setattr(sweeps, "checkpoint", fail)
        for _ in range(3):
            keep()
    for _ in range(2):
        keep()
    assert lines(caplog) == ["checkpoint_failed error=OperationalError", "checkpoint_works_again"]


def test_a_job_that_fails_is_a_line_and_no_traceback(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    outcomes = iter([ZeroDivisionError, ZeroDivisionError, KeyError, None, None])

    def work() -> None:
        error = next(outcomes)
        if error is not None:
            raise error

    job = Quiet("work", work)
    for _ in range(5):
        job()
    assert lines(caplog) == [
        "job_failed error=ZeroDivisionError",
        "job_failed error=KeyError",
        "job_works_again job=work",
    ]


def symlink(path: Path) -> Path:
    other = path.parent / "elsewhere" / "link.sqlite3"
    other.parent.mkdir()
    other.symlink_to(path)
    return other


def hard_link(path: Path) -> Path:
    other = path.parent / "elsewhere" / "other.sqlite3"
    other.parent.mkdir()
    os.link(path, other)
    return other


def linked_folder(path: Path) -> Path:
    folder = path.parent.with_name(path.parent.name + "-link")
    folder.symlink_to(path.parent)
    return folder / path.name


@contextmanager
def another_process(path: Path) -> Iterator[str]:
    """Try to be the clock of a file in another process, and stay so until the end; gives how it went."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.communicate(timeout=30)


@pytest.mark.parametrize("name", [symlink, hard_link, linked_folder])
def test_a_file_has_one_clock_whichever_name_it_is_served_by(
    app: Flask, path: Path, monkeypatch: pytest.MonkeyPatch, name: Callable[[Path], Path]
) -> None:
    monkeypatch.setattr(scheduler, "HAND_OVER_S", 0.1)
    with another_process(name(path)) as outcome:
        assert outcome == "held"
        with pytest.raises(ClockTaken):
            Clock(app).start()
    clock = Clock(app)
    clock.start()
    clock.stop(wait=True)


def test_who_leaves_the_clock_keeps_the_locks_that_sqlite_has(app: Flask, path: Path) -> None:
    """With the first descriptor of a file that a process closes, all its locks on the file are gone."""
    clock = Clock(app)
    clock.take()
    other = "import sqlite3, sys; sqlite3.connect(sys.argv[1], timeout=0).execute('BEGIN IMMEDIATE')"
    with app.app_context(), write_transaction():
        clock.stop()
        tried = subprocess.run(
            [sys.executable, "-c", other, str(path)], capture_output=True, text=True, timeout=30, check=False
        )
    assert "database is locked" in tried.stderr


def test_a_clock_whose_lock_was_deleted_is_lost_until_it_is_taken_again(app: Flask, path: Path) -> None:
    clock = Clock(app)
    clock.take()
    lock = clock._lock
    assert lock is not None
    assert lock.is_held()
    path.with_name(path.name + ".clock").unlink()
    assert not lock.is_held()
    clock.stop()
