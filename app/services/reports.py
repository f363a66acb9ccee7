"""Reports: a player's complaint about another, kept for those who run the service."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import exists, or_, select
from sqlalchemy.orm import Session

from app.extensions import db, write_transaction
from app.models import MatchRow, MatchSeat, Message, Player, Report, Room, RoomSeat
from app.services.errors import refuse_field
from app.services.ids import is_id, new_id, parse_code
from app.services.players import living
from app.services.times import rfc3339, utcnow

# So many of the table's last messages are kept with a report; the room's own go when it closes.
SNAPSHOT = 100


def report(reporter_id: str, player_id: str, code: str | None, reason: str, text: str) -> dict[str, Any]:
    """Keep a complaint, with the last messages of the table that it happened at.

    Errors: request.invalid for an unknown player, oneself, or a room where one has never sat.
    """
    with write_transaction() as session:
        living(session, reporter_id)
        if not is_id(player_id) or session.get(Player, player_id) is None:
            refuse_field("player", "There is no such player.")
        if player_id == reporter_id:
            refuse_field("player", "That is you.")
        room_code = None if code is None else _own_room(session, code, reporter_id)
        made = Report(
            id=new_id(),
            reporter_id=reporter_id,
            reported_id=player_id,
            room_code=room_code,
            reason=reason,
            text=text,
            messages=[] if room_code is None else _snapshot(session, room_code),
            created_at=utcnow(),
        )
        session.add(made)
    return {"id": made.id}


def reports_since(since: datetime) -> list[dict[str, Any]]:
    """All reports since a moment, oldest first, as those who run the service read them."""
    query = select(Report).where(Report.created_at >= since).order_by(Report.created_at, Report.id)
    found = db.session.scalars(query).all()
    people = {each for report in found for each in (report.reporter_id, report.reported_id)}
    names = {one.id: one.name for one in db.session.scalars(select(Player).where(Player.id.in_(people)))}
    return [
        {
            "id": report.id,
            "at": rfc3339(report.created_at),
            "reported": {"id": report.reported_id, "name": names[report.reported_id]},
            "reporter": {"id": report.reporter_id, "name": names[report.reporter_id]},
            "reason": report.reason,
            "text": report.text,
            "room": report.room_code,
            "messages": report.messages,
        }
        for report in found
    ]


def _own_room(session: Session, code: str, player_id: str) -> str:
    """The code of a room where the player sits or has played; of any other nobody is told whether it exists."""
    wanted = parse_code(code)
    sits = exists().where(RoomSeat.room_code == Room.code, RoomSeat.player_id == player_id)
    played = exists().where(
        MatchRow.room_code == Room.code, MatchSeat.match_id == MatchRow.id, MatchSeat.player_id == player_id
    )
    found = session.scalar(select(Room.code).where(Room.code == wanted, or_(sits, played, Room.host_id == player_id)))
    if found is None:
        refuse_field("room", "You have not sat in this room.")
    return found


def _snapshot(session: Session, code: str) -> list[dict[str, Any]]:
    query = select(Message).where(Message.room_code == code).order_by(Message.id.desc()).limit(SNAPSHOT)
    return [
        {"player": message.player_id, "text": message.text, "at": rfc3339(message.sent_at)}
        for message in reversed(session.scalars(query).all())
    ]
