"""Failed tries to prove to be somebody: nobody goes on guessing, and nobody keeps the owner out."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select
from werkzeug.test import TestResponse

from app.extensions import db
from app.models import KnownDevice
from app.services import devices, passwords
from app.services.bearers import hash_of
from app.services.errors import Refusal
from app.services.times import utcnow
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
        body = {"username": username, "password": PASSWORD}
        answer = self.send("POST", "/players/me/account", body, self.token)
        if answer.status_code == 201:
            self.token = answer.json["token"]  # type: ignore[index]
        return answer

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


class Device:
    """A browser of its own, in the world of another."""

    def __init__(self, world: World, address: str = HOME) -> None:
        self.address = address
        self.client = world.app.test_client()

    def sign_in(self, username: str = "mona", password: str = "wrong", address: str = "") -> int:
        body = {"username": username, "password": password, "session": True}
        here = {"environ_base": {"REMOTE_ADDR": address or self.address}, "headers": {"Origin": "http://localhost"}}
        return self.client.post(f"{API}/sessions", json=body, **here).status_code  # type: ignore[arg-type]

    def sign_out(self) -> int:
        headers = {"Origin": "http://localhost"}
        return self.client.delete(f"{API}/sessions/current", headers=headers).status_code


def test_many_strangers_do_not_keep_out_a_device_that_has_signed_in_before(world: World) -> None:
    owner, stranger = Device(world), Device(world)
    assert owner.sign_in(password=PASSWORD) == 201
    assert owner.sign_out() == 204
    elsewhere = [HOME, *(world.elsewhere() for _ in range(7))]
    for _ in range(10):
        for address in elsewhere:
            world.sign_in(address=address)
    assert stranger.sign_in(password=PASSWORD, address=world.elsewhere()) == 429
    # At an address that is used up for everyone else, and by whatever spelling.
    assert owner.sign_in("ＭONA", PASSWORD) == 201


def test_a_device_is_known_to_the_accounts_that_signed_in_there_and_has_a_count_of_its_own(world: World) -> None:
    owner = Device(world)
    assert owner.sign_in(password=PASSWORD) == 201
    assert [owner.sign_in() for _ in range(11)] == [401] * 10 + [429]
    # Its own count is all that it has used up.
    assert world.sign_in(password=PASSWORD) == 201
    world.now += 301
    assert owner.sign_in(password=PASSWORD) == 201
    # Of another account it knows nothing: there it is one of its address.
    made: Any = world.send("POST", "/players", {}).json
    world.token = made["token"]
    assert world.register("adel").status_code == 201
    assert [owner.sign_in("adel") for _ in range(11)] == [401] * 10 + [429]
    assert world.sign_in("adel", PASSWORD) == 429


def test_another_password_makes_strangers_of_all_other_devices(world: World) -> None:
    here, thief = Device(world), Device(world)
    assert here.sign_in(password=PASSWORD) == thief.sign_in(password=PASSWORD) == 201
    body = {"password": PASSWORD, "new_password": "four cups of tea"}
    headers = {"Origin": "http://localhost"}
    assert here.client.put(f"{API}/players/me/password", json=body, headers=headers).status_code == 204
    for _ in range(10):
        world.sign_in()
    assert thief.sign_in(password="four cups of tea") == 429
    assert here.sign_in(password="four cups of tea") == 201


def test_what_a_device_is_known_by_is_a_cookie_that_no_script_reads(world: World) -> None:
    answer = world.send("POST", "/sessions", {"username": "mona", "password": PASSWORD})
    cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith("basra_device=") and {"HttpOnly", "SameSite=Lax"} <= set(cookie.split("; "))
    secret = cookie.split(";")[0].split("=")[1]
    with world.app.app_context():
        kept = {device.device_hash for device in db.session.scalars(select(KnownDevice))}
        assert hash_of(secret) in kept and secret not in kept
    for text in ("", "x", "x" * 5000, "basra"):
        headers = {"Cookie": f"basra_device={text}"}
        client = world.app.test_client(use_cookies=False)
        body = {"username": "mona", "password": PASSWORD}
        again = client.post(f"{API}/sessions", json=body, headers=headers)
        assert again.status_code == 201
        assert text == "" or f"={text};" not in again.headers["Set-Cookie"], "nobody chooses it"


def test_an_account_knows_so_many_devices(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "MOST", 2)
    first, second, third = (Device(world) for _ in range(3))
    for device in (first, second, first, third):
        assert device.sign_in(password=PASSWORD) == 201
    for _ in range(10):
        world.sign_in()
    assert [device.sign_in(password=PASSWORD) for device in (first, second, third)] == [201, 429, 201]
    with world.app.app_context():
        devices.expire(utcnow() + devices.KEPT)
        assert db.session.scalars(select(KnownDevice)).all() == []


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
    answers = [world.sign_in(f"somebody_{number}") for number in range(70)]
    # Making the account was one too.
    assert answers == [401] * 59 + [429] * 11
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
    answers = [world.send("POST", "/transfers", {"code": "ABCD-EFGH-JKMN"}).status_code for _ in range(70)]
    assert answers == [404] * 59 + [429] * 11
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
