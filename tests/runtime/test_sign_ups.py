"""Many accounts at one address slow down, and are listed; nobody is shut out."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from itertools import count

import pytest
from flask import Flask
from sqlalchemy import select

from app.extensions import db, write_transaction
from app.models import SignUp
from app.services import sign_ups
from app.services.errors import Refusal
from app.services.times import utcnow
from tests.app.people import Caller, guest, ok, refused

MakeApp = Callable[..., Flask]
HERE, ELSEWHERE = "203.0.113.1", "198.51.100.2"
_names = count(1)


def register(app: Flask, address: str = HERE, **options: str) -> tuple[int, int]:
    """Make one more account: the status, and how long to wait."""
    mona = Caller(app, guest(app).token)
    body = {"username": f"mona_{next(_names)}", "password": "three cups of tea", **options}
    answer = mona.post("/players/me/account", body, environ_base={"REMOTE_ADDR": address})
    return answer.status_code, int(answer.headers.get("Retry-After", 0))


@pytest.fixture
def app(make_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> Flask:
    monkeypatch.setattr(sign_ups, "FREE", 3)
    return make_app(RATE_LIMITS="on")


def made(app: Flask, number: int, address: str, ago: timedelta) -> None:
    with app.app_context(), write_transaction() as session:
        for _ in range(number):
            sign_ups.note(session, address, utcnow() - ago)


def test_many_accounts_at_one_address_have_to_wait_and_ever_longer(app: Flask) -> None:
    assert [register(app)[0] for _ in range(3)] == [201] * 3
    status, wait = register(app)
    assert status == 429 and 1 <= wait <= 10
    assert register(app, ELSEWHERE)[0] == 201
    mona = guest(app)
    body = {"username": f"mona_{next(_names)}", "password": "three cups of tea"}
    problem = refused(mona.post("/players/me/account", body, environ_base={"REMOTE_ADDR": HERE}), 429, "rate_limited")
    assert "Many accounts" in problem["detail"]
    assert ok(mona.get("/players/me"))["guest"] is True
    made(app, 4, HERE, timedelta(seconds=5))
    assert 30 < register(app)[1] <= 50


def test_the_wait_follows_the_last_account_has_an_end_and_an_hour_forgets(app: Flask) -> None:
    def wait_s(address: str) -> float:
        with app.app_context():
            try:
                sign_ups.require_pause(db.session(), address, now)
            except Refusal as refusal:
                return float(refusal.extra["retry_after_s"])
        return 0.0

    now = utcnow()
    made(app, 3, "three", timedelta(seconds=11))
    made(app, 3, "waits", timedelta(seconds=4))
    made(app, 500, "many", timedelta(seconds=60))
    made(app, 500, "long ago", timedelta(hours=1, seconds=1))
    now = utcnow()
    assert (wait_s("three"), wait_s("long ago")) == (0, 0)
    assert 1 <= wait_s("waits") <= 6
    assert 500 < wait_s("many") <= 540
    now -= timedelta(days=1)
    # A clock that was set back makes nobody wait longer than the pause.
    made(app, 3, "ahead", timedelta(hours=-2))
    now = utcnow()
    assert wait_s("ahead") <= 10


def test_a_refused_account_is_none(app: Flask) -> None:
    assert register(app, username="x")[0] == 422
    assert register(app, password="password123")[0] == 422
    with app.app_context():
        assert db.session.scalars(select(SignUp)).all() == []


def test_without_limits_nobody_waits_and_it_is_noted_all_the_same(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sign_ups, "FREE", 1)
    app = make_app()
    assert [register(app)[0] for _ in range(3)] == [201] * 3
    with app.app_context():
        (found,) = sign_ups.suspicious_addresses(utcnow() - timedelta(hours=1), 1)
    assert (found["address"], found["accounts"]) == (HERE, 3)


def test_operators_see_the_addresses_with_many_and_a_week_forgets(app: Flask) -> None:
    made(app, 5, HERE, timedelta(hours=30))
    made(app, 7, ELSEWHERE, timedelta(hours=2))
    made(app, 2, "192.0.2.1", timedelta(hours=2))
    with app.app_context():
        now = utcnow()
        found = sign_ups.suspicious_addresses(now - timedelta(days=7), 3)
        assert [(one["address"], one["accounts"]) for one in found] == [(ELSEWHERE, 7), (HERE, 5)]
        assert found[0]["first_at"] <= found[0]["last_at"]
        recent = sign_ups.suspicious_addresses(now - timedelta(days=1), 3)
        assert [one["address"] for one in recent] == [ELSEWHERE]
        sign_ups.expire(now + sign_ups.KEPT - timedelta(hours=3))
        assert {one.address for one in db.session.scalars(select(SignUp))} == {ELSEWHERE, "192.0.2.1"}
