"""Rematches: the people of a finished match ask, agree, decline or withdraw; when all agreed the next match begins."""

from __future__ import annotations

from typing import Any

from app.extensions import db, write_transaction
from app.models import Room, RoomSeat
from app.services import rooms
from app.services.errors import Refusal
from app.services.match_start import start
from app.services.news import News, RematchSaid, RoomChanged
from app.services.times import utcnow


def ask(player_id: str, code: str, client_seed: str | None = None) -> tuple[dict[str, Any], bool, list[News]]:
    """Ask for a rematch, or agree to one; the match begins when every person has.

    The second answer is whether he has not asked before.

    Errors: not_found, auth.forbidden, room.closed, room.started, match.wrong_phase.
    """
    with write_transaction() as session:
        room = rooms.open_room(session, code)
        own = _own_seat(room, player_id)
        _require_finished(room)
        now = utcnow()
        rooms.touch(room, now)
        if client_seed is not None:
            own.client_seed = client_seed
        news: list[News] = []
        fresh = not own.rematch
        if fresh:
            is_first = not any(taken.rematch for taken in room.seating)
            own.rematch = True
            news = [RematchSaid(room.code, own.seat, "asked" if is_first else "agreed")]
            all_agreed = all(taken.rematch for taken in room.seating if taken.player_id is not None)
            news += start(session, room, now) if all_agreed else [RoomChanged(room.code)]
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


def _own_seat(room: Room, player_id: str) -> RoomSeat:
    own = rooms.seat_of(room, player_id)
    if own is None:
        raise Refusal("auth.forbidden", "Only those who played here may ask for a rematch.")
    return own


def _require_finished(room: Room) -> None:
    rooms.require_idle(room)
    if room.status != "finished":
        raise Refusal("match.wrong_phase", "There has been no match yet with everyone who is to play.")
