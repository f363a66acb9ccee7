"""Rooms that nobody uses close by themselves; what is done in a room counts as use."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from flask import Flask
from sqlalchemy import update

from app.extensions import db, write_transaction
from app.models import Room
from app.services import rooms
from app.services.news import News, RoomChanged
from app.services.times import utcnow
from tests.app.people import Table, guest, ok, refused, sit_down

HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)


def nobody(_code: str) -> bool:
    return False


def grow_old(app: Flask, code: str, age: timedelta) -> None:
    with app.app_context(), write_transaction() as session:
        session.execute(update(Room).where(Room.code == code).values(active_at=utcnow() - age))


def sweep(app: Flask, is_used: Callable[[str], bool] = nobody) -> list[News]:
    with app.app_context():
        return rooms.expire(utcnow(), is_used)


def active_at(app: Flask, code: str) -> datetime:
    with app.app_context():
        return db.session.get(Room, code).active_at


def status(app: Flask, code: str) -> str:
    return ok(guest(app).get(f"/rooms/{code}"))["status"]


def finished(app: Flask) -> Table:
    table = sit_down(app)
    ok(table.person(1).post(f"{table.path}/forfeits"), 201)
    return table


def test_a_room_that_waits_closes_after_two_hours(app: Flask) -> None:
    young, old = (ok(guest(app).post("/rooms", {"visibility": "public"}), 201)["code"] for _ in range(2))
    grow_old(app, young, 2 * HOUR - MINUTE)
    grow_old(app, old, 2 * HOUR)
    assert sweep(app) == [RoomChanged(old)]
    assert (status(app, young), status(app, old)) == ("waiting", "closed")
    assert old not in [room["code"] for room in ok(guest(app).get("/rooms?limit=500"))["items"]]
    refused(guest(app).post(f"/rooms/{old}/joins"), 409, "room.closed")
    assert sweep(app) == []


def test_a_room_whose_match_is_over_closes_after_a_day(app: Flask) -> None:
    young, old = finished(app), finished(app)
    ok(old.person(0).post(f"/rooms/{old.code}/rematches"), 201)
    grow_old(app, young.code, 24 * HOUR - MINUTE)
    grow_old(app, old.code, 24 * HOUR)
    assert sweep(app) == [RoomChanged(old.code)]
    assert (status(app, young.code), status(app, old.code)) == ("finished", "closed")
    assert ok(guest(app).get(f"/rooms/{old.code}"))["rematch"] == []
    refused(old.person(1).post(f"/rooms/{old.code}/rematches"), 409, "room.closed")
    assert old.view(0)["status"] == "finished"


def test_a_running_match_keeps_its_room(app: Flask) -> None:
    table = sit_down(app)
    grow_old(app, table.code, 100 * HOUR)
    assert sweep(app) == []
    assert status(app, table.code) == "playing"


def test_an_open_channel_is_use_and_its_end_begins_the_two_hours(app: Flask) -> None:
    waiting, over = ok(guest(app).post("/rooms"), 201)["code"], finished(app).code
    for code, age in ((waiting, 3 * HOUR), (over, 30 * HOUR), (waiting, 10 * MINUTE), (over, 13 * HOUR)):
        grow_old(app, code, age)
        assert sweep(app, {waiting, over}.__contains__) == []
        assert utcnow() - active_at(app, code) < MINUTE
    assert sweep(app) == []
    assert (status(app, waiting), status(app, over)) == ("waiting", "finished")


def test_a_room_that_is_used_between_the_look_and_the_closing_stays(app: Flask) -> None:
    table = finished(app)
    grow_old(app, table.code, 25 * HOUR)

    def somebody_asks(code: str) -> bool:
        if code == table.code:
            ok(table.person(0).post(f"/rooms/{table.code}/rematches"), 201)
        return False

    assert RoomChanged(table.code) not in sweep(app, somebody_asks)
    assert status(app, table.code) == "finished"


USES = {
    "a join": lambda host, other, path: other.post(f"{path}/joins"),
    "a move to another seat": lambda host, other, path: host.post(f"{path}/joins", {"seat": 2}),
    "a commitment": lambda host, other, path: host.post(f"{path}/joins", {"client_commitment": "ab" * 32}),
    "a bot": lambda host, other, path: host.post(f"{path}/bots", {"seat": 1, "level": "easy"}),
    "a bot sent away": lambda host, other, path: host.delete(f"{path}/bots/3"),
    "leaving": lambda host, other, path: host.delete(f"{path}/joins/me"),
}


@pytest.mark.parametrize("use", USES.values(), ids=list(USES))
def test_what_is_done_while_a_room_waits_is_use(app: Flask, use: Callable) -> None:
    host = guest(app)
    code = ok(host.post("/rooms", {"seats": 4}), 201)["code"]
    ok(host.post(f"/rooms/{code}/bots", {"seat": 3}), 201)
    grow_old(app, code, HOUR)
    assert use(host, guest(app), f"/rooms/{code}").status_code < 300
    assert utcnow() - active_at(app, code) < MINUTE


def test_the_end_of_a_match_and_all_about_a_rematch_is_use(app: Flask) -> None:
    table = sit_down(app)
    path = f"/rooms/{table.code}"
    calls = [
        lambda: table.person(1).post(f"{table.path}/forfeits"),
        lambda: table.person(1).post(f"{path}/rematches"),
        lambda: table.person(1).post(f"{path}/rematches", {"client_commitment": "ab" * 32}),
        lambda: table.person(1).delete(f"{path}/rematches/me"),
        lambda: table.person(1).post(f"{path}/rematches"),
        lambda: table.person(0).delete(f"{path}/rematches/me"),
        lambda: table.person(1).post(f"{path}/rematches"),
        lambda: table.person(0).post(f"{path}/rematches"),
    ]
    for call in calls:
        grow_old(app, table.code, HOUR)
        assert call().status_code < 300
        assert utcnow() - active_at(app, table.code) < MINUTE
    assert status(app, table.code) == "dealing"
