"""Seats given up, however it came to that: who is the host then, and when the room closes."""

from __future__ import annotations

from sqlalchemy.orm import Session

from app.models import Room, RoomSeat
from app.services import rooms
from app.services.news import News, RoomChanged
from app.services.times import utcnow


def vacate(session: Session, room: Room, leaving: RoomSeat, by_seat: int | None) -> list[News]:
    """Free a seat; a host who leaves passes the room on, and the last person out closes it.

    Errors: room.closed, room.started.
    """
    rooms.require_idle(room)
    now = utcnow()
    # With other people, or one less, there is no rematch.
    told = rooms.drop_asks(room, by_seat)
    room.seating.remove(leaving)
    session.flush()
    if leaving.player_id is not None and leaving.player_id == room.host_id:
        pass_on(session, room, leaving.seat)
    if room.status == "finished":
        # Other sides than those of the tally will play here.
        room.status, room.tally = "waiting", [0, 0]
    rooms.touch(room, now)
    return [*told, RoomChanged(room.code)]


def pass_on(session: Session, room: Room, from_seat: int) -> None:
    """Make the next person who sits here the host; without one, the room is closed."""
    people = [taken for taken in room.seating if taken.player_id is not None]
    if not people:
        rooms.shut(session, room)
        return
    heir = min(people, key=lambda taken: (taken.seat - from_seat) % room.seats)
    room.host_id = str(heir.player_id)
