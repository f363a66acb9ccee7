"""Dealings: between the last seat taken and the match, those who committed to a seed open it.

Everybody has committed before anybody opens, the service included, so nobody can choose the cards. A dealing always
ends in exactly one match: begun by the last opening or by the clock, whichever comes first in its transaction.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from app.extensions import db, write_transaction
from app.models import MatchRow, Room, RoomSeat
from app.services import match_start, matches, rooms
from app.services.errors import Refusal, refuse_field
from app.services.news import News, RoomChanged
from app.services.players import is_gone
from app.services.times import utcnow
from app.services.vacancies import vacate
from engine.shuffle import client_commitment

# So long those who committed have to open their seeds; also again, after the service was down.
REVEAL = timedelta(seconds=5)


def begin(session: Session, room: Room, now: datetime) -> list[News]:
    """Deal the room's next match: at once, or if anybody committed to a seed when the seeds are open."""
    if not any(taken.client_commitment for taken in room.seating):
        return _start(session, room, now)
    room.status, room.match_id = "dealing", None
    room.reveal_by = now + REVEAL
    return [RoomChanged(room.code)]


def reveal(player_id: str, code: str, client_seed: str) -> tuple[dict[str, Any], bool, list[News]]:
    """Open a player's seed; when all are open the match begins. The second answer is whether it was closed before.

    Errors: not_found, auth.forbidden, request.invalid for another seed than the one committed to, room.not_dealing.
    """
    with write_transaction() as session:
        room, own = rooms.own_seat(session, code, player_id)
        news: list[News] = []
        fresh = not _is_repeated(session, room, own, client_seed)
        if fresh:
            own.client_seed = client_seed
            if all(taken.client_seed for taken in room.seating if taken.client_commitment):
                news = _start(session, room, utcnow())
        code = room.code
    return rooms.room_json(code), fresh, news


def due(now: datetime) -> list[str]:
    """The rooms in which no seed is waited for any longer."""
    return list(db.session.scalars(select(Room.code).where(Room.status == "dealing", Room.reveal_by <= now)))


def end(code: str, now: datetime) -> list[News]:
    """Begin the match of a room without the seeds that were not opened in time; nothing if it has begun."""
    with write_transaction() as session:
        room = session.get_one(Room, code)
        if room.status != "dealing" or room.reveal_by is None or room.reveal_by > now:
            return []
        return _start(session, room, now)


def give_grace(session: Session, now: datetime) -> list[News]:
    """Have every dealing last until there was time to open a seed from now on."""
    until = now + REVEAL
    query = update(Room).where(Room.status == "dealing", Room.reveal_by < until)
    return [RoomChanged(code) for code in session.scalars(query.values(reveal_by=until).returning(Room.code))]


def _is_repeated(session: Session, room: Room, own: RoomSeat, client_seed: str) -> bool:
    """Whether a seed has been opened before; refuses one that is none of the seat's, or comes too late.

    Errors: request.invalid, room.not_dealing.
    """
    opened, committed = _opened(session, room, own)
    if client_seed == opened:
        return True
    if committed and client_commitment(client_seed) not in committed:
        refuse_field("client_seed", "This is not what you committed to.")
    if room.status != "dealing" or not committed:
        raise Refusal("room.not_dealing")
    return False


def _opened(session: Session, room: Room, own: RoomSeat) -> tuple[str, set[str]]:
    """The seed that a seat has opened in this dealing or, if there is none, for the last match; and its commitments."""
    opened, committed = own.client_seed, {own.client_commitment}
    match = None if room.match_id is None else session.get(MatchRow, room.match_id)
    if match is not None and match.client_commitments is not None:
        opened = match.client_seeds[own.seat]
        committed.add(match.client_commitments[own.seat])
    return opened, committed - {""}


def _start(session: Session, room: Room, now: datetime) -> list[News]:
    """Begin the match; who was deleted or banned since the seats were fixed has forfeited it, and is gone after it."""
    record, news = match_start.start(session, room, now)
    gone = [taken for taken in room.seating if taken.player_id is not None and is_gone(session, taken.player_id)]
    if not gone:
        return news
    session.flush()
    news += matches.forfeit_for(session.connection(), record, gone[0].seat, now)
    session.refresh(room)
    for taken in gone:
        if room.status != "closed":
            news += vacate(session, room, taken, taken.seat)
    return news
