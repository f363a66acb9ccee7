"""Codes of rooms that do not exist: nobody goes on guessing, and no neighbour pays for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from app import guesses
from tests.runtime.tables import StandingClock

MakeApp = Callable[..., Flask]
API = "/api/v1"
Headers = dict[str, str]


@pytest.fixture
def client(make_app: MakeApp, clock: StandingClock) -> FlaskClient:
    app = make_app(RATE_LIMITS="on")
    app.extensions["limits"].clock = clock
    return app.test_client(use_cookies=False)


def guest(client: FlaskClient) -> Headers:
    made: Any = client.post(f"{API}/players", json={}).json
    return {"Authorization": f"Bearer {made['token']}"}


@pytest.fixture
def mona(client: FlaskClient) -> Headers:
    return guest(client)


@pytest.fixture
def code(client: FlaskClient, mona: Headers) -> str:
    """A room in which Mona sits."""
    made: Any = client.post(f"{API}/rooms", json={}, headers=mona).json
    return str(made["code"])


def look(client: FlaskClient, code: str = "ZZZZZZ", headers: Headers | None = None, **options: Any) -> int:
    return client.get(f"{API}/rooms/{code}", headers=headers or {}, **options).status_code


def test_known_codes_do_not_count(client: FlaskClient, code: str) -> None:
    karim = guest(client)
    assert {look(client, code, karim) for _ in range(30)} == {200}


def test_after_twenty_wrong_codes_a_player_waits_and_no_neighbour_does(
    client: FlaskClient, mona: Headers, code: str, clock: StandingClock
) -> None:
    karim, neighbour = guest(client), guest(client)
    assert [look(client, headers=karim) for _ in range(21)] == [404] * 20 + [429]
    # Whether a room is there is told to no one who may only be guessing, whichever way they ask.
    refused = client.get(f"{API}/rooms/{code}", headers=karim)
    told, wait = refused.headers["RateLimit"], refused.headers["Retry-After"]
    assert (refused.status_code, told, wait) == (429, f'"unknown-room";r=0;t={wait}', "60")
    assert client.post(f"{API}/rooms/{code}/joins", json={}, headers=karim).status_code == 429
    channel = {"Upgrade": "websocket", "Connection": "Upgrade", **karim}
    followed = client.get(f"{API}/rooms/{code}/channel", headers=channel, base_url="ws://localhost")
    assert followed.status_code == 429
    for headers in (neighbour, mona, None):
        assert look(client, code, headers) == 200
    assert client.post(f"{API}/rooms/{code}/joins", json={}, headers=neighbour).status_code == 201
    clock.now += 60
    assert look(client, code, karim) == 200


def test_another_token_of_the_player_is_no_way_around_it(client: FlaskClient, mona: Headers, code: str) -> None:
    karim = guest(client)
    made: Any = client.post(f"{API}/tokens", json={"label": "another", "scopes": ["read"]}, headers=karim).json
    for _ in range(20):
        look(client, headers=karim)
    assert look(client, code, {"Authorization": f"Bearer {made['token']}"}) == 429


def test_those_who_name_nobody_are_counted_by_address(client: FlaskClient, mona: Headers, code: str) -> None:
    assert [look(client) for _ in range(301)] == [404] * 300 + [429]
    assert look(client, code) == 429
    assert look(client, code, environ_base={"REMOTE_ADDR": "203.0.113.9"}) == 200
    assert look(client, code, guest(client)) == 200


@pytest.fixture
def others(client: FlaskClient) -> Iterator[Headers]:
    """As many guests of the address as are asked for: made here and there, or an hour would go by."""
    addresses = count(1)

    def made() -> Iterator[Headers]:
        while True:
            answer: Any = client.post(
                f"{API}/players", json={}, environ_base={"REMOTE_ADDR": f"198.51.100.{next(addresses) % 250}"}
            ).json
            yield {"Authorization": f"Bearer {answer['token']}"}

    return made()


def test_a_fresh_guest_for_each_guess_is_no_way_around_it(
    client: FlaskClient, mona: Headers, code: str, clock: StandingClock, others: Iterator[Headers]
) -> None:
    neighbour = guest(client)
    last: Headers = {}
    for _ in range(300):
        last = next(others)
        assert look(client, headers=last) == 404
    assert look(client, code, last) == 429, "who has guessed may be one of many"
    # By the clock of the limits it is over the count since this moment, and since long before everyone came after it.
    assert look(client, code, neighbour) == 200, "who was there before, and has not guessed"
    clock.now += 59
    assert look(client, code, next(others)) == 429, "who came since may have come for it"
    for headers in (mona, registered(client), None):
        assert look(client, code, headers) == 200, "who sits there, who is no guest, who names nobody"
    clock.now += 1
    assert look(client, code, next(others)) == 200


def registered(client: FlaskClient) -> Headers:
    headers = guest(client)
    body = {"username": "member", "password": "three cups of tea"}
    made: Any = client.post(f"{API}/players/me/account", json=body, headers=headers).json
    return {"Authorization": f"Bearer {made['token']}"}


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/joins"), ("DELETE", "/joins/me"), ("DELETE", "/joins/1"), ("POST", "/bots"), ("DELETE", "/bots/1"),
        ("POST", "/rematches"), ("DELETE", ""), ("GET", "/channel"), ("POST", "/channel"), ("PATCH", ""),
    ],
)  # fmt: skip
def test_whatever_tells_that_a_room_is_not_there_counts(
    client: FlaskClient, mona: Headers, method: str, path: str
) -> None:
    def ask() -> TestResponse:
        return client.open(f"{API}/rooms/ZZZZZZ{path}", method=method, headers=mona)

    assert [ask().status_code for _ in range(21)] == [404] * 20 + [429]
    assert look(client, headers=mona) == 429


def test_a_known_room_where_something_is_not_found_does_not_count(
    client: FlaskClient, mona: Headers, code: str
) -> None:
    karim = guest(client)
    for _ in range(25):
        assert client.delete(f"{API}/rooms/{code}/joins/me", headers=karim).status_code == 404
        assert client.delete(f"{API}/rooms/{code}/bots/1", headers=mona).status_code == 404
        assert client.get(f"{API}/rooms/{code}/nothing", headers=mona).status_code == 404
        assert client.patch(f"{API}/rooms/{code}", headers=mona).status_code == 405
    assert look(client, code, karim) == look(client, code, mona) == 200


def test_who_sits_in_a_room_gets_there_whatever_they_have_guessed(
    client: FlaskClient, mona: Headers, code: str
) -> None:
    for _ in range(20):
        look(client, headers=mona)
    assert look(client, headers=mona) == 429
    assert look(client, code.lower(), mona) == 200
    assert client.delete(f"{API}/rooms/{code}/joins/me", headers=mona).status_code == 204
    assert look(client, code, mona) == 429


def test_the_figures_are_those_of_the_contract() -> None:
    found = [(one.most, one.span_s) for one in (guesses.ROOM_CODES, guesses.ROOM_CODES_OF_NOBODY)]
    assert found == [(20, 60), (300, 60)]
