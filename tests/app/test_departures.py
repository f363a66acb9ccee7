"""Players who leave for good, and what everyone may take along."""

import json
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import inspect, select, update

from app.extensions import db, write_transaction
from app.models import Block, MatchRow, Message, Player, Report, Room, RoomSeat, Seek, Token, Transfer
from app.services import (
    accounts,
    bearers,
    blocks,
    departures,
    exports,
    reports,
    rooms,
    running,
    seating,
    seeks,
    tokens,
    transfers,
)
from app.services.errors import Refusal
from app.services.news import MatchMoved, News, RoomChanged, SignedOut
from app.services.room_rules import RoomWish
from app.services.times import utcnow
from tests.app.accounts import PASSWORD, account, browser, guest_browser, new_username, registered, sign_in
from tests.app.people import Caller, Table, guest, ok, refused, sit_down
from tests.app.test_at_once import at_once, statuses

NAME = "Deleted player"


def delete(caller: Caller, **body: object):
    return caller.delete("/players/me", json=body) if body else caller.delete("/players/me")


def gone(caller: Caller, **body: object) -> None:
    assert delete(caller, **body).status_code == 204
    refused(caller.get("/players/me"), 401, "auth.required")


def row_of(app: Flask, player_id: str) -> Player:
    with app.app_context():
        return db.session.get_one(Player, player_id)


def test_a_guest_leaves_without_a_password(app: Flask) -> None:
    mona, adel = guest(app, "Mona"), guest(app)
    gone(mona)
    assert ok(adel.get(f"/players/{mona.id}"))["name"] == NAME


def test_an_account_leaves_by_its_password_only(app: Flask) -> None:
    mona = account(app)
    for body in ({}, {"password": None}, {"password": "wrong"}):
        refused(delete(mona, **body), 403, "account.wrong_password")
    refused(delete(mona, password=7), 422, "request.invalid")
    ok(sign_in(app, mona.player["username"]), 201)
    gone(mona, password=PASSWORD)
    refused(sign_in(app, mona.player["username"]), 401, "auth.required")


def test_the_username_is_free_again(app: Flask) -> None:
    mona, username = account(app), new_username()
    gone(account(app, username=username), password=PASSWORD)
    again = account(app, username=username)
    assert again.id != mona.id


def test_every_session_and_token_ends_with_the_player(app: Flask, heard: list[News]) -> None:
    mona = account(app)
    here, there = browser(app, mona), browser(app, mona)
    program = Caller(app, ok(mona.post("/tokens", {"label": "bot", "scopes": ["read"]}), 201)["token"])
    code = ok(mona.post("/players/me/transfers"), 201)["code"]
    response = delete(here, password=PASSWORD)
    assert response.headers["Set-Cookie"].startswith("basra_session=;")
    for caller in (mona, here, there, program):
        refused(caller.get("/players/me"), 401, "auth.required")
    refused(Caller(app).post("/transfers", {"code": code}), 404, "not_found")
    *_, told = [item for item in heard if isinstance(item, SignedOut)]
    assert len(told.token_ids) == 5  # with the one that ended when she registered


def test_a_running_match_is_forfeited_first(app: Flask, heard: list[News]) -> None:
    table, second = sit_down(app), None
    mona, adel = table.people
    second = ok(mona.post("/rooms"), 201)["code"]
    ok(guest(app).post(f"/rooms/{second}/joins"), 201)
    heard.clear()
    gone(mona)
    view = adel.view(table.match_id)
    assert (view["status"], view["result"]["reason"], view["result"]["winner"]) == ("finished", "forfeit", 1)
    moved = [item for item in heard if isinstance(item, MatchMoved)]
    assert [item.events[-1]["type"] for item in moved] == ["match_finished"] * 2
    assert {item.code for item in heard if isinstance(item, RoomChanged)} == {table.code, second}
    # The room waits for somebody else, whose host is the one who stayed.
    room = ok(adel.get(f"/rooms/{table.code}"))
    assert (room["status"], room["host"]) == ("waiting", adel.id)


def test_a_forfeited_match_scores_as_a_loss(app: Flask) -> None:
    table = sit_down(app)
    table.play_plays(4)
    gone(table.people[0])
    assert table.person(1).view(table.match_id)["result"]["scored"] is True
    assert ok(table.person(1).get("/players/me"))["points"] == 24
    assert row_of(app, table.person(0).id).points == 3


def test_finished_matches_stand_under_the_name_of_nobody(app: Flask) -> None:
    table = sit_down(app, visibility="public", target=None)
    mona, adel = table.people
    table.play_out()
    gone(mona)
    names = [seat["player"]["name"] for seat in adel.view(table.match_id)["seats"]]
    assert names == [NAME, "Adel"]
    started = ok(adel.get(f"{table.path}/events"))["items"][0]
    assert started["seats"][0]["player"]["name"] == NAME
    assert ok(adel.get(f"{table.path}/transcript"))["players"][0]["name"] == NAME
    [item] = ok(adel.get("/matches"))["items"]
    assert item["seats"][0]["player"]["name"] == NAME
    assert [item["id"] for item in ok(guest(app).get(f"/matches?player={mona.id}"))["items"]] == [table.match_id]


def test_who_has_a_match_already_is_told_of_the_name_that_is_gone(app: Flask) -> None:
    table = sit_down(app)
    mona, adel = table.people
    ok(mona.post(f"{table.path}/forfeits"), 201)
    paths = [table.path, f"{table.path}/events", f"{table.path}/transcript", f"/players/{mona.id}"]
    marks = {path: adel.get(path).headers.get("ETag") for path in paths}
    assert all(marks[path] for path in paths[:3])
    gone(mona)
    for path, mark in marks.items():
        assert NAME in adel.get(path, headers={"If-None-Match": mark or '"none"'}).text


def test_nothing_that_is_stored_says_who_it_was(app: Flask) -> None:
    """Whatever has her name, username or password hash in any table at first has it in none at last."""
    username = new_username()
    mona, adel = account(app, "Mona Mansour", username), guest(app)
    code = ok(mona.post("/rooms", {"name": "Mona Mansour's", "chat": True}), 201)["code"]
    ok(mona.post("/rooms", {"name": "Mona Mansour too", "join": False}), 201)
    ok(adel.post(f"/rooms/{code}/joins"), 201)
    ok(mona.post("/tokens", {"label": "Mona Mansour's bot", "scopes": ["read"]}), 201)
    ok(mona.post(f"/rooms/{code}/messages", {"text": "I am Mona Mansour"}), 201)
    ok(adel.post(f"/rooms/{code}/messages", {"text": "I am not"}), 201)
    ok(adel.post("/reports", {"player": mona.id, "room": code, "reason": "name", "text": "look"}), 201)
    ok(mona.post("/reports", {"player": adel.id, "reason": "name", "text": "Mona Mansour says"}), 201)
    secrets = ("Mona Mansour", username, row_of(app, mona.id).password_hash)
    assert {table for secret in secrets for table in tables_with(app, secret)} == {
        "players", "rooms", "match_seats", "tokens", "messages", "reports"
    }  # fmt: skip
    gone(mona, password=PASSWORD)
    for secret in secrets:
        assert tables_with(app, secret) == set()
    with app.app_context():
        [report] = db.session.scalars(select(Report).where(Report.reported_id == mona.id))
        assert [line["text"] for line in report.messages] == ["I am not"]


def tables_with(app: Flask, text: str | None) -> set[str]:
    """The tables of whose rows one has a text anywhere."""
    found = set()
    assert text
    with app.app_context():
        for table in inspect(db.engine).get_table_names():
            rows = db.session.execute(db.text(f'SELECT * FROM "{table}"')).all()
            if any(text in json.dumps([str(value) for value in row], ensure_ascii=False) for row in rows):
                found.add(table)
    return found


def test_what_was_hers_alone_is_gone(app: Flask) -> None:
    mona, adel = account(app), guest(app)
    ok(mona.post("/seeks"), 201)
    ok(mona.send("PUT", f"/blocks/{adel.id}", {"kind": "block"}))
    ok(adel.send("PUT", f"/blocks/{mona.id}", {"kind": "mute"}))
    ok(mona.post("/players/me/transfers"), 201)
    ok(mona.post("/rooms"), 201)
    gone(mona, password=PASSWORD)
    with app.app_context():
        for column in (
            Token.player_id, Transfer.player_id, Seek.player_id, Block.player_id, Block.other_id, Message.player_id,
            Report.reporter_id, RoomSeat.player_id,
        ):  # fmt: skip
            assert db.session.scalars(select(column).where(column == mona.id)).all() == [], column
        row = db.session.get_one(Player, mona.id)
        assert (row.name, row.username, row.password_hash) == (NAME, None, None)
        assert row.deleted_at is not None
    assert ok(adel.get("/blocks"))["items"] == []


def test_a_host_who_leaves_passes_the_room_on(app: Flask) -> None:
    mona, adel = guest(app), guest(app)
    shared = ok(mona.post("/rooms", {"seats": 4, "name": "Ours"}), 201)["code"]
    ok(adel.post(f"/rooms/{shared}/joins", {"seat": 2}), 201)
    alone = ok(mona.post("/rooms"), 201)["code"]
    unseated = ok(mona.post("/rooms", {"join": False}), 201)["code"]
    hosted = ok(mona.post("/rooms", {"join": False, "seats": 4}), 201)["code"]
    ok(adel.post(f"/rooms/{hosted}/joins", {"seat": 3}), 201)
    gone(mona)
    room = ok(adel.get(f"/rooms/{shared}"))
    assert (room["host"], room["status"], room["name"]) == (adel.id, "waiting", None)
    assert [place["player"] is not None for place in room["seating"]] == [False, False, True, False]
    for code in (alone, unseated):
        assert ok(adel.get(f"/rooms/{code}"))["status"] == "closed"
    assert ok(adel.get(f"/rooms/{hosted}"))["host"] == adel.id
    assert adel.delete(f"/rooms/{hosted}").status_code == 204


def test_of_many_deletions_at_once_one_counts(app: Flask) -> None:
    table = sit_down(app)
    mona = table.person(0)
    answers = at_once([lambda: delete(mona)] * 6)
    counted = statuses(answers)
    assert (counted[204], counted[204] + counted[401]) == (1, 6)
    assert table.person(1).view(table.match_id)["result"]["reason"] == "forfeit"


def test_a_match_that_began_meanwhile_is_forfeited_too(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    mona, adel = guest(app), guest(app)
    ok(mona.post("/seeks", {"target": 91}), 201)
    asked: list[str] = []
    found = running.running_of

    def and_then_paired(session: Any, player_id: str) -> Any:
        answer = found(session, player_id)
        if not asked:
            asked.append(player_id)
            seeks.seek(adel.id, RoomWish(target=91))
        return answer

    monkeypatch.setattr(departures, "running_of", and_then_paired)
    gone(mona)
    [match] = ok(adel.get("/matches"))["items"]
    assert (match["status"], match["result"]["reason"]) == ("finished", "forfeit")
    assert match["seats"][0]["player"]["name"] == NAME


def test_a_request_that_was_let_in_before_leaves_no_ghost(app: Flask) -> None:
    mona, adel = guest(app), guest(app)
    code = ok(adel.post("/rooms"), 201)["code"]
    gone(mona)
    for late in (
        lambda: rooms.create(mona.id, RoomWish()),
        lambda: seating.join(mona.id, code),
        lambda: seeks.seek(mona.id, RoomWish()),
        lambda: tokens.create(mona.id, frozenset(bearers.SCOPES), "late", ["read"], None),
        lambda: transfers.create(mona.id),
        lambda: accounts.register(mona.id, new_username(), PASSWORD, current="", address="", device=None),
        lambda: accounts.rename(mona.id, "Mona"),
        lambda: accounts.declare_bot(mona.id),
        lambda: blocks.keep_away(mona.id, adel.id, "block"),
        lambda: reports.report(mona.id, adel.id, None, "other", "late"),
    ):
        with app.app_context(), pytest.raises(Refusal) as refusal:
            late()
        assert refusal.value.code == "auth.required"
    with app.app_context():
        assert db.session.scalars(select(Room.code).where(Room.host_id == mona.id, Room.status != "closed")).all() == []


def test_a_password_that_was_changed_meanwhile_deletes_nobody(app: Flask) -> None:
    mona = account(app)
    stored = row_of(app, mona.id).password_hash
    with app.app_context(), write_transaction() as session:
        session.execute(update(Player).where(Player.id == mona.id).values(password_hash="another"))
    with app.app_context():
        refusal, news = departures.leave(mona.id, stored)
    assert refusal is not None
    assert (refusal.code, news) == ("account.wrong_password", [])
    ok(mona.get("/players/me"))


def test_a_turn_that_has_run_out_counts_before_the_departure(app: Flask) -> None:
    table = sit_down(app)
    late = table.view(0)["to_act"]
    with app.app_context(), write_transaction() as session:
        session.execute(update(MatchRow).where(MatchRow.id == table.match_id).values(deadline_at=utcnow()))
    gone(table.person(1 - late))
    result = table.person(late).view(table.match_id)["result"]
    assert (result["reason"], result["seat"]) == ("timeout", late)


def exported(caller: Caller) -> dict[str, Any]:
    response = caller.get("/players/me/export")
    assert response.headers["Content-Disposition"] == 'attachment; filename="basra.json"'
    found: dict[str, Any] = ok(response)
    return found


def test_everything_about_me_can_be_taken_along(app: Flask) -> None:
    table: Table = sit_down(app, chat=True, target=None)
    mona, adel = table.people
    username = new_username()
    registered(mona, {"username": username, "password": PASSWORD})
    ok(mona.post(f"/rooms/{table.code}/messages", {"text": "Good luck"}), 201)
    table.play_out()
    ok(mona.post("/seeks", {"seats": 4}), 201)
    ok(mona.post("/tokens", {"label": "bot", "scopes": ["read"]}), 201)
    ok(mona.send("PUT", f"/blocks/{adel.id}", {"kind": "mute"}))
    ok(mona.post("/reports", {"player": adel.id, "reason": "other", "text": "slow"}), 201)
    browser(app, Caller(app, player={"username": username}))
    found = exported(mona)
    # Where she stands, too: nothing but the results says it otherwise, and a bot account none of it.
    created_at = found["player"].pop("created_at")
    assert created_at < found["exported_at"]
    assert found["player"] == ok(mona.get("/players/me"))
    assert (found["player"]["username"], found["player"]["guest"], found["player"]["bot"]) == (username, False, False)
    assert {name: len(items) for name, items in found.items() if isinstance(items, list)} == {
        "sessions": 1, "devices": 2, "tokens": 2, "seeks": 1, "rooms": 1, "matches": 1, "results": 1, "blocks": 1,
        "reports": 1, "messages": 1, "decisions": 0,
    }  # fmt: skip
    assert found["matches"][0]["id"] == found["results"][0]["match"] == table.match_id
    assert found["messages"] == [{"room": table.code, "text": "Good luck", "at": found["messages"][0]["at"]}]
    # Of the other one only what everyone sees.
    assert "Good luck" not in json.dumps(exported(adel))


def test_a_running_match_is_exported_without_cards(app: Flask) -> None:
    table = sit_down(app)
    found = exported(table.person(0))
    [match] = found["matches"]
    assert match["id"] == table.match_id
    del match["rules"]  # they name the cards that have points
    text = json.dumps(found)
    assert not any(f'"{card}"' in text for card in table.view(0)["you"]["hand"] + table.view(1)["you"]["hand"])


def test_the_export_has_all_pages(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exports, "PAGE", 2)
    table = sit_down(app)
    mona, adel = table.people
    for number in range(5):
        ok(mona.post(f"/matches/{ok(mona.get(f'/rooms/{table.code}'))['match_id']}/forfeits"), 201)
        if number < 4:
            for one in (mona, adel):
                ok(one.post(f"/rooms/{table.code}/rematches"), 201)
    assert len(exported(mona)["matches"]) == 5


def test_no_secret_is_in_any_answer_or_line_of_the_log(app: Flask, caplog: pytest.LogCaptureFixture) -> None:
    mona = guest_browser(app)
    username = new_username()
    registered(mona, {"username": username, "password": PASSWORD})
    made = ok(mona.post("/tokens", {"label": "bot", "scopes": ["read", "play", "account"]}), 201)
    code = ok(mona.post("/players/me/transfers"), 201)["code"]
    ok(sign_in(app, username), 201)
    refused(sign_in(app, username, PASSWORD + "?"), 401, "auth.required")
    refused(mona.send("PUT", "/players/me/password", {"password": "x", "new_password": PASSWORD}), 403,
            "account.wrong_password")  # fmt: skip
    with app.app_context():
        hashes = [db.session.get_one(Player, mona.id).password_hash]
        hashes += db.session.scalars(select(Token.token_hash).where(Token.player_id == mona.id)).all()
        hashes += db.session.scalars(select(Transfer.code_hash).where(Transfer.player_id == mona.id)).all()
    assert len(hashes) == 5
    secrets = [PASSWORD, mona.cookie, made["token"], code, code.replace("-", ""), *hashes]
    answers = [mona.get(path).text for path in PATHS] + [mona.get(f"/players/{mona.id}").text]
    for secret in secrets:
        assert not any(secret in answer for answer in answers)
        assert secret not in caplog.text
    for secret in hashes:
        assert secret not in json.dumps(made)


PATHS = ("/players/me", "/players/me/export", "/sessions", "/tokens", "/blocks", "/matches", "/rooms")


def test_who_leaves_while_others_play_in_his_room_is_its_host_no_more(app: Flask, heard: list[News]) -> None:
    mona, adel, samia = (guest(app, name) for name in ("Mona", "Adel", "Samia"))
    code = ok(mona.post("/rooms", {"join": False, "name": "Mona's"}), 201)["code"]
    for one in (adel, samia):
        room = ok(one.post(f"/rooms/{code}/joins"), 201)
    heard.clear()
    gone(mona)
    assert RoomChanged(code) in heard
    room = ok(adel.get(f"/rooms/{code}"))
    assert (room["host"], room["status"], room["name"]) == (adel.id, "playing", None)
    ok(adel.post(f"/matches/{room['match_id']}/forfeits"), 201)
    for one in (adel, samia):
        assert one.delete(f"/rooms/{code}/joins/me").status_code == 204
    assert ok(adel.get(f"/rooms/{code}"))["status"] == "closed"
