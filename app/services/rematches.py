"""Rematches: the people of a finished match ask, agree, decline or withdraw; when all agreed the next match begins."""

from __future__ import annotations

from typing import Any

from sqlalchemy.orm import Session

from app.extensions import db, write_transaction
from app.models import Room, RoomSeat
from app.services import blocks, dealing, room_caps, rooms
from app.services.errors import Refusal
from app.services.match_start import is_played_with
from app.services.news import News, RematchSaid, RoomChanged
from app.services.players import living
from app.services.times import utcnow


def ask(player_id: str, code: str, client_commitment: str | None = None) -> tuple[dict[str, Any], bool, list[News]]:
    """Ask for a rematch, or agree to one; the match begins when every person has.

    The second answer is whether he has not asked before.

    Errors: not_found, auth.forbidden, room.blocked, room.closed, room.started, match.wrong_phase,
    room.too_many where the host has as many others as one may.
    """
    with write_transaction() as session:
        living(session, player_id)
        room = rooms.open_room(session, code)
        own = _own_seat(room, player_id)
        _require_no_block(session, room, player_id)
        fresh, news = False, list[News]()
        if not _runs_already(session, room, own, client_commitment):
            _require_finished(room)
            room_caps.require_place(session, room.host_id, room.visibility)
            fresh, news = _agree(session, room, own, client_commitment)
        code = room.code
    return rooms.room_json(code), fresh, news


def take_back(player_id: str, code: str) -> list[News]:
    """Withdraw one's own ask; without one, decline what the others have asked for.

    Errors: not_found, auth.forbidden, room.closed, room.started, match.wrong_phase.
    """
    with write_transaction() as session:
        room = rooms.open_room(session, code)
        own = _own_seat(room, player_id)
        _require_finished(room)
        news: list[News]
        if own.rematch:
            own.rematch = False
            news = [RematchSaid(room.code, own.seat, "withdrawn")]
        else:
            news = rooms.drop_asks(room, own.seat)
        if not news:
            return []
        rooms.touch(room, utcnow())
        return [*news, RoomChanged(room.code)]


def require_seat(code: str, player_id: str) -> None:
    """Refuse who does not sit in the room.

    Errors: not_found, auth.forbidden.
    """
    _own_seat(rooms.open_room(db.session(), code), player_id)


def require_may_ask(code: str, player_id: str) -> None:
    """Refuse who may not ask for a rematch, whatever became of the match.

    Errors: not_found, auth.forbidden, room.blocked.
    """
    room = rooms.open_room(db.session(), code)
    _own_seat(room, player_id)
    _require_no_block(db.session(), room, player_id)


def _require_no_block(session: Session, room: Room, player_id: str) -> None:
    """Refuse another match of those who have blocked one another since they sat down; one that runs goes on."""
    others = [taken.player_id for taken in room.seating if taken.player_id not in (None, player_id)]
    if not rooms.has_begun(room) and blocks.are_apart(session, player_id, map(str, others)):
        raise Refusal("room.blocked")


def _runs_already(session: Session, room: Room, own: RoomSeat, client_commitment: str | None) -> bool:
    """Whether this is an ask sent twice, while the first one began the match."""
    played_before = room.matches_played - (room.status == "playing")
    return rooms.has_begun(room) and played_before > 0 and is_played_with(session, room, own, client_commitment)


def _agree(session: Session, room: Room, own: RoomSeat, client_commitment: str | None) -> tuple[bool, list[News]]:
    now = utcnow()
    rooms.touch(room, now)
    changed = rooms.commit_to(room, own, client_commitment)
    if own.rematch:
        return False, [RoomChanged(room.code)] if changed else []
    is_first = not any(taken.rematch for taken in room.seating)
    own.rematch = True
    news: list[News] = [RematchSaid(room.code, own.seat, "asked" if is_first else "agreed")]
    all_agreed = all(taken.rematch for taken in room.seating if taken.player_id is not None)
    return True, news + (dealing.begin(session, room, now) if all_agreed else [RoomChanged(room.code)])


def _own_seat(room: Room, player_id: str) -> RoomSeat:
    own = rooms.seat_of(room, player_id)
    if own is None:
        raise Refusal("auth.forbidden", "Only those who played here may ask for a rematch.")
    return own


def _require_finished(room: Room) -> None:
    rooms.require_idle(room)
    if room.status != "finished":
        raise Refusal("match.wrong_phase", "There has been no match yet with everyone who is to play.")
