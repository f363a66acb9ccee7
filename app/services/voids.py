"""Voids: those who run the service take back what a match brought, because it was arranged or went wrong.

Only the match's own change is taken back, once. What was played later stays, though it was rated by what this one had
made of the ratings: else a void would change the standings of people who have no part in it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, cast

from sqlalchemy import Connection, Row, Table, bindparam, case, delete, select, update
from sqlalchemy.orm import Session

from app.extensions import write_transaction
from app.models import MatchRow, Player, PlayerResult
from app.services import encounters, glicko, match_store, ratings
from app.services.errors import Refusal
from app.services.glicko import DEVIATION, VALUE, Rating
from app.services.ids import is_id
from app.services.news import MatchMoved, News
from app.services.records import MatchRecord
from app.services.times import utcnow, week_of

_matches = cast(Table, MatchRow.__table__)
_players = cast(Table, Player.__table__)
_results = cast(Table, PlayerResult.__table__)

_OF_MATCH = _results.c.match_id == bindparam("of_match")
_SELECT_RESULTS = select(_results).where(_OF_MATCH).order_by(_results.c.seat)
_FORGET_RESULTS = delete(_results).where(_OF_MATCH)
_MARK = update(_matches).where(_matches.c.id == bindparam("of_match")).values(voided_at=bindparam("now"), scored=False)
_TAKE_POINTS = (
    update(_players)
    .where(_players.c.id == bindparam("of_player"))
    .values(
        points=_players.c.points - bindparam("less"),
        board_points=_players.c.board_points - bindparam("less_on_boards"),
        week_points=_players.c.week_points
        - case((_players.c.week_at == bindparam("week"), bindparam("less_on_boards")), else_=0),
    )
)
_PREVIOUS = (
    select(_results)
    .where(
        _results.c.player_id == bindparam("of_player"),
        _results.c.finished_at <= bindparam("at"),
        _results.c.match_id != bindparam("of_match"),
        _results.c.rating_after.is_not(None),
    )
    .order_by(_results.c.finished_at.desc())
    .limit(1)
)


@dataclass(frozen=True, slots=True)
class Voided:
    """A match that was voided: when, whether just now, and what was taken back then.

    Shape: a change is `{"player", "points", "board_points", "rating"}`; `rating` is null where it had not moved.
    """

    match_id: str
    voided_at: datetime
    fresh: bool
    changes: list[dict[str, Any]]


def void_match(match_id: str, note: Callable[[Session], None] | None = None) -> tuple[Voided, list[News]]:
    """Take back what a finished match brought; one that was voided already stays as it is.

    `note` is called in the same transaction where something is taken back.

    Errors: not_found, match.running.
    """
    with write_transaction() as session:
        connection = session.connection()
        record = match_store.load(connection, match_id) if is_id(match_id) else None
        if record is None:
            raise Refusal("not_found", "There is no such match.")
        if not record.is_over:
            raise Refusal("match.running")
        if record.voided_at is not None:
            return Voided(match_id, record.voided_at, fresh=False, changes=[]), []
        now = utcnow()
        changes = _take_back(connection, record)
        connection.execute(_MARK, {"of_match": match_id, "now": now})
        if note is not None:
            note(session)
    record = replace(record, scored=False, voided_at=now)
    return Voided(match_id, now, fresh=True, changes=changes), [MatchMoved(record.room_code, record.id, (), record)]


def _take_back(connection: Connection, record: MatchRecord) -> list[dict[str, Any]]:
    of_match = {"of_match": record.id}
    rows = connection.execute(_SELECT_RESULTS, of_match).all()
    for row in rows:
        connection.execute(
            _TAKE_POINTS,
            {
                "of_player": row.player_id,
                "less": row.points,
                "less_on_boards": row.board_points,
                "week": week_of(row.finished_at),
            },
        )
        if row.rating_after is not None:
            _take_rating(connection, row)
    # As they were noted: of a scored match all, who never came to it included.
    if record.scored:
        encounters.take_back(connection, [row._asdict() for row in rows])
    connection.execute(_FORGET_RESULTS, of_match)
    encounters.refresh(connection, [row.player_id for row in rows], again=True)
    return [_told(row) for row in rows]


def _take_rating(connection: Connection, row: Row[Any]) -> None:
    player = connection.execute(select(_players).where(_players.c.id == row.player_id)).one()
    own = Rating(player.rating_value, player.rating_deviation, player.rating_volatility)
    if (own.value, own.deviation, player.rated_at) == (row.rating_after, row.deviation_after, row.finished_at):
        rating, rated_at = _as_before(connection, row)
    else:
        before = Rating(row.rating_before, row.deviation_before)
        rating = glicko.without(own, before, Rating(row.rating_after, row.deviation_after))
        rated_at = player.rated_at
    ratings.store(connection, [(row.player_id, rating, rated_at)])


def _as_before(connection: Connection, row: Row[Any]) -> tuple[Rating, datetime | None]:
    """The rating as it was stored before a match that was the player's last, and since when."""
    where = {"of_player": row.player_id, "at": row.finished_at, "of_match": row.match_id}
    previous = connection.execute(_PREVIOUS, where).one_or_none()
    if previous is None and (row.rating_before, row.deviation_before) == (VALUE, DEVIATION):
        return Rating(), None
    if previous is not None and previous.rating_after == row.rating_before:
        return Rating(previous.rating_after, previous.deviation_after, row.volatility_before), previous.finished_at
    # An earlier match was voided meanwhile. The same rating, with a deviation that had grown up to this match.
    return Rating(row.rating_before, row.deviation_before, row.volatility_before), row.finished_at


def _told(row: Row[Any]) -> dict[str, Any]:
    moved = ratings.change(row.rating_before, row.rating_after)
    return {
        "player": row.player_id,
        "points": -row.points,
        "board_points": -row.board_points,
        "rating": None if moved is None else -moved,
    }
