"""Signing in and out, and the devices where one is signed in."""

import time

import pytest
from flask import Flask
from sqlalchemy import select, update

from app.auth import COOKIE_NAME
from app.extensions import db, write_transaction
from app.models import Player, Token
from app.services import bearers, passwords, sessions
from app.services.news import News, SignedOut
from app.services.times import utcnow
from tests.app.accounts import (
    OWN,
    PASSWORD,
    account,
    browser,
    cookie_of,
    guest_browser,
    new_username,
    sign_in,
)
from tests.app.people import Caller, guest, ok, refused

FIREFOX = "Mozilla/5.0 (Android 14; Mobile; rv:128.0) Gecko/128.0 Firefox/128.0"
CHROME = "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36"


def test_who_signs_in_is_who_he_was(app: Flask) -> None:
    mona = account(app, "Mona")
    made = ok(sign_in(app, mona.player["username"].upper()), 201)
    assert made["player"] == {"id": mona.id, "name": "Mona", "guest": False, "bot": False}
    again = Caller(app, made["token"])
    assert ok(again.get("/players/me"))["id"] == mona.id
    ok(again.post("/rooms"), 201)


def test_what_was_wrong_is_not_told(app: Flask) -> None:
    mona = account(app)
    wrong = refused(sign_in(app, mona.player["username"], "wrong"), 401, "auth.required")
    for name in (new_username(), "", "no name!", "م" * 200, mona.id):
        assert refused(sign_in(app, name), 401, "auth.required") == wrong
    for password in ("", PASSWORD + "\u0301", "x" * 200):
        assert refused(sign_in(app, mona.player["username"], password), 401, "auth.required") == wrong


def test_an_unknown_username_takes_as_long(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """By what is worked out, not by a clock that other work on the machine moves."""
    monkeypatch.setitem(app.extensions, "hasher", passwords.Hasher())
    mona, worked = account(app), []
    check = passwords.check_password_hash

    def counted(stored: str, password: str) -> bool:
        worked.append(stored.rsplit("$", 2)[0])
        began = time.thread_time()
        found = check(stored, password)
        assert time.thread_time() - began > 0.01  # nobody's hash is worked out too, not only looked at
        return found

    monkeypatch.setattr(passwords, "check_password_hash", counted)
    refused(sign_in(app, mona.player["username"], "wrong"), 401, "auth.required")
    refused(sign_in(app, new_username(), "wrong"), 401, "auth.required")
    assert worked == [passwords.METHOD] * 2


def test_a_password_of_nobody_is_nobodys(app: Flask) -> None:
    with app.app_context():
        assert passwords.is_right("", None) is False
        assert passwords.is_right("", passwords.Hasher().nobodys) is False


@pytest.mark.parametrize(
    "body", [{}, {"username": "mona"}, {"username": 1, "password": "x"}, {"username": "a" * 201, "password": "x"}]
)
def test_what_is_no_sign_in_is_refused(app: Flask, body: dict[str, object]) -> None:
    refused(Caller(app).post("/sessions", body), 422, "request.invalid")


def test_a_session_is_a_cookie_of_our_own_pages(app: Flask) -> None:
    mona = account(app)
    body = {"username": mona.player["username"], "password": PASSWORD, "session": True}
    response = Caller(app).post("/sessions", body)
    assert ok(response, 201).keys() == {"player"}
    assert {"HttpOnly", "SameSite=Lax"} <= set(response.headers["Set-Cookie"].split("; "))
    cookie = {"Cookie": f"{COOKIE_NAME}={cookie_of(response)}"}
    refused(Caller(app).post("/rooms", {}, headers=cookie), 403, "auth.forbidden")
    ok(Caller(app).post("/rooms", {}, headers={**cookie, **OWN}), 201)
    # Nobody signs a browser in or out from elsewhere.
    elsewhere = {**cookie, "Origin": "https://elsewhere.example"}
    refused(Caller(app).post("/sessions", body, headers=elsewhere), 403, "auth.forbidden")
    refused(Caller(app).delete("/sessions/current", headers=elsewhere), 403, "auth.forbidden")


def test_a_guest_who_signs_in_is_that_player_on_that_device(app: Flask, heard: list[News]) -> None:
    mona, passing = account(app, "Mona"), guest_browser(app, "Passing")
    code = ok(passing.post("/rooms"), 201)["code"]
    heard.clear()
    body = {"username": mona.player["username"], "password": PASSWORD, "session": True}
    response = passing.post("/sessions", body)
    assert ok(response, 201)["player"]["id"] == mona.id
    # What is open in the browser as the guest ends with his cookie; he himself and his seat stay.
    assert [type(item) for item in heard] == [SignedOut]
    refused(passing.get("/players/me"), 401, "auth.required")
    assert ok(mona.get(f"/players/{passing.id}"))["guest"] is True
    assert ok(mona.get(f"/rooms/{code}"))["seating"][0]["player"]["id"] == passing.id
    passing.cookie = cookie_of(response)
    assert ok(passing.get("/players/me"))["id"] == mona.id


def test_a_token_is_not_ended_by_a_sign_in(app: Flask) -> None:
    mona, adel = account(app), account(app)
    body = {"username": mona.player["username"], "password": PASSWORD, "session": True}
    ok(adel.post("/sessions", body), 201)
    ok(adel.get("/players/me"))
    here = browser(app, adel)
    ok(here.post("/sessions", {**body, "session": False}), 201)
    ok(here.get("/players/me"))


def test_all_devices_are_listed_and_told_apart(app: Flask) -> None:
    mona = account(app)
    phone = browser(app, mona, **{"User-Agent": FIREFOX})
    desk = browser(app, mona, **{"User-Agent": CHROME})
    ok(sign_in(app, mona.player["username"], headers={"User-Agent": "curl/8.1"}), 201)
    found = ok(desk.get("/sessions"))
    assert found["next"] is None
    labels = {(item["label"], item["current"]) for item in found["items"]}
    assert labels == {("Firefox · Android", False), ("Chrome · Windows", True), (None, False)}
    assert [item["current"] for item in ok(phone.get("/sessions"))["items"]].count(True) == 1
    # The token that she was a guest by is none of them.
    assert [item["current"] for item in ok(mona.get("/sessions"))["items"]] == [False] * 3


def test_a_device_that_is_signed_out_is_nobodys(app: Flask, heard: list[News]) -> None:
    mona = account(app)
    phone, desk = browser(app, mona), browser(app, mona)
    lost = next(item["id"] for item in ok(phone.get("/sessions"))["items"] if item["current"])
    response = desk.delete(f"/sessions/{lost}")
    assert response.status_code == 204
    assert "Set-Cookie" not in response.headers
    assert heard[-1] == SignedOut((lost,))
    refused(phone.get("/players/me"), 401, "auth.required")
    assert [item["id"] for item in ok(desk.get("/sessions"))["items"]].count(lost) == 0
    refused(desk.delete(f"/sessions/{lost}"), 404, "not_found")


def test_who_signs_out_is_forgotten_by_the_browser(app: Flask) -> None:
    here = browser(app, account(app))
    response = here.delete("/sessions/current")
    assert response.status_code == 204
    assert response.headers["Set-Cookie"].startswith(f"{COOKIE_NAME}=;")
    assert "Max-Age=0" in response.headers["Set-Cookie"]
    refused(here.delete("/sessions/current"), 401, "auth.required")


def test_one_may_name_ones_own_session_too(app: Flask) -> None:
    here = browser(app, account(app))
    response = here.delete(f"/sessions/{ok(here.get('/sessions'))['items'][0]['id']}")
    assert response.headers["Set-Cookie"].startswith(f"{COOKIE_NAME}=;")


@pytest.mark.parametrize("session_id", ["x", "nobody-of-this-id", "%00", "%F0%9F%83%8F", "a" * 200])
def test_an_unknown_session_is_not_found(app: Flask, session_id: str) -> None:
    refused(browser(app, account(app)).delete(f"/sessions/{session_id}"), 404, "not_found")


def test_another_players_session_and_a_token_are_not_found(app: Flask) -> None:
    mona, adel = browser(app, account(app)), browser(app, account(app))
    adels = ok(adel.get("/sessions"))["items"][0]["id"]
    made = ok(mona.post("/tokens", {"label": "bot", "scopes": ["read"]}), 201)
    refused(mona.delete(f"/sessions/{adels}"), 404, "not_found")
    refused(mona.delete(f"/sessions/{made['id']}"), 404, "not_found")
    refused(mona.delete("/tokens/" + ok(mona.get("/sessions"))["items"][0]["id"]), 404, "not_found")
    program = Caller(app, ok(mona.post("/tokens", {"label": "all", "scopes": ["account"]}), 201)["token"])
    refused(program.delete("/sessions/current"), 404, "not_found")
    ok(adel.get("/players/me"))


def test_the_last_use_of_a_session_is_shown(app: Flask) -> None:
    here = browser(app, account(app))
    with app.app_context(), write_transaction() as session:
        session.execute(update(Token).where(Token.player_id == here.id).values(last_used_at=None))
    ok(here.get("/players/me"))
    assert ok(here.get("/sessions"))["items"][0]["last_used_at"] is not None


def test_one_device_more_signs_out_the_oldest(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "MOST", 3)
    mona = account(app)
    devices = [browser(app, mona) for _ in range(4)]
    refused(devices[0].get("/players/me"), 401, "auth.required")
    assert len(ok(devices[3].get("/sessions"))["items"]) == 3


def test_a_password_that_was_changed_meanwhile_signs_nobody_in(app: Flask) -> None:
    mona = account(app)

    def aside(work):
        found = work()
        with app.app_context(), write_transaction() as session:
            session.execute(update(Player).where(Player.id == mona.id).values(password_hash="another"))
        return found

    hasher = app.extensions["hasher"]
    hasher.aside, kept = aside, hasher.aside
    refused(sign_in(app, mona.player["username"]), 401, "auth.required")
    hasher.aside = kept
    with app.app_context():
        made = db.session.scalars(select(Token).where(Token.player_id == mona.id, Token.kind == "session")).all()
    assert made == []


def test_sessions_are_the_accounts_business(app: Flask) -> None:
    mona = account(app)
    program = Caller(app, ok(mona.post("/tokens", {"label": "bot", "scopes": ["read", "play"]}), 201)["token"])
    refused(program.get("/sessions"), 403, "auth.scope_missing")
    refused(program.delete("/sessions/current"), 403, "auth.scope_missing")
    refused(Caller(app).get("/sessions"), 401, "auth.required")


def test_a_guests_browser_has_a_session_too(app: Flask) -> None:
    here = guest_browser(app)
    assert [item["current"] for item in ok(here.get("/sessions"))["items"]] == [True]
    assert ok(guest(app).get("/sessions"))["items"] == []


def test_ended_sessions_are_forgotten_after_a_while(app: Flask) -> None:
    mona = account(app)
    here, there = browser(app, mona), browser(app, mona)
    assert there.delete("/sessions/current").status_code == 204

    def kept() -> int:
        with app.app_context():
            return len(db.session.scalars(select(Token.id).where(Token.player_id == mona.id)).all())

    with app.app_context():
        bearers.expire(utcnow())
    assert kept() == 4  # the token of the guest among them
    with app.app_context():
        bearers.expire(utcnow() + bearers.KEPT)
    assert kept() == 2
    ok(here.get("/players/me"))
