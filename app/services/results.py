"""What the end of a match brings: the room's tally, and the players' points and ratings, exactly once.

All of it is stored in the transaction that ends the match. A match ends once, by compare-and-set; besides, only what is
not finished yet is settled, and the key of its results lets a match count for a player once.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, cast

from sqlalchemy import Connection, CursorResult, Table, bindparam, case, func, insert, select, update

from app.models import MatchEvent, MatchRow, Player, PlayerResult, Room
from app.services import glicko
from app.services.glicko import DRAW, LOSS, WIN, Rating
from app.services.ratings import rating_of
from app.services.records import MatchRecord, SeatRecord
from app.services.times import week_of

POINTS_WIN = 24
POINTS_DRAW = 8
POINTS_LOSS = 3
SCORES = {"win": WIN, "draw": DRAW, "loss": LOSS}
# Fewer plays than this for each seat are no match; more matches than this of the same two in a day are a farm.
PLAYS_PER_SEAT = 2
SCORED_PER_DAY = 10
DAY = timedelta(days=1)
# Between so many people a match is rated: a rating tells of one player against another.
RATED_SEATS = 2

_matches = cast(Table, MatchRow.__table__)
_events = cast(Table, MatchEvent.__table__)
_players = cast(Table, Player.__table__)
_results = cast(Table, PlayerResult.__table__)
_rooms = cast(Table, Room.__table__)

_FINISH = (
    update(_matches)
    .where(_matches.c.id == bindparam("match_id"), _matches.c.finished_at.is_(None))
    .values(finished_at=bindparam("at"), result=bindparam("of_result"), scored=bindparam("is_scored"))
)
_seat_of_play = _events.c.event["seat"].as_integer()
_COUNT_BASRAS = (
    select(_seat_of_play.label("seat"), func.count().label("basras"))
    .where(
        _events.c.match_id == bindparam("match_id"),
        _events.c.type == "played",
        _events.c.event["by"].as_string() == "player",
        _events.c.event["basra"].as_integer() > 0,
    )
    .group_by(_seat_of_play)
)
_ADD_POINTS = (
    update(_players)
    .where(_players.c.id == bindparam("player_id"))
    .values(
        points=_players.c.points + bindparam("more"),
        week_points=bindparam("more")
        + case((_players.c.week_at == bindparam("week"), _players.c.week_points), else_=0),
        week_at=bindparam("week"),
    )
)
_SET_RATING = (
    update(_players)
    .where(_players.c.id == bindparam("player_id"))
    .values(
        rating_value=bindparam("new_value"),
        rating_deviation=bindparam("new_deviation"),
        rating_volatility=bindparam("new_volatility"),
        rated_at=bindparam("now"),
        established_until=bindparam("until"),
    )
)
_one, _other = _results.alias("one"), _results.alias("other")
# Of every two of some people: how many matches that they both played were scored since a moment.
_SCORED_TOGETHER = (
    select(func.count())
    .select_from(_one.join(_other, _other.c.match_id == _one.c.match_id))
    .where(
        _one.c.player_id.in_(bindparam("people", expanding=True)),
        _one.c.finished_at > bindparam("since"),
        _other.c.player_id.in_(bindparam("people", expanding=True)),
        _other.c.player_id > _one.c.player_id,
    )
    .group_by(_one.c.player_id, _other.c.player_id)
)


def settle(connection: Connection, record: MatchRecord, now: datetime) -> MatchRecord:
    """Close a match that has just ended, in the transaction that ended it; once closed it stays as it is."""
    result = record.match.result
    assert result is not None
    scored = _is_scored(connection, record, now)
    finish = {"match_id": record.id, "at": now, "of_result": result.to_json(), "is_scored": scored}
    if cast(CursorResult[Any], connection.execute(_FINISH, finish)).rowcount != 1:
        return _as_settled(connection, record)
    _close_in_room(connection, record, result.winner, now)
    if scored:
        _score(connection, record, now)
    return replace(record, finished_at=now, scored=scored)


def points_of(side: int, winner: int | None) -> int:
    """The profile points that a match brings a side; one that nobody won is a draw, however it ended."""
    return {"win": POINTS_WIN, "draw": POINTS_DRAW, "loss": POINTS_LOSS}[outcome_of(side, winner)]


def outcome_of(side: int, winner: int | None) -> str:
    """What a match was for a side: win, draw or loss."""
    if winner is None:
        return "draw"
    return "win" if side == winner else "loss"


def _is_scored(connection: Connection, record: MatchRecord, now: datetime) -> bool:
    people = {taken.player_id for taken in record.seats if taken.bot is None}
    if record.seeded or len(people) < len(record.seats) or any(taken.is_program for taken in record.seats):
        return False
    if record.match.turn < PLAYS_PER_SEAT * len(record.seats):
        return False
    # Any two of them, whoever else sat there and in whatever room: a table for four is no way round.
    counts = connection.scalars(_SCORED_TOGETHER, {"people": sorted(map(str, people)), "since": now - DAY})
    return max(counts, default=0) < SCORED_PER_DAY


def _as_settled(connection: Connection, record: MatchRecord) -> MatchRecord:
    query = select(_matches.c.finished_at, _matches.c.scored).where(_matches.c.id == record.id)
    stored = connection.execute(query).one()
    return replace(record, finished_at=stored.finished_at, scored=stored.scored)


def _score(connection: Connection, record: MatchRecord, now: datetime) -> None:
    """Note what the match brings each of its players, and give it to them."""
    rows = _results_of(connection, record, now)
    if record.rated and len(record.seats) == RATED_SEATS:
        _move_ratings(connection, rows, now)
    connection.execute(insert(_results), rows)
    week = week_of(now)
    connection.execute(
        _ADD_POINTS, [{"player_id": row["player_id"], "more": row["points"], "week": week} for row in rows]
    )


def _results_of(connection: Connection, record: MatchRecord, now: datetime) -> list[dict[str, Any]]:
    basras: dict[int, int] = {
        row.seat: row.basras for row in connection.execute(_COUNT_BASRAS, {"match_id": record.id})
    }
    return [_result_of(record, taken, basras.get(taken.seat, 0), now) for taken in record.seats]


def _result_of(record: MatchRecord, taken: SeatRecord, basras: int, now: datetime) -> dict[str, Any]:
    result = record.match.result
    assert result is not None
    side = taken.seat % 2
    return {
        "match_id": record.id,
        "player_id": taken.player_id,
        "outcome": outcome_of(side, result.winner),
        "forfeited": result.reason in ("forfeit", "timeout") and result.seat == taken.seat,
        "points": points_of(side, result.winner),
        "basras": basras,
        "best_round": max((sheet.points[side] for sheet in record.match.sheets), default=0),
        "rating_before": None,
        "rating_after": None,
        "deviation_before": None,
        "deviation_after": None,
        "finished_at": now,
    }


def _move_ratings(connection: Connection, rows: list[dict[str, Any]], now: datetime) -> None:
    """Rate both players by what they were before, and note it in their results."""
    before = _ratings_of(connection, [row["player_id"] for row in rows], now)
    moved = []
    for row, opponent in zip(rows, reversed(rows), strict=True):
        own = before[row["player_id"]]
        after = glicko.after_match(own, before[opponent["player_id"]], SCORES[row["outcome"]])
        row |= {
            "rating_before": own.value,
            "rating_after": after.value,
            "deviation_before": own.deviation,
            "deviation_after": after.deviation,
        }
        moved.append(
            {
                "player_id": row["player_id"],
                "new_value": after.value,
                "new_deviation": after.deviation,
                "new_volatility": after.volatility,
                "now": now,
                "until": glicko.established_until(after, now),
            }
        )
    connection.execute(_SET_RATING, moved)


def _ratings_of(connection: Connection, player_ids: list[str], now: datetime) -> dict[str, Rating]:
    """The ratings of some players as they are now."""
    rows = connection.execute(select(_players).where(_players.c.id.in_(player_ids)))
    return {row.id: rating_of(row, now) for row in rows}


def _close_in_room(connection: Connection, record: MatchRecord, winner: int | None, now: datetime) -> None:
    tally = connection.scalar(select(_rooms.c.tally).where(_rooms.c.code == record.room_code))
    if winner is not None and tally is not None:
        tally = [wins + (side == winner) for side, wins in enumerate(tally)]
    connection.execute(
        update(_rooms).where(_rooms.c.code == record.room_code).values(status="finished", tally=tally, active_at=now)
    )
