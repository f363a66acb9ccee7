"""A stand-in for the service that fails as it is told to: what a real one does seldom, and never when asked."""

from __future__ import annotations

import base64
import hashlib
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

WAITING = {"version": 1, "to_act": 1, "status": "playing"}
CUT_DUE = {"version": 2, "to_act": 0, "status": "playing"}
FINISHED = {"version": 3, "to_act": None, "status": "finished"}
RESULT = {"reason": "round"}
LOST = 0
WEBSOCKET_GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
WAIT_S = 20.0


class StandIn(ThreadingHTTPServer):
    """Serves one match, in which a cut is due to seat 0 and everything is over after it.

    `requests` and `channels` say what becomes of the next ones: LOST, an HTTP status, or a channel's close code. The
    room deals for the first so many times, `dealing`, that somebody looks at it.
    """

    daemon_threads = True

    def __init__(self, requests: tuple[int, ...], channels: tuple[int, ...], dealing: int) -> None:
        super().__init__(("127.0.0.1", 0), Answering)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.requests = list(requests)
        self.channels = list(channels)
        self.dealing = dealing
        self.asked: list[tuple[str, Any]] = []
        self.opened = 0
        self.done = threading.Event()
        self.not_let_in = 0

    def room(self) -> dict[str, Any]:
        """The room as it is now."""
        self.dealing, deals = max(0, self.dealing - 1), self.dealing > 0
        return {"match_id": None if deals else "m1"}

    def view(self) -> dict[str, Any]:
        """The match as it is now: while there are channels left to fail, somebody else is to act."""
        state = FINISHED if self.done.is_set() else WAITING if self.channels else CUT_DUE
        return {
            "id": "m1",
            "you": {"seat": 0, "plays": []},
            "round": {"number": 3, "phase": "cut"},
            "turn": 0,
            "result": RESULT,
            **state,
        }


class Answering(BaseHTTPRequestHandler):
    """Answers one request, or serves one channel."""

    server: StandIn

    def do_GET(self) -> None:
        if self.headers.get("Upgrade"):
            self._channel()
        elif self.server.not_let_in and "/matches/" in self.path:
            self._answer(self.server.not_let_in, {"code": "refused"})
        else:
            self._answer_or_fail(self.server.room() if "/rooms/" in self.path else self.server.view())

    def do_POST(self) -> None:
        said = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path = self.path.removeprefix("/api/v1")
        self.server.asked.append((path, json.loads(said) if said else None))
        if path.endswith("/cuts") and not self.server.requests:
            self.server.done.set()
        self._answer_or_fail({"token": "bsr_tea", "code": "TEATEA"})

    def _answer_or_fail(self, body: dict[str, Any]) -> None:
        status = self.server.requests.pop(0) if self.server.requests else 200
        if status != LOST:
            self._answer(status, body)
        self.close_connection = True

    def _answer(self, status: int, body: dict[str, Any], **headers: str) -> None:
        text = json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"Content-Length": str(len(text)), "Retry-After": "2", **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text)

    def _channel(self) -> None:
        self.server.opened += 1
        end = self.server.channels[0] if self.server.channels else None
        if end is not None and LOST < end < 1000:
            self.server.channels.pop(0)
            self.server.not_let_in = end if end in (401, 403, 404) else 0
            self._answer(end, {"code": "refused"})
            return
        self._upgrade()
        self._send({"type": "view", "view": self.server.view()})
        if end is not None:
            self.server.channels.pop(0)
        elif self.server.done.wait(WAIT_S):
            self._send({"type": "view", "view": self.server.view()})
        if end:
            self.wfile.write(b"\x88\x02" + end.to_bytes(2, "big"))
        # Only this end: what the client still says must be read, else it may lose what it was told last.
        self.connection.shutdown(socket.SHUT_WR)
        self.connection.settimeout(WAIT_S)
        self.rfile.read()
        self.close_connection = True

    def _upgrade(self) -> None:
        key = hashlib.sha1((self.headers["Sec-WebSocket-Key"] + WEBSOCKET_GUID).encode()).digest()
        accept = base64.b64encode(key).decode()
        lines = ("HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade")
        self.wfile.write("\r\n".join((*lines, f"Sec-WebSocket-Accept: {accept}", "", "")).encode())

    def _send(self, message: dict[str, Any]) -> None:
        text = json.dumps(message).encode()
        self.wfile.write(b"\x81\x7e" + len(text).to_bytes(2, "big") + text)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def stand_in(requests: tuple[int, ...] = (), channels: tuple[int, ...] = (), dealing: int = 0) -> Iterator[StandIn]:
    """Serve on a free port until the block ends."""
    with StandIn(requests, channels, dealing) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()
