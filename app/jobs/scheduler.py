"""The scheduler, and the lock that keeps it from running twice for one database."""

from __future__ import annotations

import fcntl
import logging
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import IO, Any

from apscheduler.schedulers.background import BackgroundScheduler
from flask import Flask
from sqlalchemy import text

from app.config import settings
from app.extensions import db
from app.jobs.sweeps import DeadlineSweep, ExpirySweep, Housekeeping
from app.observability import log
from app.services import clock
from app.services.news import MatchMoved, News
from app.services.times import utcnow

SWEEP_S = 0.25
HOUSEKEEPING_S = 1.0
EXPIRY_S = 60.0
# A worker that is being replaced finishes its requests first; its successor waits that long for the clock.
HAND_OVER_S = 10.0
# Names the clock among PostgreSQL's advisory locks.
ADVISORY_LOCK = 0x42415343
SWEEP = "deadlines"


class ClockTaken(Exception):
    """Another process serves this database and runs its clock."""


class Clock:
    """Wakes the sweeps of one application until it is stopped."""

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._lock: Any = None
        self._scheduler = BackgroundScheduler(
            timezone=UTC, job_defaults={"coalesce": True, "max_instances": 1, "misfire_grace_time": None}
        )

    def start(self) -> None:
        """Give everyone the grace of a restart, then begin to sweep.

        Errors: ClockTaken if another process does that already.
        """
        # The scheduler tells of every wake-up that finds a sweep still running, which is how it is meant to be.
        logging.getLogger("apscheduler").setLevel(logging.ERROR)
        with self._app.app_context():
            self._lock = _take_lock(settings().sqlite_path)
            log("clock_started", matches_given_grace=clock.begin(utcnow()))
        self._scheduler.add_job(DeadlineSweep(self._app), "interval", seconds=SWEEP_S, id=SWEEP)
        self._scheduler.add_job(Housekeeping(self._app), "interval", seconds=HOUSEKEEPING_S)
        self._scheduler.add_job(ExpirySweep(self._app), "interval", seconds=EXPIRY_S)
        self._scheduler.start()
        self._app.extensions["news_watchers"].append(self.hear)

    def stop(self) -> None:
        """Stop sweeping and leave the clock to another process; may be called twice."""
        lock, self._lock = self._lock, None  # one signal may come while another is being served
        if lock is not None:
            self._app.extensions["news_watchers"].remove(self.hear)
            self._scheduler.shutdown(wait=False)
            lock.close()

    def hear(self, news: News) -> None:
        """Sweep earlier than planned if a turn ends before the next sweep, as a bot's does."""
        if not isinstance(news, MatchMoved) or news.record.deadline_at is None:
            return
        if news.record.deadline_at > datetime.now(UTC) + timedelta(seconds=SWEEP_S):
            return
        job = self._scheduler.get_job(SWEEP)
        if job is not None and news.record.deadline_at < job.next_run_time:
            job.modify(next_run_time=news.record.deadline_at)


def _take_lock(path: Path | None) -> Any:
    """Hold the clock of the database until what is returned is closed."""
    give_up = time.monotonic() + HAND_OVER_S
    while True:
        lock = _try_advisory() if path is None else _try_file(path)
        if lock is not None:
            return lock
        if time.monotonic() > give_up:
            raise ClockTaken(
                "another process serves this database already, and late turns must be played once: stop it, or give "
                "this one its own DATABASE_URL"
            )
        time.sleep(0.1)


def _try_file(path: Path) -> IO[bytes] | None:
    handle = path.with_name(path.name + ".clock").open("wb")
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        handle.close()
        return None
    return handle


def _try_advisory() -> Any:
    # A connection of its own: the lock lives as long as it does.
    connection = db.engine.connect().execution_options(isolation_level="AUTOCOMMIT")
    if connection.scalar(text("SELECT pg_try_advisory_lock(:key)"), {"key": ADVISORY_LOCK}):
        return connection
    connection.close()
    return None
