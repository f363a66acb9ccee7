"""Deadlines, and what the clock does through the same door as a player."""

from datetime import datetime, timedelta

import pytest
from flask import Flask
from sqlalchemy import update

from app.extensions import write_transaction
from app.models import MatchRow
from app.services import deadlines, matches, times
from app.services.news import MatchMoved, News
from app.services.times import utcnow
from engine.bots import choose
from engine.state import Action, Cut, Forfeit, Play
from engine.view import view
from tests.app.people import Table, guest, ok, refused, sit_down


def seconds_left(record: matches.MatchRecord) -> float:
    assert record.deadline_at is not None
    return (record.deadline_at - utcnow()).total_seconds()


def loaded(table: Table) -> matches.MatchRecord:
    with table.person(-1).app.app_context():
        record = matches.load(table.match_id)
    assert record is not None
    return record


def act(table: Table, action: Action, record: matches.MatchRecord, due_by: datetime | None = None) -> list[News] | None:
    """What the clock does, as it was decided on a record."""
    with table.person(-1).app.app_context():
        return matches.act(table.match_id, action, expect_version=record.version, due_by=due_by)


def welcome_back(table: Table, seat: int) -> list[News]:
    """What an opened channel does."""
    with table.person(-1).app.app_context():
        return matches.welcome_back(table.match_id, seat)


def clock_plays(table: Table) -> matches.MatchRecord:
    """Let the clock play the turn that is due."""
    record = loaded(table)
    seat = record.match.to_act
    assert seat is not None
    card, capture = choose("easy", view(record.match, seat))
    by = "bot" if record.seats[seat].bot else "clock"
    action = Play(seat, card, None if capture is None else tuple(capture), turn=record.match.turn, by=by)
    assert act(table, action, record)
    return loaded(table)


@pytest.mark.parametrize(
    ("turn", "first_of_round", "clock_run", "length"),
    [
        (0, True, 0, 181),
        (1, False, 0, 121),
        (48, True, 0, 131),
        (48, True, 1, 131),
        (48, True, 2, 10),
        (3, False, 9, 10),
    ],
)
def test_the_length_of_a_turn(turn: int, first_of_round: bool, clock_run: int, length: int) -> None:
    assert deadlines.turn_s(120, turn=turn, first_of_round=first_of_round, clock_run=clock_run) == length


def test_a_deserted_seat_never_gets_more_than_the_room_gives() -> None:
    assert deadlines.turn_s(5, turn=9, first_of_round=False, clock_run=5) == 6


def test_the_first_turn_of_a_later_round_has_ten_seconds_more(app: Flask) -> None:
    table = sit_down(app, turn_seconds=50)
    table.play_plays(47)
    assert 45 < seconds_left(loaded(table)) <= 51
    table.play_plays(1)
    assert loaded(table).match.round.number == 2
    assert 55 < seconds_left(loaded(table)) <= 61


def test_a_late_turn_with_two_seats_is_lost_once(app: Flask) -> None:
    table = sit_down(app)
    table.play_plays(4)
    record = loaded(table)
    late = Forfeit(record.match.to_act, "timeout")
    news = act(table, late, record)
    assert [type(item).__name__ for item in news] == ["MatchMoved", "RoomChanged"]
    assert act(table, late, record) is None
    result = table.view(0)["result"]
    expected = {"winner": 1 - record.match.to_act, "reason": "timeout", "seat": record.match.to_act}
    assert {name: result[name] for name in expected} == expected
    assert result["scored"] is True
    refused(table.person(record.match.to_act).post(f"{table.path}/forfeits"), 409, "match.over")


def test_the_clock_loses_to_a_move_that_came_before_it(app: Flask) -> None:
    table = sit_down(app)
    record = loaded(table)
    table.play()
    late = Forfeit(record.match.to_act, "timeout")
    assert act(table, late, record) is None
    assert table.view(0)["status"] == "playing"


def test_the_clock_waits_where_the_deadline_has_moved(app: Flask) -> None:
    table = sit_down(app)
    record = loaded(table)
    late = Forfeit(record.match.to_act, "timeout")
    assert act(table, late, record, due_by=utcnow()) is None
    after = utcnow() + timedelta(seconds=600)
    assert act(table, late, record, due_by=after)


def test_what_the_clock_played_is_no_repeat(app: Flask) -> None:
    table = sit_down(app, 4)
    record = clock_plays(table)
    played = table.view(0)["last_play"]
    assert played["by"] == "clock"
    body = {"turn": 0, "card": played["card"]}
    refused(table.person(played["seat"]).post(f"{table.path}/moves", body), 409, "match.stale_turn")
    assert record.seats[played["seat"]].clock_run == 1


def test_a_deserted_seat_has_ten_seconds_until_its_player_acts(app: Flask) -> None:
    table = sit_down(app, 4)
    leader = loaded(table).match.to_act
    for _ in range(2):
        clock_plays(table)
        table.play_plays(3)
    assert loaded(table).match.to_act == leader
    assert loaded(table).seats[leader].clock_run == 2
    assert 5 < seconds_left(loaded(table)) <= 10
    table.play_plays(4)
    assert loaded(table).seats[leader].clock_run == 0
    assert seconds_left(loaded(table)) > 100


def test_a_channel_that_is_back_ends_the_short_turns(app: Flask) -> None:
    table = sit_down(app, 4)
    leader = loaded(table).match.to_act
    for _ in range(2):
        clock_plays(table)
        table.play_plays(3)
    news = welcome_back(table, leader)
    assert [(type(item), item.events) for item in news] == [(MatchMoved, ())]
    assert 110 < seconds_left(loaded(table)) <= 121
    assert loaded(table).version == news[0].record.version
    assert welcome_back(table, leader) == []


def set_deadline(table: Table, seconds: float) -> None:
    """Let the turn that is due end so many seconds from now."""
    with table.person(-1).app.app_context(), write_transaction() as session:
        at = utcnow() + timedelta(seconds=seconds)
        session.execute(update(MatchRow).where(MatchRow.id == table.match_id).values(deadline_at=at))


@pytest.mark.parametrize(("turn_seconds", "full_s"), [(5, 6), (8, 9), (9, 10), (10, 11), (30, 31)])
@pytest.mark.parametrize("left_s", [0.9, 1.0])
def test_coming_back_never_shortens_the_turn(app: Flask, turn_seconds: int, full_s: int, left_s: float) -> None:
    table = sit_down(app, 4, turn_seconds=turn_seconds)
    leader = loaded(table).match.to_act
    for _ in range(2):
        clock_plays(table)
        table.play_plays(3)
    short_s = min(10, full_s)
    set_deadline(table, short_s * left_s)
    before = loaded(table).deadline_at
    welcome_back(table, leader)
    after = loaded(table).deadline_at
    assert before is not None
    assert after == before + timedelta(seconds=full_s - short_s)


def test_coming_back_after_the_service_was_down_gives_a_whole_turn_and_no_more(app: Flask) -> None:
    table = sit_down(app, 4, turn_seconds=50)
    leader = loaded(table).match.to_act
    for _ in range(2):
        clock_plays(table)
        table.play_plays(3)
    set_deadline(table, 30)
    assert welcome_back(table, leader)
    assert 45 < seconds_left(loaded(table)) <= 51


def test_coming_back_leaves_a_deadline_that_is_far_enough(app: Flask) -> None:
    table = sit_down(app, 4, turn_seconds=5)
    leader = loaded(table).match.to_act
    for _ in range(2):
        clock_plays(table)
        table.play_plays(3)
    set_deadline(table, 30)
    before = loaded(table).deadline_at
    assert welcome_back(table, leader) == []
    assert loaded(table).deadline_at == before


def test_a_channel_that_is_back_before_the_second_play_of_the_clock(app: Flask) -> None:
    table = sit_down(app, 4)
    seat = loaded(table).match.to_act
    clock_plays(table)
    assert welcome_back(table, seat) == []
    assert loaded(table).seats[seat].clock_run == 0
    table.match_id = "unknown-match-id"
    assert welcome_back(table, 0) == []


def test_a_late_cut_is_made_automatically(app: Flask) -> None:
    table = sit_down(app, rules="traditional")
    record = loaded(table)
    assert act(table, Cut(record.match.to_act, None, by="clock"), record)
    events = ok(table.person(0).get(f"{table.path}/events"))["items"]
    assert [event["type"] for event in events] == ["match_started", "cut", "dealt"]
    assert events[1]["by"] == "clock"
    assert loaded(table).seats[record.match.to_act].clock_run == 0


def test_a_match_that_only_the_clock_plays_is_abandoned(app: Flask) -> None:
    table = sit_down(app, 4)
    for _ in range(16):
        clock_plays(table)
    view = table.view(0)
    assert (view["status"], view["result"]["reason"], view["result"]["winner"]) == ("finished", "abandoned", None)
    assert loaded(table).match.turn == 16
    last = ok(table.person(0).get(f"{table.path}/events"))["items"]
    assert [event["type"] for event in last[-3:]] == ["played", "dealt", "match_finished"]


def test_a_match_in_which_one_person_plays_is_not_abandoned(app: Flask) -> None:
    table = sit_down(app, 4)
    for turn in range(32):
        if turn % 16 == 5:
            table.play_plays(1)
        else:
            clock_plays(table)
    assert loaded(table).status == "playing"


def test_a_bots_turn_comes_after_its_pause_only(app: Flask) -> None:
    mona = guest(app)
    code = ok(mona.post("/rooms", {"join": False}), 201)["code"]
    ok(mona.post(f"/rooms/{code}/bots", {"seat": 0}), 201)
    room = ok(mona.post(f"/rooms/{code}/joins"), 201)
    table = Table(room, [None, mona])
    if loaded(table).match.to_act == 1:
        table.person(1).post(f"{table.path}/moves", {"turn": 0, "card": mona.view(table.match_id)["you"]["hand"][0]})
    assert seconds_left(loaded(table)) <= 0
    record = clock_plays(table)
    assert mona.view(table.match_id)["last_play"]["by"] == "bot"
    assert record.seats[0].clock_run == 0


def be_late(table: Table) -> None:
    """Let the turn that is due have ended just now, before any sweep."""
    set_deadline(table, -0.001)


def test_a_play_after_the_deadline_is_a_time_out_before_any_sweep(app: Flask, heard: list[News]) -> None:
    table = sit_down(app)
    table.play_plays(4)
    person, view = table.due()
    be_late(table)
    heard.clear()
    body = {"turn": view["turn"], "card": view["you"]["hand"][0]}
    refused(person.post(f"{table.path}/moves", body), 409, "match.over")
    assert [type(item).__name__ for item in heard] == ["MatchMoved", "RoomChanged"]
    result = table.view(0)["result"]
    assert (result["reason"], result["seat"], result["winner"]) == ("timeout", view["to_act"], 1 - view["to_act"])
    assert table.view(0)["turn"] == view["turn"]


def test_who_gives_up_after_the_others_deadline_has_won(app: Flask) -> None:
    table = sit_down(app)
    due = table.view(0)["to_act"]
    be_late(table)
    refused(table.person(1 - due).post(f"{table.path}/forfeits"), 409, "match.over")
    assert (table.view(0)["result"]["reason"], table.view(0)["result"]["winner"]) == ("timeout", 1 - due)


def test_with_four_seats_a_late_play_finds_that_the_clock_played(app: Flask, heard: list[News]) -> None:
    table = sit_down(app, 4)
    person, view = table.due()
    be_late(table)
    heard.clear()
    body = {"turn": 0, "card": view["you"]["hand"][0]}
    problem = refused(person.post(f"{table.path}/moves", body), 409, "match.stale_turn")
    assert (problem["view"]["turn"], problem["view"]["last_play"]["by"]) == (1, "clock")
    assert [type(item).__name__ for item in heard] == ["MatchMoved"]
    assert table.view(0)["status"] == "playing"


def test_a_late_cut_finds_the_pack_cut(app: Flask) -> None:
    table = sit_down(app, rules="traditional")
    person, _ = table.due()
    be_late(table)
    refused(person.post(f"{table.path}/cuts", {"round": 1, "at": 20}), 409, "match.wrong_phase")
    events = ok(person.get(f"{table.path}/events"))["items"]
    assert [(event["type"], event.get("by")) for event in events[1:]] == [("cut", "clock"), ("dealt", None)]


def test_a_repeat_is_a_repeat_after_the_next_deadline_too(app: Flask) -> None:
    table = sit_down(app)
    person, view = table.due()
    body = {"turn": 0, "card": view["you"]["hand"][0]}
    events = ok(person.post(f"{table.path}/moves", body), 201)["events"]
    be_late(table)
    assert ok(person.post(f"{table.path}/moves", body), 200)["events"] == events
    assert table.view(0)["status"] == "playing"


def test_a_bot_that_is_late_takes_nothing_from_anyone(app: Flask) -> None:
    mona = guest(app)
    code = ok(mona.post("/rooms", {"join": False}), 201)["code"]
    ok(mona.post(f"/rooms/{code}/bots", {"seat": 0}), 201)
    table = Table(ok(mona.post(f"/rooms/{code}/joins"), 201), [None, mona])
    if loaded(table).match.to_act == 1:
        mona.post(f"{table.path}/moves", {"turn": 0, "card": table.view(1)["you"]["hand"][0]})
    assert seconds_left(loaded(table)) <= 0
    body = {"turn": loaded(table).match.turn, "card": table.view(1)["you"]["hand"][0]}
    refused(mona.post(f"{table.path}/moves", body), 409, "match.not_your_turn")
    assert loaded(table).match.to_act == 0
    assert ok(mona.post(f"{table.path}/forfeits"), 201)["view"]["result"]["reason"] == "forfeit"


def test_a_channel_that_is_back_after_the_deadline_gives_no_new_time(app: Flask) -> None:
    table = sit_down(app, 4)
    leader = loaded(table).match.to_act
    for _ in range(2):
        clock_plays(table)
        table.play_plays(3)
    be_late(table)
    assert welcome_back(table, leader) == []
    assert seconds_left(loaded(table)) <= 0
    assert loaded(table).seats[leader].clock_run == 0


def test_the_clock_of_the_service_is_read_in_one_place(monkeypatch: pytest.MonkeyPatch) -> None:
    class Frozen(datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime(2030, 1, 2, 3, 4, 5, 678_901, tz)

    monkeypatch.setattr(times, "datetime", Frozen)
    assert times.rfc3339(matches.utcnow()) == "2030-01-02T03:04:05.678Z"
