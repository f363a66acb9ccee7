"""Reports: a player's complaint about another, kept for those who run the service."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Select, exists, or_, select, tuple_
from sqlalchemy.orm import Session

from app.extensions import db, write_transaction
from app.models import MatchRow, MatchSeat, Message, Player, Report, Room, RoomSeat
from app.services import audit
from app.services.audit import Actor
from app.services.errors import Refusal, refuse_field
from app.services.ids import is_id, new_id, parse_code
from app.services.paging import Cursor, key_of, page_of
from app.services.players import living
from app.services.sanctions import in_force_json
from app.services.times import maybe_rfc3339, rfc3339, utcnow

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


def reports_since(since: datetime, *, handled: bool | None = None) -> list[dict[str, Any]]:
    """All reports since a moment, oldest first, as those who run the service read them."""
    query = _wanted(handled).where(Report.created_at >= since).order_by(Report.created_at, Report.id)
    return _shown(db.session.scalars(query).all())


def reports_page(
    cursor: Cursor | None, limit: int, *, handled: bool | None = None
) -> tuple[list[dict[str, Any]], Cursor | None]:
    """A page of the reports, newest first."""
    query = _wanted(handled).order_by(Report.created_at.desc(), Report.id.desc())
    if cursor is not None:
        query = query.where(tuple_(Report.created_at, Report.id) < key_of(cursor))
    found = db.session.scalars(query.limit(limit + 1)).all()
    _, more = page_of(found, limit, lambda _: {}, lambda report: Cursor(report.created_at, report.id))
    return _shown(found[:limit]), more


def report_of(report_id: str) -> dict[str, Any]:
    """One report.

    Errors: not_found.
    """
    return _shown([_required(db.session(), report_id)])[0]


def handle(actor: Actor, report_id: str, reason: str) -> dict[str, Any]:
    """Note that a report was dealt with; again changes nothing.

    Errors: not_found.
    """
    with write_transaction() as session:
        found = _required(session, report_id)
        if found.handled_at is None:
            found.handled_at = utcnow()
            audit.note(session, actor, "handle_report", report_id, reason, reported=found.reported_id)
    return report_of(report_id)


def _required(session: Session, report_id: str) -> Report:
    found = session.get(Report, report_id) if is_id(report_id) else None
    if found is None:
        raise Refusal("not_found", "There is no such report.")
    return found


def _wanted(handled: bool | None) -> Select[Report]:
    query = select(Report)
    if handled is None:
        return query
    return query.where(Report.handled_at.is_not(None) if handled else Report.handled_at.is_(None))


def _shown(found: Sequence[Report]) -> list[dict[str, Any]]:
    """Reports with the names of those whom they concern, those quoted in them too."""
    quoted = {line["player"] for report in found for line in report.messages}
    people = {each for report in found for each in (report.reporter_id, report.reported_id)} | quoted
    known = {one.id: one for one in db.session.scalars(select(Player).where(Player.id.in_(people)))}
    names = {player_id: one.name for player_id, one in known.items()}
    return [
        {
            "id": report.id,
            "at": rfc3339(report.created_at),
            "reported": {"id": report.reported_id, "name": names[report.reported_id]},
            "reporter": {"id": report.reporter_id, "name": names[report.reporter_id]},
            "reason": report.reason,
            "text": report.text,
            "room": report.room_code,
            "messages": [{**line, "name": names.get(line["player"])} for line in report.messages],
            "handled_at": maybe_rfc3339(report.handled_at),
            "sanctions": in_force_json(known[report.reported_id]),
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
