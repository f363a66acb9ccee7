"""Requests whose body breaks on the way, as a real server receives them: they are refused and change nothing."""

import json
import socket

import pytest

from tests.live import LiveServer

TIMEOUT_S = 10


def talk(server: LiveServer, head: str, body: bytes, token: str | None = None) -> tuple[int, dict]:
    """Send a head and what there is of a body, end the sending, and read the answer."""
    named = "" if token is None else f"Authorization: Bearer {token}\r\n"
    with socket.create_connection(("127.0.0.1", server.port), TIMEOUT_S) as line:
        line.sendall(f"{head}\r\nHost: a\r\nContent-Type: application/json\r\n{named}".encode() + body)
        line.shutdown(socket.SHUT_WR)
        answer = b""
        while piece := line.recv(65536):
            answer += piece
    # One answer and then the end: what follows a broken body is nobody's next request.
    assert answer.count(b"HTTP/1.1 ") == 1
    head_of_answer, _, content = answer.partition(b"\r\n\r\n")
    return int(head_of_answer.split()[1]), json.loads(content)


def guest(server: LiveServer) -> str:
    status, made = talk(server, "POST /api/v1/players HTTP/1.1", b"Content-Length: 2\r\n\r\n{}")
    assert status == 201
    return str(made["token"])


def test_a_body_that_never_comes_gives_no_match_up(server: LiveServer) -> None:
    mona, adel = guest(server), guest(server)
    _, room = talk(server, "POST /api/v1/rooms HTTP/1.1", b"Content-Length: 2\r\n\r\n{}", mona)
    joins = f"POST /api/v1/rooms/{room['code']}/joins HTTP/1.1"
    assert talk(server, joins, b"Content-Length: 10\r\n\r\n", adel)[1]["code"] == "request.malformed"
    status, room = talk(server, joins, b"Content-Length: 10\r\n\r\n" + b'{"seat":1}', adel)
    assert (status, room["status"]) == (201, "playing")
    forfeits = f"POST /api/v1/matches/{room['match_id']}/forfeits HTTP/1.1"
    for body in (b"Content-Length: 2\r\n\r\n", b"Content-Length: 3\r\n\r\n{}", b"Content-Length: 9000\r\n\r\n{}"):
        status, problem = talk(server, forfeits, body, mona)
        assert (status, problem["code"]) == (400, "request.malformed")
    status, match = talk(server, f"GET /api/v1/matches/{room['match_id']} HTTP/1.1", b"\r\n", mona)
    assert (status, match["status"]) == (200, "playing")


@pytest.mark.parametrize(
    "body",
    [
        b"ZZ\r\n{}\r\n0\r\n\r\n",
        b"-1\r\n{}\r\n0\r\n\r\n",
        b"2\r\n{}XX0\r\n\r\n",
        b"\r\n",
        b"2\r\n{}\r\n0\r\nno colon\r\n\r\n",
        b"2\r\n{}",
        b"2\r\n{}\r\n",
        b"",
    ],
)
def test_chunks_that_are_none_are_malformed(server: LiveServer, body: bytes) -> None:
    head = b"Transfer-Encoding: chunked\r\n\r\n"
    status, problem = talk(server, "POST /api/v1/players HTTP/1.1", head + body)
    assert (status, problem["code"]) == (400, "request.malformed")
    assert " ERROR " not in server.log_text()


def test_chunks_that_are_right_are_read(server: LiveServer) -> None:
    body = b"Transfer-Encoding: chunked\r\n\r\n" + b'8\r\n{"name":\r\n7\r\n"Mona"}\r\n0\r\n\r\n'
    status, made = talk(server, "POST /api/v1/players HTTP/1.1", body)
    assert (status, made["player"]["name"]) == (201, "Mona")
