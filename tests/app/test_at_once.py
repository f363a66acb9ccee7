"""Many requests at once, with real threads: what counts once counts once."""

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from flask import Flask
from sqlalchemy import select

from app.extensions import db
from app.models import MatchEvent, MatchRow, Player
from app.services import matches
from engine.state import Forfeit
from tests.app.people import Caller, guest, ok, sit_down


def at_once(calls: Sequence[Callable[[], Any]]) -> list[Any]:
    """Do all calls at the same moment, each in a thread of its own, and give their answers."""
    start = threading.Barrier(len(calls))
    answers: list[Any] = [None] * len(calls)

    def run(place: int, call: Callable[[], Any]) -> None:
        start.wait()
        try:
            answers[place] = call()
        except Exception as error:
            answers[place] = error

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def statuses(responses: Sequence[Any]) -> Counter[int]:
    return Counter(response.status_code for response in responses)


def stored_events(app: Flask, match_id: str) -> list[str]:
    with app.app_context():
        query = select(MatchEvent.type).where(MatchEvent.match_id == match_id).order_by(MatchEvent.version)
        return list(db.session.scalars(query))


def test_a_hundred_equal_moves_are_one(app: Flask) -> None:
    table = sit_down(app)
    person, view = table.due()
    body = {"turn": 0, "card": view["you"]["hand"][0]}
    before = stored_events(app, table.match_id)
    answers = at_once([lambda: person.post(f"{table.path}/moves", body, checked=False)] * 100)
    assert statuses(answers) == {201: 1, 200: 99}
    assert all(answer.json["events"] == answers[0].json["events"] for answer in answers)
    assert stored_events(app, table.match_id) == [*before, "played"]


def test_of_different_moves_for_one_turn_one_wins(app: Flask) -> None:
    table = sit_down(app)
    for turn in range(4):
        person, view = table.due()
        cards = view["you"]["hand"]
        calls = [
            lambda card=card, person=person, turn=turn: person.post(f"{table.path}/moves", {"turn": turn, "card": card})
            for card in cards
        ]
        answers = at_once(calls)
        refusals = {409: len(cards) - 1} if len(cards) > 1 else {}
        assert statuses(answers) == {201: 1, **refusals}
        assert {answer.json["code"] for answer in answers if answer.status_code == 409} <= {"match.stale_turn"}
    assert stored_events(app, table.match_id).count("played") == 4


def test_a_move_and_the_clock_do_not_both_count(app: Flask) -> None:
    for _ in range(5):
        table = sit_down(app)
        person, view = table.due()

        def move(person: Caller = person, path: str = table.path, view: dict[str, Any] = view) -> Any:
            return person.post(f"{path}/moves", {"turn": 0, "card": view["you"]["hand"][0]}).status_code

        def clock(match_id: str = table.match_id, view: dict[str, Any] = view) -> Any:
            with app.app_context():
                return matches.act(match_id, Forfeit(view["to_act"], "timeout"), expect_version=view["version"])

        moved, timed_out, again = at_once([move, clock, clock])
        assert (moved == 201) == (timed_out is None and again is None)
        assert moved in (201, 409)
        added = stored_events(app, table.match_id)[view["version"] :]
        assert added == (["played"] if moved == 201 else ["match_finished"])


def test_two_people_do_not_take_one_seat(app: Flask) -> None:
    for _ in range(5):
        code = ok(guest(app).post("/rooms"), 201)["code"]
        people = [guest(app) for _ in range(6)]
        answers = at_once([lambda one=one, code=code: one.post(f"/rooms/{code}/joins") for one in people])
        assert statuses(answers) == {201: 1, 409: 5}
        room = ok(people[0].get(f"/rooms/{code}"))
        winner = people[[answer.status_code for answer in answers].index(201)]
        assert room["seating"][1]["player"]["id"] == winner.id
        with app.app_context():
            assert len(list(db.session.scalars(select(MatchRow.id).where(MatchRow.room_code == code)))) == 1


def test_one_player_joining_many_times_sits_once(app: Flask) -> None:
    code = ok(guest(app).post("/rooms", {"seats": 4}), 201)["code"]
    adel = guest(app)
    answers = at_once([lambda: adel.post(f"/rooms/{code}/joins")] * 20)
    assert statuses(answers) == {201: 1, 200: 19}
    seating = ok(adel.get(f"/rooms/{code}"))["seating"]
    assert [place["player"]["id"] for place in seating if place["player"]].count(adel.id) == 1


def test_both_sides_forfeiting_at_once_is_one_end_and_one_score(app: Flask) -> None:
    table = sit_down(app)
    table.play_plays(4)
    answers = at_once([lambda seat=seat: table.person(seat % 2).post(f"{table.path}/forfeits") for seat in range(10)])
    assert statuses(answers) == {201: 1, 200: 4, 409: 5}
    assert stored_events(app, table.match_id)[-1] == "match_finished"
    assert stored_events(app, table.match_id).count("match_finished") == 1
    with app.app_context():
        points = sorted(db.session.get(Player, person.id).points for person in table.people)
    assert points == [3, 24]


def test_twenty_seekers_at_once_are_ten_matches_and_nobody_is_in_two(app: Flask) -> None:
    people = [guest(app) for _ in range(20)]
    answers = at_once([lambda one=one: one.post("/seeks", {"rules": "komi"}) for one in people])
    assert statuses(answers) == {201: 20}
    rooms = [ok(one.get(f"/seeks/{answer.json['id']}"))["room"] for one, answer in zip(people, answers, strict=True)]
    assert sorted(Counter(rooms).values()) == [2] * 10
    for one in people:
        assert len(ok(one.get("/matches"))["items"]) == 1


def test_seekers_for_four_seats_are_paired_by_fours(app: Flask) -> None:
    people = [guest(app) for _ in range(11)]
    answers = at_once([lambda one=one: one.post("/seeks", {"seats": 4}) for one in people])
    rooms = [ok(one.get(f"/seeks/{answer.json['id']}"))["room"] for one, answer in zip(people, answers, strict=True)]
    found = Counter(rooms)
    assert found.pop(None) == 3
    assert list(found.values()) == [4, 4]


def test_one_seeker_asking_many_times_seeks_once(app: Flask) -> None:
    mona, adel = guest(app), guest(app)
    answers = at_once([lambda one=one: one.post("/seeks", {"rules": "casual"}) for one in [mona, adel] * 10])
    assert statuses(answers) == {201: 2, 200: 18}
    assert [len(ok(one.get("/matches"))["items"]) for one in (mona, adel)] == [1, 1]


def test_who_gives_up_as_he_is_paired_is_told_what_counts(app: Flask) -> None:
    for _ in range(5):
        mona, adel = guest(app), guest(app)
        made = ok(mona.post("/seeks", {"target": 50}), 201)
        given_up, paired = at_once(
            [
                lambda mona=mona, made=made: mona.delete(f"/seeks/{made['id']}"),
                lambda adel=adel: adel.post("/seeks", {"target": 50}),
            ]
        )
        assert (given_up.status_code == 204) == (paired.json["room"] is None)
        assert given_up.status_code in (204, 409)
        if paired.json["room"] is None:
            assert adel.delete(f"/seeks/{paired.json['id']}").status_code == 204


def test_all_agreeing_at_once_is_one_rematch(app: Flask) -> None:
    for count in (2, 4):
        table = sit_down(app, count)
        ok(table.person(1).post(f"{table.path}/forfeits"), 201)
        path = f"/rooms/{table.code}/rematches"
        answers = at_once([lambda one=one, path=path: one.post(path) for one in table.people])
        assert statuses(answers) == {201: count}
        assert [answer.json["status"] for answer in answers].count("playing") >= 1
        assert len(ok(table.person(0).get("/matches"))["items"]) == 2
        assert ok(table.person(0).get(f"/rooms/{table.code}"))["status"] == "playing"


def test_agreeing_and_declining_at_once_is_one_of_both(app: Flask) -> None:
    for _ in range(5):
        table = sit_down(app)
        mona, adel = table.person(0), table.person(1)
        ok(adel.post(f"{table.path}/forfeits"), 201)
        path = f"/rooms/{table.code}/rematches"
        ok(mona.post(path), 201)
        agreed, withdrawn, left = at_once(
            [
                lambda adel=adel, path=path: adel.post(path),
                lambda mona=mona, path=path: mona.delete(f"{path}/me"),
                lambda mona=mona, table=table: mona.delete(f"/rooms/{table.code}/joins/me"),
            ]
        )
        status = ok(adel.get(f"/rooms/{table.code}"))["status"]
        if status == "playing":
            assert (agreed.status_code, left.status_code) == (201, 409)
        else:
            assert (status, left.status_code) == ("waiting", 204)
        assert withdrawn.status_code in (204, 403, 409)


def test_concurrent_updates_are_not_lost(app: Flask) -> None:
    """Read-then-write from many threads: SQLite loses most of it if a transaction begins too late."""
    mona = guest(app)
    rooms = [ok(mona.post("/rooms", {"seats": 4, "join": False}), 201)["code"] for _ in range(3)]
    people = [guest(app) for _ in range(4)]
    answers = at_once([lambda one=one, code=code: one.post(f"/rooms/{code}/joins") for code in rooms for one in people])
    assert statuses(answers) == {201: 12}
    for code in rooms:
        room = ok(mona.get(f"/rooms/{code}"))
        assert room["status"] == "playing"
        assert {place["player"]["id"] for place in room["seating"]} == {one.id for one in people}
