"""Failed tries to prove to be somebody: nobody goes on guessing, and nobody keeps the owner out."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from app.services import passwords
from app.services.errors import Refusal
from tests.runtime.tables import together

MakeApp = Callable[..., Flask]
API = "/api/v1"
PASSWORD = "three cups of tea"
HOME = "203.0.113.1"


class World:
    """An app with its limits on, a clock that stands until a test moves it, and one account."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.now = 1000.0
        self._addresses = count(1)
        app.extensions["limits"].clock = lambda: self.now
        made: Any = self.send("POST", "/players", {}).json
        self.token = made["token"]
        assert self.register("mona").status_code == 201

    def register(self, username: str) -> TestResponse:
        return self.send("POST", "/players/me/account", {"username": username, "password": PASSWORD}, self.token)

    def send(
        self, method: str, path: str, body: Any = None, token: str | None = None, address: str = HOME
    ) -> TestResponse:
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        client = self.app.test_client(use_cookies=False)
        return client.open(API + path, method=method, json=body, headers=headers, environ_base={"REMOTE_ADDR": address})

    def sign_in(self, username: str = "mona", password: str = "wrong", address: str = HOME) -> int:
        body = {"username": username, "password": password}
        return self.send("POST", "/sessions", body, address=address).status_code

    def elsewhere(self) -> str:
        """An address that has asked nothing yet."""
        return f"198.51.100.{next(self._addresses)}"


@pytest.fixture
def world(make_app: MakeApp) -> World:
    return World(make_app(RATE_LIMITS="on"))


def test_after_ten_failed_tries_an_address_waits_five_minutes(world: World) -> None:
    assert [world.sign_in() for _ in range(11)] == [401] * 10 + [429]
    # Now the right one too, and by whatever spelling.
    assert world.sign_in(password=PASSWORD) == world.sign_in("ＭONA") == 429
    world.now += 299
    assert world.sign_in(password=PASSWORD) == 429
    world.now += 2
    assert world.sign_in(password=PASSWORD) == 201


def test_a_stranger_does_not_keep_the_owner_out(world: World) -> None:
    stranger = world.elsewhere()
    assert [world.sign_in(address=stranger) for _ in range(20)].count(429) == 10
    assert world.sign_in(password=PASSWORD) == 201


def test_many_strangers_keep_the_owner_out_for_no_longer_than_a_minute(world: World) -> None:
    answers = Counter(world.sign_in(address=stranger) for stranger in [world.elsewhere() for _ in range(7)] * 10)
    assert answers == {401: 60, 429: 10}
    assert world.sign_in(password=PASSWORD) == 429
    world.now += 61
    assert world.sign_in(password=PASSWORD) == 201


def test_an_unknown_username_is_limited_as_a_known_one(world: World) -> None:
    assert [world.sign_in("nobody") for _ in range(11)] == [401] * 10 + [429]
    assert world.sign_in() == 401


def test_only_failures_count(world: World) -> None:
    for _ in range(3):
        assert [world.sign_in() for _ in range(9)] == [401] * 9
        assert world.sign_in(password=PASSWORD) == 201
        world.now += 60  # an address may try so often in a minute, whatever comes of it


def test_what_was_not_even_tried_does_not_count(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(*_: object) -> bool:
        raise Refusal("unavailable")

    with monkeypatch.context() as patch:
        patch.setattr(passwords, "is_right", busy)
        assert [world.sign_in() for _ in range(15)] == [503] * 15
    assert world.sign_in(password=PASSWORD) == 201


def test_many_tries_at_once_are_many_tries(world: World) -> None:
    answers: list[int] = []
    together(*[lambda: answers.append(world.sign_in())] * 20)
    assert Counter(answers) == {401: 10, 429: 10}


def test_an_address_has_so_many_tries_at_all(world: World) -> None:
    answers = [world.sign_in(f"somebody_{number}") for number in range(40)]
    # Making the account was one too.
    assert answers == [401] * 29 + [429] * 11
    assert world.sign_in(address=world.elsewhere()) == 401


def test_who_is_signed_in_cannot_go_on_guessing_either(world: World) -> None:
    def guess(method: str, path: str, body: Any) -> int:
        return world.send(method, path, body, world.token).status_code

    change = ("PUT", "/players/me/password", {"password": "wrong", "new_password": PASSWORD})
    leave = ("DELETE", "/players/me", {"password": "wrong"})
    assert [guess(*one) for one in [change, leave] * 6] == [403] * 10 + [429] * 2
    assert guess("DELETE", "/players/me", {"password": PASSWORD}) == 429
    world.now += 301
    assert guess("DELETE", "/players/me", {"password": PASSWORD}) == 204


def test_codes_of_transfers_are_not_guessed(world: World) -> None:
    answers = [world.send("POST", "/transfers", {"code": "ABCD-EFGH-JKMN"}).status_code for _ in range(40)]
    assert answers == [404] * 29 + [429] * 11
    code = world.send("POST", "/players/me/transfers", {}, world.token).json["code"]  # type: ignore[index]
    assert world.send("POST", "/transfers", {"code": code}, address=world.elsewhere()).status_code == 201


def test_the_refused_are_told_how_long_to_wait(world: World) -> None:
    for _ in range(10):
        world.sign_in()
    world.now += 100
    refused = world.send("POST", "/sessions", {"username": "mona", "password": "x"})
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "200")


def test_no_more_hashes_are_worked_out_at_once_than_allowed(make_app: MakeApp) -> None:
    world = World(make_app())
    lock, now, most = threading.Lock(), [0], [0]
    hasher = world.app.extensions["hasher"] = passwords.Hasher("scrypt:1024:8:1", at_once=2)

    def aside(work: Callable[[], object]) -> object:
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        found = work()
        with lock:
            now[0] -= 1
        return found

    hasher.aside = aside
    answers: list[int] = []
    together(*[lambda: answers.append(world.sign_in(password=PASSWORD))] * 8)
    assert answers == [201] * 8
    assert most[0] <= 2


@pytest.mark.parametrize(
    ("spread", "policy", "wait_s"), [(False, "failed-try", 300), (True, "failed-try-anywhere", 60)]
)
def test_who_has_to_wait_is_told_for_what_as_everywhere(world: World, spread: bool, policy: str, wait_s: int) -> None:
    def tried() -> TestResponse:
        body = {"username": "mona", "password": "wrong"}
        return world.send("POST", "/sessions", body, address=world.elsewhere() if spread else HOME)

    answers = [tried() for _ in range(61 if spread else 11)]
    assert all("failed-try" not in answer.headers["RateLimit"] for answer in answers[:-1])
    told, last = f'"{policy}";r=0;t={wait_s}', answers[-1].headers
    assert (answers[-1].status_code, last["Retry-After"]) == (429, str(wait_s))
    assert last["RateLimit"].split(", ")[-1] == told
    assert f'"{policy}";q=' in last["RateLimit-Policy"]
