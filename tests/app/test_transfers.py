"""Taking a player along to another device by a code."""

import re

import pytest
from flask import Flask
from sqlalchemy import select, update

from app.extensions import db, write_transaction
from app.models import Transfer
from app.services import transfers
from app.services.ids import CODE_LETTERS
from app.services.times import utcnow
from tests.app.accounts import PASSWORD, account, browser, cookie_of, guest_browser
from tests.app.people import Caller, guest, ok, refused
from tests.app.test_at_once import at_once, statuses


def code_of(caller: Caller) -> str:
    return str(ok(caller.post("/players/me/transfers"), 201)["code"])


def test_the_other_device_becomes_the_same_player(app: Flask) -> None:
    mona = guest_browser(app, "Mona")
    room = ok(mona.post("/rooms"), 201)["code"]
    made = ok(mona.post("/players/me/transfers"), 201)
    assert re.fullmatch(f"(?:[{CODE_LETTERS}]{{4}}-){{2}}[{CODE_LETTERS}]{{4}}", made["code"])
    assert made["url"] == f"http://127.0.0.1:8000/move#{made['code']}"
    response = Caller(app).post("/transfers", {"code": made["code"], "session": True})
    assert ok(response, 201) == {"player": {"id": mona.id, "name": "Mona", "guest": True, "bot": False}}
    phone = type(mona)(app, cookie_of(response), mona.player)
    assert phone.delete(f"/rooms/{room}").status_code == 204
    # Both are signed in, and each can sign the other out.
    ok(mona.get("/players/me"))
    assert len(ok(phone.get("/sessions"))["items"]) == 2


def test_a_program_gets_a_token(app: Flask) -> None:
    mona = account(app)
    made = ok(Caller(app).post("/transfers", {"code": code_of(mona)}), 201)
    assert made["player"]["id"] == mona.id
    assert ok(Caller(app, made["token"]).get("/players/me"))["id"] == mona.id


@pytest.mark.parametrize(
    "typed",
    [
        lambda code: code.lower(),
        lambda code: code.replace("-", ""),
        lambda code: code.replace("-", " "),
        lambda code: f"  {code.lower()}\n",
        lambda code: "-".join(code.replace("-", "")),
    ],
)
def test_a_code_is_taken_however_it_is_typed(app: Flask, typed) -> None:
    mona = guest(app)
    assert ok(Caller(app).post("/transfers", {"code": typed(code_of(mona))}), 201)["player"]["id"] == mona.id


def test_a_code_serves_once(app: Flask) -> None:
    code = code_of(guest(app))
    ok(Caller(app).post("/transfers", {"code": code}), 201)
    refused(Caller(app).post("/transfers", {"code": code}), 404, "not_found")


def test_of_many_with_one_code_one_is_let_in(app: Flask) -> None:
    code = code_of(guest(app))
    answers = at_once([lambda: Caller(app).post("/transfers", {"code": code})] * 8)
    assert statuses(answers) == {201: 1, 404: 7}


def test_a_code_lasts_ten_minutes(app: Flask) -> None:
    mona = guest(app)
    code = code_of(mona)
    with app.app_context():
        made = db.session.scalars(select(Transfer).where(Transfer.player_id == mona.id)).one()
    assert (made.expires_at - made.created_at).total_seconds() == 600
    with app.app_context(), write_transaction() as session:
        session.execute(update(Transfer).where(Transfer.player_id == mona.id).values(expires_at=utcnow()))
    refused(Caller(app).post("/transfers", {"code": code}), 404, "not_found")
    with app.app_context():
        transfers.expire(utcnow())
        assert db.session.scalars(select(Transfer).where(Transfer.player_id == mona.id)).all() == []


def test_another_code_takes_the_place_of_the_one_before(app: Flask) -> None:
    mona = guest(app)
    first, second = code_of(mona), code_of(mona)
    refused(Caller(app).post("/transfers", {"code": first}), 404, "not_found")
    ok(Caller(app).post("/transfers", {"code": second}), 201)


@pytest.mark.parametrize("code", ["", "ABCD-EFGH-JKMN", "ABCD-EFGH-JKLM", "x" * 200, "ＡＢＣＤ-EFGH-JKMN", "ß" * 6])
def test_a_code_that_is_none_is_not_found(app: Flask, code: str) -> None:
    refused(Caller(app).post("/transfers", {"code": code}), 404, "not_found")


def test_the_cookie_of_the_device_is_replaced(app: Flask) -> None:
    mona, passing = account(app), guest_browser(app, "Passing")
    response = passing.post("/transfers", {"code": code_of(mona), "session": True})
    ok(response, 201)
    refused(passing.get("/players/me"), 401, "auth.required")
    passing.cookie = cookie_of(response)
    assert ok(passing.get("/players/me"))["id"] == mona.id


def test_a_device_of_the_same_player_may_use_it_too(app: Flask) -> None:
    here = browser(app, account(app))
    response = here.post("/transfers", {"code": code_of(here), "session": True})
    here.cookie = cookie_of(response)
    assert len(ok(here.get("/sessions"))["items"]) == 1


def test_codes_are_stored_hashed(app: Flask) -> None:
    mona = guest(app)
    code = code_of(mona)
    with app.app_context():
        made = db.session.scalars(select(Transfer).where(Transfer.player_id == mona.id)).one()
    assert len(made.code_hash) == 64
    assert not any(text in made.code_hash + made.id for text in (code, code.replace("-", "")))


def test_whoever_was_put_out_does_not_come_back_by_a_code_of_before(app: Flask) -> None:
    mona = account(app)
    home, thief = browser(app, mona), browser(app, mona)
    made = ok(home.post("/tokens", {"label": "bot", "scopes": ["read", "play", "account"]}), 201)
    bot = Caller(app, made["token"], mona.player)
    [other] = [item["id"] for item in ok(home.get("/sessions"))["items"] if not item["current"]]
    for who, put_out in (
        (thief, lambda: home.delete(f"/sessions/{other}")),
        (bot, lambda: home.delete(f"/tokens/{made['id']}")),
        (home, lambda: mona.send("PUT", "/players/me/password", {"password": PASSWORD, "new_password": PASSWORD})),
    ):
        code = code_of(who)
        assert put_out().status_code == 204
        refused(who.get("/players/me"), 401, "auth.required")
        refused(Caller(app).post("/transfers", {"code": code}), 404, "not_found")


def test_who_signs_out_himself_may_still_use_his_code(app: Flask) -> None:
    mona, adel = guest_browser(app), guest(app)
    code = code_of(mona)
    assert mona.delete("/sessions/current").status_code == 204
    assert ok(Caller(app).post("/transfers", {"code": code}), 201)["player"]["id"] == mona.id
    code = code_of(adel)
    [own] = ok(adel.get("/tokens"))["items"]
    assert adel.delete(f"/tokens/{own['id']}").status_code == 204
    assert ok(Caller(app).post("/transfers", {"code": code}), 201)["player"]["id"] == adel.id
