"""The right to be the clock of a database, which one process has at a time."""

from __future__ import annotations

import fcntl
import os
import sys
from pathlib import Path
from typing import IO, Protocol

from sqlalchemy import Connection, text

from app.extensions import db
from app.services.errors import DATABASE_AWAY
from app.sqlite import identity_of

# Names the clock among PostgreSQL's advisory locks.
ADVISORY_LOCK = 0x42415343
# The database files that this process has opened to lock them, by what they are. They are never closed: with the first
# descriptor of a file that a process closes it loses all locks that SQLite has on that file.
_opened: dict[tuple[int, int] | None, int] = {}


class Lock(Protocol):
    """The right to be the clock of a database, until it is closed or lost."""

    def is_held(self) -> bool: ...

    def close(self) -> None: ...


class FileLock:
    """The right to be the clock of a SQLite file, whichever of its names one comes by.

    A file beside it is locked, which works everywhere, and where that is safe the database file itself: hard links lie
    in other places.
    """

    def __init__(self, beside: IO[bytes], path: Path, itself: int | None) -> None:
        self._beside = beside
        self._path = path
        self._itself = itself

    def is_held(self) -> bool:
        """Whether it is held: another process can lock what lies there now, if our file was deleted."""
        found = os.fstat(self._beside.fileno())
        return identity_of(self._path) == (found.st_dev, found.st_ino)

    def close(self) -> None:
        """Leave it to another process."""
        self._beside.close()
        if self._itself is not None:
            fcntl.flock(self._itself, fcntl.LOCK_UN)


class AdvisoryLock:
    """The right to be the clock of a PostgreSQL database: held as long as a connection of its own lives."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._socket = connection.connection.dbapi_connection

    def is_held(self) -> bool:
        """Whether the connection still lives."""
        try:
            self._connection.execute(text("SELECT 1")).close()
        except DATABASE_AWAY:
            return False
        return True

    def close(self) -> None:
        """Leave it to another process."""
        self._connection.close()
        if self._socket is not None:
            self._socket.close()  # SQLAlchemy leaves one that it found broken and that is in no pool


def try_file(path: Path) -> FileLock | None:
    """The clock of a SQLite file, or None if another process has it."""
    path = path.resolve()
    path_beside = path.with_name(path.name + ".clock")
    beside = path_beside.open("wb")
    if not _lock(beside.fileno()):
        beside.close()
        return None
    # Elsewhere this lock is of the same kind as those of SQLite, and would keep the service itself out.
    itself = _descriptor(path) if sys.platform == "linux" else None
    if itself is not None and not _lock(itself):
        beside.close()
        return None
    return FileLock(beside, path_beside, itself)


def try_advisory() -> AdvisoryLock | None:
    """The clock of a PostgreSQL database, or None if another process has it."""
    connection = db.engine.connect().execution_options(isolation_level="AUTOCOMMIT")
    try:
        if connection.scalar(text("SELECT pg_try_advisory_lock(:key)"), {"key": ADVISORY_LOCK}):
            connection.detach()  # the pool would keep it open, and with it the lock, when we close it
            return AdvisoryLock(connection)
    except BaseException:
        connection.close()
        raise
    connection.close()
    return None


def _lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _descriptor(path: Path) -> int:
    found = _opened.get(identity_of(path))
    if found is None:
        found = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        _opened[identity_of(path)] = found
    return found
