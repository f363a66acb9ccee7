"""Clients that get it wrong: sockets that are no proper ones, first messages that are no hello, broken requests."""

from __future__ import annotations

import errno
import json
import socket
from collections.abc import Iterator

import pytest

from tests.live import LiveServer, live_server, wait_until
from tests.runtime.people import Channel, Person, new_room, open_channel

KEY = "dGhlIHNhbXBsZSBub25jZQ=="
UPGRADE = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": KEY}
RESET = {errno.ECONNRESET, errno.EPIPE, errno.ENOTCONN}


@pytest.fixture(scope="module", params=["gevent", "gthread"])
def server(request: pytest.FixtureRequest) -> Iterator[LiveServer]:
    with live_server(WORKER_CLASS=request.param) as running:
        yield running


@pytest.fixture(scope="module")
def mona(server: LiveServer) -> Person:
    return Person(server, "Mona")


@pytest.fixture(scope="module")
def code(mona: Person) -> str:
    return new_room(mona)


def said(server: LiveServer, data: bytes) -> bytes:
    """All that the server answers to these bytes, until it closes; what it did not read makes its closing a reset."""
    heard = b""
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as plain:
        try:
            plain.sendall(data)
            plain.shutdown(socket.SHUT_WR)
            while chunk := plain.recv(65536):
                heard += chunk
        except OSError as error:
            if error.errno not in RESET:
                raise
    return heard


def ask(server: LiveServer, method: str, path: str, headers: dict[str, str]) -> tuple[int, dict[str, str], bytes]:
    """The answer to a request that is written as it stands here."""
    lines = [f"{method} /api/v1{path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
    if "Host" not in headers:
        lines.append("Host: localhost")
    head, _, body = said(server, "\r\n".join([*lines, "", ""]).encode("latin-1")).partition(b"\r\n\r\n")
    status, *fields = head.decode("latin-1").split("\r\n")
    return int(status.split()[1]), dict(tuple(field.lower().split(": ", 1)) for field in fields), body


def check_problem(answer: tuple[int, dict[str, str], bytes], status: int, problem: str) -> None:
    assert answer[0] == status, answer
    assert answer[1]["content-type"] == "application/problem+json"
    assert json.loads(answer[2])["code"] == problem


WRONG_HANDSHAKES = {
    "none": dict.fromkeys(UPGRADE),
    "no key": {"Sec-WebSocket-Key": None},
    "a key of another length": {"Sec-WebSocket-Key": "c2hvcnQ="},
    "a key that is none": {"Sec-WebSocket-Key": "\xff" * 24},
    "no version": {"Sec-WebSocket-Version": None},
    "an old version": {"Sec-WebSocket-Version": "8"},
    "another protocol": {"Upgrade": "h2c"},
    "no connection": {"Connection": None},
    "another connection": {"Connection": "keep-alive"},
}


@pytest.mark.parametrize("path", ["/rooms/{code}/channel", "/channel"])
@pytest.mark.parametrize("wrong", WRONG_HANDSHAKES)
def test_a_wrong_handshake_is_refused_in_words(server: LiveServer, code: str, path: str, wrong: str) -> None:
    headers = {name: value for name, value in {**UPGRADE, **WRONG_HANDSHAKES[wrong]}.items() if value is not None}
    answer = ask(server, "GET", path.format(code=code), headers)
    check_problem(answer, 400, "request.malformed")
    assert b"WebSocket" in answer[2]


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "a..b"},
        {"Host": "xn--\xff"},
        {"Sec-WebSocket-Protocol": ", ,"},
        {"Sec-WebSocket-Extensions": ';;"'},
        {f"X-{number}": "x" * 4000 for number in range(10)},
    ],
    ids=["host of no name", "host of no letters", "protocols", "extensions", "much"],
)
def test_what_is_odd_beside_the_handshake_is_no_fault(server: LiveServer, code: str, headers: dict[str, str]) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as plain:
        lines = [f"{name}: {value}" for name, value in {"Host": "localhost", **UPGRADE, **headers}.items()]
        plain.sendall("\r\n".join([f"GET /api/v1/rooms/{code}/channel HTTP/1.1", *lines, "", ""]).encode("latin-1"))
        assert plain.recv(100).split()[1] in (b"101", b"400")


@pytest.mark.parametrize("headers", [{}, UPGRADE], ids=["plain", "upgrade"])
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_a_channels_address_answers_to_no_other_method(
    server: LiveServer, code: str, method: str, headers: dict[str, str]
) -> None:
    for path in (f"/rooms/{code}/channel", "/channel"):
        answer = ask(server, method, path, headers)
        check_problem(answer, 405, "request.method")
        assert "get" in answer[1]["allow"].split(", ")


@pytest.mark.parametrize("headers", [{}, UPGRADE], ids=["plain", "upgrade"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_channels_rights_come_before_its_method_and_its_handshake(
    server: LiveServer, mona: Person, method: str, headers: dict[str, str]
) -> None:
    check_problem(ask(server, method, "/rooms/ZZZZZZ/channel", headers), 404, "not_found")
    bad = {**headers, "Authorization": "Bearer bsr_unknown"}
    check_problem(ask(server, method, "/rooms/ZZZZZZ/channel?after=x", bad), 401, "auth.required")
    check_problem(ask(server, method, "/channel", bad), 401, "auth.required")


NO_HELLOS = {
    "nothing": "",
    "no JSON": "hello",
    "deep": "[" * 4000,
    "deep objects": '{"a":' * 800,
    "too long": "x" * 5000,
    "much too long": "x" * 1_000_000,
    "a long hello": json.dumps({"type": "hello", "token": "x" * 5000}),
    "no object": "[]",
    "no type": "{}",
    "no token": '{"type": "hello"}',
    "a token that is no text": '{"type": "hello", "token": 1}',
    "an unknown token": '{"type": "hello", "token": "bsr_x"}',
    "half a character": '{"type": "hello", "token": "bsr_\\ud800"}',
    "a long number": '{"type": ' + "9" * 4000,
}


@pytest.mark.parametrize("message", NO_HELLOS)
def test_a_first_message_that_is_no_hello_is_not_allowed(server: LiveServer, code: str, message: str) -> None:
    connection = open_channel(server, code)
    connection.send(NO_HELLOS[message])
    assert Channel(connection).close_code() == 1008


def test_bytes_that_are_no_text_are_not_allowed(server: LiveServer, code: str) -> None:
    for opcode, data in ((0x1, b"\xff\xfe"), (0x2, b"\xff\xfe"), (0x3, b"{}")):
        connection = open_channel(server, code)
        connection.sock.sendall(bytes([0x80 | opcode, 0x80 | len(data), 0, 0, 0, 0]) + data)
        assert Channel(connection).close_code() == 1008


def test_a_long_message_in_small_pieces_is_not_kept(server: LiveServer, code: str) -> None:
    connection = open_channel(server, code)
    connection.sock.sendall(bytes([0x01, 0x81, 0, 0, 0, 0]) + b"x")
    connection.sock.sendall((bytes([0x00, 0x82, 0, 0, 0, 0]) + b"xx") * 3000)
    connection.sock.sendall(bytes([0x80, 0x81, 0, 0, 0, 0]) + b"x")
    assert Channel(connection).close_code() == 1008


def test_what_a_client_says_later_is_passed_over(server: LiveServer, mona: Person, code: str) -> None:
    channel = mona.channel(code)
    channel.until_type("room")
    for text in ("[" * 4000, "x" * 100_000, "\x00"):
        channel.connection.send(text)
    channel.connection.ping("still there?")
    channel.connection.settimeout(10)
    while channel.connection.recv_data(control_frame=True)[0] != 0xA:
        pass


def test_requests_that_are_none_leave_no_secret_in_the_log(server: LiveServer, mona: Person, code: str) -> None:
    token = mona.token
    body = (
        b"POST /api/v1/players HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
    )
    for request in (
        f"GET /api/v1/rooms HTTP/1.1\r\nHost: a\r\nAuthorization Bearer {token}\r\n\r\n",
        f"GET /api/v1/rooms HTTP/1.1\r\nHost: a\r\nAuthorization{token}\r\n\r\n",
        f"GET /api/v1/rooms HTTP/1.1\r\nHost: a\r\nX: y\r\n {token}\r\n\r\n",
        f"GET /api/v1/rooms HTTP/1.1\r\nHost: a\r\nAuthorization: {token}\x00\r\n\r\n",
        f"GET /api/v1/rooms HTTP/1.1\r\nHost: a\r\nExpect: {token}\r\n\r\n",
        f"GET /api/v1/rooms HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: {token}\r\n\r\n",
        f"GET /api/v1/rooms HTTP/1.1\r\nHost: a\r\nContent-Length: {token}\r\n\r\n",
        f"GET /api/v1/rooms/{code}?token={token}\r\n\r\n",
        f"GET /api/v1/rooms/{code}?token={token} HTTP/{token}\r\n\r\n",
        f"GET /api/v1/rooms/{code}?token={token} and more HTTP/1.1\r\n\r\n",
        f"{token} /api/v1/rooms/{code} HTTP/1.1\r\n\r\n",
        f"get_{code.lower()}# /api/v1/rooms HTTP/1.1\r\n\r\n",
        f"GET http://[{token}/{code} HTTP/1.1\r\nHost: a\r\n\r\n",
        f"GET /{'x' * 9000}{token} HTTP/1.1\r\nHost: a\r\n\r\n",
        f"GET /api/v1/rooms HTTP/1.1\r\nHost: a\r\nX-Long: {'x' * 9000}{token}\r\n\r\n",
        f"GET /api/v1/rooms HTTP/1.1\r\nHost: [{token}\r\n\r\n",
        f"PROXY {token} {code}\r\nGET / HTTP/1.1\r\n\r\n",
        f"PRI * HTTP/2.0\r\n\r\n{token}\r\n\r\n",
    ):
        before = server.log_text()
        answer = said(server, request.encode("latin-1"))
        assert answer == b"" or answer.split()[1][:1] in b"245", answer
        assert answer == b"" or answer.split()[1] != b"500", (request, answer, server.log_text()[len(before) :])
    for chunk in (f"{token}\r\n", f"2;{code}={token}\r\n{{}}\r\n0\r\n\r\n", f"2\r\n{{}}\r\n0\r\n{token}\r\n\r\n"):
        said(server, body + b"\r\n" + chunk.encode())
    wait_until(lambda: "request_unreadable" in server.log_text(), "the log to be written")
    log = server.log_text()
    assert token not in log
    assert code not in log
    assert code.lower() not in log


def test_contradicting_words_of_a_proxy_are_no_fault(server: LiveServer) -> None:
    """Whoever forwards from this machine is believed by the app or by nobody."""
    headers = {"X-Forwarded-Proto": "https", "X-Forwarded-Ssl": "off", "SCRIPT_NAME": "/elsewhere"}
    assert ask(server, "GET", "/rules", headers)[0] == 200


def test_none_of_that_was_a_fault(server: LiveServer) -> None:
    """Runs last of this module: whatever the clients above sent, nothing failed by it."""
    assert "Traceback" not in server.log_text()
    assert " ERROR " not in server.log_text()
    assert "[ERROR]" not in server.log_text()
