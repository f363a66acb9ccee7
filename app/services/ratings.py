"""Ratings as players are shown them, and how each match changed them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from sqlalchemy import Connection, Row, Table, bindparam, select, update

from app.extensions import db
from app.models import MatchRow, Player, PlayerResult
from app.services import glicko
from app.services.encounters import VOUCHERS_NEEDED
from app.services.glicko import Rating
from app.services.times import rfc3339

_matches = cast(Table, MatchRow.__table__)
_players = cast(Table, Player.__table__)
_results = cast(Table, PlayerResult.__table__)
_SET = (
    update(_players)
    .where(_players.c.id == bindparam("of_player"))
    .values(
        rating_value=bindparam("value"),
        rating_deviation=bindparam("deviation"),
        rating_volatility=bindparam("volatility"),
        rated_at=bindparam("at"),
    )
)
_CHANGES = (
    select(_results, _matches.c.public)
    .join(_matches, _matches.c.id == _results.c.match_id)
    .where(_results.c.rating_after.is_not(None))
    .order_by(_results.c.finished_at.desc(), _results.c.match_id.desc())
)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a page of changes ended: a moment, and how many changes of that very moment were on it.

    No match is named in it: who looks at another's changes may not know of them all.
    """

    at: datetime
    shown: int


def rating_json(player: Player, now: datetime) -> dict[str, Any]:
    """A player's rating as the contract shows it: its deviation has grown since his last rated match."""
    rating = rating_of(player, now)
    return {
        "value": whole(rating.value),
        "deviation": whole(rating.deviation),
        "provisional": glicko.is_provisional(rating) or player.vouchers < VOUCHERS_NEEDED,
    }


def rating_of(player: Player | Row[Any], now: datetime) -> Rating:
    """The rating of a player, or of a row with his columns, as it is now: not as it was stored."""
    stored = Rating(player.rating_value, player.rating_deviation, player.rating_volatility)
    return glicko.at(stored, player.rated_at, now)


def store(connection: Connection, ratings: Iterable[tuple[str, Rating, datetime | None]]) -> None:
    """Store the ratings of some players, each with the moment since when it is so."""
    rows = [
        {
            "of_player": player_id,
            "value": rating.value,
            "deviation": rating.deviation,
            "volatility": rating.volatility,
            "at": at,
        }
        for player_id, rating, at in ratings
    ]
    connection.execute(_SET, rows)


def whole(value: float) -> int:
    """A rating's value as it is shown; halves go up, so that its order is that of the values.

    >>> whole(1500.5), whole(1501.5), whole(1499.49)
    (1501, 1502, 1499)
    """
    return math.floor(value + 0.5)


def change(before: float | None, after: float | None) -> int | None:
    """By how much a match changed the rating that is shown; None where it was not rated."""
    return None if before is None or after is None else whole(after) - whole(before)


def changes_of(
    player_id: str, caller_id: str, place: Place | None, limit: int
) -> tuple[list[dict[str, Any]], Place | None]:
    """A page of the changes of a player's rating, newest first; another's matches in private rooms are not named."""
    query = _CHANGES.where(_results.c.player_id == player_id)
    skipped = 0
    if place is not None:
        query = query.where(_results.c.finished_at <= place.at)
        skipped = place.shown
    rows = db.session.execute(query.offset(skipped).limit(limit + 1)).all()
    page = rows[:limit]
    own = player_id == caller_id
    items = [_item(row, named=own or row.public) for row in page]
    return items, _place_after(page, place) if len(rows) > limit else None


def _item(row: Row[Any], *, named: bool) -> dict[str, Any]:
    return {
        "match": row.match_id if named else None,
        "at": rfc3339(row.finished_at),
        "value": whole(row.rating_after),
        "deviation": whole(row.deviation_after),
        "delta": change(row.rating_before, row.rating_after),
    }


def _place_after(page: Sequence[Row[Any]], before: Place | None) -> Place:
    at = page[-1].finished_at
    shown = sum(row.finished_at == at for row in page)
    return Place(at, shown + (before.shown if before is not None and before.at == at else 0))
