"""The tokens that a player makes for his programs."""

from datetime import datetime, timedelta

import pytest
from flask import Flask
from sqlalchemy import update

from app.extensions import write_transaction
from app.models import Token
from app.services import tokens
from app.services.news import News, SignedOut
from app.services.times import utcnow
from tests.app.accounts import PASSWORD, account, browser, new_username, registered
from tests.app.people import Caller, guest, ok, refused, sit_down

# Everything that only the scope `account` may do; the bodies are right.
OF_THE_ACCOUNT = [
    ("PATCH", "/players/me", {"name": "Other"}),
    ("DELETE", "/players/me", {"password": PASSWORD}),
    ("POST", "/players/me/account", {"username": "somebody", "password": PASSWORD}),
    ("PUT", "/players/me/password", {"password": PASSWORD, "new_password": PASSWORD}),
    ("POST", "/players/me/bot", {}),
    ("POST", "/players/me/transfers", {}),
    ("GET", "/players/me/export", None),
    ("GET", "/sessions", None),
    ("DELETE", "/sessions/current", None),
    ("GET", "/tokens", None),
    ("POST", "/tokens", {"label": "bot", "scopes": ["read"]}),
    ("DELETE", "/tokens/nobody-of-this-id", None),
]


def make(caller: Caller, *scopes: str, **body: object) -> dict[str, object]:
    made: dict[str, object] = ok(caller.post("/tokens", {"label": "My bot", "scopes": list(scopes), **body}), 201)
    return made


def program(caller: Caller, *scopes: str, **body: object) -> Caller:
    return Caller(caller.app, str(make(caller, *scopes, **body)["token"]), caller.player)


def test_a_token_is_shown_once_and_does_what_it_was_made_for(app: Flask) -> None:
    mona = browser(app, account(app))
    made = make(mona, "play", "read", expires_in_days=30)
    assert (made["label"], made["scopes"], made["last_used_at"]) == ("My bot", ["read", "play"], None)
    assert datetime.fromisoformat(str(made["expires_at"])) - utcnow() > timedelta(days=29, hours=23)
    secret = made.pop("token")
    found = ok(mona.get("/tokens"))
    assert (found["items"][0], found["next"]) == (made, None)
    bot = Caller(app, str(secret))
    assert ok(bot.get("/players/me"))["id"] == mona.id
    ok(bot.post("/rooms"), 201)
    refused(bot.get("/tokens"), 403, "auth.scope_missing")
    assert ok(mona.get("/tokens"))["items"][0]["last_used_at"] is not None


@pytest.mark.parametrize(("method", "path", "body"), OF_THE_ACCOUNT)
def test_only_the_scope_account_does_what_concerns_the_account(
    app: Flask, method: str, path: str, body: dict[str, object] | None
) -> None:
    mona = account(app)
    bot = program(mona, "read", "play")
    refused(bot.send(method, path, body), 403, "auth.scope_missing")
    refused(Caller(app).send(method, path, body), 401, "auth.required")
    assert ok(mona.get("/players/me"))["name"] == "Mona"


def test_a_token_never_makes_one_that_may_do_more(app: Flask) -> None:
    mona = account(app)
    manager = program(mona, "account", "read")
    for scopes in (["play"], ["read", "play"], ["read", "play", "account"]):
        problem = manager.post("/tokens", {"label": "more", "scopes": scopes})
        refused(problem, 403, "auth.scope_missing")
    assert program(manager, "read").get("/players/me").status_code == 200
    # A child's child neither.
    refused(program(manager, "account").post("/tokens", {"label": "x", "scopes": ["read"]}), 403, "auth.scope_missing")


def test_a_token_that_has_expired_stands_for_nobody(app: Flask) -> None:
    mona = account(app)
    made = make(mona, "read", expires_in_days=1)
    bot = Caller(app, str(made["token"]))
    ok(bot.get("/players/me"))
    with app.app_context(), write_transaction() as session:
        session.execute(update(Token).where(Token.id == made["id"]).values(expires_at=utcnow() - timedelta(seconds=1)))
    refused(bot.get("/players/me"), 401, "auth.required")
    assert made["id"] not in [item["id"] for item in ok(mona.get("/tokens"))["items"]]
    refused(mona.delete(f"/tokens/{made['id']}"), 404, "not_found")


def test_a_token_that_is_revoked_stands_for_nobody(app: Flask, heard: list[News]) -> None:
    mona = account(app)
    made = make(mona, "read")
    bot = Caller(app, str(made["token"]))
    ok(bot.get("/players/me"))
    refused(account(app).delete(f"/tokens/{made['id']}"), 404, "not_found")
    assert mona.delete(f"/tokens/{made['id']}").status_code == 204
    assert heard[-1] == SignedOut((str(made["id"]),))
    refused(bot.get("/players/me"), 401, "auth.required")
    refused(mona.delete(f"/tokens/{made['id']}"), 404, "not_found")


def test_a_token_may_revoke_itself(app: Flask) -> None:
    mona = account(app)
    made = make(mona, "account")
    bot = Caller(app, str(made["token"]))
    assert bot.delete(f"/tokens/{made['id']}").status_code == 204
    refused(bot.get("/tokens"), 401, "auth.required")


def test_a_guests_first_token_is_one_of_his(app: Flask) -> None:
    mona = guest(app)
    first = ok(mona.get("/tokens"))["items"]
    assert [(item["label"], item["scopes"]) for item in first] == [(None, ["read", "play", "account"])]
    make(mona, "read")
    assert len(ok(mona.get("/tokens"))["items"]) == 2


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"label": ""}, "label"),
        ({"label": " "}, "label"),
        ({"label": "a\u202eb"}, "label"),
        ({"label": "x" * 61}, "label"),
        ({"label": None}, "label"),
        ({"scopes": []}, "scopes"),
        ({"scopes": ["admin"]}, "scopes"),
        ({"scopes": "read"}, "scopes"),
        ({"scopes": ["read"] * 4}, "scopes"),
        ({"expires_in_days": 0}, "expires_in_days"),
        ({"expires_in_days": 366}, "expires_in_days"),
        ({"expires_in_days": "7"}, "expires_in_days"),
        ({"expires_at": "2030-01-01"}, "expires_at"),
    ],
)
def test_what_cannot_be_a_token_is_refused(app: Flask, body: dict[str, object], field: str) -> None:
    problem = refused(
        account(app).post("/tokens", {"label": "bot", "scopes": ["read"], **body}), 422, "request.invalid"
    )
    assert list(problem["errors"]) == [field]


def test_a_player_has_so_many_tokens_and_no_more(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "MOST", 3)
    mona = account(app)
    last = [make(mona, "read") for _ in range(2)][-1]
    refused(mona.post("/tokens", {"label": "more", "scopes": ["read"]}), 409, "token.too_many")
    assert mona.delete(f"/tokens/{last['id']}").status_code == 204
    make(mona, "read")


@pytest.mark.parametrize("token_id", ["x", "nobody-of-this-id", "%00", "%F0%9F%83%8F", "a" * 200])
def test_an_unknown_token_is_not_found(app: Flask, token_id: str) -> None:
    refused(account(app).delete(f"/tokens/{token_id}"), 404, "not_found")


@pytest.mark.parametrize("path", ["/players/me/transfers", "/players/me/account"])
@pytest.mark.parametrize(
    ("scopes", "days"), [(["account"], None), (["account", "read"], None), (["read", "play", "account"], 1)]
)
def test_nor_does_it_sign_in_where_more_may_be_done(app: Flask, path: str, scopes: list[str], days: int | None) -> None:
    mona = guest(app)
    manager = program(mona, *scopes, expires_in_days=days)
    body = {"username": new_username(), "password": PASSWORD} if path.endswith("account") else {}
    # Told before what is wrong with the body, as all that concerns rights.
    for sent in (body, {"colour": 1}):
        refused(manager.post(path, sent), 403, "auth.scope_missing")
    assert ok(mona.get("/players/me"))["guest"]
    ok(mona.post(path, body), 201)


@pytest.mark.parametrize(("asked", "given"), [(None, 7), (30, 7), (3, 3)])
def test_nor_one_that_lasts_longer(app: Flask, asked: int | None, given: int) -> None:
    manager = program(account(app), "account", "read", expires_in_days=7)
    made = make(manager, "read", expires_in_days=asked)
    left = datetime.fromisoformat(str(made["expires_at"])) - utcnow()
    assert timedelta(days=given, minutes=-1) < left <= timedelta(days=given)


@pytest.mark.parametrize("path", ["{match}", "{match}/events", "{match}/transcript"])
def test_a_token_that_was_not_made_to_look_sees_no_match(app: Flask, path: str) -> None:
    table = sit_down(app)
    path = path.format(match=table.path)
    for scopes in (["play"], ["account"], ["play", "account"]):
        blind = program(table.person(0), *scopes)
        for asked in (path, f"{path}?limit=0"):
            refused(blind.get(asked), 403, "auth.scope_missing")
        refused(blind.get(path, headers={"If-None-Match": "*"}), 403, "auth.scope_missing")
        refused(blind.post(path, checked=False), 403, "auth.scope_missing")
    assert program(table.person(0), "read").get(table.path).status_code == 200


def test_a_new_player_registered_by_a_token_keeps_it(app: Flask) -> None:
    mona = guest(app)
    bot = program(mona, "account", "play", "read")
    registered(bot, {"username": new_username(), "password": PASSWORD})
    assert ok(bot.get("/players/me"))["guest"] is False
