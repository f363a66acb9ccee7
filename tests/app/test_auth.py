"""Who is calling: tokens, the cookie, and where unsafe requests may come from."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from flask import Flask
from sqlalchemy import select, update

from app.auth import COOKIE_NAME
from app.extensions import DatabaseBusy, db, write_transaction
from app.models import Token
from app.services import bearers
from app.services.times import utcnow
from tests.app.people import Caller, guest, ok, refused

OWN = "http://localhost"


def session_of(app: Flask) -> str:
    response = Caller(app).post("/players", {"session": True})
    assert response.json.keys() == {"player"}
    cookie = response.headers["Set-Cookie"]
    name, value = cookie.split(";")[0].split("=")
    assert name == COOKIE_NAME
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Secure" not in cookie
    return value


def with_cookie(value: str, **headers: str) -> dict[str, str]:
    return {"Cookie": f"{COOKIE_NAME}={value}", **headers}


def test_the_cookie_stands_for_its_player(app: Flask) -> None:
    headers = with_cookie(session_of(app))
    assert ok(Caller(app).get("/players/me", headers=headers))["guest"] is True


def test_the_cookie_is_secure_behind_https(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    https = replace(app.extensions["settings"], public_url="https://basra.example.org")
    monkeypatch.setitem(app.extensions, "settings", https)
    assert "Secure" in Caller(app).post("/players", {"session": True}).headers["Set-Cookie"]


@pytest.mark.parametrize("token", ["bsr_unknown", "", "x" * 5000, "bsr_\xe9", "Basic abc"])
def test_a_token_that_is_none_is_refused_everywhere(app: Flask, token: str) -> None:
    caller = Caller(app, token)
    for path in ("/players/me", "/rules", "/rooms", "/matches/unknown-match"):
        response = refused_with_hint(caller, path)
        assert "WWW-Authenticate" in response.headers


def refused_with_hint(caller: Caller, path: str):
    response = caller.get(path)
    refused(response, 401, "auth.required")
    return response


def test_other_schemes_than_bearer_are_refused(app: Flask) -> None:
    headers = {"Authorization": "Basic bW9uYTptb25h"}
    refused(Caller(app).get("/rules", headers=headers), 401, "auth.required")


def test_with_a_token_the_cookie_is_not_looked_at(app: Flask) -> None:
    cookie, mona = session_of(app), guest(app, "Mona")
    headers = with_cookie(cookie, Origin="https://elsewhere.example")
    assert ok(mona.get("/players/me", headers=headers))["id"] == mona.id
    ok(mona.post("/rooms", {}, headers=headers), 201)
    refused(Caller(app, "bsr_unknown").get("/players/me", headers=with_cookie(cookie)), 401, "auth.required")


def test_a_stale_cookie_names_nobody_and_does_no_harm(app: Flask) -> None:
    headers = with_cookie("bsr_gone")
    refused(Caller(app).get("/players/me", headers=headers), 401, "auth.required")
    ok(Caller(app).get("/rules", headers=headers))
    ok(Caller(app).post("/players", {"session": True}, headers=headers), 201)


@pytest.mark.parametrize(
    "origin",
    [{}, {"Origin": "null"}, {"Origin": "https://localhost"}, {"Origin": "http://localhost.evil.example"},
     {"Origin": "http://localhost:81"}, {"Origin": "http://[bad"}, {"Origin": ""}, {"Sec-Fetch-Site": "same-site"},
     {"Sec-Fetch-Site": "cross-site", "Origin": "https://elsewhere.example"}],
)  # fmt: skip
def test_unsafe_requests_with_the_cookie_need_our_own_origin(app: Flask, origin: dict[str, str]) -> None:
    cookie = session_of(app)
    refused(Caller(app).post("/rooms", {}, headers=with_cookie(cookie, **origin)), 403, "auth.forbidden")
    refused(Caller(app).post("/players", {}, headers=with_cookie(cookie, **origin)), 403, "auth.forbidden")
    ok(Caller(app).get("/players/me", headers=with_cookie(cookie, **origin)))


@pytest.mark.parametrize(
    "origin", [{"Origin": OWN}, {"Origin": "http://127.0.0.1:8000"}, {"Sec-Fetch-Site": "same-origin"}]
)
def test_our_own_pages_may_send_unsafe_requests(app: Flask, origin: dict[str, str]) -> None:
    ok(Caller(app).post("/rooms", {}, headers=with_cookie(session_of(app), **origin)), 201)


@pytest.mark.parametrize("change", [{"revoked_at": utcnow()}, {"expires_at": utcnow() - timedelta(seconds=1)}])
def test_revoked_and_expired_tokens_stand_for_nobody(app: Flask, change: dict[str, object]) -> None:
    mona = guest(app)
    ok(mona.get("/players/me"))
    with app.app_context(), write_transaction() as session:
        session.execute(update(Token).where(Token.player_id == mona.id).values(**change))
    refused(mona.get("/players/me"), 401, "auth.required")


def test_a_token_does_only_what_it_was_made_for(app: Flask) -> None:
    mona = guest(app)
    with app.app_context(), write_transaction() as session:
        session.execute(update(Token).where(Token.player_id == mona.id).values(scopes="read"))
    ok(mona.get("/players/me"))
    told = mona.post("/rooms", {})
    refused(told, 403, "auth.scope_missing")
    assert told.json["scope"] == "play"


def test_tokens_are_stored_hashed(app: Flask) -> None:
    mona = guest(app)
    with app.app_context(), write_transaction() as session:
        for token in session.query(Token):
            assert mona.token not in (token.token_hash, token.id)
            assert len(token.token_hash) == 64


@pytest.mark.parametrize("host", ["[bad", "a b", "", "localhost:port", "ex\xe4mple"])
def test_a_host_that_is_none_is_no_origin_of_ours(app: Flask, host: str) -> None:
    headers = with_cookie(session_of(app), Origin=f"http://{host}", Host=host)
    response = Caller(app).post("/rooms", {}, headers=headers, checked=False)
    assert response.status_code in (400, 403)
    assert response.mimetype == "application/problem+json"


def last_use(caller: Caller) -> datetime | None:
    with caller.app.app_context():
        return db.session.scalar(select(Token.last_used_at).where(Token.player_id == caller.id))


def set_last_use(caller: Caller, at: datetime | None) -> None:
    with caller.app.app_context(), write_transaction() as session:
        session.execute(update(Token).where(Token.player_id == caller.id).values(last_used_at=at))


@pytest.mark.parametrize("ago", [None, timedelta(seconds=61), timedelta(days=30)])
def test_the_last_use_of_a_token_is_noted(app: Flask, ago: timedelta | None) -> None:
    mona = guest(app)
    set_last_use(mona, None if ago is None else utcnow() - ago)
    ok(mona.get("/players/me"))
    used = last_use(mona)
    assert used is not None
    assert utcnow() - used < timedelta(seconds=30)


def test_the_last_use_of_a_token_is_noted_once_a_minute(app: Flask) -> None:
    mona = guest(app)
    lately = utcnow() - timedelta(seconds=30)
    set_last_use(mona, lately)
    ok(mona.get("/players/me"))
    ok(mona.post("/rooms"), 201)
    assert last_use(mona) == lately


def test_a_use_that_cannot_be_noted_is_no_refusal(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    mona = guest(app)
    set_last_use(mona, None)

    def busy(_wait_s: float) -> None:
        raise DatabaseBusy

    monkeypatch.setattr(bearers, "write_transaction", busy)
    ok(mona.get("/players/me"))
    assert last_use(mona) is None
