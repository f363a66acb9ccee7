"""Marks of matches: a short text that is another one whenever what a receiver sees of the match is another.

Who polls sends the mark that he has. It is compared without the match's state, which is most of the work of a view.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime
from typing import Any, cast

from sqlalchemy import Table, bindparam, func, select

from app.extensions import db
from app.models import MatchRow, MatchSeat, Player
from app.services import history
from app.services.ids import is_id
from app.services.match_views import is_connected, view_of
from app.services.records import SeatRecord, seat_among

_matches = cast(Table, MatchRow.__table__)
_seats = cast(Table, MatchSeat.__table__)
_players = cast(Table, Player.__table__)
_SELECT_FACTS = (
    select(
        _matches.c.version, _matches.c.status, _matches.c.spectators, _matches.c.room_code, _matches.c.deadline_at,
        _matches.c.scored, _matches.c.voided_at,
        _seats.c.seat, _seats.c.player_id, _seats.c.name, _seats.c.bot,
        func.coalesce(_players.c.guest, False).label("guest"),
        func.coalesce(_players.c.bot, False).label("is_program"),
    )
    .select_from(
        _matches.join(_seats, _seats.c.match_id == _matches.c.id).outerjoin(
            _players, _players.c.id == _seats.c.player_id
        )
    )
    .where(_matches.c.id == bindparam("match_id"))
    .order_by(_seats.c.seat)
)  # fmt: skip


def mark_for(match_id: str, player_id: str | None) -> str | None:
    """The mark of a match as the caller may see it, or None if he may not; costs next to nothing."""
    if not is_id(match_id):
        return None
    rows = db.session.connection().execute(_SELECT_FACTS, {"match_id": match_id}).all()
    if not rows:
        return None
    seats = [
        SeatRecord(row.seat, row.player_id, row.name, row.bot, bool(row.guest), bool(row.is_program)) for row in rows
    ]
    seat = seat_among(seats, player_id)
    is_over = rows[0].status == "finished"
    if seat is None and not is_over and (player_id is None or not rows[0].spectators):
        return None
    return _mark(
        rows[0].room_code, rows[0].version, rows[0].deadline_at, (rows[0].scored, rows[0].voided_at), seats, seat
    )


def marked_view(match_id: str, player_id: str | None) -> tuple[dict[str, Any], str]:
    """A match as the caller may see it, with its mark.

    Errors: as `history.visible`.
    """
    record, seat = history.visible(match_id, player_id)
    mark = _mark(
        record.room_code, record.version, record.deadline_at, (record.scored, record.voided_at), record.seats, seat
    )
    return view_of(record, seat), mark


def _mark(
    code: str,
    version: int,
    deadline_at: datetime | None,
    worth: tuple[bool, datetime | None],
    seats: Sequence[SeatRecord],
    seat: int | None,
) -> str:
    people = [(taken.player_json(), is_connected(code, taken.seat, taken.bot)) for taken in seats]
    facts = repr((seat, deadline_at, worth, people))
    return f"{version}-{hashlib.sha256(facts.encode()).hexdigest()[:16]}"
