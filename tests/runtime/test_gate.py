"""The gate below the app: slow, endless and unreadable requests, and too many connections of one address."""

from __future__ import annotations

import json
import socket
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from typing import Any

import pytest
from gunicorn.config import Config
from gunicorn.glogging import Logger
from gunicorn.workers.base_async import AsyncWorker

from app.config import BODY_MOST_BYTES, read_settings
from app.gate import line as line_module
from app.gate.crowd import Crowd
from app.gate.line import BodyPace, HeadPace
from app.gate.receiving import MOST_CHUNKS
from app.gate.workers import GeventGate
from app.problems import KINDS
from tests.live import LiveServer, live_server, wait_until
from tests.runtime.people import Person, begin

HEAD = b"POST /there HTTP/1.1\r\nHost: a\r\n"


class Listener:
    def getsockname(self) -> tuple[str, int]:
        return ("127.0.0.1", 80)


class Gated:
    """The gate as the worker runs it, on threads; what comes through reaches an app that echoes it."""

    def __init__(self, **environ: str) -> None:
        class Worker(GeventGate, AsyncWorker):
            settings = read_settings(environ)

        config = Config()
        config.set("keepalive", 5)
        self.worker = Worker(0, 0, [], None, 30, config, Logger(config))
        self.worker.wsgi = self._app
        self.reached: list[bytes] = []
        # What the app answers, instead of the body that it was sent.
        self.answer = b""
        self.threads: list[threading.Thread] = []
        self._ends: list[socket.socket] = []

    def connect(self, address: str = "192.0.2.1") -> socket.socket:
        """The client's end of a new connection from an address."""
        ours, theirs = socket.socketpair()
        ours.settimeout(10)
        thread = threading.Thread(target=self.worker.handle, args=(Listener(), theirs, (address, 1)))
        thread.start()
        self.threads.append(thread)
        self._ends.append(ours)
        return ours

    def close(self) -> None:
        for end in self._ends:
            end.close()
        for thread in self.threads:
            thread.join(10)
            assert not thread.is_alive(), "a connection that its client has closed is still being served"
        self.worker.tmp.close()

    def _app(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        try:
            body = environ["wsgi.input"].read()
        except Exception as refused:
            body = type(refused).__name__.encode()
        self.reached.append(body)
        body = self.answer or body
        start_response("200 OK", [("Content-Length", str(len(body)))])
        return [body]


@pytest.fixture
def gated(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gated]:
    """A gate that has little patience."""
    for name in ("HEAD_S", "BODY_GRACE_S", "BODY_S", "IDLE_S", "LINGER_S"):
        monkeypatch.setattr(line_module, name, 0.2)
    gate = Gated()
    yield gate
    gate.close()


def all_of(line: socket.socket) -> bytes:
    heard = b""
    with suppress(ConnectionError):
        while piece := line.recv(65536):
            heard += piece
    return heard


def refused(line: socket.socket) -> str:
    """The code of the problem that the connection ends with."""
    head, _, body = all_of(line).partition(b"\r\n\r\n")
    fields = dict(field.lower().split(b": ", 1) for field in head.split(b"\r\n")[1:])
    assert fields[b"content-type"] == b"application/problem+json"
    assert fields[b"connection"] == b"close"
    assert int(fields[b"content-length"]) == len(body)
    problem = json.loads(body)
    assert int(head.split()[1]) == problem["status"] == KINDS[problem["code"]].status
    return str(problem["code"])


def test_a_body_that_does_not_come_is_ended_before_anybody_acts_on_it(gated: Gated) -> None:
    line = gated.connect()
    line.sendall(HEAD + b"Content-Length: 50\r\n\r\n{")
    assert refused(line) == "request.timeout"
    assert gated.reached == []


def test_chunks_that_do_not_come_are_ended_too(gated: Gated) -> None:
    line = gated.connect()
    line.sendall(HEAD + b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n")
    assert refused(line) == "request.timeout"
    assert gated.reached == []


def test_a_head_that_does_not_end_is_ended(gated: Gated) -> None:
    line = gated.connect()
    line.sendall(HEAD + b"X-Slow: 1\r\n")
    assert refused(line) == "request.timeout"


def test_a_connection_that_asks_for_nothing_ends_without_a_word(gated: Gated) -> None:
    fresh, kept = gated.connect(), gated.connect()
    kept.sendall(HEAD + b"Content-Length: 2\r\n\r\n{}")
    assert all_of(fresh) == b""
    assert all_of(kept).count(b"HTTP/1.1 200 OK") == 1


def test_a_head_that_grows_for_ever_is_too_large(gated: Gated) -> None:
    line = gated.connect()
    line.sendall(HEAD)
    with suppress(ConnectionError):
        for number in range(100):
            line.sendall(f"X-{number}: {'x' * 4000}\r\n".encode())
    assert refused(line) == "request.headers_too_large"


def test_what_is_announced_too_large_is_refused_without_reading_it(gated: Gated) -> None:
    line = gated.connect()
    line.sendall(HEAD + b"Expect: 100-continue\r\nContent-Length: 50000000000\r\n\r\n")
    answer = all_of(line)
    assert b"100 Continue" not in answer
    assert b"Connection: close" in answer
    assert gated.reached == [b"RequestEntityTooLarge"]


@pytest.mark.parametrize("chunk", [b"x", b"x" * 4000])
def test_chunks_have_a_budget_in_bytes_and_in_number(gated: Gated, chunk: bytes) -> None:
    line = gated.connect()
    line.sendall(HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
    with suppress(ConnectionError):
        for _ in range(20_000):  # 20 KB of content, one byte at a time; or 80 MB
            line.sendall(f"{len(chunk):x}\r\n".encode() + chunk + b"\r\n")
    assert b"Connection: close" in all_of(line)
    assert gated.reached == [b"RequestEntityTooLarge"]


def test_what_is_within_the_budget_is_read(gated: Gated) -> None:
    line = gated.connect()
    line.sendall(HEAD + f"Content-Length: {BODY_MOST_BYTES}\r\n\r\n".encode() + b"x" * BODY_MOST_BYTES)
    wait_until(lambda: len(gated.reached) == 1, "the first request")
    line.sendall(HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\nx\r\n" * (MOST_CHUNKS - 1) + b"0\r\n\r\n")
    wait_until(lambda: len(gated.reached) == 2, "the second request")
    assert gated.reached == [b"x" * BODY_MOST_BYTES, b"x" * (MOST_CHUNKS - 1)]


def test_who_asks_before_sending_is_told_to_go_on(gated: Gated) -> None:
    line = gated.connect()
    line.sendall(HEAD + b"Expect: 100-continue\r\nContent-Length: 2\r\n\r\n")
    assert line.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
    line.sendall(b"{}")
    wait_until(lambda: gated.reached == [b"{}"], "the body")


@pytest.mark.parametrize(
    ("request_text", "code"),
    [
        (b"GET /" + b"x" * 9000 + b" HTTP/1.1\r\nHost: a\r\n\r\n", "request.uri_too_long"),
        (HEAD + b"X-Long: " + b"x" * 9000 + b"\r\n\r\n", "request.headers_too_large"),
        (HEAD + b"".join(b"X-%d: 1\r\n" % number for number in range(200)) + b"\r\n", "request.headers_too_large"),
        (b"nonsense\r\n\r\n", "request.malformed"),
        (b"GET / HTTP/9.9\r\n\r\n", "request.malformed"),
        (HEAD + b"no colon\r\n\r\n", "request.malformed"),
        (HEAD + b"Content-Length: many\r\n\r\n", "request.malformed"),
        (HEAD + b"Transfer-Encoding: sauce\r\n\r\n", "request.malformed"),
        (HEAD + b"Expect: miracles\r\n\r\n", "request.malformed"),
    ],
)
def test_what_never_reaches_the_app_is_a_problem_like_all_others(gated: Gated, request_text: bytes, code: str) -> None:
    line = gated.connect()
    line.sendall(request_text)
    assert refused(line) == code
    assert gated.reached == []


def test_a_client_that_does_not_read_its_answer_is_left(gated: Gated, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_module, "SEND_S", 0.2)
    gated.answer = b"x" * 10_000_000
    line = gated.connect()
    line.sendall(HEAD + b"Content-Length: 2\r\n\r\n{}")
    (serving,) = gated.threads
    serving.join(10)
    assert not serving.is_alive()
    assert len(all_of(line)) < len(gated.answer)


def test_an_address_has_so_many_connections_and_its_neighbours_have_theirs() -> None:
    gate = Gated(MAX_CONNECTIONS_PER_ADDRESS="2")
    held = [gate.connect("2001:db8::1"), gate.connect("2001:db8::2")]
    assert refused(gate.connect("2001:db8::3")) == "rate_limited"
    other = gate.connect("2001:db8:0:1::1")
    other.sendall(HEAD + b"Content-Length: 2\r\n\r\n{}")
    wait_until(lambda: gate.reached == [b"{}"], "the neighbour's request")
    held.pop().close()
    wait_until(lambda: gate.worker._connections._counts["2001:db8::/64"] == 1, "the place to be free")
    again = gate.connect("2001:db8::3")
    again.sendall(HEAD + b"Content-Length: 2\r\n\r\n{}")
    wait_until(lambda: len(gate.reached) == 2, "the next one's request")
    gate.close()


@pytest.mark.parametrize("environ", [{"TRUSTED_PROXIES": "1"}, {"RATE_LIMITS": "off"}])
def test_behind_a_declared_proxy_and_without_limits_nobody_counts_connections(environ: dict[str, str]) -> None:
    most = {} if "RATE_LIMITS" in environ else {"MAX_CONNECTIONS_PER_ADDRESS": "1"}
    gate = Gated(**environ, **most)
    for number in range(3):
        gate.connect("192.0.2.1").sendall(HEAD + b"Content-Length: 2\r\n\r\n{}")
        wait_until(lambda number=number: len(gate.reached) == number + 1, "each request to be answered")
    gate.close()


def test_a_body_has_a_grace_and_then_a_pace_and_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_module.time, "monotonic", lambda: 100.0)
    pace = BodyPace()
    assert pace.until == 105
    pace.came(1)
    assert pace.until is not None
    assert pace.until < 105.1
    pace.came(511)
    assert pace.until == 106
    pace.came(100_000)
    assert pace.until == 110


def test_a_head_may_wait_but_not_stop_in_the_middle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_module.time, "monotonic", lambda: 100.0)
    pace = HeadPace()
    assert pace.until is None
    for _ in range(3):
        pace.came(1)
        assert pace.until == 110


def test_a_crowd_forgets_who_has_left() -> None:
    crowd = Crowd(1)
    assert [crowd.enter("a"), crowd.enter("a"), crowd.enter("b")] == [True, False, True]
    crowd.leave("a")
    crowd.leave("b")
    assert not crowd._counts
    assert crowd.enter("a")


@pytest.fixture(scope="module", params=["gevent", "gthread"])
def server(request: pytest.FixtureRequest) -> Iterator[LiveServer]:
    with live_server(WORKER_CLASS=request.param) as running:
        yield running


def test_bodies_without_an_end_hold_up_nobody(server: LiveServer) -> None:
    """Trap 17: each held a connection to the database, until there was none for anybody else."""
    mona, karim = Person(server, "Mona"), Person(server, "Karim")
    _, match_id = begin(mona, karim)
    head = (
        f"POST /api/v1/matches/{match_id}/moves HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
        f"Authorization: Bearer {mona.token}\r\nContent-Length: 50\r\n\r\n"
    )
    lines = [socket.create_connection(("127.0.0.1", server.port), 20) for _ in range(50)]
    for line in lines:
        line.sendall(head.encode() + b"{")
    for _ in range(5):
        assert mona.call("GET", f"/matches/{match_id}")[0] == 200
    assert {refused(line) for line in lines} == {"request.timeout"}
    for line in lines:
        line.close()


def test_a_real_server_answers_with_problems_below_the_app(server: LiveServer) -> None:
    for request_text, code in (
        (b"GET /" + b"x" * 9000 + b" HTTP/1.1\r\n\r\n", "request.uri_too_long"),
        (b"GET / HTTP/1.1\r\nX: " + b"x" * 9000 + b"\r\n\r\n", "request.headers_too_large"),
        (b"nonsense\r\n\r\n", "request.malformed"),
        (b"POST /api/v1/players HTTP/1.1\r\nHost: a\r\nContent-Length: 50000000000\r\n\r\n", "request.too_large"),
    ):
        with socket.create_connection(("127.0.0.1", server.port), 10) as line:
            line.sendall(request_text)
            assert refused(line) == code


def test_the_order_of_refusals_holds_for_what_is_not_read(server: LiveServer) -> None:
    huge = "Host: a\r\nContent-Type: application/json\r\nContent-Length: 50000000000\r\n"
    token = f"Authorization: Bearer {Person(server, 'Mona').token}\r\n"
    for text, code in (
        (f"POST /api/v1/rooms HTTP/1.1\r\n{huge}\r\n", "auth.required"),
        (f"POST /api/v1/rooms/ZZZZZZ/joins HTTP/1.1\r\n{huge}{token}\r\n", "not_found"),
        (f"PUT /api/v1/rooms HTTP/1.1\r\n{huge}{token}\r\n", "request.method"),
        (f"POST /api/v1/rooms HTTP/1.1\r\n{huge}{token}\r\n", "request.too_large"),
    ):
        with socket.create_connection(("127.0.0.1", server.port), 10) as line:
            line.sendall(text.encode())
            assert refused(line) == code


def test_on_few_threads_one_address_leaves_half_of_them_to_others() -> None:
    """All of 127.0.0.0/8 is this machine: the attacker has an address of their own."""
    slow = b"POST /api/v1/players HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\n{"
    with live_server(WORKER_CLASS="gthread", THREADS="8", RATE_LIMITS="on") as server, ExitStack() as lines:
        there = ("127.0.0.1", server.port)

        def attack(data: bytes) -> socket.socket:
            line = lines.enter_context(socket.create_connection(there, 20, source_address=("127.0.0.2", 0)))
            line.sendall(data)
            return line

        for _ in range(20):
            attack(b"")  # who says nothing holds no thread at all
        held = [attack(slow) for _ in range(12)]
        assert Person(server, "Mona").call("GET", "/players/me")[0] == 200
        assert Counter(refused(line) for line in held) == {"request.timeout": 4, "rate_limited": 8}
