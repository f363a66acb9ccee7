"""The sweeps: each looks at the database for what is due, does it, and may run at any time, twice or late."""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Callable
from datetime import datetime
from functools import partial

from flask import Flask
from sqlalchemy.exc import SQLAlchemyError

from app.config import settings
from app.extensions import checkpoint, db, writer
from app.jobs.troubles import Trouble
from app.observability import log, log_failure
from app.realtime import publish
from app.services import (
    audit,
    bearers,
    clock,
    dealing,
    devices,
    networks,
    notices,
    rooms,
    seeks,
    sign_ups,
    steps,
    transfers,
)
from app.services.errors import DATABASE_AWAY, Refusal
from app.services.news import News, RoomChanged
from app.services.times import utcnow

# A bot's answer may be due at once, and another bot's after it; a sweep goes on so long, then the next one does.
ROUNDS = 60
# A match that cannot be acted on is left alone for a while, so that it neither fills the log nor delays others.
REST_S = 60.0
# What is forgotten after days; the other things that expire go by moments that move with the system's clock.
FORGOTTEN_AFTER_DAYS = {"tokens", "devices", "networks", "audit"}

Act = Callable[[datetime], list[News]]


class DeadlineSweep:
    """Acts on every match whose deadline has passed, and begins those for which no seed is waited for any longer."""

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._resting: dict[str, float] = {}
        self._trouble = Trouble("sweep")

    def __call__(self) -> None:
        try:
            with self._app.app_context():
                for _ in range(ROUNDS):
                    if not self._sweep():
                        return
        except (SQLAlchemyError, *DATABASE_AWAY) as error:  # the next sweep looks again
            self._trouble.note(error)

    def _sweep(self) -> bool:
        """Do all that is due; returns whether more may be due after it."""
        self._follow_the_clock()
        publish(clock.make_up(utcnow()))
        now = time.monotonic()
        self._resting = {what: until for what, until in self._resting.items() if until > now}
        due = [(what, act) for what, act in _due() if what not in self._resting]
        db.session.remove()
        passing: Exception | None = None
        for what, act in due:
            passing = self._act_on(what, act) or passing
            time.sleep(0)  # let requests through between two matches
        self._trouble.note(passing)
        if passing is not None:
            return False
        clock.got_through()
        return bool(due)

    def _follow_the_clock(self) -> None:
        step = steps.follow()
        if step is None:
            return
        publish([RoomChanged(code) for code in step.codes])
        log("clock_stepped", level=logging.WARNING, seconds=step.seconds, matches=len(step.match_ids))
        for match_id in step.match_ids:
            publish(clock.moved_deadline(match_id))
            time.sleep(0)

    def _act_on(self, what: str, act: Act) -> Exception | None:
        """Act on one match or dealing; returns what hindered it, if that passes by itself."""
        try:
            publish(act(utcnow()))
            clock.got_through()
        except (Refusal, *DATABASE_AWAY) as error:
            return error
        except Exception as error:
            log_failure("sweep_failed", error, what=what)
            self._resting[what] = time.monotonic() + REST_S
        finally:
            db.session.remove()
        return None


def _due() -> list[tuple[str, Act]]:
    """What is due now, each with its name: rooms by code and matches by id."""
    now = utcnow()
    dealings = [(code, partial(dealing.end, code)) for code in dealing.due(now)]
    return [*dealings, *((match_id, partial(clock.act_on, match_id)) for match_id in clock.due(now))]


class SeekSweep:
    """Pairs the registered seekers who have waited long enough for others of their kind."""

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._looked_at = utcnow()

    def __call__(self) -> None:
        with self._app.app_context():
            try:
                now = utcnow()
                # A clock that was set back counts from there.
                for seek_id in seeks.patient(min(self._looked_at, now), now):
                    publish(seeks.pair(seek_id, now))
                self._looked_at = now
            except (SQLAlchemyError, *DATABASE_AWAY) as error:  # the next sweep looks again
                log_failure("sweep_failed", error)
            finally:
                db.session.remove()


class ExpirySweep:
    """Closes the rooms that nobody uses, and forgets the seeks of those who are gone, and what has ended long ago."""

    def __init__(self, app: Flask) -> None:
        self._app = app
        is_used = app.extensions["hub"].is_used
        self._sweeps: dict[str, Callable[[datetime], list[News]]] = {
            "rooms": lambda now: rooms.expire(now, is_used),
            "seeks": lambda now: seeks.expire(now),
            "tokens": lambda now: bearers.expire(now),
            "transfers": lambda now: transfers.expire(now),
            "devices": lambda now: devices.expire(now),
            "sign_ups": lambda now: sign_ups.expire(now),
            "networks": lambda now: networks.expire(now),
            "audit": lambda now: audit.expire(now),
        }
        self._troubles = {name: Trouble("sweep", of=name) for name in self._sweeps}

    def __call__(self) -> None:
        for name, expire in self._sweeps.items():
            with self._app.app_context():
                if name in FORGOTTEN_AFTER_DAYS and not steps.is_quiet():
                    continue
                try:
                    publish(expire(utcnow()))
                except Exception as error:  # what could not be done now is done a minute later
                    self._troubles[name].note(error)
                else:
                    self._troubles[name].note(None)
                finally:
                    db.session.remove()


class NoticeSweep:
    """Publishes what a command line has left to be told."""

    def __init__(self, app: Flask) -> None:
        self._app = app

    def __call__(self) -> None:
        with self._app.app_context():
            try:
                publish(notices.take())  # where that fails, what was left stays until it can be taken
            finally:
                db.session.remove()


class Housekeeping:
    """Frees the channels whose clients stopped reading, moves SQLite's log into its file, and sees that it is there."""

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._is_replaced = False
        self._checkpoint = Trouble("checkpoint")

    def __call__(self) -> None:
        with self._app.app_context():
            cut = self._app.extensions["hub"].cut_stalled()
            if cut:
                log("stalled_channels_cut", count=cut)
            if settings().sqlite_path is not None:
                self._keep_file()

    def _keep_file(self) -> None:
        is_replaced = not writer().has_file()
        if is_replaced != self._is_replaced:
            self._is_replaced = is_replaced
            log("database_replaced" if is_replaced else "database_back", level=logging.ERROR)
        if is_replaced:
            return  # what the log holds is not for the file that lies there now
        try:
            checkpoint()
        except (SQLAlchemyError, sqlite3.Error, *DATABASE_AWAY) as error:  # the next one makes up for it
            self._checkpoint.note(error)
        else:
            self._checkpoint.note(None)
