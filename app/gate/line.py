"""A client's connection, of which a request is read in bounded time, in bounded bytes and without hogging the loop."""

from __future__ import annotations

import contextlib
import errno
import socket
import time
from collections.abc import Callable
from typing import Any, Protocol

from gunicorn.http.errors import LimitRequestHeaders  # type: ignore[import-untyped]

# How long a connection may be open without a request.
IDLE_S = 20
# How long the head of a request may take from its first byte on.
HEAD_S = 10.0
HEAD_MOST_BYTES = 64 * 1024
# How long a body may take in all; and its least pace, which counts after a grace.
BODY_S = 10.0
BODY_GRACE_S = 5.0
BODY_BYTES_PER_S = 512
# How long a client may take none of what it is sent.
SEND_S = 20.0
# A request comes in a few pieces. Whoever sends it in more is read more seldom, and so gets it into fewer.
FREE_READS = 32
READ_PAUSE_S = 0.02
# How long an end may wait for the client to see it, and how often it reads to throw away meanwhile.
LINGER_S = 1.0
LINGER_READS = 8


class TooSlow(Exception):
    """A request has not come in time."""


class Pace(Protocol):
    """How fast something must come, and how much of it there may be."""

    # Units: seconds of the monotonic clock; None while nothing need come at all.
    until: float | None

    def came(self, count: int) -> None:
        """Note that so many bytes have come."""


class HeadPace:
    """The head of a request: nothing need come, but once it has begun it must end."""

    def __init__(self) -> None:
        self.until: float | None = None
        self._bytes = 0

    def came(self, count: int) -> None:
        """Note that so many bytes have come.

        Errors: LimitRequestHeaders if that is more than any head needs.
        """
        if self.until is None:
            self.until = time.monotonic() + HEAD_S
        self._bytes += count
        if self._bytes > HEAD_MOST_BYTES:
            raise LimitRequestHeaders("the head of the request is too long")


class BodyPace:
    """The body of a request: it must not take long in all, nor come in drops."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._bytes = 0
        self.until: float | None = self._began + BODY_GRACE_S

    def came(self, count: int) -> None:
        """Note that so many bytes have come, and with them more time."""
        self._bytes += count
        self.until = self._began + min(BODY_S, BODY_GRACE_S + self._bytes / BODY_BYTES_PER_S)


class Line:
    """A socket as the server's reader sees it: its `recv` knows what is being waited for.

    A greenlet that reads never yields as long as there is something to read, so that one client with a full pipe could
    keep the loop: after some reads each waits a little.
    """

    def __init__(self, connection: socket.socket, leave: Callable[[], None]) -> None:
        self.connection = connection
        self._leave: Callable[[], None] | None = leave
        self._lingers = False
        self._pace: Pace | None = None
        self._reads = 0
        self.expect_head()

    def expect_head(self) -> None:
        """From now on a request may come."""
        self._expect(HeadPace())

    def expect_body(self) -> None:
        """From now on the body of a request must come."""
        self._expect(BodyPace())

    def linger(self) -> None:
        """Note that not everything will have been read when it is closed."""
        self._lingers = True

    def recv(self, size: int) -> bytes:
        """What comes next; nothing if the client has ended, or has been idle for too long.

        Errors: TooSlow.
        """
        if self._pace is None:
            return self.connection.recv(size)
        self._reads += 1
        if self._reads > FREE_READS:
            time.sleep(READ_PAUSE_S)
        try:
            data = self._recv_until(self._pace.until, size)
        except TimeoutError:
            if self._pace.until is None:
                return b""
            raise TooSlow from None
        self._pace.came(len(data))
        return data

    def sendall(self, data: bytes) -> None:
        """Send all of it."""
        with _stalling():
            self.connection.sendall(data)

    def sendfile(self, *args: Any, **options: Any) -> int:
        """Send a file."""
        with _stalling():
            return self.connection.sendfile(*args, **options)

    def setblocking(self, flag: bool) -> None:
        """Wait for the client or do not; but never for ever."""
        self.connection.settimeout(SEND_S if flag else 0.0)

    def shutdown(self, how: int) -> None:
        """End one direction or both; what is read from now on concerns no request."""
        self._pace = None
        self._lingers = False
        self.connection.shutdown(how)

    def close(self) -> None:
        """Close it; may be called twice."""
        leave, self._leave = self._leave, None
        if leave is None:
            return
        try:
            if self._lingers:
                self._throw_away()
            self.connection.close()
        finally:
            leave()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.connection, name)

    def _expect(self, pace: Pace) -> None:
        self._pace = pace
        self._reads = 0
        self.setblocking(True)

    def _recv_until(self, until: float | None, size: int) -> bytes:
        wait_s = IDLE_S if until is None else until - time.monotonic()
        if wait_s <= 0:
            raise TimeoutError
        self.connection.settimeout(wait_s)
        try:
            return self.connection.recv(size)
        finally:
            self.connection.settimeout(SEND_S)

    def _throw_away(self) -> None:
        """Read a little of what is still on its way: unread, it would make the end a reset, and lose the answer."""
        until = time.monotonic() + LINGER_S
        with contextlib.suppress(OSError):
            self.shutdown(socket.SHUT_WR)
            for _ in range(LINGER_READS):
                if not self._recv_until(until, 65536):
                    return
                time.sleep(READ_PAUSE_S)


@contextlib.contextmanager
def _stalling() -> Any:
    """Take a client that reads nothing for one that has gone: nobody else is told about either."""
    try:
        yield
    except TimeoutError:
        raise ConnectionResetError(errno.ECONNRESET, "the client does not read") from None
