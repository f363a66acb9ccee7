"""The attackers' end of the line: addresses of their own, plain HTTP, and sockets as raw as they like."""

from __future__ import annotations

import http.client
import json
import socket
from typing import Any

import websocket

SERVER = "127.0.0.1"
# All of 127.0.0.0/8 is this machine, so that attackers can have other addresses than the players and still be here.
FIRST, SECOND = "127.0.0.2", "127.0.0.3"
TIMEOUT_S = 10.0


def connect(port: int, address: str = FIRST) -> socket.socket:
    """A connection from an attacker's address."""
    return socket.create_connection((SERVER, port), TIMEOUT_S, source_address=(address, 0))


def ask(port: int, method: str, path: str, body: Any = None, token: str | None = None) -> tuple[int, Any]:
    """Ask the API; returns the status and the answer."""
    fields = {"Content-Type": "application/json"}
    if token is not None:
        fields["Authorization"] = f"Bearer {token}"
    line = http.client.HTTPConnection(SERVER, port, timeout=TIMEOUT_S, source_address=(FIRST, 0))
    try:
        line.request(method, f"/api/v1{path}", None if body is None else json.dumps(body), fields)
        answer = line.getresponse()
        text = answer.read()
        return answer.status, json.loads(text) if text else None
    finally:
        line.close()


def guest(port: int, name: str) -> str:
    """A new guest's token."""
    status, made = ask(port, "POST", "/players", {"name": name})
    assert status == 201, made
    return str(made["token"])


def channel(port: int, path: str, token: str | None = None, address: str = FIRST) -> websocket.WebSocket:
    """An open channel; unnamed without a token."""
    header = {} if token is None else {"Authorization": f"Bearer {token}"}
    line = connect(port, address)
    try:
        opened = websocket.create_connection(
            f"ws://{SERVER}:{port}/api/v1{path}", socket=line, header=header, suppress_origin=True
        )
    except BaseException:
        line.close()
        raise
    opened.settimeout(TIMEOUT_S)
    return opened


def post_head(path: str, fields: str, token: str | None = None) -> bytes:
    """The head of a POST to the API, with these fields beside the usual ones."""
    named = "" if token is None else f"Authorization: Bearer {token}\r\n"
    usual = "Host: basra\r\nContent-Type: application/json\r\n"
    return f"POST /api/v1{path} HTTP/1.1\r\n{usual}{named}{fields}\r\n\r\n".encode()
