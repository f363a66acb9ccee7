"""The socket below a WebSocket, made safe to write to, and the request that becomes one."""

from __future__ import annotations

import binascii
import contextlib
import socket
import threading
import time
from base64 import b64decode
from typing import Any

from werkzeug.datastructures import Headers

from app.realtime.budgets import Budget

# What the kernel may hold for one client: some twenty views. More would only hide for longer that nobody reads.
SEND_BUFFER_BYTES = 64 * 1024
# Where the servers that we run on leave the connection's socket.
SOCKET_KEYS = ("gunicorn.socket", "werkzeug.socket")
# All that the WebSocket library needs to know of a request.
HANDSHAKE = ("HTTP_UPGRADE", "HTTP_CONNECTION", "HTTP_SEC_WEBSOCKET_VERSION", "HTTP_SEC_WEBSOCKET_KEY")
KEY_BYTES = 16
# A client that is read from more often than that is read from more seldom, and more of it at once: a greenlet that
# reads never yields as long as there is something to read.
READS_PER_S = 20
READS_AT_ONCE = 20
READ_PAUSE_S = 0.02
# How long an end may wait until what is on its way has come: unread, it would make the end a reset.
LINGER_S = 0.4


class Wire:
    """A socket whose `send` sends everything, one caller at a time.

    The WebSocket library sends from two threads, the handler's and the reader's (which answers pings), and takes a
    partial send for a whole one: either would garble the frames of a client that reads slowly.
    """

    def __init__(self, connection: socket.socket) -> None:
        # A client may say nothing for as long as it likes.
        connection.settimeout(None)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
        self._connection = connection
        self._lock = threading.Lock()
        self._reads = Budget(READS_PER_S, READS_AT_ONCE)

    def recv(self, size: int) -> bytes:
        """What comes next, after a pause for others."""
        if not self._reads.spend():
            time.sleep(READ_PAUSE_S)
        return self._connection.recv(size)

    def send(self, data: bytes) -> int:
        """Send all of it."""
        with self._lock:
            self._connection.sendall(data)
        return len(data)

    def cut(self) -> None:
        """End the connection now; whoever is stuck in it gets an error."""
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Close the connection once its client has seen the end, or has had the time to."""
        until = time.monotonic() + LINGER_S
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_WR)
            while (left_s := until - time.monotonic()) > 0:
                self._connection.settimeout(left_s)
                if not self._connection.recv(65536):
                    break
                time.sleep(READ_PAUSE_S)
        self._connection.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)


def asks_for_websocket(headers: Headers) -> bool:
    """Whether a request with these headers opens a WebSocket, as RFC 6455 has it."""
    connection = [token.strip().lower() for token in headers.get("Connection", "").split(",")]
    try:
        key = b64decode(headers.get("Sec-WebSocket-Key", ""), validate=True)
    except (binascii.Error, ValueError):
        return False
    return (
        "upgrade" in connection
        and headers.get("Upgrade", "").lower() == "websocket"
        and headers.get("Sec-WebSocket-Version") == "13"
        and len(key) == KEY_BYTES
    )


def wrap(environ: dict[str, Any]) -> Wire:
    """Put a Wire in the place of the request's socket, and leave of its headers only those of the handshake.

    The WebSocket library reads them all again and fails on what others let pass. Nor shall it agree on
    permessage-deflate, which costs 50 KB of memory a channel.
    """
    key = next(key for key in SOCKET_KEYS if key in environ)
    # Below the line that requests are read from, which has its own idea of what must come when.
    wire = environ[key] = Wire(getattr(environ[key], "connection", environ[key]))
    for name in [name for name in environ if name.startswith("HTTP_") and name not in HANDSHAKE]:
        del environ[name]
    environ["HTTP_HOST"] = "localhost"
    return wire
