"""A player's running matches, as his own channel tells of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from sqlalchemy import Table, bindparam, select
from sqlalchemy.orm import Session

from app.models import MatchRow, MatchSeat

_matches = cast(Table, MatchRow.__table__)
_seats = cast(Table, MatchSeat.__table__)
_SELECT_RUNNING = (
    select(_matches.c.id, _matches.c.room_code, _matches.c.version, _matches.c.to_act, _seats.c.seat)
    .select_from(_seats.join(_matches, _matches.c.id == _seats.c.match_id))
    .where(_seats.c.player_id == bindparam("player_id"), _matches.c.status == "playing")
    .order_by(_matches.c.started_at.desc(), _matches.c.id)
)


@dataclass(frozen=True, slots=True)
class Running:
    """A match that waits for its player, now or soon."""

    id: str
    room_code: str
    version: int
    your_turn: bool


def running_of(session: Session, player_id: str) -> list[Running]:
    """The running matches of a player, newest first."""
    rows = session.execute(_SELECT_RUNNING, {"player_id": player_id})
    return [Running(row.id, row.room_code, row.version, row.to_act == row.seat) for row in rows]
