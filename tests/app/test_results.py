"""What the end of a match brings: points, exactly once, and what scores nothing."""

from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy import update

from app.extensions import db, write_transaction
from app.models import Player, PlayerResult
from app.services import clock
from app.services.results import POINTS_DRAW, POINTS_LOSS, POINTS_WIN, points_of
from app.services.times import utcnow
from engine.transcript import verify
from tests.app.people import Table, guest, ok, refused, sit_down


def points(table: Table) -> list[int]:
    with table.person(0).app.app_context():
        return [db.session.get(Player, person.id).points for person in table.people]


def forfeit(table: Table, seat: int = 1, plays: int = 4) -> dict:
    table.play_plays(plays)
    return ok(table.person(seat).post(f"{table.path}/forfeits"), 201)["view"]["result"]


def again(table: Table, **room: object) -> Table:
    """Another match of the same people."""
    made = ok(table.person(0).post("/rooms", {"seats": len(table.people), **room}), 201)
    for seat, person in enumerate(table.people[1:], start=1):
        made = ok(person.post(f"/rooms/{made['code']}/joins", {"seat": seat}), 201)
    return Table(made, table.people)


def test_points_of_a_side() -> None:
    assert (POINTS_WIN, POINTS_DRAW, POINTS_LOSS) == (24, 8, 3)
    assert [points_of(side, winner) for side in (0, 1) for winner in (0, 1, None)] == [24, 3, 8, 3, 24, 8]


def test_a_finished_match_scores_once(app: Flask) -> None:
    table = sit_down(app)
    assert forfeit(table)["scored"] is True
    assert points(table) == [24, 3]
    ok(table.person(1).post(f"{table.path}/forfeits"), 200)
    refused(table.person(0).post(f"{table.path}/forfeits"), 409, "match.over")
    assert points(table) == [24, 3]


def test_with_four_seats_both_partners_score(app: Flask) -> None:
    table = sit_down(app, 4)
    forfeit(table, seat=2, plays=8)
    assert points(table) == [3, 24, 3, 24]


@pytest.mark.parametrize("seat", range(4))
def test_with_four_seats_leaving_forfeits_for_the_pair(app: Flask, seat: int) -> None:
    table = sit_down(app, 4)
    table.play_plays(3)
    answer = ok(table.person(seat).post(f"{table.path}/forfeits"), 201)
    expected = {"winner": 1 - seat % 2, "reason": "forfeit", "seat": seat, "scores": [0, 0], "scored": False}
    assert answer["view"]["result"] == expected
    assert [event["type"] for event in answer["events"]] == ["match_finished"]
    for person in table.people:
        view = person.view(table.match_id)
        assert (view["status"], view["result"], view["to_act"]) == ("finished", expected, None)
    partner, other = table.person((seat + 2) % 4), table.person((seat + 1) % 4)
    assert ok(table.person(seat).post(f"{table.path}/forfeits"), 200)["events"] == answer["events"]
    for late in (partner, other):
        refused(late.post(f"{table.path}/forfeits"), 409, "match.over")
    room = ok(partner.get(f"/rooms/{table.code}"))
    assert (room["status"], room["tally"]) == ("finished", [1, 0] if seat % 2 else [0, 1])


def test_a_person_alone_with_bots_scores_nothing(app: Flask) -> None:
    mona = guest(app)
    room = ok(mona.post("/rooms", {"seats": 4, "target": None}), 201)
    for seat, level in ((1, "medium"), (2, "easy"), (3, "medium")):
        room = ok(mona.post(f"/rooms/{room['code']}/bots", {"seat": seat, "level": level}), 201)
    assert room["rated"] is False
    while (view := mona.view(room["match_id"]))["status"] == "playing":
        with app.app_context():
            if view["to_act"] != 0:
                clock.act_on(room["match_id"], utcnow())
                continue
        body = {"turn": view["turn"], "card": view["you"]["hand"][0]}
        ok(mona.post(f"/matches/{room['match_id']}/moves", body), 201)
    assert (view["result"]["reason"], view["result"]["scored"]) == ("round", False)
    assert ok(mona.get("/players/me"))["points"] == 0
    verify(ok(mona.get(f"/matches/{room['match_id']}/transcript")))


def test_a_match_to_the_target_scores_for_the_winner(app: Flask) -> None:
    table = sit_down(app, target=None)
    winner = table.play_out()["result"]["winner"]
    assert points(table) == ([8, 8] if winner is None else [24, 3] if winner == 0 else [3, 24])


@pytest.mark.parametrize(("people", "plays", "scored"), [(2, 3, False), (2, 4, True), (4, 7, False), (4, 8, True)])
def test_a_match_of_a_few_plays_scores_nothing(app: Flask, people: int, plays: int, scored: bool) -> None:
    table = sit_down(app, people)
    assert forfeit(table, plays=plays)["scored"] is scored
    assert any(points(table)) is scored


def test_a_seeded_match_scores_nothing(app: Flask) -> None:
    table = sit_down(app, seed="x")
    assert forfeit(table)["scored"] is False
    assert points(table) == [0, 0]


def test_a_match_with_a_bot_scores_nothing(app: Flask) -> None:
    mona = guest(app)
    code = ok(mona.post("/rooms"), 201)["code"]
    room = ok(mona.post(f"/rooms/{code}/bots", {"seat": 1}), 201)
    result = ok(mona.post(f"/matches/{room['match_id']}/forfeits"), 201)["view"]["result"]
    assert (result["winner"], result["scored"]) == (1, False)
    assert ok(mona.get("/players/me"))["points"] == 0


def test_a_match_with_a_program_scores_nothing(app: Flask) -> None:
    table = sit_down(app)
    with app.app_context(), write_transaction() as session:
        session.execute(update(Player).where(Player.id == table.person(1).id).values(bot=True))
    assert forfeit(table)["scored"] is False


def test_the_eleventh_match_of_the_same_two_in_a_day_scores_nothing(app: Flask) -> None:
    table = sit_down(app)
    assert forfeit(table)["scored"] is True
    for _ in range(9):
        assert forfeit(again(table))["scored"] is True
    assert points(table) == [240, 30]
    assert forfeit(again(table))["scored"] is False
    assert points(table) == [240, 30]
    stranger = sit_down(app).person(1)
    assert forfeit(again(Table({"code": "", "match_id": ""}, [table.person(0), stranger])))["scored"] is True
    with app.app_context(), write_transaction() as session:
        session.execute(update(PlayerResult).values(finished_at=utcnow() - timedelta(days=1)))
    assert forfeit(again(table))["scored"] is True


def test_the_tally_counts_matches_won_by_side(app: Flask) -> None:
    table = sit_down(app)
    forfeit(table)
    room = ok(table.person(0).get(f"/rooms/{table.code}"))
    assert (room["status"], room["tally"]) == ("finished", [1, 0])
