"""The gate as a part of gunicorn's workers: a connection becomes a Line, a request is whole before the app sees it."""

from __future__ import annotations

import contextlib
import logging
import socket
from typing import Any

from gunicorn import util  # type: ignore[import-untyped]
from gunicorn.workers import gthread  # type: ignore[import-untyped]

from app.addresses import network_of
from app.config import Settings
from app.gate.answers import answer, code_of
from app.gate.crowd import Crowd
from app.gate.line import Line
from app.gate.receiving import receive
from app.observability import log, log_failure


class Gate:
    """What both workers have; `settings` is given by the class that is served with."""

    settings: Settings

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        # Whatever comes through declared proxies is theirs to count: all of it comes from a few addresses.
        counts = self.settings.trusted_proxies == 0
        self._connections = Crowd(self.settings.max_connections_per_address if counts else None)
        self._threads = Crowd(self.settings.max_threads_per_address if counts else None)

    def admit(self, connection: socket.socket, peer: Any) -> Line | None:
        """Make a connection a line; None if its address has too many, which it has been told."""
        address = _address(peer)
        if self._connections.enter(address):
            return Line(connection, lambda: self._connections.leave(address))
        _refuse(connection)
        util.close(connection)
        return None

    def handle_error(self, req: Any, client: Any, _addr: Any, exc: BaseException) -> None:
        """Answer what never reached the app, or what fell through it."""
        code = code_of(exc)
        if code == "internal":
            log_failure("server_failed", exc)
        else:
            log("request_unreadable", level=logging.WARNING, error=type(exc).__name__)
        with contextlib.suppress(OSError):
            util.write_nonblock(client, answer(code))
        client.linger()


class GeventGate(Gate):
    """For the worker with a greenlet a connection."""

    def timeout_ctx(self) -> contextlib.AbstractContextManager[None]:
        """Leave it to the line how long a request may take."""
        return contextlib.nullcontext()

    def handle(self, listener: Any, client: Any, addr: Any) -> None:
        line = self.admit(client, addr)
        if line is not None:
            try:
                super().handle(listener, line, addr)  # type: ignore[misc]
            finally:
                line.close()

    def handle_request(self, listener_name: Any, req: Any, sock: Line, addr: Any) -> None:
        receive(req, sock)
        super().handle_request(listener_name, req, sock, addr)  # type: ignore[misc]
        sock.expect_head()


class ThreadGate(Gate):
    """For the worker with a thread a request: those are few, and a connection that says nothing shall have none."""

    nr_conns: int

    def enqueue_req(self, conn: Any) -> None:
        if not isinstance(conn.sock, Line):
            line = self.admit(conn.sock, conn.client)
            if line is None:
                self.nr_conns -= 1
                return
            conn.sock = line
        super().enqueue_req(conn)  # type: ignore[misc]

    def handle(self, conn: Any) -> Any:
        if not conn.initialized and not conn.wait_for_data(0):
            return gthread._DEFER
        address = _address(conn.client)
        if not self._threads.enter(address):
            _refuse(conn.sock)
            conn.sock.close()
            return False
        try:
            goes_on = super().handle(conn)  # type: ignore[misc]
        finally:
            self._threads.leave(address)
        if not goes_on:
            conn.sock.close()  # here: where gunicorn would, all others would wait for the client to take notice
        return goes_on

    def handle_request(self, req: Any, conn: Any) -> Any:
        receive(req, conn.sock)
        goes_on = super().handle_request(req, conn)  # type: ignore[misc]
        conn.sock.expect_head()
        return goes_on


def _address(peer: Any) -> str:
    return network_of(peer[0]) if isinstance(peer, tuple) else "unix"


def _refuse(connection: Any) -> None:
    with contextlib.suppress(OSError):
        util.write_nonblock(connection, answer("rate_limited", retry_after_s=1))
