"""Who sits where: joins, moves to another seat, leaving, and bots; the last seat taken begins the match."""

from __future__ import annotations

from typing import Any

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from app.extensions import db, write_transaction
from app.models import Room, RoomSeat
from app.services import blocks, dealing, rooms
from app.services.errors import Refusal, refuse_field
from app.services.match_start import is_played_with
from app.services.news import News, RoomChanged
from app.services.players import living
from app.services.times import utcnow
from app.services.vacancies import pass_on, vacate


def join(
    player_id: str, code: str, seat: int | None = None, client_commitment: str | None = None
) -> tuple[dict[str, Any], bool, list[News]]:
    """Seat a player; one who sits already may move to a free seat or commit to a client seed.

    The second answer is whether he has just joined.

    Errors: not_found, room.blocked, request.invalid, room.closed, room.started, room.full, room.seat_taken.
    """
    with write_transaction() as session:
        room = rooms.open_room(session, code)
        blocks.require_open_to(session, room, player_id)
        own = rooms.seat_of(room, player_id)
        _require_seat(room, seat)
        if own is None and room.rated_wanted and living(session, player_id).bot:
            refuse_field("seat", "A bot account cannot sit in a room that was asked to be rated.")
        rooms.require_open(room)
        if own is not None:
            changed = _change_own_seat(session, room, own, seat, client_commitment)
            news: list[News] = [RoomChanged(room.code)] if changed else []
        else:
            _require_waiting(room)
            news = _take(session, room, _free_seat(room, seat), client_commitment, player_id=player_id)
        code = room.code
    return rooms.room_json(code), own is None, news


def require_open_to(code: str, player_id: str) -> None:
    """Refuse who may not sit down in a room that is only known by its code.

    Errors: not_found, room.blocked.
    """
    blocks.require_open_to(db.session(), rooms.open_room(db.session(), code), player_id)


def seat_bot(player_id: str, code: str, seat: int, level: str) -> tuple[dict[str, Any], list[News]]:
    """Seat a bot; only the host may, and at least one seat stays a person's.

    Errors: not_found, auth.forbidden, request.invalid, room.closed, room.started, room.full, room.seat_taken.
    """
    with write_transaction() as session:
        room = rooms.open_room(session, code)
        rooms.require_host(room, player_id)
        _require_seat(room, seat)
        if room.rated_wanted:
            refuse_field("level", "A bot cannot sit in a room that was asked to be rated.")
        _require_waiting(room)
        free = _free_seat(room, seat)
        if sum(taken.bot is not None for taken in room.seating) + 1 == room.seats:
            refuse_field("seat", "At least one seat is a person's.")
        news = _take(session, room, free, None, bot=level)
        code = room.code
    return rooms.room_json(code), news


def leave(player_id: str, code: str) -> list[News]:
    """Give up one's seat; a leaving host passes the room on, and the last person out closes it.

    Errors: not_found, room.closed, room.started.
    """
    with write_transaction() as session:
        room = rooms.open_room(session, code)
        own = rooms.seat_of(room, player_id)
        if own is None:
            raise Refusal("not_found", "You have no seat in this room.")
        return vacate(session, room, own, own.seat)


def unseat(player_id: str, code: str, seat: int, *, bot: bool) -> list[News]:
    """Free a seat, a bot's or a person's; only the host may.

    Errors: not_found, auth.forbidden, room.closed, room.started.
    """
    with write_transaction() as session:
        room = rooms.open_room(session, code)
        rooms.require_host(room, player_id)
        taken = next((taken for taken in room.seating if taken.seat == seat), None)
        if taken is None or (taken.bot is not None) != bot:
            raise Refusal("not_found", "There is nobody of that kind on this seat.")
        host = rooms.seat_of(room, player_id)
        return vacate(session, room, taken, None if host is None else host.seat)


def reconsider(session: Session, player_id: str) -> list[News]:
    """Decide anew whether the rooms are rated in which a player waits who has just become another kind of player."""
    seated = select(RoomSeat.room_code).where(RoomSeat.player_id == player_id)
    query = select(Room).where(Room.status.in_(("waiting", "finished")), Room.code.in_(seated)).order_by(Room.code)
    changed: list[News] = []
    for room in session.scalars(query).all():
        rooms.touch(room, utcnow())
        changed.append(RoomChanged(room.code))
    return changed


def leave_all(session: Session, player_id: str) -> list[News]:
    """Give up all of a player's seats where no match is played, and all of their rooms.

    A seat for which a match is being dealt is given up with that match.
    """
    seated = select(RoomSeat.room_code).where(RoomSeat.player_id == player_id)
    query = select(Room).where(Room.status != "closed", or_(Room.host_id == player_id, Room.code.in_(seated)))
    news: list[News] = []
    for room in session.scalars(query.order_by(Room.code)).all():
        own = rooms.seat_of(room, player_id)
        if own is not None and room.status == "dealing":
            continue
        if own is not None and room.status != "playing":
            news += vacate(session, room, own, own.seat)
        if room.host_id == player_id and room.status != "closed":
            pass_on(session, room, 0)
            news.append(RoomChanged(room.code))
    return news


def _require_seat(room: Room, seat: int | None) -> None:
    if seat is not None and not 0 <= seat < room.seats:
        refuse_field("seat", f"This room has the seats 0 to {room.seats - 1}.")


def _require_waiting(room: Room) -> None:
    rooms.require_idle(room)
    if room.status == "finished":
        raise Refusal("room.full")


def _free_seat(room: Room, wanted: int | None) -> int:
    taken = {seat.seat for seat in room.seating}
    if wanted is None:
        return next(seat for seat in range(room.seats) if seat not in taken)
    if wanted in taken:
        raise Refusal("room.seat_taken")
    return wanted


def _change_own_seat(
    session: Session, room: Room, own: RoomSeat, seat: int | None, client_commitment: str | None
) -> bool:
    moves = seat is not None and seat != own.seat
    if rooms.has_begun(room):
        # The same join sent twice, while the first one began the match, is no refusal.
        if moves or not is_played_with(session, room, own, client_commitment):
            raise Refusal("room.started")
        return False
    if moves:
        _require_waiting(room)
    if not moves and client_commitment is None:
        return False
    now = utcnow()
    rooms.commit_to(room, own, client_commitment)
    if moves:
        own.seat = _free_seat(room, seat)
        session.flush()
        session.expire(room, ["seating"])
    rooms.touch(room, now)
    return True


def _take(
    session: Session,
    room: Room,
    seat: int,
    client_commitment: str | None,
    *,
    player_id: str | None = None,
    bot: str | None = None,
) -> list[News]:
    now = utcnow()
    player = living(session, player_id) if player_id else None
    taken = RoomSeat(seat=seat, player_id=player_id, player=player, bot=bot, joined_at=now)
    rooms.commit_to(room, taken, client_commitment)
    room.seating.append(taken)
    session.flush()
    session.expire(room, ["seating"])
    rooms.touch(room, now)
    return dealing.begin(session, room, now) if len(room.seating) == room.seats else [RoomChanged(room.code)]
