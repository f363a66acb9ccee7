"""What the end of a match brings: the room's tally, and the players' points and ratings, exactly once.

What it counts for is judged in `verdicts`, who may stand on the boards of ratings in `encounters`.

All of it is stored in the transaction that ends the match. A match ends once, by compare-and-set; besides, only what is
not finished yet is settled, and the key of its results lets a match count for a player once.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any, cast

from sqlalchemy import Connection, CursorResult, Table, bindparam, case, func, insert, select, update

from app.models import MatchRow, Player, PlayerResult, Room
from app.services import encounters, glicko, penalties, ratings
from app.services.glicko import DRAW, LOSS, WIN, Rating
from app.services.records import MatchRecord, SeatRecord
from app.services.times import week_of
from app.services.verdicts import Verdict, judge

POINTS_WIN = 24
POINTS_DRAW = 8
POINTS_LOSS = 3
SCORES = {"win": WIN, "draw": DRAW, "loss": LOSS}
# On the boards one opponent counts so often a week.
COUNTED_PER_WEEK = 10
# Between so many people a match is rated: a rating tells of one player against another.
RATED_SEATS = 2

_matches = cast(Table, MatchRow.__table__)
_players = cast(Table, Player.__table__)
_results = cast(Table, PlayerResult.__table__)
_rooms = cast(Table, Room.__table__)

_FINISH = (
    update(_matches)
    .where(_matches.c.id == bindparam("match_id"), _matches.c.finished_at.is_(None))
    .values(finished_at=bindparam("at"), result=bindparam("of_result"), scored=bindparam("is_scored"))
)
_ADD_POINTS = (
    update(_players).where(_players.c.id == bindparam("player_id")).values(points=_players.c.points + bindparam("more"))
)
_ADD_BOARD_POINTS = (
    update(_players)
    .where(_players.c.id == bindparam("player_id"))
    .values(
        board_points=_players.c.board_points + bindparam("more"),
        week_points=bindparam("more")
        + case((_players.c.week_at == bindparam("week"), _players.c.week_points), else_=0),
        week_at=bindparam("week"),
    )
)
_one, _other = _results.alias("one"), _results.alias("other")
# Of each of some people, how often each other one was an opponent since a moment in matches that count on the boards.
_COUNTED_TOGETHER = (
    select(_one.c.player_id, func.count().label("matches"))
    .select_from(_one.join(_other, _other.c.match_id == _one.c.match_id))
    .where(
        _one.c.player_id.in_(bindparam("people", expanding=True)),
        _one.c.finished_at >= bindparam("since"),
        _one.c.board_points > 0,
        _other.c.player_id.in_(bindparam("people", expanding=True)),
        (_one.c.seat + _other.c.seat) % 2 == 1,
    )
    .group_by(_one.c.player_id, _other.c.player_id)
)


def settle(connection: Connection, record: MatchRecord, now: datetime) -> MatchRecord:
    """Close a match that has just ended, in the transaction that ended it; once closed it stays as it is."""
    result = record.match.result
    assert result is not None
    verdict = judge(connection, record, now)
    finish = {"match_id": record.id, "at": now, "of_result": result.to_json(), "is_scored": verdict.scored}
    if cast(CursorResult[Any], connection.execute(_FINISH, finish)).rowcount != 1:
        return _as_settled(connection, record)
    _close_in_room(connection, record, result.winner, now)
    penalties.note_no_shows(connection, verdict.absent, now)
    if verdict.counts:
        _count(connection, record, verdict, now)
    return replace(record, finished_at=now, scored=verdict.scored)


def points_of(side: int, winner: int | None) -> int:
    """The profile points that a match brings a side; one that nobody won is a draw, however it ended."""
    return {"win": POINTS_WIN, "draw": POINTS_DRAW, "loss": POINTS_LOSS}[outcome_of(side, winner)]


def outcome_of(side: int, winner: int | None) -> str:
    """What a match was for a side: win, draw or loss."""
    if winner is None:
        return "draw"
    return "win" if side == winner else "loss"


def _as_settled(connection: Connection, record: MatchRecord) -> MatchRecord:
    query = select(_matches.c.finished_at, _matches.c.scored).where(_matches.c.id == record.id)
    stored = connection.execute(query).one()
    return replace(record, finished_at=stored.finished_at, scored=stored.scored)


def _count(connection: Connection, record: MatchRecord, verdict: Verdict, now: datetime) -> None:
    """Note what the match brings each of its players, and give it to them."""
    rows = [_result_of(record, verdict, taken, now) for taken in record.seats if verdict.counts_for(taken.seat)]
    if verdict.scored:
        _count_on_boards(connection, record, rows, now)
    is_rated = record.rated and len(record.seats) == RATED_SEATS
    if is_rated:
        _move_ratings(connection, record, rows, now)
    connection.execute(insert(_results), rows)
    _give_points(connection, rows, week_of(now))
    if verdict.scored:
        encounters.note(connection, rows)
    encounters.refresh(connection, [row["player_id"] for row in rows])


def _result_of(record: MatchRecord, verdict: Verdict, taken: SeatRecord, now: datetime) -> dict[str, Any]:
    result = record.match.result
    assert result is not None
    side = taken.seat % 2
    lost = taken.seat in verdict.dodged
    return {
        "match_id": record.id,
        "player_id": taken.player_id,
        "seat": taken.seat,
        "outcome": "loss" if lost else outcome_of(side, result.winner),
        "forfeited": lost or (result.reason in ("forfeit", "timeout") and result.seat == taken.seat),
        "points": 0 if lost else points_of(side, result.winner),
        "board_points": 0,
        "basras": verdict.basras.get(taken.seat, 0),
        "best_round": max((sheet.points[side] for sheet in record.match.sheets), default=0),
        "rating_before": None,
        "rating_after": None,
        "deviation_before": None,
        "deviation_after": None,
        "volatility_before": None,
        "finished_at": now,
    }


def _count_on_boards(connection: Connection, record: MatchRecord, rows: list[dict[str, Any]], now: datetime) -> None:
    """Let the points count on the boards, but for who had one of the opponents there often enough this week."""
    if not all(taken.registered for taken in record.seats):
        return
    together = {"people": sorted(str(taken.player_id) for taken in record.seats), "since": week_of(now)}
    counted = connection.execute(_COUNTED_TOGETHER, together)
    often = {found.player_id for found in counted if found.matches >= COUNTED_PER_WEEK}
    for row in rows:
        row["board_points"] = 0 if row["player_id"] in often else row["points"]


def _give_points(connection: Connection, rows: list[dict[str, Any]], week: datetime) -> None:
    points = [{"player_id": row["player_id"], "more": row["points"]} for row in rows if row["points"]]
    board_points = [
        {"player_id": row["player_id"], "more": row["board_points"], "week": week}
        for row in rows
        if row["board_points"]
    ]
    for statement, given in ((_ADD_POINTS, points), (_ADD_BOARD_POINTS, board_points)):
        if given:
            connection.execute(statement, given)


def _move_ratings(connection: Connection, record: MatchRecord, rows: list[dict[str, Any]], now: datetime) -> None:
    """Rate those for whom the match counts by what both were before, and note it in their results."""
    people = [str(taken.player_id) for taken in record.seats]
    before = _ratings_of(connection, people, now)
    moved = []
    for row in rows:
        own = before[row["player_id"]]
        (opponent,) = (before[one] for one in people if one != row["player_id"])
        after = glicko.after_match(own, opponent, SCORES[row["outcome"]])
        row |= {
            "rating_before": own.value,
            "rating_after": after.value,
            "deviation_before": own.deviation,
            "deviation_after": after.deviation,
            "volatility_before": own.volatility,
        }
        moved.append((row["player_id"], after, now))
    ratings.store(connection, moved)


def _ratings_of(connection: Connection, player_ids: list[str], now: datetime) -> dict[str, Rating]:
    """The ratings of some players as they are now."""
    rows = connection.execute(select(_players).where(_players.c.id.in_(player_ids)))
    return {row.id: ratings.rating_of(row, now) for row in rows}


def _close_in_room(connection: Connection, record: MatchRecord, winner: int | None, now: datetime) -> None:
    tally = connection.scalar(select(_rooms.c.tally).where(_rooms.c.code == record.room_code))
    if winner is not None and tally is not None:
        tally = [wins + (side == winner) for side, wins in enumerate(tally)]
    connection.execute(
        update(_rooms).where(_rooms.c.code == record.room_code).values(status="finished", tally=tally, active_at=now)
    )
