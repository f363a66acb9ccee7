"""The scheduler, and the lock that keeps it from running twice for one database."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, timedelta
from pathlib import Path
from threading import RLock

from apscheduler.jobstores.base import JobLookupError
from flask import Flask

from app.config import settings
from app.jobs.locks import Lock, try_advisory, try_file
from app.jobs.retention import RetentionSweep
from app.jobs.steady import SteadyScheduler
from app.jobs.sweeps import DeadlineSweep, ExpirySweep, Housekeeping, NoticeSweep, SeekSweep
from app.jobs.troubles import Quiet
from app.observability import log
from app.services import clock
from app.services.errors import DATABASE_AWAY
from app.services.news import MatchMoved, News
from app.services.times import system_now, utcnow

SWEEP_S = 0.25
HOUSEKEEPING_S = 1.0
EXPIRY_S = 60.0
NOTICES_S = 1.0
RETENTION_S = 60.0
# A worker that is being replaced finishes its requests first; its successor waits that long for the clock.
HAND_OVER_S = 10.0
SWEEP = "deadlines"


class ClockTaken(Exception):
    """Another process serves this database and runs its clock."""


class Clock:
    """Wakes the sweeps of one application until it is stopped."""

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._lock: Lock | None = None
        self._runs = False
        # A signal may stop the clock while it takes its lost lock again; the same thread may be interrupted twice.
        self._stopping = RLock()
        # Whether another process has the clock, because this one had lost it for a while.
        self._is_replaced = False
        self._scheduler = SteadyScheduler(
            timezone=UTC, job_defaults={"coalesce": True, "max_instances": 1, "misfire_grace_time": None}
        )

    def take(self) -> None:
        """Take the clock of the database, before anything of it is changed.

        Errors: ClockTaken if another process has it.
        """
        with self._app.app_context():
            self._lock = _take_lock(settings().sqlite_path)

    def start(self) -> None:
        """Give everyone the grace of a restart, then begin to sweep.

        Errors: ClockTaken if another process does that already.
        """
        # The scheduler tells of every wake-up that finds a sweep still running, which is how it is meant to be.
        logging.getLogger("apscheduler").setLevel(logging.ERROR)
        if self._lock is None:
            self.take()
        with self._app.app_context():
            log("clock_started", matches_given_grace=clock.begin(utcnow()))
        self._runs = True
        self._add(SWEEP, self._while_held(DeadlineSweep(self._app)), SWEEP_S)
        self._add("lock", self._keep, HOUSEKEEPING_S)
        self._add("housekeeping", Housekeeping(self._app), HOUSEKEEPING_S)
        self._add("seeks", self._while_held(SeekSweep(self._app)), HOUSEKEEPING_S)
        self._add("expiry", self._while_held(ExpirySweep(self._app)), EXPIRY_S)
        self._add("notices", self._while_held(NoticeSweep(self._app)), NOTICES_S)
        self._add("retention", RetentionSweep(self._app, self.is_held), RETENTION_S)
        self._scheduler.start()
        self._app.extensions["news_watchers"].append(self.hear)

    def is_held(self) -> bool:
        """Whether this process is the clock of its database."""
        return self._runs and self._lock is not None

    def stop(self, *, wait: bool = False) -> None:
        """Stop sweeping and leave the clock to another process; may be called twice.

        With `wait` the sweeps that are at work have ended, too; without, they end by themselves.
        """
        with self._stopping:
            runs, self._runs = self._runs, False  # one signal may come while another is being served
        if runs:
            self._app.extensions["news_watchers"].remove(self.hear)
            self._scheduler.shutdown(wait=wait)
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def hear(self, news: News) -> None:
        """Sweep earlier than planned if a turn ends before the next sweep, as a bot's does."""
        if not isinstance(news, MatchMoved) or news.record.deadline_at is None:
            return
        left = news.record.deadline_at - utcnow()
        if left > timedelta(seconds=SWEEP_S):
            return
        due_at = system_now() + left  # the scheduler's clock is the system's
        job = self._scheduler.get_job(SWEEP)
        if job is not None and due_at < job.next_run_time:
            with suppress(JobLookupError):  # the clock is being stopped
                job.modify(next_run_time=due_at)

    def _add(self, name: str, job: Callable[[], None], every_s: float) -> None:
        self._scheduler.add_job(Quiet(name, job), "interval", seconds=every_s, id=name)

    def _while_held(self, sweep: Callable[[], None]) -> Callable[[], None]:
        def run() -> None:
            if self._lock is not None:
                sweep()

        return run

    def _keep(self) -> None:
        """See that the clock is still ours: a lock in the database goes when that restarts, and is taken again."""
        if self._lock is not None and self._lock.is_held():
            return
        if self._lock is not None:
            self._lock.close()
            self._lock = None
        with self._app.app_context():
            try:
                lock = _try_lock(settings().sqlite_path)
            except DATABASE_AWAY:
                return
            if lock is None:
                self._be_replaced()
            else:
                self._go_on(lock)

    def _be_replaced(self) -> None:
        if not self._is_replaced:
            self._is_replaced = True
            clock.end()
            log("clock_lost_to_another_process", level=logging.ERROR)

    def _go_on(self, lock: Lock) -> None:
        # Only of the other process nobody knows whether it worked all the time; our own absence the sweep makes up for.
        grace = clock.begin(utcnow()) if self._is_replaced else 0
        with self._stopping:
            if not self._runs:
                lock.close()
                return
            self._lock = lock
        self._is_replaced = False
        log("clock_taken_again", matches_given_grace=grace)


def _take_lock(path: Path | None) -> Lock:
    """Hold the clock of the database until what is returned is closed."""
    give_up = time.monotonic() + HAND_OVER_S
    while True:
        lock = _try_lock(path)
        if lock is not None:
            return lock
        if time.monotonic() > give_up:
            raise ClockTaken(
                "another process serves this database already, and late turns must be played once: stop it, or give "
                "this one its own DATABASE_URL"
            )
        time.sleep(0.1)


def _try_lock(path: Path | None) -> Lock | None:
    return try_advisory() if path is None else try_file(path)
