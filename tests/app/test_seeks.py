"""Quick match: seeks are paired in order of arrival, and end when nobody hears of the seeker."""

from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy import delete, func, select, update

from app.extensions import db, write_transaction
from app.jobs.sweeps import SeekSweep
from app.models import Room, Seek
from app.services import seeks
from app.services.news import MatchMoved, News, RoomChanged, SeekPaired
from app.services.times import utcnow
from tests.app.accounts import account
from tests.app.people import Caller, guest, ok, refused

SEEK = {"id", "seats", "rules", "target", "room", "created_at"}


@pytest.fixture(autouse=True)
def nobody_else_seeks(app: Flask) -> None:
    with app.app_context(), write_transaction() as session:
        session.execute(delete(Seek))


def seek(caller: Caller, status: int = 201, **wish: object) -> dict:
    return ok(caller.post("/seeks", wish), status)


def looked_at(caller: Caller, made: dict) -> dict:
    return ok(caller.get(f"/seeks/{made['id']}"))


def be_silent(app: Flask, made: dict, seconds: float) -> None:
    """Let the seeker have been heard of last so long ago."""
    with app.app_context(), write_transaction() as session:
        session.execute(update(Seek).where(Seek.id == made["id"]).values(seen_at=utcnow() - timedelta(seconds=seconds)))


def stored(app: Flask) -> int:
    with app.app_context():
        return db.session.scalar(select(func.count()).select_from(Seek)) or 0


def test_a_seek_waits_for_others(app: Flask) -> None:
    mona = guest(app)
    response = mona.post("/seeks", {"seats": 2, "rules": "classic", "target": 121})
    made = ok(response, 201)
    assert made.keys() == SEEK
    assert (made["seats"], made["rules"], made["target"], made["room"]) == (2, "classic", 121, None)
    assert response.headers["Location"] == f"/api/v1/seeks/{made['id']}"
    assert looked_at(mona, made) == made


def test_a_seek_without_wishes_is_for_two_and_classic(app: Flask) -> None:
    made = ok(guest(app).post("/seeks"), 201)
    assert (made["seats"], made["rules"], made["target"]) == (2, "classic", 121)
    assert seek(guest(app), rules="traditional")["target"] == 101
    assert seek(guest(app), target=None)["target"] is None


def test_two_who_want_the_same_sit_in_order_of_arrival_and_play(app: Flask, heard: list[News]) -> None:
    mona, adel = account(app, "Mona"), account(app, "Adel")
    heard.clear()
    first = seek(mona)
    second = seek(adel, seats=2, rules="classic", target=121)
    assert second["room"] is not None
    assert looked_at(mona, first) == {**first, "room": second["room"]}
    room = ok(mona.get(f"/rooms/{second['room']}"))
    assert [place["player"]["id"] for place in room["seating"]] == [mona.id, adel.id]
    expected = {
        "host": mona.id, "status": "playing", "visibility": "public", "rated": True, "turn_seconds": 120,
        "spectators": False, "seeded": False, "name": None,
    }  # fmt: skip
    assert {name: room[name] for name in expected} == expected
    assert mona.view(room["match_id"])["you"]["seat"] == 0
    assert adel.view(room["match_id"])["you"]["seat"] == 1
    paired = [(item.player_id, item.seek_id) for item in heard if isinstance(item, SeekPaired)]
    assert paired == [(mona.id, first["id"]), (adel.id, second["id"])]
    assert [type(item) for item in heard[2:]] == [RoomChanged, MatchMoved]


def test_four_who_want_the_same_are_two_pairs(app: Flask) -> None:
    people = [guest(app, name) for name in ("Mona", "Adel", "Samia", "Fouad")]
    made = [seek(one, seats=4) for one in people]
    assert [one["room"] for one in made[:3]] == [None] * 3
    room = ok(people[0].get(f"/rooms/{made[3]['room']}"))
    assert [place["player"]["id"] for place in room["seating"]] == [one.id for one in people]
    assert (room["status"], room["rated"]) == ("playing", False)
    assert {looked_at(one, its)["room"] for one, its in zip(people, made, strict=True)} == {room["code"]}


@pytest.mark.parametrize(
    "other", [{"seats": 4}, {"rules": "traditional", "target": 121}, {"target": 101}, {"target": None}]
)
def test_only_those_who_want_exactly_the_same_are_paired(app: Flask, other: dict) -> None:
    mona, adel = guest(app), guest(app)
    made = seek(mona)
    assert seek(adel, **other)["room"] is None
    assert looked_at(mona, made)["room"] is None


def test_single_rounds_are_paired_with_each_other(app: Flask) -> None:
    seek(guest(app), target=None)
    assert seek(guest(app), target=None)["room"] is not None


def test_who_came_first_is_paired_first(app: Flask) -> None:
    early, late, fourth = guest(app), guest(app), guest(app)
    old, young = seek(early, rules="komi"), seek(late, seats=4)
    be_silent(app, old, 20)
    assert seek(late, rules="komi")["room"] is not None
    refused(late.get(f"/seeks/{young['id']}"), 404, "not_found")
    assert looked_at(early, old)["room"] is not None
    assert seek(fourth, rules="komi")["room"] is None


def test_the_same_wish_again_is_the_same_seek_and_keeps_its_place(app: Flask) -> None:
    mona = guest(app)
    made = seek(mona)
    be_silent(app, made, 20)
    assert seek(mona, 200) == made
    assert seek(mona, 200, target=121) == made
    be_silent(app, made, 29)
    assert looked_at(mona, made)["room"] is None
    assert stored(app) == 1


def test_another_wish_takes_the_place_of_the_first(app: Flask) -> None:
    mona = guest(app)
    first = seek(mona)
    second = seek(mona, rules="casual")
    assert second["id"] != first["id"]
    refused(mona.get(f"/seeks/{first['id']}"), 404, "not_found")
    assert seek(guest(app))["room"] is None
    assert looked_at(mona, second)["room"] is None


def test_one_player_is_never_paired_with_himself(app: Flask) -> None:
    mona = guest(app)
    for seats in (2, 4, 2, 2):
        assert mona.post("/seeks", {"seats": seats}).json["room"] is None
    assert stored(app) == 1


def test_sent_again_while_the_first_one_began_the_match_a_seek_begins_no_other(app: Flask) -> None:
    mona, adel = guest(app), guest(app)
    seek(mona)
    paired = seek(adel)
    assert seek(adel, 200) == paired
    be_silent(app, paired, 31)
    assert seek(adel)["room"] is None


def test_once_the_match_is_over_the_same_wish_is_a_new_one(app: Flask) -> None:
    mona, adel = guest(app), guest(app)
    seek(mona)
    paired = seek(adel)
    match_id = ok(adel.get(f"/rooms/{paired['room']}"))["match_id"]
    ok(adel.post(f"/matches/{match_id}/forfeits"), 201)
    again = seek(adel)
    assert (again["room"], again["id"] != paired["id"]) == (None, True)
    refused(adel.get(f"/seeks/{paired['id']}"), 404, "not_found")


@pytest.mark.parametrize(("silence", "alive"), [(29, True), (31, False)])
def test_who_is_not_heard_of_for_30_s_is_gone(app: Flask, silence: int, alive: bool) -> None:
    mona, adel = guest(app), guest(app)
    made = seek(mona)
    be_silent(app, made, silence)
    if alive:
        assert looked_at(mona, made)["room"] is None
    else:
        refused(mona.get(f"/seeks/{made['id']}"), 404, "not_found")
        refused(mona.delete(f"/seeks/{made['id']}"), 404, "not_found")
    assert (seek(adel)["room"] is not None) is alive


def test_asking_keeps_a_seek_alive(app: Flask) -> None:
    mona = guest(app)
    made = seek(mona)
    for _ in range(3):
        be_silent(app, made, 29)
        looked_at(mona, made)
    with app.app_context():
        assert utcnow() - db.session.get(Seek, made["id"]).seen_at < timedelta(seconds=10)


def test_who_was_gone_seeks_anew(app: Flask) -> None:
    mona = guest(app)
    made = seek(mona)
    be_silent(app, made, 31)
    assert seek(mona)["id"] != made["id"]
    assert stored(app) == 1


def test_a_paired_seek_can_be_asked_for_after_a_lost_network(app: Flask) -> None:
    mona, adel = guest(app), guest(app)
    made = seek(mona)
    room = seek(adel)["room"]
    be_silent(app, made, 9 * 60)
    assert looked_at(mona, made)["room"] == room
    be_silent(app, made, 11 * 60)
    refused(mona.get(f"/seeks/{made['id']}"), 404, "not_found")


def test_who_gives_up_is_not_paired(app: Flask) -> None:
    mona = guest(app)
    made = seek(mona)
    assert mona.delete(f"/seeks/{made['id']}").status_code == 204
    refused(mona.delete(f"/seeks/{made['id']}"), 404, "not_found")
    refused(mona.get(f"/seeks/{made['id']}"), 404, "not_found")
    assert seek(guest(app))["room"] is None


def test_a_match_that_was_found_is_not_left_by_giving_up_the_seek(app: Flask) -> None:
    mona, adel = guest(app), guest(app)
    made = seek(mona)
    room = ok(adel.get(f"/rooms/{seek(adel)['room']}"))
    refused(mona.delete(f"/seeks/{made['id']}"), 409, "room.started")
    assert looked_at(mona, made)["room"] == room["code"]
    ok(mona.post(f"/matches/{room['match_id']}/forfeits"), 201)
    assert mona.delete(f"/seeks/{made['id']}").status_code == 204


def test_a_seek_is_its_players_own(app: Flask) -> None:
    mona, adel = guest(app), guest(app)
    made = seek(mona)
    for caller, status, code in ((adel, 404, "not_found"), (Caller(app), 401, "auth.required")):
        refused(caller.get(f"/seeks/{made['id']}"), status, code)
        refused(caller.delete(f"/seeks/{made['id']}"), status, code)
    refused(Caller(app).post("/seeks"), 401, "auth.required")
    for wrong in ("unknown-seek-id", "%00", "x", "9" * 5000):
        refused(mona.get(f"/seeks/{wrong}"), 404, "not_found")
        refused(mona.delete(f"/seeks/{wrong}"), 404, "not_found")
    refused(adel.send("PUT", f"/seeks/{made['id']}"), 404, "not_found")
    refused(mona.send("PUT", f"/seeks/{made['id']}"), 405, "request.method")
    refused(mona.get("/seeks"), 405, "request.method")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"seats": 3}, "seats"),
        ({"seats": "2"}, "seats"),
        ({"seats": None}, "seats"),
        ({"seats": 4, "rules": "casual"}, "seats"),
        ({"rules": "poker"}, "rules"),
        ({"rules": None}, "rules"),
        ({"rules": {"profile": "classic"}}, "rules"),
        ({"target": 9}, "target"),
        ({"target": 501}, "target"),
        ({"target": "121"}, "target"),
        ({"target": 10**40}, "target"),
        ({"overrides": {}}, "overrides"),
        ({"rated": True}, "rated"),
    ],
)
def test_bad_seeks_are_refused_by_field_and_change_nothing(app: Flask, body: dict, field: str) -> None:
    mona = guest(app)
    made = seek(mona)
    assert list(refused(mona.post("/seeks", body), 422, "request.invalid")["errors"]) == [field]
    assert looked_at(mona, made) == made


def waited(app: Flask, made: dict, seconds: float) -> None:
    """Let the seek have begun so long ago."""
    began = utcnow() - timedelta(seconds=seconds)
    with app.app_context(), write_transaction() as session:
        session.execute(update(Seek).where(Seek.id == made["id"]).values(created_at=began))


def test_registered_players_meet_one_another_first(app: Flask) -> None:
    visitor, mona, adel = guest(app), account(app), account(app)
    waiting, mine = seek(visitor), seek(mona)
    assert (looked_at(visitor, waiting)["room"], looked_at(mona, mine)["room"]) == (None, None)
    room = ok(adel.get(f"/rooms/{seek(adel)['room']}"))
    assert room["rated"] is True
    assert [place["player"]["id"] for place in room["seating"]] == [mona.id, adel.id]
    assert looked_at(visitor, waiting)["room"] is None


@pytest.mark.parametrize("guest_first", [True, False])
def test_after_10_s_a_registered_player_meets_a_guest_unrated(app: Flask, guest_first: bool) -> None:
    visitor, mona = guest(app), account(app)
    made = {one.id: seek(one) for one in ((visitor, mona) if guest_first else (mona, visitor))}
    waited(app, made[mona.id], 9)
    assert looked_at(mona, made[mona.id])["room"] is None
    waited(app, made[mona.id], 10)
    # Whoever of the two asks first, though the other is the one who had to wait.
    asks, other = (mona, visitor) if guest_first else (visitor, mona)
    room = looked_at(asks, made[asks.id])["room"]
    assert room is not None
    assert looked_at(other, made[other.id])["room"] == room
    assert ok(mona.get(f"/rooms/{room}"))["rated"] is False


def test_a_guest_who_comes_later_meets_who_has_waited_long_enough(app: Flask) -> None:
    mona = account(app)
    waited(app, seek(mona), 11)
    assert seek(guest(app))["room"] is not None


def test_nobody_has_to_ask_to_be_paired_after_10_s(app: Flask, heard: list[News]) -> None:
    visitor, mona = guest(app), account(app)
    sweep = SeekSweep(app)
    waiting, made = seek(visitor), seek(mona)
    heard.clear()
    waited(app, made, 9)
    sweep()
    assert heard == []
    waited(app, made, 10)
    sweep()
    assert [type(item) for item in heard] == [SeekPaired, SeekPaired, RoomChanged, MatchMoved]
    assert {item.seek_id for item in heard[:2]} == {waiting["id"], made["id"]}
    sweep()
    assert len(heard) == 4


def test_at_four_seats_nobody_sits_among_guests_before_his_time(app: Flask) -> None:
    people = [guest(app), guest(app), account(app), account(app)]
    made = [seek(one, seats=4) for one in people]
    waited(app, made[2], 11)
    assert [looked_at(one, its)["room"] for one, its in zip(people, made, strict=True)] == [None] * 4
    waited(app, made[3], 11)
    assert looked_at(people[0], made[0])["room"] is not None


def test_the_own_channel_is_told_open_seeks(app: Flask) -> None:
    mona, adel = guest(app), guest(app)
    made = seek(mona)
    with app.app_context():
        assert seeks.open_seeks(mona.id) == [made]
        assert seeks.open_seeks(adel.id) == []
        assert seeks.seek_json(made["id"]) == made
    paired = seek(adel)
    with app.app_context():
        assert seeks.open_seeks(mona.id) == []
        assert seeks.seek_json(made["id"])["room"] == paired["room"]


def test_the_sweep_forgets_those_who_are_gone(app: Flask) -> None:
    gone, here, paired, old = (guest(app) for _ in range(4))
    made = seek(gone, seats=4)
    be_silent(app, made, 31)
    kept = seek(here, seats=4)
    pair = [seek(paired), seek(old)]
    be_silent(app, pair[0], 9 * 60)
    be_silent(app, pair[1], 11 * 60)
    with app.app_context():
        assert seeks.expire(utcnow()) == []
        assert set(db.session.scalars(select(Seek.id))) == {kept["id"], pair[0]["id"]}
        assert seeks.expire(utcnow()) == []
    assert stored(app) == 2


def test_a_room_made_for_seekers_is_never_seen_waiting(app: Flask, heard: list[News]) -> None:
    seek(guest(app))
    seek(guest(app))
    [code] = [item.code for item in heard if isinstance(item, RoomChanged)]
    assert code not in [room["code"] for room in ok(Caller(app).get("/rooms?limit=500"))["items"]]
    with app.app_context():
        assert db.session.get(Room, code).status == "playing"
