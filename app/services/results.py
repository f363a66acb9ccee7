"""What the end of a match brings: the room's tally, and the players' points, exactly once."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import cast

from sqlalchemy import Connection, Table, bindparam, case, func, select, update

from app.models import MatchRow, MatchSeat, Player, Room
from app.services.records import MatchRecord

POINTS_WIN = 24
POINTS_DRAW = 8
POINTS_LOSS = 3
# Fewer plays than this for each seat are no match; more matches than this of the same people in a day are a farm.
PLAYS_PER_SEAT = 2
SCORED_PER_DAY = 10
DAY = timedelta(days=1)

_matches = cast(Table, MatchRow.__table__)
_seats = cast(Table, MatchSeat.__table__)
_players = cast(Table, Player.__table__)
_rooms = cast(Table, Room.__table__)

_FINISH = (
    update(_matches)
    .where(_matches.c.id == bindparam("match_id"))
    .values(finished_at=bindparam("at"), result=bindparam("of_result"), scored=bindparam("is_scored"))
)
_ADD_POINTS = (
    update(_players).where(_players.c.id == bindparam("player_id")).values(points=_players.c.points + bindparam("more"))
)


def settle(connection: Connection, record: MatchRecord, now: datetime) -> MatchRecord:
    """Close a match that has just ended, in the transaction that ended it."""
    result = record.match.result
    assert result is not None
    scored = _is_scored(connection, record, now)
    connection.execute(_FINISH, {"match_id": record.id, "at": now, "of_result": result.to_json(), "is_scored": scored})
    _close_in_room(connection, record, result.winner, now)
    if scored:
        connection.execute(
            _ADD_POINTS,
            [
                {"player_id": taken.player_id, "more": points_of(taken.seat % 2, result.winner)}
                for taken in record.seats
            ],
        )
    return replace(record, finished_at=now, scored=scored)


def points_of(side: int, winner: int | None) -> int:
    """The profile points that a match brings a side; one that nobody won is a draw, however it ended."""
    if winner is None:
        return POINTS_DRAW
    return POINTS_WIN if side == winner else POINTS_LOSS


def _is_scored(connection: Connection, record: MatchRecord, now: datetime) -> bool:
    people = {taken.player_id for taken in record.seats if taken.bot is None}
    if record.seeded or len(people) < len(record.seats) or any(taken.is_program for taken in record.seats):
        return False
    if record.match.turn < PLAYS_PER_SEAT * len(record.seats):
        return False
    return _scored_lately(connection, {str(player) for player in people}, now) < SCORED_PER_DAY


def _scored_lately(connection: Connection, people: set[str], now: datetime) -> int:
    """How many matches of exactly these people were scored in the day before."""
    of_one = select(_seats.c.match_id).where(_seats.c.player_id == min(people))
    theirs = (
        select(_seats.c.match_id)
        .join(_matches, _matches.c.id == _seats.c.match_id)
        .where(_matches.c.scored, _matches.c.finished_at > now - DAY, _seats.c.match_id.in_(of_one))
        .group_by(_seats.c.match_id)
        .having(
            func.count() == len(people),
            func.sum(case((_seats.c.player_id.in_(people), 1), else_=0)) == len(people),
        )
        .subquery()
    )
    return connection.scalar(select(func.count()).select_from(theirs)) or 0


def _close_in_room(connection: Connection, record: MatchRecord, winner: int | None, now: datetime) -> None:
    tally = connection.scalar(select(_rooms.c.tally).where(_rooms.c.code == record.room_code))
    if winner is not None and tally is not None:
        tally = [wins + (side == winner) for side, wins in enumerate(tally)]
    connection.execute(
        update(_rooms).where(_rooms.c.code == record.room_code).values(status="finished", tally=tally, active_at=now)
    )
