"""Clocks that tests can move, and tables with players at them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any

from flask import Flask

from app.extensions import db
from app.jobs.sweeps import DeadlineSweep
from app.services import match_store, matches
from app.services.news import News
from app.services.records import MatchRecord

REAL_DATETIME = datetime


class StandingClock:
    """A clock that stands until a test moves it."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class MovedClock:
    """The service's clocks, moved by the test."""

    def __init__(self) -> None:
        self._passed_s = 0.0
        self._stepped_s = 0.0
        self._stood_still_s = 0.0
        self._stopped_at: datetime | None = None
        self._began = REAL_DATETIME.now(UTC)

    def now(self, tz: tzinfo | None = None) -> datetime:
        """What the system's clock says."""
        passed = timedelta(seconds=self._passed_s + self._stepped_s)
        return (self._stopped_at or REAL_DATETIME.now(UTC)).astimezone(tz) + passed

    def stop(self) -> None:
        """Let no time pass by itself any more, however slow the machine is."""
        self._stopped_at = REAL_DATETIME.now(UTC)

    def forward(self, seconds: float) -> None:
        """Let so much time pass, in which the service works."""
        self._passed_s += seconds

    def stand_still(self, seconds: float) -> None:
        """Let so much time pass in which nothing of the service gets on."""
        self.forward(seconds)
        self._stood_still_s += seconds

    def step(self, seconds: float) -> None:
        """Set the system's clock forward, or back; no time passes."""
        self._stepped_s += seconds

    def running_s(self) -> float:
        """How much time has passed, whatever the system's clock was set to."""
        return ((self._stopped_at or REAL_DATETIME.now(UTC)) - self._began).total_seconds() + self._passed_s

    def stood_still_s(self) -> float:
        """In how much of it the service did not get on, however slow the machine is."""
        return self._stood_still_s

    def to(self, moment: datetime) -> None:
        """Let time pass until it is this moment."""
        self.forward((moment - self.now(moment.tzinfo)).total_seconds())


@dataclass
class Table:
    """A match that has begun, and who sits there."""

    app: Flask
    code: str
    match_id: str
    players: list[str]
    tokens: list[str]

    def record(self) -> MatchRecord:
        """The match as stored now."""
        with self.app.app_context():
            found = matches.load(self.match_id)
        assert found is not None
        return found

    def play(self, seat: int | None = None) -> list[News]:
        """Have the seat that is due play its first card."""
        record = self.record()
        seat = record.match.to_act if seat is None else seat
        assert seat is not None
        with self.app.app_context():
            card = matches.view_of(record, seat)["you"]["hand"][0]
            return matches.play(self.players[seat], self.match_id, record.match.turn, card)[1]

    def sweep(self) -> None:
        """Run one sweep of the clock."""
        DeadlineSweep(self.app)()

    def events(self) -> list[dict[str, Any]]:
        """All events so far, complete."""
        with self.app.app_context():
            return match_store.events_after(db.session(), self.match_id, 0, 1000)


def together(*works: Callable[[], object]) -> None:
    """Do several things at the same time, and wait for all."""
    barrier = threading.Barrier(len(works))

    def run(work: Callable[[], object]) -> None:
        barrier.wait()
        work()

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
