"""Chat: what people write at a table whose host allows it. It is theirs alone, and goes when the room closes."""

from __future__ import annotations

from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from app.extensions import db, write_transaction
from app.models import Message, Player, Room, RoomSeat
from app.services import blocks, rooms
from app.services.errors import Refusal
from app.services.news import MessageWritten, News
from app.services.players import player_json
from app.services.times import rfc3339, utcnow

# A table's older messages are forgotten.
KEPT_MESSAGES = 500


def write(player_id: str, code: str, text: str) -> tuple[dict[str, Any], list[News]]:
    """Write to those who sit at the table.

    Errors: not_found, auth.forbidden, chat.off, room.closed.
    """
    with write_transaction() as session:
        room, _ = seat_with_chat(session, code, player_id)
        rooms.require_open(room)
        now = utcnow()
        message = Message(room_code=room.code, player_id=player_id, text=text, sent_at=now)
        session.add(message)
        session.flush()
        _forget_older(session, room.code)
        rooms.touch(room, now)
        seats = seats_of(room)
        shown = _json(message, session.get_one(Player, player_id), seats)
        readers = frozenset(seats) - blocks.deaf_to(session, player_id)
    return shown, [MessageWritten(room.code, shown, readers)]


def messages_of(player_id: str, code: str, before: int | None, limit: int) -> tuple[list[dict[str, Any]], int | None]:
    """A page of what was written at a table where one sits, newest first, and the id that the next page goes on from.

    What was written by those of whom the player wants no word is left out.

    Errors: not_found, auth.forbidden, chat.off.
    """
    session = db.session()
    room, _ = seat_with_chat(session, code, player_id)
    query = (
        select(Message, Player)
        .join(Player, Player.id == Message.player_id)
        .where(Message.room_code == room.code, Message.player_id.not_in(blocks.unheard_by(session, player_id)))
        .order_by(Message.id.desc())
    )
    if before is not None:
        query = query.where(Message.id < before)
    rows = session.execute(query.limit(limit + 1)).all()
    seats, page = seats_of(room), rows[:limit]
    return [_json(row[0], row[1], seats) for row in page], page[-1][0].id if len(rows) > limit else None


def seat_with_chat(session: Session, code: str, player_id: str) -> tuple[Room, RoomSeat]:
    """The room and the player's seat in it.

    Errors: not_found, auth.forbidden for who does not sit there, chat.off.
    """
    room, own = rooms.own_seat(session, code, player_id)
    if not room.chat:
        raise Refusal("chat.off")
    return room, own


def seats_of(room: Room) -> dict[str, int]:
    """The seat of each player in the room."""
    return {taken.player_id: taken.seat for taken in room.seating if taken.player_id is not None}


def _forget_older(session: Session, code: str) -> None:
    oldest_kept = (
        select(Message.id)
        .where(Message.room_code == code)
        .order_by(Message.id.desc())
        .offset(KEPT_MESSAGES - 1)
        .limit(1)
        .scalar_subquery()
    )
    session.execute(delete(Message).where(Message.room_code == code, Message.id < oldest_kept))


def _json(message: Message, player: Player, seats: dict[str, int]) -> dict[str, Any]:
    return {
        "id": str(message.id),
        # Who wrote it may have left the table since.
        "seat": seats.get(player.id),
        "player": player_json(player),
        "text": message.text,
        "at": rfc3339(message.sent_at),
    }
