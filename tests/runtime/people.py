"""Players at a real server: plain HTTP by the standard library, channels by an independent WebSocket client."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from functools import cache
from typing import Any, Protocol

import pytest
import websocket
from jsonschema import Draft202012Validator

from app import create_app
from app.config import read_settings


class Server(Protocol):
    """Where the players play."""

    url: str
    port: int


IN_VAIN_S = 60.0  # a channel always says something, if only pings

_open: list[websocket.WebSocket] = []


@cache
def published_schema() -> Draft202012Validator:
    """What the service says that it sends on its channels."""
    app = create_app(read_settings({}))
    return Draft202012Validator(app.test_client().get("/api/v1/channel.schema.json").json)


class Channel:
    """The client's end of a channel."""

    def __init__(self, connection: websocket.WebSocket) -> None:
        self.connection = connection

    def next(self, timeout_s: float = 10.0) -> dict[str, Any]:
        """The next message."""
        self.connection.settimeout(timeout_s)
        message: dict[str, Any] = json.loads(self.connection.recv())
        wrong = [error.message for error in published_schema().iter_errors(message)]
        assert not wrong, f"a message that the published schema does not know: {message}: {wrong}"
        return message

    def until(self, wanted: Callable[[dict[str, Any]], bool], timeout_s: float = 10.0) -> list[dict[str, Any]]:
        """All messages up to the first that is wanted, that one included."""
        heard: list[dict[str, Any]] = []
        give_up = time.monotonic() + IN_VAIN_S
        while not heard or not wanted(heard[-1]):
            assert time.monotonic() < give_up, f"nothing but other messages, {heard[-1]} the last"
            heard.append(self.next(timeout_s))
        return heard

    def until_type(self, kind: str) -> dict[str, Any]:
        """The first message of a type."""
        return self.until(lambda message: message["type"] == kind)[-1]

    def close_code(self, timeout_s: float = 10.0) -> int:
        """The code that the server closes with; messages before it are passed over."""
        self.connection.settimeout(timeout_s)
        give_up = time.monotonic() + IN_VAIN_S
        opcode, data = 0, b""
        while opcode != websocket.ABNF.OPCODE_CLOSE:
            assert time.monotonic() < give_up, f"it stays open, and says {data!r}"
            opcode, data = self.connection.recv_data(control_frame=True)
        return int.from_bytes(data[:2], "big")

    def close(self) -> None:
        """Close it from this end."""
        self.connection.close()


class Person:
    """A guest at a server."""

    def __init__(self, server: Server, name: str) -> None:
        self.server = server
        made = self.call("POST", "/players", {"name": name}, known=False)[1]
        self.id: str = made["player"]["id"]
        self.token: str = made["token"]

    def register(self, username: str, password: str) -> None:
        """Have an account from now on, and the token that comes in place of the guest's."""
        self.token = self.ask("POST", "/players/me/account", {"username": username, "password": password})["token"]

    def call(self, method: str, path: str, body: Any = None, *, known: bool = True) -> tuple[int, Any]:
        """Ask the API; returns the status and the answer."""
        who = {"Authorization": f"Bearer {self.token}"} if known else {}
        request = urllib.request.Request(
            f"{self.server.url}/api/v1{path}",
            method=method,
            data=None if method in ("GET", "DELETE") else json.dumps({} if body is None else body).encode(),
            headers={"Content-Type": "application/json", **who},
        )
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                text = answer.read()
                return answer.status, json.loads(text) if text else None
        except urllib.error.HTTPError as refused:
            with refused:
                return refused.code, json.loads(refused.read())

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Ask what must not be refused."""
        status, answer = self.call(method, path, body)
        assert status < 300, (status, answer)
        return answer

    def channel(self, code: str, query: str = "", *, known: bool = True, **options: Any) -> Channel:
        """Open a room's channel."""
        return self._open(f"/rooms/{code}/channel{query}", known, options)

    def own_channel(self, *, known: bool = True, **options: Any) -> Channel:
        """Open the player's own channel."""
        return self._open("/channel", known, options)

    def _open(self, path: str, known: bool, options: dict[str, Any]) -> Channel:
        header = {"Authorization": f"Bearer {self.token}"} if known else {}
        header.update(options.pop("header", {}))
        return Channel(connect(self.server, path, header=header, **options))

    def view(self, match_id: str) -> dict[str, Any]:
        """The match as this player sees it."""
        view: dict[str, Any] = self.ask("GET", f"/matches/{match_id}")
        return view

    def play(self, match_id: str, view: dict[str, Any] | None = None) -> dict[str, Any]:
        """Play the first card of the hand, if it is this player's turn."""
        view = view or self.view(match_id)
        answer: dict[str, Any] = self.ask(
            "POST", f"/matches/{match_id}/moves", {"turn": view["turn"], "card": view["you"]["hand"][0]}
        )
        return answer


def connect(server: Server, path: str, **options: Any) -> websocket.WebSocket:
    """Connect to a channel as nobody, unless a header says who it is."""
    url = f"ws://127.0.0.1:{server.port}/api/v1{path}"
    connection = websocket.create_connection(url, timeout=10, suppress_origin=True, **options)
    _open.append(connection)
    return connection


def open_channel(server: Server, code: str, query: str = "", **options: Any) -> websocket.WebSocket:
    """Connect to a room's channel."""
    return connect(server, f"/rooms/{code}/channel{query}", **options)


def opens(person: Person, code: str) -> bool:
    """Whether the channel can be had by now; if so it stays open."""
    try:
        channel = person.channel(code)
    except websocket.WebSocketBadStatusException:
        return False
    channel.next()
    return True


def close_all() -> None:
    """Close every channel that a test has left open."""
    while _open:
        _open.pop().shutdown()


def play_on(people: list[Person], match_id: str, most: int = 1000) -> dict[str, Any]:
    """Have everyone play until the match is over or so many turns are played; returns the last view."""
    view = people[0].view(match_id)
    for _ in range(most):
        if view["to_act"] is None:
            break
        view = people[view["to_act"]].play(match_id)["view"]
    return view


def new_room(host: Person, **wish: Any) -> str:
    """Make a room; returns its code."""
    code: str = host.ask("POST", "/rooms", wish)["code"]
    return code


def begin(host: Person, guest: Person, **wish: Any) -> tuple[str, str]:
    """Begin a match of two; returns the room's code and the match's id."""
    code = new_room(host, **wish)
    return code, guest.ask("POST", f"/rooms/{code}/joins")["match_id"]


def refused(server: Server, code: str, query: str = "", **options: Any) -> tuple[int, dict[str, Any]]:
    """The HTTP answer to an attempt to open a room's channel that must fail."""
    return refused_at(server, f"/rooms/{code}/channel{query}", **options)


def refused_at(server: Server, path: str, **options: Any) -> tuple[int, dict[str, Any]]:
    """The HTTP answer to an attempt to open a channel that must fail."""
    with pytest.raises(websocket.WebSocketBadStatusException) as failure:
        connect(server, path, **options)
    body = failure.value.resp_body
    assert failure.value.resp_headers["content-type"] == "application/problem+json"
    return failure.value.status_code, json.loads(body)


def session_of(server: Server, name: str) -> str:
    """The cookie of a new guest's session."""
    request = urllib.request.Request(
        f"{server.url}/api/v1/players",
        method="POST",
        data=json.dumps({"name": name, "session": True}).encode(),
        headers={"Content-Type": "application/json", "Origin": server.url},
    )
    with urllib.request.urlopen(request) as answer:
        return str(answer.headers["Set-Cookie"]).split(";")[0]
