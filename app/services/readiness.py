"""Whether the service can serve, and if not why: what is found out by doing it, not by asking for it."""

from __future__ import annotations

import errno
import sqlite3
import threading
import time
from pathlib import Path

from flask import current_app
from sqlalchemy.exc import SQLAlchemyError

from app.config import settings
from app.extensions import DatabaseBusy, try_writing, writer
from app.services.errors import DATABASE_AWAY

# It is written no more often than this, however many ask.
TRIED_EVERY_S = 5.0
# Who asks whether the service is ready does not wait longer for a lock.
LOCK_WAIT_S = 1.0
# So much room has to be left beside the database: what it has already it can write over even on a full disk.
ROOM_BYTES = 256 * 1024


class Readiness:
    """What was found out the last time that something was written."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tried_at: float | None = None
        self._reason: str | None = None

    def reason(self) -> str | None:
        """Why nothing can be written, or None if it can: as of now, or of at most TRIED_EVERY_S ago."""
        with self._lock:
            if self._tried_at is None or time.monotonic() - self._tried_at >= TRIED_EVERY_S:
                self._reason = _try()
                self._tried_at = time.monotonic()
            return self._reason


def lost() -> str | None:
    """What this process had when it began and has no more, or None."""
    clock = current_app.extensions.get("clock")
    if not writer().has_file():
        return "database_replaced"
    return None if clock is None or clock.is_held() else "clock_lost"


def unwritable() -> str | None:
    """Why nothing can be written, or None if it can."""
    found: Readiness = current_app.extensions.setdefault("readiness", Readiness())
    return found.reason()


def _try() -> str | None:
    try:
        try_writing(LOCK_WAIT_S)
        path = settings().sqlite_path
        if path is not None:
            _try_room(path.resolve())
    except (SQLAlchemyError, OSError, *DATABASE_AWAY) as error:
        return _reason_of(error)
    return None


def _try_room(path: Path) -> None:
    probe = path.with_name(path.name + ".ready")
    try:
        probe.write_bytes(bytes(ROOM_BYTES))
    finally:
        probe.unlink(missing_ok=True)


def _reason_of(error: Exception) -> str:
    code = getattr(getattr(error, "orig", None), "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL or getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT):
        return "disk_full"
    if code == sqlite3.SQLITE_BUSY or isinstance(error, DatabaseBusy):
        return "database_locked"
    return "database_not_writable"
