"""The socket below a WebSocket, made safe to write to."""

from __future__ import annotations

import contextlib
import socket
import threading
from typing import Any

# What the kernel may hold for one client: some twenty views. More would only hide for longer that nobody reads.
SEND_BUFFER_BYTES = 64 * 1024
# Where the servers that we run on leave the connection's socket.
SOCKET_KEYS = ("gunicorn.socket", "werkzeug.socket")


class Wire:
    """A socket whose `send` sends everything, one caller at a time.

    The WebSocket library sends from two threads, the handler's and the reader's (which answers pings), and takes a
    partial send for a whole one: either would garble the frames of a client that reads slowly.
    """

    def __init__(self, connection: socket.socket) -> None:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
        self._connection = connection
        self._lock = threading.Lock()

    def send(self, data: bytes) -> int:
        """Send all of it."""
        with self._lock:
            self._connection.sendall(data)
        return len(data)

    def cut(self) -> None:
        """End the connection now; whoever is stuck in it gets an error."""
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)


def wrap(environ: dict[str, Any]) -> Wire:
    """Put a Wire in the place of the request's socket."""
    key = next(key for key in SOCKET_KEYS if key in environ)
    wire = environ[key] if isinstance(environ[key], Wire) else Wire(environ[key])
    environ[key] = wire
    return wire


class NoCompression:
    """WSGI middleware that keeps permessage-deflate from being agreed on: it costs 50 KB of memory a channel."""

    def __init__(self, application: Any) -> None:
        self._application = application

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Any:
        environ.pop("HTTP_SEC_WEBSOCKET_EXTENSIONS", None)
        return self._application(environ, start_response)
