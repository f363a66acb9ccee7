"""Guests who register, names, passwords, and players who are programs."""

import unicodedata

import pytest
from flask import Flask
from werkzeug.security import generate_password_hash

from app.extensions import db, write_transaction
from app.models import Player
from app.services import passwords
from app.services.news import News, RoomChanged, SignedOut
from app.services.usernames import fold
from tests.app.accounts import PASSWORD, account, browser, guest_browser, new_username, sign_in
from tests.app.people import Caller, guest, ok, refused, sit_down
from tests.app.test_at_once import at_once, statuses


def test_a_guest_who_registers_stays_who_he_is(app: Flask) -> None:
    mona, other = guest_browser(app, "Mona"), guest(app)
    program = ok(mona.post("/tokens", {"label": "bot", "scopes": ["read"]}), 201)["token"]
    code = ok(mona.post("/rooms"), 201)["code"]
    username = new_username()
    made = ok(mona.post("/players/me/account", {"username": username, "password": PASSWORD}), 201)
    assert (made["id"], made["name"], made["guest"], made["username"]) == (mona.id, "Mona", False, username)
    assert ok(mona.get("/players/me")) == made
    assert ok(Caller(app, program).get("/players/me"))["id"] == mona.id
    seat = ok(other.get(f"/rooms/{code}"))["seating"][0]["player"]
    assert seat == {"id": mona.id, "name": "Mona", "guest": False, "bot": False}


def test_the_token_of_a_guest_ends_when_they_register(app: Flask, heard: list[News]) -> None:
    mona = guest(app)
    before, username = Caller(app, mona.token), new_username()
    program = Caller(app, ok(mona.post("/tokens", {"label": "bot", "scopes": ["read"]}), 201)["token"])
    code = ok(mona.post("/players/me/transfers"), 201)["code"]
    first = next(one["id"] for one in ok(mona.get("/tokens"))["items"] if one["label"] is None)
    made = ok(mona.post("/players/me/account", {"username": username, "password": PASSWORD}), 201)
    assert made["token"].startswith("bsr_") and SignedOut((first,)) in heard
    refused(before.get("/players/me"), 401, "auth.required")
    refused(Caller(app).post("/transfers", {"code": code}), 404, "not_found")
    assert ok(program.get("/players/me"))["id"] == mona.id
    # What comes in its place may do as much.
    now = Caller(app, made["token"])
    assert change(now, PASSWORD).status_code == 204
    assert ok(now.get("/tokens"))["items"][0]["scopes"] == ["read", "play", "account"]


def test_a_session_that_registers_goes_on_and_a_token_that_was_made_too(app: Flask) -> None:
    mona = guest(app)
    program = Caller(
        app, ok(mona.post("/tokens", {"label": "all", "scopes": ["read", "play", "account"]}), 201)["token"]
    )
    made = ok(program.post("/players/me/account", {"username": new_username(), "password": PASSWORD}), 201)
    assert "token" not in made
    ok(program.get("/players/me"))
    refused(mona.get("/players/me"), 401, "auth.required")
    page = guest_browser(app)
    answer = page.post("/players/me/account", {"username": new_username(), "password": PASSWORD})
    assert "token" not in ok(answer, 201)
    assert answer.headers["Set-Cookie"].startswith("basra_device=")
    ok(page.get("/players/me"))


@pytest.mark.parametrize(
    "password", ["12345678", "password123", "Password1", "qwertyuiop", "ＩＬＯＶＥＹＯＵ１", "football1", "1q2w3e4r"]
)
def test_a_password_that_is_tried_first_is_refused(app: Flask, password: str) -> None:
    body = {"username": new_username(), "password": password}
    problem = refused(guest(app).post("/players/me/account", body), 422, "request.invalid")
    assert problem["errors"] == {"password": ["Is one of the most common passwords."]}
    mona = account(app)
    problem = refused(change(mona, PASSWORD, password), 422, "request.invalid")
    assert list(problem["errors"]) == ["new_password"]
    ok(sign_in(app, mona.player["username"]), 201)


def test_ten_thousand_of_them_are_known() -> None:
    assert len(passwords.COMMON) >= 10_000
    assert not {"three cups of tea", "four cups of tea"} & passwords.COMMON


def test_a_hash_of_a_former_way_is_good_takes_as_long_and_is_made_anew(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By what is worked out, not by a clock that other work on the machine moves."""
    mona = account(app)
    username = mona.player["username"]
    former = generate_password_hash(PASSWORD, "scrypt:32768:8:1")
    with app.app_context(), write_transaction() as session:
        session.get_one(Player, mona.id).password_hash = former
    monkeypatch.setitem(app.extensions, "hasher", passwords.Hasher())
    worked, check = [], passwords.check_password_hash

    def counted(stored: str, password: str) -> bool:
        n, r, p = (int(part) for part in stored.split("$")[0].split(":")[1:])
        worked.append(n * r * p)
        return check(stored, password)

    monkeypatch.setattr(passwords, "check_password_hash", counted)
    costs = []
    for name, password, status in [
        (new_username(), "wrong", 401), (username, "wrong", 401), (username, PASSWORD, 201), (username, PASSWORD, 201),
    ]:  # fmt: skip
        assert sign_in(app, name, password).status_code == status
        costs.append(sum(worked))
        worked.clear()
    assert costs == [16384 * 8 * 5] * 4
    with app.app_context():
        stored = db.session.get_one(Player, mona.id).password_hash
    assert stored.startswith("scrypt:16384:8:5$")


def test_a_username_is_nobody_elses_business(app: Flask) -> None:
    mona, other = account(app), guest(app)
    code = ok(mona.post("/rooms"), 201)["code"]
    for path in (f"/players/{mona.id}", f"/rooms/{code}"):
        assert mona.player["username"] not in other.get(path).text


def test_an_account_is_made_once(app: Flask) -> None:
    mona = account(app)
    body = {"username": new_username(), "password": PASSWORD}
    refused(mona.post("/players/me/account", body), 409, "account.exists")
    assert ok(mona.get("/players/me"))["username"] == mona.player["username"]
    # The name that he did not get is free.
    account(app, username=body["username"])


@pytest.mark.parametrize(
    ("first", "second"),
    [("Samia", "SAMIA"), ("straße", "STRASSE"), ("ﬁfi", "fifi"), ("e\u0301mile", "Émile"), ("σοφος", "ΣΟΦΟΣ")],
)
def test_two_spellings_of_a_username_are_one(app: Flask, first: str, second: str) -> None:
    account(app, username=first)
    body = {"username": second, "password": PASSWORD}
    refused(guest(app).post("/players/me/account", body), 409, "account.username_taken")
    ok(sign_in(app, second), 201)


@pytest.mark.parametrize("username", ["abc", "منى", "منى_٢٠", "a" * 24, "मोना", "___", "Ａli"])
def test_usernames_are_of_any_script(app: Flask, username: str) -> None:
    assert account(app, username=username).player["username"] == fold(username)


@pytest.mark.parametrize(
    "username",
    ["", "ab", "a" * 25, "ß" * 13, "mona adel", "mona-adel", "m@na", "mona\u200b", "mona\u202e", "\u3164\u3164\u3164",
     "\u0301mona", "mo\nna", "mona½", "mona\0", "\ud800abc", 7, None, ["mona"]],
)  # fmt: skip
def test_what_cannot_be_a_username_is_refused(app: Flask, username: object) -> None:
    mona = guest(app)
    problem = refused(
        mona.post("/players/me/account", {"username": username, "password": PASSWORD}), 422, "request.invalid"
    )
    assert list(problem["errors"]) == ["username"]
    assert ok(mona.get("/players/me"))["guest"] is True


@pytest.mark.parametrize("password", ["", "1234567", "x" * 129, "with a \0 in it", 12345678, None])
def test_what_cannot_be_a_password_is_refused(app: Flask, password: object) -> None:
    body = {"username": new_username(), "password": password}
    problem = refused(guest(app).post("/players/me/account", body), 422, "request.invalid")
    assert list(problem["errors"]) == ["password"]


@pytest.mark.parametrize("password", ["x" * 8, "ش" * 128, "   with spaces   ", "pa\u0301sswort", "🃏🃏🃏🃏🃏🃏🃏🃏"])
def test_passwords_are_of_any_characters(app: Flask, password: str) -> None:
    mona, username = guest(app), new_username()
    ok(mona.post("/players/me/account", {"username": username, "password": password}), 201)
    ok(sign_in(app, username, unicodedata.normalize("NFC", password)), 201)
    for other in (password + "x", password[:-1], password.upper() + " ", password.strip() + "."):
        refused(sign_in(app, username, other), 401, "auth.required")


def test_of_many_who_want_one_username_one_gets_it(app: Flask) -> None:
    people = [guest(app) for _ in range(6)]
    username = new_username()
    spellings = [username, username.upper(), username.title(), username, username.upper(), username]
    answers = at_once(
        [
            lambda one=one, name=name: one.post("/players/me/account", {"username": name, "password": PASSWORD})
            for one, name in zip(people, spellings, strict=True)
        ]
    )
    assert statuses(answers) == {201: 1, 409: 5}
    assert {answer.json["code"] for answer in answers if answer.status_code == 409} == {"account.username_taken"}
    winner = people[[answer.status_code for answer in answers].index(201)]
    winner.token = next(answer.json["token"] for answer in answers if answer.status_code == 201)
    assert ok(sign_in(app, username), 201)["player"]["id"] == winner.id
    assert [ok(one.get("/players/me"))["guest"] for one in people].count(True) == 5


def test_one_guest_registering_many_times_registers_once(app: Flask) -> None:
    mona = guest(app)
    names = [new_username() for _ in range(4)]
    answers = at_once(
        [lambda name=name: mona.post("/players/me/account", {"username": name, "password": PASSWORD}) for name in names]
    )
    assert statuses(answers) == {201: 1, 409: 3}
    taken = [sign_in(app, name).status_code for name in names]
    assert sorted(taken) == [201, 401, 401, 401]


def test_passwords_are_stored_slowly_hashed(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(app.extensions, "hasher", passwords.Hasher())
    mona, adel = account(app), account(app)
    with app.app_context():
        stored = [db.session.get(Player, one.id).password_hash for one in (mona, adel)]
    assert all(text.startswith("scrypt:16384:8:5$") and PASSWORD not in text for text in stored)
    assert stored[0] != stored[1]


def test_a_player_is_shown_under_his_new_name_from_then_on(app: Flask, heard: list[News]) -> None:
    table = sit_down(app)
    mona, adel = table.people
    code = ok(mona.post("/rooms"), 201)["code"]
    heard.clear()
    assert ok(mona.send("PATCH", "/players/me", {"name": "e\u0301mile"}))["name"] == "é" + "mile"
    assert set(heard) == {RoomChanged(code), RoomChanged(table.code)}
    assert ok(adel.get(f"/rooms/{code}"))["seating"][0]["player"]["name"] == "émile"
    assert ok(adel.get(f"/players/{mona.id}"))["name"] == "émile"
    # A match that has begun is played by those who began it.
    assert table.view(1)["seats"][0]["player"]["name"] == "Mona"


def test_the_same_name_again_is_no_news(app: Flask, heard: list[News]) -> None:
    mona = guest(app, "Mona")
    ok(mona.post("/rooms"), 201)
    heard.clear()
    ok(mona.send("PATCH", "/players/me", {"name": "Mona"}))
    assert heard == []


@pytest.mark.parametrize("body", [{"name": ""}, {"name": "a\u202eb"}, {"name": None}, {}, {"guest": False}])
def test_a_name_that_cannot_be_shown_changes_nothing(app: Flask, body: dict[str, object]) -> None:
    mona = guest(app, "Mona")
    refused(mona.send("PATCH", "/players/me", body), 422, "request.invalid")
    assert ok(mona.get("/players/me"))["name"] == "Mona"


def change(caller: Caller, password: str, new_password: str = "four cups of tea"):
    return caller.send("PUT", "/players/me/password", {"password": password, "new_password": new_password})


def test_another_password_signs_out_the_others_and_keeps_the_tokens(app: Flask) -> None:
    mona = account(app)
    here, there = browser(app, mona), browser(app, mona)
    program = Caller(app, ok(here.post("/tokens", {"label": "bot", "scopes": ["read"]}), 201)["token"])
    assert change(here, PASSWORD).status_code == 204
    refused(there.get("/players/me"), 401, "auth.required")
    for caller in (here, program, mona):
        assert ok(caller.get("/players/me"))["id"] == mona.id
    refused(sign_in(app, mona.player["username"]), 401, "auth.required")
    ok(sign_in(app, mona.player["username"], "four cups of tea"), 201)


def test_another_password_ends_the_tokens_too_where_that_is_asked(app: Flask, heard: list[News]) -> None:
    mona = account(app)
    here = browser(app, mona)
    made = [ok(here.post("/tokens", {"label": "bot", "scopes": ["read", "account"]}), 201) for _ in range(2)]
    programs = [Caller(app, one["token"]) for one in made]
    body = {"password": PASSWORD, "new_password": "four cups of tea", "end_tokens": True}
    assert programs[0].send("PUT", "/players/me/password", body).status_code == 204
    ok(programs[0].get("/players/me"))
    refused(programs[1].get("/players/me"), 401, "auth.required")
    refused(here.get("/players/me"), 401, "auth.required")
    assert any(isinstance(item, SignedOut) and made[1]["id"] in item.token_ids for item in heard)


def test_a_wrong_password_changes_nothing(app: Flask) -> None:
    mona = account(app)
    there = browser(app, mona)
    refused(change(mona, "wrong"), 403, "account.wrong_password")
    refused(change(mona, PASSWORD, "short"), 422, "request.invalid")
    ok(there.get("/players/me"))
    ok(sign_in(app, mona.player["username"]), 201)


def test_a_guest_has_no_password_to_change(app: Flask) -> None:
    refused(change(guest(app), ""), 403, "account.needed")


def test_of_two_new_passwords_at_once_one_counts(app: Flask) -> None:
    mona = account(app)
    chosen = ["four cups of tea", "five cups of tea"]
    answers = at_once([lambda one=one: change(mona, PASSWORD, one) for one in chosen])
    assert statuses(answers) == {204: 1, 403: 1}
    winner = chosen[[answer.status_code for answer in answers].index(204)]
    ok(sign_in(app, mona.player["username"], winner), 201)


def test_who_waits_too_long_for_a_hash_is_told_to_try_again(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    mona = account(app)
    monkeypatch.setattr(passwords, "WAIT_S", 0.01)
    monkeypatch.setitem(app.extensions, "hasher", passwords.Hasher(at_once=1))
    with_all_places_taken: list[int] = []

    def aside(work):
        if not with_all_places_taken:
            with_all_places_taken.append(1)
            refused(sign_in(app, mona.player["username"]), 503, "unavailable")
        return work()

    app.extensions["hasher"].aside = aside
    ok(sign_in(app, mona.player["username"]), 201)
    assert with_all_places_taken == [1]
