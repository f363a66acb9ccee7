"""Rate limits: how much one caller may ask, and what the refused are told."""

from __future__ import annotations

import threading
from collections.abc import Callable
from itertools import cycle
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from app import paces
from tests.runtime.tables import StandingClock

MakeApp = Callable[..., Flask]


@pytest.fixture
def limit(make_app: MakeApp, clock: StandingClock) -> Callable[..., FlaskClient]:
    """Make a client of an app whose limits go by the clock."""

    def make(**environ: str) -> FlaskClient:
        app = make_app(RATE_LIMITS="on", **environ)
        app.extensions["limits"].clock = clock
        return app.test_client(use_cookies=False)

    return make


@pytest.fixture
def limited(limit: Callable[..., FlaskClient]) -> FlaskClient:
    return limit()


def new_guest(client: FlaskClient, **options: Any) -> TestResponse:
    return client.post("/api/v1/players", **{"json": {}, **options})


def bearer(client: FlaskClient, **options: Any) -> dict[str, str]:
    return {"Authorization": f"Bearer {new_guest(client, **options).json['token']}"}  # type: ignore[index]


def is_refused(answer: TestResponse) -> bool:
    """Whether it was refused as too much, in the contract's way."""
    if answer.status_code != 429:
        return False
    assert answer.mimetype == "application/problem+json"
    assert answer.json is not None
    assert answer.json["code"] == "rate_limited"
    assert 1 <= int(answer.headers["Retry-After"]) <= 60
    return True


def test_sixty_guests_a_minute_from_one_address(limited: FlaskClient) -> None:
    made = [new_guest(limited) for _ in range(61)]
    assert [is_refused(answer) for answer in made] == [False] * 60 + [True]
    other = new_guest(limited, environ_base={"REMOTE_ADDR": "203.0.113.9"})
    assert other.status_code == 201


def test_neighbours_in_one_ipv6_network_are_one_address(limited: FlaskClient) -> None:
    for host in range(60):
        assert new_guest(limited, environ_base={"REMOTE_ADDR": f"2001:db8::{host:x}"}).status_code == 201
    assert is_refused(new_guest(limited, environ_base={"REMOTE_ADDR": "2001:db8::ffff"}))
    assert new_guest(limited, environ_base={"REMOTE_ADDR": "2001:db8:0:1::1"}).status_code == 201


def test_moves_are_counted_by_player_ten_a_second_with_a_burst_of_120(
    limited: FlaskClient, clock: StandingClock
) -> None:
    mona, karim = bearer(limited), bearer(limited)
    body = {"label": "another", "scopes": ["play"]}
    more = [limited.post("/api/v1/tokens", json=body, headers=mona).json["token"] for _ in range(3)]  # type: ignore[index]
    tokens = cycle([mona, *({"Authorization": f"Bearer {token}"} for token in more)])

    def moves(number: int) -> list[bool]:
        """Whichever token they come with."""
        path = "/api/v1/matches/no/moves"
        return [is_refused(limited.post(path, json={}, headers=next(tokens))) for _ in range(number)]

    assert moves(121) == [False] * 120 + [True]
    assert limited.post("/api/v1/matches/no/moves", json={}, headers=karim).status_code == 404
    clock.now += 1
    assert moves(12) == [False] * 10 + [True] * 2
    clock.now += 0.1
    assert moves(2) == [False, True]
    clock.now += 3600
    assert moves(121) == [False] * 120 + [True]


def test_reads_have_twenty_a_second_and_a_burst_of_200_of_their_own(limited: FlaskClient, clock: StandingClock) -> None:
    mona = bearer(limited)

    def reads(number: int) -> list[bool]:
        return [is_refused(limited.get("/api/v1/rules", headers=mona)) for _ in range(number)]

    assert reads(201) == [False] * 200 + [True]
    assert limited.post("/api/v1/rooms", json={}, headers=mona).status_code == 201
    clock.now += 1
    assert reads(21) == [False] * 20 + [True]


def test_a_minute_is_any_sixty_seconds_and_retry_after_is_exact(limited: FlaskClient, clock: StandingClock) -> None:
    for _ in range(10):
        assert new_guest(limited).status_code == 201
    clock.now += 40.5
    for _ in range(50):
        assert new_guest(limited).status_code == 201
    refused = new_guest(limited)
    assert is_refused(refused)
    assert refused.headers["Retry-After"] == "20"
    clock.now += 19.4
    assert is_refused(new_guest(limited))
    clock.now += 0.6
    assert [is_refused(new_guest(limited)) for _ in range(11)] == [False] * 10 + [True]


def test_only_so_many_are_remembered(monkeypatch: pytest.MonkeyPatch, clock: StandingClock) -> None:
    monkeypatch.setattr(paces, "MOST_KEPT", 3)
    ledger = paces.Ledger(clock)
    pace = paces.Window("some", most=1, span_s=60)
    keys = ("first", "second", "third", "first", "fourth", "first", "second")
    waits = [ledger.spend(pace, key).wait_s > 0 for key in keys]
    # To ask again is to be remembered; the second was forgotten for the fourth.
    assert waits == [False, False, False, True, False, True, False]


def test_many_at_once_spend_no_more_than_there_is() -> None:
    ledger = paces.Ledger(lambda: 0.0)
    pace = paces.Bucket("some", per_s=1, burst=500)
    let_through: list[bool] = []

    def spend() -> None:
        let_through.extend(ledger.spend(pace, "key").wait_s <= 0 for _ in range(100))

    threads = [threading.Thread(target=spend) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(let_through), sum(let_through)) == (800, 500)


def test_who_was_served_is_not_told_to_retry(limited: FlaskClient) -> None:
    mona = bearer(limited)
    for answer in (
        new_guest(limited),
        limited.get("/api/v1/rules", headers=mona),
        limited.get("/api/v1/rooms/ZZZZZZ"),
        limited.post("/api/v1/rooms", json={"seats": 3}, headers=mona),
    ):
        assert "Retry-After" not in answer.headers


def guests_until_refused(client: FlaskClient, **options: Any) -> int:
    """How many guests can still be made; 61 stands for more than 60."""
    return next((made for made in range(61) if is_refused(new_guest(client, **options))), 61)


@pytest.mark.parametrize(
    ("forwarded", "same"),
    [
        ("203.0.113.9:5678", "203.0.113.9"),
        ("[2001:db8::1]:80", "2001:db8::2"),
        ("[2001:db8::1]", "2001:db8::2"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        ("fe80::1%eth0", "fe80::2"),
    ],
)
def test_a_forwarded_address_may_have_a_port(limit: Callable[..., FlaskClient], forwarded: str, same: str) -> None:
    client = limit(TRUSTED_PROXIES="1")
    assert guests_until_refused(client, headers={"X-Forwarded-For": forwarded}) == 60
    assert is_refused(new_guest(client, headers={"X-Forwarded-For": same}))
    assert new_guest(client, headers={"X-Forwarded-For": "198.51.100.7"}).status_code == 201


def test_two_ipv4_addresses_on_an_ipv6_socket_are_two(limited: FlaskClient) -> None:
    assert guests_until_refused(limited, environ_base={"REMOTE_ADDR": "::ffff:203.0.113.9"}) == 60
    assert new_guest(limited, environ_base={"REMOTE_ADDR": "::ffff:203.0.113.10"}).status_code == 201


GARBAGE = [
    "unknown",
    "1.2.3.4, zz",
    "_hidden",
    "1.2.3.4:port",
    "[::1",
    "999.1.1.1",
    '"',
    ",",
    "\xff",
    "a" * 5000,
    "1.2.3.4:5:6",
]


def test_a_forwarded_address_that_is_none_counts_for_the_proxy(limit: Callable[..., FlaskClient]) -> None:
    client = limit(TRUSTED_PROXIES="1")
    for text in GARBAGE:
        assert new_guest(client, headers={"X-Forwarded-For": text}).status_code == 201, text
    assert guests_until_refused(client, headers={"X-Forwarded-For": "unknown"}) == 60 - len(GARBAGE)
    assert is_refused(new_guest(client))  # the test client's own address, which is the proxy's


@pytest.mark.parametrize("header", ["X-Forwarded-Proto", "X-Forwarded-Host", "Host"])
@pytest.mark.parametrize("proxies", ["0", "1"])
def test_whatever_else_is_forwarded_is_no_fault(limit: Callable[..., FlaskClient], header: str, proxies: str) -> None:
    client = limit(TRUSTED_PROXIES=proxies)
    made = new_guest(client, headers={"Origin": "http://localhost"}, json={"session": True})
    cookie = {"Cookie": made.headers["Set-Cookie"].split(";")[0], "Origin": "http://localhost"}
    for text in [*GARBAGE, "https", "javascript", "ht tp", "://", "[", "host:port", "a..b", "xn--\xff", "/", "%zz"]:
        for method, path in (("GET", "/r/KMNPAB"), ("POST", "/api/v1/rooms")):
            answer = client.open(path, method=method, headers={**cookie, header: text}, json={})
            assert answer.status_code < 500, (text, path, answer.text)


def test_only_trusted_proxies_say_where_a_request_comes_from(limit: Callable[..., FlaskClient]) -> None:
    def addresses_seen(client: FlaskClient, forwarded: list[str]) -> int:
        """How many of the guests get through when each claims another address."""
        return sum(
            new_guest(client, headers={"X-Forwarded-For": text}).status_code == 201
            for text in forwarded
            for _ in range(1)
        )

    claims = [f"203.0.113.{number}" for number in range(70)]
    alone = limit()
    assert addresses_seen(alone, claims) == 60
    behind_one = limit(TRUSTED_PROXIES="1")
    assert addresses_seen(behind_one, claims) == 70
    # What the client itself wrote stands further left and is not believed.
    forged = [f"{claim}, 198.51.100.1" for claim in claims]
    assert addresses_seen(behind_one, forged) == 60


def test_limits_can_be_off_on_one_machine_and_that_is_said(make_app: MakeApp, caplog: pytest.LogCaptureFixture) -> None:
    client = make_app(RATE_LIMITS="off").test_client(use_cookies=False)
    assert "rate_limits_off" in caplog.text
    assert {new_guest(client).status_code for _ in range(70)} == {201}
