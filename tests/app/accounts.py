"""Accounts and sessions as their tests need them."""

from __future__ import annotations

from itertools import count
from typing import Any

from flask import Flask
from werkzeug.test import TestResponse

from app.auth import COOKIE_NAME
from tests.app.people import Caller, guest, ok

PASSWORD = "three cups of tea"
OWN = {"Origin": "http://localhost"}
_numbers = count(1)


class Browser(Caller):
    """Somebody whose session a browser keeps, at our own page."""

    def __init__(self, app: Flask, cookie: str, player: dict[str, Any]) -> None:
        super().__init__(app, None, player)
        self.cookie = cookie

    def send(self, method: str, path: str, body: Any = None, checked: bool = True, **options: Any) -> TestResponse:
        headers = {"Cookie": f"{COOKIE_NAME}={self.cookie}", **OWN, **options.pop("headers", {})}
        return super().send(method, path, body, checked, headers=headers, **options)


def new_username() -> str:
    """A username that nobody has yet."""
    return f"mona_{next(_numbers)}"


def account(app: Flask, name: str = "Mona", username: str | None = None) -> Caller:
    """A registered player with a token; `player` has his username too."""
    caller = guest(app, name)
    body = {"username": username or new_username(), "password": PASSWORD}
    caller.player = registered(caller, body)
    return caller


def registered(caller: Caller, body: dict[str, Any]) -> Any:
    """What a guest is told who registers; the token is the new one from then on."""
    made = ok(caller.post("/players/me/account", body), 201)
    caller.token = made.pop("token", caller.token)
    return made


def cookie_of(response: TestResponse) -> str:
    """The cookie that an answer sets."""
    name, value = response.headers["Set-Cookie"].split(";")[0].split("=")
    assert name == COOKIE_NAME
    return str(value)


def browser(app: Flask, player: Caller, **headers: str) -> Browser:
    """The player signed in by a browser."""
    body = {"username": player.player["username"], "password": PASSWORD, "session": True}
    response = Caller(app).post("/sessions", body, headers=headers)
    made = ok(response, 201)
    assert made.keys() == {"player"}
    return Browser(app, cookie_of(response), made["player"])


def guest_browser(app: Flask, name: str = "Mona") -> Browser:
    """A guest whose session a browser keeps."""
    response = Caller(app).post("/players", {"name": name, "session": True})
    return Browser(app, cookie_of(response), ok(response, 201)["player"])


def sign_in(app: Flask, username: str, password: str = PASSWORD, **options: Any) -> TestResponse:
    """Sign in as a program would."""
    return Caller(app).post("/sessions", {"username": username, "password": password}, **options)
