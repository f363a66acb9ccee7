"""SQLite as an event loop needs it: nobody sleeps inside C for a lock, nor writes into a file that is there no more."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

# So long a statement waits for a lock of another process. SQLite itself would sleep inside C, and with it everybody.
LOCK_WAIT_S = 5.0
# The pauses between two tries: the first one, and what they grow to.
PAUSE_S, LONGEST_PAUSE_S = 0.001, 0.05

Answer = TypeVar("Answer")


class PatientCursor(sqlite3.Cursor):
    """A cursor whose statements wait for a lock while others go on."""

    def execute(self, *given: Any) -> PatientCursor:
        """As always, but patiently."""
        return _patiently(partial(super().execute, *given), self.connection)

    def executemany(self, *given: Any) -> PatientCursor:
        """As always, but patiently."""
        return _patiently(partial(super().executemany, *given), self.connection)


class PatientConnection(sqlite3.Connection):
    """A connection of such cursors."""

    # When its statements stop waiting; without it, each waits for LOCK_WAIT_S.
    give_up_at: float | None = None

    def cursor(self, factory: Any = PatientCursor) -> Any:
        """A cursor that is patient, too."""
        return super().cursor(factory)

    def execute(self, *given: Any) -> PatientCursor:
        """As always, but patiently: SQLite's own shortcut makes a cursor that is not."""
        cursor: PatientCursor = self.cursor().execute(*given)
        return cursor

    def commit(self) -> None:
        """As always, but patiently."""
        _patiently(super().commit, self)


def _patiently(do: Callable[[], Answer], connection: sqlite3.Connection) -> Answer:
    give_up_at = getattr(connection, "give_up_at", None)
    pause_s = PAUSE_S
    while True:
        try:
            return do()
        except sqlite3.OperationalError as error:
            if not _passes(error):
                raise
            now = time.monotonic()
            give_up_at = give_up_at or now + LOCK_WAIT_S
            if now >= give_up_at:
                raise
            time.sleep(min(pause_s, give_up_at - now))
            pause_s = min(2 * pause_s, LONGEST_PAUSE_S)


def _passes(error: sqlite3.OperationalError) -> bool:
    """Whether another's lock is in the way. A transaction that began before another's write stays too old for ever."""
    code: int = getattr(error, "sqlite_errorcode", 0) or 0
    return code & 0xFF == sqlite3.SQLITE_BUSY and code != sqlite3.SQLITE_BUSY_SNAPSHOT


class DatabaseFile:
    """The file that a path named when it was first opened: deleted or replaced, what is written into it is lost."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._opened: tuple[int, int] | None = None

    def note_opened(self) -> None:
        """Remember which file was opened, at the first time; later ones have to be the same."""
        if self._opened is None:
            self._opened = identity_of(self.path)

    def is_there(self) -> bool:
        """Whether the path still names the file. It takes some two millionths of a second."""
        return self._opened is None or identity_of(self.path) == self._opened


def identity_of(path: Path) -> tuple[int, int] | None:
    """What stays the same whichever way a file is reached, or None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
