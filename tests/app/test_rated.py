"""Rated are matches of two who were registered when it began: decided at each start, and shown before one sits down."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from app.services.news import News, RoomChanged
from tests.app.accounts import PASSWORD, account, new_username, registered
from tests.app.ladder import results_of, row
from tests.app.people import Caller, Table, guest, ok, refused


def register(caller: Caller) -> dict[str, Any]:
    return registered(caller, {"username": new_username(), "password": PASSWORD})


def open_room(host: Caller, **wish: object) -> str:
    return str(ok(host.post("/rooms", wish), 201)["code"])


def shown(caller: Caller, code: str) -> bool:
    return bool(ok(caller.get(f"/rooms/{code}"))["rated"])


def finish(table: Table) -> dict[str, Any]:
    table.play_plays(4)
    return ok(table.person(1).post(f"{table.path}/forfeits"), 201)["view"]


@pytest.mark.parametrize("join", [True, False])
def test_a_guest_may_not_ask_for_rated_matches(app: Flask, join: bool) -> None:
    problem = refused(guest(app).post("/rooms", {"rated": True, "join": join}), 422, "request.invalid")
    assert list(problem["errors"]) == ["rated"]


def test_a_guest_opens_an_unrated_room(app: Flask) -> None:
    assert ok(guest(app).post("/rooms"), 201)["rated"] is False


@pytest.mark.parametrize("wanted", [None, True])
def test_a_guest_who_sits_down_makes_a_room_unrated_as_long_as_he_is_there(app: Flask, wanted: bool | None) -> None:
    mona, visitor, adel = account(app), guest(app), account(app)
    code = open_room(mona, rated=wanted, spectators=True)
    # What the room's door can tell a guest beforehand.
    assert shown(visitor, code) is True
    table = Table(ok(visitor.post(f"/rooms/{code}/joins"), 201), [mona, visitor])
    assert (shown(mona, code), table.view(0)["rated"]) == (False, False)
    assert finish(table)["result"]["scored"] is True
    assert row(app, mona).rated_at is None
    assert visitor.delete(f"/rooms/{code}/joins/me").status_code == 204
    assert shown(mona, code) is True
    table = Table(ok(adel.post(f"/rooms/{code}/joins"), 201), [mona, adel])
    assert table.view(0)["rated"] is True
    finish(table)
    assert row(app, mona).rating_value > 1500 > row(app, adel).rating_value


def test_who_registers_at_a_waiting_table_makes_it_rated(app: Flask, heard: list[News]) -> None:
    visitor, mona = guest(app), account(app)
    code = open_room(visitor)
    heard.clear()
    register(visitor)
    assert [item for item in heard if isinstance(item, RoomChanged)] == [RoomChanged(code)]
    assert shown(mona, code) is True
    assert ok(mona.post(f"/rooms/{code}/joins"), 201)["rated"] is True


def test_who_registers_during_a_match_was_a_guest_in_it_and_plays_rated_the_next_time(app: Flask) -> None:
    mona, adel = account(app), guest(app)
    code = open_room(mona)
    table = Table(ok(adel.post(f"/rooms/{code}/joins"), 201), [mona, adel])
    register(adel)
    view = finish(table)
    assert (view["rated"], view["result"]["scored"]) == (False, True)
    found = results_of(app, table.match_id)
    assert {one.rating_after for one in found.values()} == {None}
    assert {one.board_points for one in found.values()} == {0}
    assert (row(app, mona).points, row(app, mona).board_points) == (24, 0)
    for person in (mona, adel):
        room = ok(person.post(f"/rooms/{code}/rematches"), 201)
    again = Table(room, [mona, adel])
    assert (room["rated"], again.view(0)["rated"]) == (True, True)
    finish(again)
    assert {one.rating_after is None for one in results_of(app, again.match_id).values()} == {False}
    assert (row(app, mona).points, row(app, mona).board_points) == (48, 24)
