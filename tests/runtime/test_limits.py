"""Rate limits: how much one caller may ask, and what the refused are told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

MakeApp = Callable[..., Flask]


@pytest.fixture
def limited(make_app: MakeApp) -> FlaskClient:
    return make_app(RATE_LIMITS="on").test_client(use_cookies=False)


def new_guest(client: FlaskClient, **options: Any) -> TestResponse:
    return client.post("/api/v1/players", json={}, **options)


def bearer(client: FlaskClient, **options: Any) -> dict[str, str]:
    return {"Authorization": f"Bearer {new_guest(client, **options).json['token']}"}  # type: ignore[index]


def is_refused(answer: TestResponse) -> bool:
    """Whether it was refused as too much, in the contract's way."""
    if answer.status_code != 429:
        return False
    assert answer.mimetype == "application/problem+json"
    assert answer.json is not None
    assert answer.json["code"] == "rate_limited"
    assert 0 <= int(answer.headers["Retry-After"]) <= 60
    return True


def test_thirty_guests_a_minute_from_one_address(limited: FlaskClient) -> None:
    made = [new_guest(limited) for _ in range(31)]
    assert [is_refused(answer) for answer in made] == [False] * 30 + [True]
    other = new_guest(limited, environ_base={"REMOTE_ADDR": "203.0.113.9"})
    assert other.status_code == 201


def test_neighbours_in_one_ipv6_network_are_one_address(limited: FlaskClient) -> None:
    for host in range(30):
        assert new_guest(limited, environ_base={"REMOTE_ADDR": f"2001:db8::{host:x}"}).status_code == 201
    assert is_refused(new_guest(limited, environ_base={"REMOTE_ADDR": "2001:db8::ffff"}))
    assert new_guest(limited, environ_base={"REMOTE_ADDR": "2001:db8:0:1::1"}).status_code == 201


def test_moves_are_counted_by_token_with_a_burst_of_120(limited: FlaskClient) -> None:
    mona, karim = bearer(limited), bearer(limited)
    answers = [limited.post("/api/v1/rooms", json={"seats": 3}, headers=mona) for _ in range(121)]
    assert [is_refused(answer) for answer in answers] == [False] * 120 + [True]
    assert limited.post("/api/v1/rooms", json={}, headers=karim).status_code == 201


def test_reads_have_a_burst_of_200_of_their_own(limited: FlaskClient) -> None:
    mona = bearer(limited)
    answers = [limited.get("/api/v1/rules", headers=mona) for _ in range(201)]
    assert [is_refused(answer) for answer in answers] == [False] * 200 + [True]
    assert limited.post("/api/v1/rooms", json={}, headers=mona).status_code == 201


def test_unknown_room_codes_are_counted_and_known_ones_are_not(limited: FlaskClient) -> None:
    mona = bearer(limited)
    code = limited.post("/api/v1/rooms", json={}, headers=mona).json["code"]  # type: ignore[index]
    for _ in range(30):
        assert limited.get(f"/api/v1/rooms/{code}").status_code == 200
    answers = [limited.get("/api/v1/rooms/ZZZZZZ") for _ in range(21)]
    assert [is_refused(answer) for answer in answers] == [False] * 20 + [True]
    # Joining and following are no way around it.
    assert is_refused(limited.post("/api/v1/rooms/ZZZZZY/joins", json={}, headers=mona))
    channel = {"Upgrade": "websocket", "Connection": "Upgrade", **mona}
    assert is_refused(limited.get("/api/v1/rooms/ZZZZZY/channel", headers=channel, base_url="ws://localhost"))


def test_who_was_served_is_not_told_to_retry(limited: FlaskClient) -> None:
    """Trap 10: the limiter puts Retry-After on every answer."""
    mona = bearer(limited)
    for answer in (
        new_guest(limited),
        limited.get("/api/v1/rules", headers=mona),
        limited.get("/api/v1/rooms/ZZZZZZ"),
        limited.post("/api/v1/rooms", json={"seats": 3}, headers=mona),
    ):
        assert "Retry-After" not in answer.headers
        assert "X-RateLimit-Remaining" in answer.headers


def test_only_trusted_proxies_say_where_a_request_comes_from(make_app: MakeApp) -> None:
    def addresses_seen(client: FlaskClient, forwarded: list[str]) -> int:
        """How many of the guests get through when each claims another address."""
        return sum(
            new_guest(client, headers={"X-Forwarded-For": text}).status_code == 201
            for text in forwarded
            for _ in range(1)
        )

    claims = [f"203.0.113.{number}" for number in range(40)]
    alone = make_app(RATE_LIMITS="on").test_client(use_cookies=False)
    assert addresses_seen(alone, claims) == 30
    behind_one = make_app(RATE_LIMITS="on", TRUSTED_PROXIES="1").test_client(use_cookies=False)
    assert addresses_seen(behind_one, claims) == 40
    # What the client itself wrote stands further left and is not believed.
    forged = [f"{claim}, 198.51.100.1" for claim in claims]
    assert addresses_seen(behind_one, forged) == 30


def test_limits_can_be_off_on_one_machine_and_that_is_said(make_app: MakeApp, caplog: pytest.LogCaptureFixture) -> None:
    client = make_app(RATE_LIMITS="off").test_client(use_cookies=False)
    assert "rate_limits_off" in caplog.text
    assert {new_guest(client).status_code for _ in range(40)} == {201}
