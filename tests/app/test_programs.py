"""Players who are programs: shown as such, and never in a rated match with people."""

import pytest
from flask import Flask

from app.services.news import News, RoomChanged
from tests.app.accounts import PASSWORD, account, new_username, registered
from tests.app.people import Caller, Table, guest, ok, refused, sit_down
from tests.app.test_at_once import at_once, statuses


def bot(app: Flask, name: str = "Robot") -> Caller:
    """A player who has declared to be a bot."""
    caller = guest(app, name)
    caller.player = ok(caller.post("/players/me/bot"))
    return caller


def test_a_bot_is_shown_as_one(app: Flask) -> None:
    robot, mona = bot(app), guest(app)
    assert (robot.player["bot"], robot.player["guest"], robot.player["name"]) == (True, True, "Robot")
    assert ok(mona.get(f"/players/{robot.id}"))["bot"] is True
    code = ok(robot.post("/rooms"), 201)["code"]
    match_id = ok(mona.post(f"/rooms/{code}/joins"), 201)["match_id"]
    assert mona.view(match_id)["seats"][0]["player"]["bot"] is True
    assert mona.view(match_id)["seats"][0]["bot"] is None


def test_to_declare_it_again_changes_nothing(app: Flask) -> None:
    robot = bot(app)
    assert ok(robot.post("/players/me/bot", {})) == robot.player
    code = ok(robot.post("/rooms"), 201)["code"]
    ok(guest(app).post(f"/rooms/{code}/joins"), 201)
    assert ok(robot.post("/players/me/bot"))["bot"] is True


def test_who_has_played_is_no_bot_any_more(app: Flask) -> None:
    table = sit_down(app)
    refused(table.person(0).post("/players/me/bot"), 409, "bot.too_late")
    table.play_out()
    refused(table.person(0).post("/players/me/bot"), 409, "bot.too_late")
    assert ok(table.person(0).get("/players/me"))["bot"] is False


def test_an_account_may_be_a_bot_and_a_bot_an_account(app: Flask) -> None:
    assert ok(account(app).post("/players/me/bot"))["guest"] is False
    robot = bot(app)
    made = registered(robot, {"username": new_username(), "password": PASSWORD})
    assert (made["bot"], made["guest"]) == (True, False)


def test_who_becomes_a_bot_leaves_rooms_that_were_made_with_a_person(app: Flask, heard: list[News]) -> None:
    mona, adel = guest(app), guest(app)
    code = ok(mona.post("/rooms", {"seats": 4, "rated": None}), 201)["code"]
    ok(adel.post(f"/rooms/{code}/joins"), 201)
    seek = ok(mona.post("/seeks", {"target": 55}), 201)["id"]
    heard.clear()
    ok(mona.post("/players/me/bot"))
    assert heard == [RoomChanged(code)]
    room = ok(adel.get(f"/rooms/{code}"))
    assert [place["player"] is not None for place in room["seating"]] == [False, True, False, False]
    refused(mona.get(f"/seeks/{seek}"), 404, "not_found")


def test_a_room_that_a_bot_joins_is_not_rated_as_long_as_it_is_there(app: Flask) -> None:
    robot, mona = bot(app), account(app)
    made = ok(mona.post("/rooms", {"visibility": "public"}), 201)
    assert made["rated"] is True
    table = Table(ok(robot.post(f"/rooms/{made['code']}/joins"), 201), [mona, robot])
    assert (table.view(0)["rated"], ok(mona.get(f"/rooms/{table.code}"))["rated"]) == (False, False)
    table.play_out()
    assert table.view(0)["result"]["scored"] is False
    assert robot.delete(f"/rooms/{table.code}/joins/me").status_code == 204
    assert ok(mona.get(f"/rooms/{table.code}"))["rated"] is True


def test_a_bot_stays_out_of_a_room_that_was_asked_to_be_rated(app: Flask) -> None:
    robot, mona, adel = bot(app), account(app), account(app)
    code = ok(mona.post("/rooms", {"rated": True}), 201)["code"]
    problem = refused(robot.post(f"/rooms/{code}/joins"), 422, "request.invalid")
    assert list(problem["errors"]) == ["seat"]
    assert ok(adel.post(f"/rooms/{code}/joins"), 201)["rated"] is True


@pytest.mark.parametrize("join", [True, False])
def test_a_room_that_a_bot_makes_is_not_rated_whoever_sits_there(app: Flask, join: bool) -> None:
    robot = bot(app)
    problem = refused(robot.post("/rooms", {"rated": True, "join": join}), 422, "request.invalid")
    assert list(problem["errors"]) == ["rated"]
    code = ok(robot.post("/rooms", {"join": join, "seats": 2}), 201)["code"]
    people = [account(app), account(app)]
    for one in people[join:]:
        room = ok(one.post(f"/rooms/{code}/joins"), 201)
        assert room["rated"] is False
    assert people[1].view(room["match_id"])["rated"] is False


def test_quick_match_brings_bots_together_with_bots_only(app: Flask) -> None:
    robot, other, mona, adel = bot(app), bot(app), account(app), account(app)
    seeks = [ok(one.post("/seeks", {"rules": "traditional"}), 201) for one in (robot, mona, other, adel)]
    rooms = [
        ok(one.get(f"/seeks/{seek['id']}"))["room"] for one, seek in zip((robot, mona, other, adel), seeks, strict=True)
    ]
    assert rooms[0] == rooms[2] != rooms[1] == rooms[3]
    assert None not in rooms
    assert ok(mona.get(f"/rooms/{rooms[1]}"))["rated"] is True
    assert ok(robot.get(f"/rooms/{rooms[0]}"))["rated"] is False


def test_a_match_and_a_declaration_at_once_do_not_both_count(app: Flask) -> None:
    for _ in range(4):
        mona, adel = account(app), account(app)
        code = ok(mona.post("/rooms", {"rated": True}), 201)["code"]
        declared, joined = at_once(
            [
                lambda mona=mona: mona.post("/players/me/bot"),
                lambda adel=adel, code=code: adel.post(f"/rooms/{code}/joins"),
            ]
        )
        assert statuses([declared, joined]) in ({200: 1, 409: 1}, {409: 1, 201: 1})
        if joined.status_code == 201:
            assert declared.json["code"] == "bot.too_late"
