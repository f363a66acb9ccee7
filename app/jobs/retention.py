"""The sweep that forgets what has been kept for long enough: all of it once an hour, a little at a time."""

from __future__ import annotations

import time
from collections.abc import Callable

from flask import Flask

from app.extensions import db
from app.jobs.troubles import Trouble
from app.observability import log
from app.services import retention, steps

EVERY_S = 3600.0
# Between two steps; whoever else has to write comes first.
PAUSE_S = 0.02


class RetentionSweep:
    """Walks through the tables; `goes_on` tells whether it still may."""

    def __init__(self, app: Flask, goes_on: Callable[[], bool]) -> None:
        self._app = app
        self._goes_on = goes_on
        self._walked_at: float | None = None
        self._troubles = {kind.name: Trouble("retention", of=kind.name) for kind in retention.KINDS}

    def __call__(self) -> None:
        now = time.monotonic()
        if self._walked_at is not None and now - self._walked_at < EVERY_S:
            return
        with self._app.app_context():
            if not self._may():
                return
            done = [self._walk(kind) for kind in retention.KINDS]
        if all(done):
            self._walked_at = now

    def _walk(self, kind: retention.Kind) -> bool:
        """Forget what is due of one kind; returns whether its table was walked to the end."""
        forgotten = 0
        error: Exception | None = None
        try:
            for count in retention.walk(kind):
                forgotten += count
                db.session.remove()
                time.sleep(PAUSE_S)
                if not self._may():
                    return False
        except Exception as failed:  # the next sweep begins again
            error = failed
        finally:
            db.session.remove()
            if forgotten:
                log("forgotten", of=kind.name, count=forgotten)
        self._troubles[kind.name].note(error)
        return error is None

    def _may(self) -> bool:
        return self._goes_on() and steps.is_quiet()
