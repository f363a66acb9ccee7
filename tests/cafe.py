"""A network as cafés have it: a proxy on the way to a server that answers some addresses with a page of its own."""

from __future__ import annotations

import http.client
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

LOGIN = b"<!doctype html><title>Welcome to our Wi-Fi</title><h1>Please sign in</h1>"
HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "content-length"}
LET_GO_S = 30.0


class Cafe:
    """What the proxy does: which paths it answers itself or holds back, and how often each was asked for."""

    def __init__(self, server_port: int) -> None:
        self.server_port = server_port
        self.takes: Callable[[str], bool] = lambda path: False
        self.holds: Callable[[str], bool] = lambda path: False
        self.let_go = threading.Event()
        self.asked: Counter[str] = Counter()
        self.url = ""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    cafe: Cafe

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        self.cafe.asked[path] += 1
        if self.cafe.holds(path):
            self.cafe.let_go.wait(LET_GO_S)
        if self.cafe.takes(path):
            # May be kept for a day, as such pages too often say.
            self._answer(200, {"Content-Type": "text/html", "Cache-Control": "max-age=86400"}, LOGIN)
        else:
            self._pass_on()

    def do_POST(self) -> None:
        self._pass_on()

    do_DELETE = do_POST

    def _pass_on(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        line = http.client.HTTPConnection("127.0.0.1", self.cafe.server_port, timeout=10)
        try:
            line.request(self.command, self.path, body or None, dict(self.headers.items()))
            answer = line.getresponse()
            headers = {name: value for name, value in answer.getheaders() if name.lower() not in HOP_BY_HOP}
            self._answer(answer.status, headers, answer.read())
        finally:
            line.close()

    def _answer(self, status: int, headers: dict[str, str], body: bytes) -> None:
        try:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            if status != 304:
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        except ConnectionError:
            pass  # the browser has gone on to another page

    def log_message(self, *_: object) -> None:
        pass


class _Proxy(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        pass  # a browser that goes on to another page breaks its connections off


@contextmanager
def cafe_before(server_port: int) -> Iterator[Cafe]:
    """Stand before a server until the block ends."""
    cafe = Cafe(server_port)
    handler = type("Handler", (_Handler,), {"cafe": cafe})
    proxy = _Proxy(("127.0.0.1", 0), handler)
    cafe.url = f"http://127.0.0.1:{proxy.server_port}"
    threading.Thread(target=proxy.serve_forever, daemon=True).start()
    try:
        yield cafe
    finally:
        cafe.let_go.set()
        proxy.shutdown()
        proxy.server_close()
