"""Which of a player's matches somebody wants to see."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from sqlalchemy import ColumnElement, Select, Table, and_, case, exists, func

from app.models import MatchRow, MatchSeat, PlayerResult

_matches = cast(Table, MatchRow.__table__)
_seats = cast(Table, MatchSeat.__table__)
_results = cast(Table, PlayerResult.__table__)
_others = _seats.alias("others")
_side = _seats.c.seat % 2
_winner = _matches.c.result["winner"].as_integer()


@dataclass(frozen=True, slots=True)
class MatchFilter:
    """What matches must have in common; what is None may be any."""

    status: str | None = None
    # An id, or `me` for the caller; on the other side than the listed player.
    opponent: str | None = None
    outcome: str | None = None
    rated: bool | None = None
    rules: str | None = None
    seats: int | None = None
    # Of the start, up to but without `until`.
    since: datetime | None = None
    until: datetime | None = None


def narrowed(query: Select[Any], wanted: MatchFilter, caller_id: str) -> Select[Any]:
    """A query of matches, the listed player's seats in them and what they brought, narrowed down to what is wanted."""
    conditions: list[ColumnElement[bool]] = []
    if wanted.status is not None:
        conditions.append(_matches.c.status == wanted.status)
    if wanted.opponent is not None:
        conditions.append(_against(caller_id if wanted.opponent == "me" else wanted.opponent))
    if wanted.outcome is not None:
        conditions.append(_ended_as(wanted.outcome))
    if wanted.rated is not None:
        conditions.append(_matches.c.rated.is_(wanted.rated))
    if wanted.rules is not None:
        conditions.append(_matches.c.rules["profile"].as_string() == wanted.rules)
    if wanted.seats is not None:
        third = exists().where(_others.c.match_id == _matches.c.id, _others.c.seat == 2)
        conditions.append(third if wanted.seats == 4 else ~third)
    if wanted.since is not None:
        conditions.append(_matches.c.started_at >= wanted.since)
    if wanted.until is not None:
        conditions.append(_matches.c.started_at < wanted.until)
    return query.where(*conditions)


def _against(player_id: str) -> ColumnElement[bool]:
    return exists().where(
        _others.c.match_id == _matches.c.id, _others.c.player_id == player_id, _others.c.seat % 2 != _side
    )


def _ended_as(outcome: str) -> ColumnElement[bool]:
    """What the match was for the listed player; one that nobody won is a draw, but for who never came to it."""
    of_side = case((_winner.is_(None), "draw"), (_winner == _side, "win"), else_="loss")
    return and_(_matches.c.status == "finished", func.coalesce(_results.c.outcome, of_side) == outcome)
