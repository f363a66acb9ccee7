"""How far a room's match is: the one small question that every ping asks."""

from __future__ import annotations

from typing import cast

from sqlalchemy import Table, bindparam, select
from sqlalchemy.orm import Session

from app.models import MatchRow, Room

_matches = cast(Table, MatchRow.__table__)
_rooms = cast(Table, Room.__table__)
_SELECT_PULSE = (
    select(_matches.c.id, _matches.c.version)
    .select_from(_rooms.join(_matches, _matches.c.id == _rooms.c.match_id))
    .where(_rooms.c.code == bindparam("code"))
)


def pulse(session: Session, code: str) -> tuple[str, int] | None:
    """The id and version of the room's match, or None while it has none."""
    row = session.execute(_SELECT_PULSE, {"code": code}).one_or_none()
    return None if row is None else (row.id, row.version)
