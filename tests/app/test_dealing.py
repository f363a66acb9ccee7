"""Dealings: everybody commits before anybody opens, and whatever happens meanwhile, one match comes of it."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import func, select, update

from app.extensions import db, write_transaction
from app.jobs.sweeps import DeadlineSweep
from app.models import MatchRow, Player, Room
from app.services import clock, dealing, sanctions
from app.services.audit import Actor
from app.services.news import MatchMoved, News, RoomChanged
from app.services.times import rfc3339, utcnow
from engine.shuffle import client_commitment
from tests.app.people import Caller, guest, ok, refused
from tests.app.test_at_once import at_once, statuses

SEEDS = ("0a" * 16, "0b" * 16, "0c" * 16, "0d" * 16)
NAMES = ("Mona", "Adel", "Samia", "Fouad")


def part(seat: int, **more: object) -> dict[str, object]:
    """The body of who takes part with the seed of a seat."""
    return {"client_commitment": client_commitment(SEEDS[seat]), **more}


class Dealing:
    """A room whose people have all sat down; those on `committed` have committed to a seed."""

    def __init__(self, app: Flask, seats: int = 2, committed: tuple[int, ...] = (0, 1), **wish: object) -> None:
        self.app = app
        self.people = [guest(app, name) for name in NAMES[:seats]]
        bodies = [part(seat) if seat in committed else {} for seat in range(seats)]
        room = ok(self.people[0].post("/rooms", {"seats": seats, **wish, **bodies[0]}), 201)
        self.code, self.commitment = room["code"], room["fairness"]["commitment"]
        self.path = f"/rooms/{self.code}"
        for seat in range(1, seats):
            room = ok(self.people[seat].post(f"{self.path}/joins", {"seat": seat, **bodies[seat]}), 201)
        self.last = room

    def reveal(self, seat: int, client_seed: str | None = None) -> Any:
        return self.people[seat].post(f"{self.path}/reveals", {"client_seed": client_seed or SEEDS[seat]})

    def room(self) -> dict[str, Any]:
        shown: dict[str, Any] = ok(self.people[-1].get(self.path))
        return shown

    def fairness(self) -> dict[str, Any]:
        """What the match says of its deal; there is exactly one."""
        with self.app.app_context():
            (match,) = db.session.scalars(select(MatchRow.id).where(MatchRow.room_code == self.code))
        shown: dict[str, Any] = self.people[-1].view(match)["fairness"]
        return shown

    def run_out(self) -> None:
        """Let the time for opening be over, and the clock look."""
        with self.app.app_context(), write_transaction() as session:
            session.execute(update(Room).where(Room.code == self.code).values(reveal_by=utcnow()))
        DeadlineSweep(self.app)()


def test_commitments_are_shown_and_when_the_last_seat_is_taken_they_are_opened(app: Flask, heard: list[News]) -> None:
    mona, adel = guest(app, "Mona"), guest(app, "Adel")
    made = ok(mona.post("/rooms", part(0)), 201)
    commitments = [client_commitment(SEEDS[0]), client_commitment(SEEDS[1])]
    assert made["fairness"]["client_commitments"] == [commitments[0], ""]
    assert (made["status"], "reveal_by" in made["fairness"]) == ("waiting", False)
    path = f"/rooms/{made['code']}"
    before = utcnow()
    room = ok(adel.post(f"{path}/joins", part(1)), 201)
    assert (room["status"], room["match_id"]) == ("dealing", None)
    assert room["fairness"]["commitment"] == made["fairness"]["commitment"]
    assert room["fairness"]["client_commitments"] == commitments
    left = datetime.fromisoformat(room["fairness"]["reveal_by"]) - before
    assert timedelta(seconds=4) < left < timedelta(seconds=6)
    heard.clear()
    assert ok(adel.post(f"{path}/reveals", {"client_seed": SEEDS[1]}), 201) == room
    assert heard == []
    room = ok(mona.post(f"{path}/reveals", {"client_seed": SEEDS[0]}), 201)
    assert [type(item) for item in heard] == [RoomChanged, MatchMoved]
    assert (room["status"], room["fairness"]["client_commitments"]) == ("playing", ["", ""])
    assert "reveal_by" not in room["fairness"]
    assert mona.view(room["match_id"])["fairness"] == {
        "scheme": "basra-deal/2",
        "commitment": made["fairness"]["commitment"],
        "client_commitments": commitments,
        "client_seeds": [SEEDS[0], SEEDS[1]],
    }
    ok(mona.post(f"/matches/{room['match_id']}/forfeits"), 201)
    told = ok(mona.get(f"/matches/{room['match_id']}/transcript"))["fairness"]
    assert list(told) == ["scheme", "commitment", "server_seed", "client_commitments", "client_seeds"]
    assert told["client_commitments"] == commitments


def test_where_nobody_committed_the_match_starts_without_that_step(app: Flask) -> None:
    table = Dealing(app, committed=())
    assert table.last["status"] == "playing"
    assert table.fairness() | {"commitment": ""} == {
        "scheme": "basra-deal/2", "commitment": "", "client_commitments": ["", ""], "client_seeds": ["", ""],
    }  # fmt: skip
    refused(table.reveal(0), 409, "room.not_dealing")


def test_only_who_committed_is_waited_for(app: Flask) -> None:
    table = Dealing(app, seats=4, committed=(2,))
    assert table.last["status"] == "dealing"
    refused(table.reveal(0), 409, "room.not_dealing")
    assert ok(table.reveal(2), 201)["status"] == "playing"
    assert table.fairness()["client_seeds"] == ["", "", SEEDS[2], ""]


def test_what_was_not_opened_in_time_counts_as_empty(app: Flask) -> None:
    table = Dealing(app)
    ok(table.reveal(1), 201)
    DeadlineSweep(app)()
    assert table.room()["status"] == "dealing"
    table.run_out()
    assert table.room()["status"] == "playing"
    shown = table.fairness()
    assert shown["client_seeds"] == ["", SEEDS[1]]
    assert shown["client_commitments"] == [client_commitment(SEEDS[0]), client_commitment(SEEDS[1])]
    refused(table.reveal(0), 409, "room.not_dealing")


def test_an_opening_can_be_sent_twice_also_after_the_start_and_nothing_else_fits(app: Flask) -> None:
    table = Dealing(app)
    refused(table.reveal(0, SEEDS[1]), 422, "request.invalid")
    ok(table.reveal(0), 201)
    assert ok(table.reveal(0), 200)["status"] == "dealing"
    refused(table.reveal(0, "00"), 422, "request.invalid")
    ok(table.reveal(1), 201)
    for _ in range(2):
        assert ok(table.reveal(0), 200)["status"] == table.room()["status"]
        refused(table.reveal(0, SEEDS[1]), 422, "request.invalid")
        if table.room()["status"] == "playing":
            ok(table.people[0].post(f"/matches/{table.room()['match_id']}/forfeits"), 201)
    assert table.fairness()["client_seeds"] == [SEEDS[0], SEEDS[1]]


def test_an_opening_is_refused_in_order(app: Flask) -> None:
    table = Dealing(app)
    body = {"client_seed": SEEDS[0]}
    refused(Caller(app).post(f"{table.path}/reveals", body), 401, "auth.required")
    refused(guest(app).post("/rooms/ABCDEF/reveals", body), 404, "not_found")
    refused(guest(app).post(f"{table.path}/reveals", {}), 403, "auth.forbidden")
    for wrong in ({}, {"client_seed": ""}, {"client_seed": None}, {"client_seed": "0A"}, {"client_seed": "0" * 65}):
        problem = refused(table.people[0].post(f"{table.path}/reveals", wrong), 422, "request.invalid")
        assert list(problem["errors"]) == ["client_seed"]
    mona = guest(app)
    path = f"/rooms/{ok(mona.post('/rooms', part(0)), 201)['code']}/reveals"
    refused(mona.post(path, {"client_seed": SEEDS[1]}), 422, "request.invalid")
    refused(mona.post(path, body), 409, "room.not_dealing")


@pytest.mark.parametrize(
    "commitment", ["", "ab", "A" * 64, "g" * 64, "0" * 63, "0" * 65, "0" * 63 + "\n", "\uff10" * 64, 7, ["0" * 64]]
)
def test_a_commitment_is_64_hex_digits_wherever_it_is_given(app: Flask, commitment: object) -> None:
    mona, body = guest(app), {"client_commitment": commitment}
    path = f"/rooms/{ok(mona.post('/rooms'), 201)['code']}"
    for where in ("/rooms", "/seeks", f"{path}/joins", f"{path}/rematches"):
        assert list(refused(mona.post(where, body), 422, "request.invalid")["errors"]) == ["client_commitment"]


def test_who_does_not_sit_down_cannot_take_part(app: Flask) -> None:
    problem = refused(guest(app).post("/rooms", part(0, join=False)), 422, "request.invalid")
    assert list(problem["errors"]) == ["client_commitment"]


def test_a_commitment_can_be_given_anew_and_goes_with_its_player_until_the_last_seat_is_taken(app: Flask) -> None:
    mona = guest(app)
    path = f"/rooms/{ok(mona.post('/rooms', part(1, seats=4)), 201)['code']}"
    room = ok(mona.post(f"{path}/joins", part(0)), 200)
    assert room["fairness"]["client_commitments"] == [client_commitment(SEEDS[0]), "", "", ""]
    room = ok(mona.post(f"{path}/joins", {"seat": 3}), 200)
    assert room["fairness"]["client_commitments"] == ["", "", "", client_commitment(SEEDS[0])]


REFUSED: dict[str, Callable[["Dealing"], Any]] = {
    "leaving": lambda table: table.people[1].delete(f"{table.path}/joins/me"),
    "sending away": lambda table: table.people[0].delete(f"{table.path}/joins/1"),
    "closing": lambda table: table.people[0].delete(table.path),
    "another seat": lambda table: table.people[1].post(f"{table.path}/joins", {"seat": 0}),
    "another commitment": lambda table: table.people[1].post(f"{table.path}/joins", part(3)),
    "a newcomer": lambda table: guest(table.app).post(f"{table.path}/joins"),
    "a bot": lambda table: table.people[0].post(f"{table.path}/bots", {"seat": 1}),
    "no rematch": lambda table: table.people[0].delete(f"{table.path}/rematches/me"),
    "a rematch with another commitment": lambda table: table.people[0].post(f"{table.path}/rematches", part(3)),
}


@pytest.mark.parametrize("call", REFUSED.values(), ids=list(REFUSED))
def test_while_seeds_are_opened_nothing_can_be_changed(app: Flask, call: Callable[["Dealing"], Any]) -> None:
    for table in (Dealing(app), dealt_again(app)):
        before = table.room()
        refused(call(table), 409, "room.started")
        assert table.room() == before
        assert ok(table.people[1].post(f"{table.path}/joins", part(1)), 200) == before
        assert ok(table.people[1].post(f"{table.path}/joins"), 200) == before


def test_a_bot_cannot_be_sent_away_while_seeds_are_opened(app: Flask) -> None:
    mona = guest(app)
    path = f"/rooms/{ok(mona.post('/rooms', part(0)), 201)['code']}"
    assert ok(mona.post(f"{path}/bots", {"seat": 1}), 201)["status"] == "dealing"
    refused(mona.delete(f"{path}/bots/1"), 409, "room.started")
    assert ok(mona.post(f"{path}/reveals", {"client_seed": SEEDS[0]}), 201)["status"] == "playing"


def dealt_again(app: Flask) -> Dealing:
    """A room in which both have agreed to a rematch and are to open their seeds."""
    table = Dealing(app, committed=())
    ok(table.people[0].post(f"/matches/{table.last['match_id']}/forfeits"), 201)
    ok(table.people[0].post(f"{table.path}/rematches", part(0)), 201)
    table.last = ok(table.people[1].post(f"{table.path}/rematches", part(1)), 201)
    return table


def test_a_rematch_is_dealt_in_two_steps_too(app: Flask) -> None:
    table = Dealing(app, committed=())
    first = table.last["match_id"]
    commitment = table.last["fairness"]["commitment"]
    ok(table.people[0].post(f"/matches/{first}/forfeits"), 201)
    asked = ok(table.people[0].post(f"{table.path}/rematches", part(0)), 201)
    assert asked["fairness"]["commitment"] == commitment
    assert asked["fairness"]["client_commitments"] == [client_commitment(SEEDS[0]), ""]
    agreed = ok(table.people[1].post(f"{table.path}/rematches", part(1)), 201)
    assert (agreed["status"], agreed["match_id"]) == ("dealing", None)
    for body in (part(1), None):
        assert ok(table.people[1].post(f"{table.path}/rematches", body), 200) == agreed
    ok(table.reveal(0), 201)
    room = ok(table.reveal(1), 201)
    assert (room["status"], room["match_id"] != first) == ("playing", True)
    fairness = table.people[0].view(room["match_id"])["fairness"]
    assert (fairness["commitment"], fairness["client_seeds"]) == (commitment, [SEEDS[0], SEEDS[1]])
    assert ok(table.people[1].post(f"{table.path}/rematches", part(1)), 200) == room


def test_who_asked_for_a_rematch_may_commit_anew_and_the_others_are_told(app: Flask, heard: list[News]) -> None:
    table = Dealing(app, committed=())
    ok(table.people[0].post(f"/matches/{table.last['match_id']}/forfeits"), 201)
    ok(table.people[0].post(f"{table.path}/rematches", part(0)), 201)
    heard.clear()
    assert ok(table.people[0].post(f"{table.path}/rematches", part(0)), 200)["rematch"] == [0]
    assert heard == []
    room = ok(table.people[0].post(f"{table.path}/rematches", part(1)), 200)
    assert room["fairness"]["client_commitments"] == [client_commitment(SEEDS[1]), ""]
    assert heard == [RoomChanged(table.code)]


def test_quick_match_takes_the_commitments_along(app: Flask) -> None:
    wish = {"rules": "komi", "target": 77}
    mona, adel = guest(app), guest(app)
    made = ok(mona.post("/seeks", part(3, **wish)), 201)
    assert ok(mona.post("/seeks", part(0, **wish)), 200) == made
    found = ok(adel.post("/seeks", part(1, **wish)), 201)
    assert ok(adel.post("/seeks", part(1, **wish)), 200) == found
    room = ok(mona.get(f"/rooms/{found['room']}"))
    assert room["status"] == "dealing"
    assert room["fairness"]["client_commitments"] == [client_commitment(SEEDS[0]), client_commitment(SEEDS[1])]
    refused(mona.delete(f"/seeks/{made['id']}"), 409, "room.started")
    for seat, one in enumerate((mona, adel)):
        room = ok(one.post(f"/rooms/{found['room']}/reveals", {"client_seed": SEEDS[seat]}), 201)
    assert mona.view(room["match_id"])["fairness"]["client_seeds"] == [SEEDS[0], SEEDS[1]]


def test_a_seeded_room_ignores_commitments_and_deals_at_once(app: Flask) -> None:
    table = Dealing(app, seed="lesson 1")
    assert (table.last["status"], table.last["fairness"]["client_commitments"]) == ("playing", ["", ""])
    assert table.last["fairness"]["scheme"] == "basra-deal/1"
    shown = table.fairness()
    assert (shown["scheme"], shown["client_seeds"]) == ("basra-deal/1", ["", ""])
    ok(table.people[1].post(f"{table.path}/joins", part(1)), 200)
    refused(table.reveal(1), 409, "room.not_dealing")


def test_a_room_of_before_goes_on_by_the_scheme_that_it_showed_and_then_by_the_new_one(app: Flask) -> None:
    mona, adel = guest(app), guest(app)
    room = ok(mona.post("/rooms"), 201)
    with app.app_context(), write_transaction() as session:
        stored = session.get_one(Room, room["code"])
        stored.scheme, stored.seating[0].client_seed = "basra-deal/1", "ab"
    room = ok(adel.post(f"/rooms/{room['code']}/joins", part(1)), 201)
    assert (room["status"], room["fairness"]["scheme"]) == ("playing", "basra-deal/2")
    shown = mona.view(room["match_id"])["fairness"]
    assert (shown["scheme"], shown["client_seeds"]) == ("basra-deal/1", ["ab", ""])


def test_after_a_restart_there_is_time_again(app: Flask, heard: list[News]) -> None:
    table = Dealing(app)
    with app.app_context():
        with write_transaction() as session:
            session.get_one(Room, table.code).reveal_by = utcnow() - timedelta(hours=1)
        now = utcnow()
        clock.begin(now)
        clock.end()
        assert dealing.due(utcnow()) == []
    assert table.room()["fairness"]["reveal_by"] == rfc3339(now + timedelta(seconds=5))
    ok(table.reveal(0), 201)
    assert ok(table.reveal(1), 201)["status"] == "playing"


def delete(table: Dealing, seat: int) -> None:
    assert table.people[seat].send("DELETE", "/players/me", {}).status_code == 204


def test_who_leaves_for_good_meanwhile_has_forfeited_the_match(app: Flask) -> None:
    table = Dealing(app)
    delete(table, 0)
    assert table.room()["status"] == "dealing"
    ok(table.reveal(1), 201)
    table.run_out()
    room = table.room()
    assert (room["status"], room["host"], room["tally"]) == ("waiting", table.people[1].id, [0, 0])
    assert [place["player"] and place["player"]["name"] for place in room["seating"]] == [None, "Adel"]
    view = table.people[1].view(room["match_id"])
    assert (view["result"]["reason"], view["result"]["seat"], view["result"]["winner"]) == ("forfeit", 0, 1)
    assert view["fairness"]["client_seeds"] == ["", SEEDS[1]]
    assert view["seats"][0]["player"]["name"] == "Deleted player"


def test_who_is_banned_meanwhile_has_forfeited_the_match(app: Flask) -> None:
    table = Dealing(app)
    with app.app_context():
        sanctions.ban(Actor(user="root"), table.people[1].id, utcnow() + timedelta(days=1), "for a test")
    refused(table.reveal(1), 403, "auth.banned")
    assert ok(table.people[0].get(table.path))["status"] == "dealing"
    ok(table.reveal(0), 201)
    table.run_out()
    room = ok(table.people[0].get(table.path))
    assert [place["player"] and place["player"]["name"] for place in room["seating"]] == ["Mona", None]
    result = table.people[0].view(room["match_id"])["result"]
    assert (result["reason"], result["seat"], result["winner"]) == ("forfeit", 1, 0)


def test_when_all_have_left_for_good_there_is_still_one_match_and_the_room_closes(app: Flask) -> None:
    table = Dealing(app)
    delete(table, 0)
    delete(table, 1)
    table.run_out()
    assert ok(Caller(app).get(table.path))["status"] == "closed"
    with app.app_context():
        (match,) = db.session.scalars(select(MatchRow).where(MatchRow.room_code == table.code))
        assert (match.status, match.result["reason"]) == ("finished", "forfeit")
        assert db.session.scalar(select(func.count()).select_from(Player).where(Player.points > 0)) == 0


def test_who_is_dealt_to_cannot_become_a_program(app: Flask) -> None:
    table = Dealing(app)
    refused(table.people[0].post("/players/me/bot"), 409, "bot.too_late")


def test_openings_at_once_and_the_clock_begin_one_match(app: Flask) -> None:
    for _ in range(5):
        table = Dealing(app)
        with app.app_context(), write_transaction() as session:
            session.get_one(Room, table.code).reveal_by = utcnow()

        def sweep(code: str = table.code) -> list[News]:
            with app.app_context():
                return dealing.end(code, utcnow())

        calls = [lambda table=table: table.reveal(0), lambda table=table: table.reveal(1)]
        *answers, one, other = at_once([*calls, *calls, sweep, sweep])
        assert table.room()["status"] == "playing"
        seeds = table.fairness()["client_seeds"]
        assert statuses(answers)[201] == len([seed for seed in seeds if seed])
        assert set(statuses(answers)) <= {200, 201, 409}
        assert len([news for news in (one, other) if news]) <= 1
