"""Retention: what nobody needs any more is forgotten after a while; matches and accounts never are.

Each table is walked along its key in small steps, each a short transaction of its own, however long the table is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Table, and_, delete, exists, func, or_, select, update
from sqlalchemy.orm import InstrumentedAttribute, Session

from app.config import Settings, settings
from app.extensions import db, write_transaction
from app.models import Base, MatchRow, MatchSeat, Message, Player, Report, Room, RoomSeat, Token
from app.services.times import utcnow

# So many rows are looked at, and at most forgotten, in one step.
STEP = 100

Column = InstrumentedAttribute[Any]


@dataclass(frozen=True, slots=True)
class Kind:
    """Something that is kept for so many days: which rows have had them, and what is done about those."""

    name: str
    key: Column
    days: Callable[[Settings], int]
    is_due: Callable[[datetime], ColumnElement[bool]]
    forget: Callable[[Session, list[Any]], None]


def walk(kind: Kind) -> Iterator[int]:
    """Go through a kind's table once: how many rows were forgotten, step by step."""
    days = kind.days(settings())
    if days == 0:  # for ever
        return
    due = kind.is_due(utcnow() - timedelta(days=days))
    last: Any = None
    while True:
        query = select(kind.key).order_by(kind.key).limit(STEP)
        keys = db.session.scalars(query if last is None else query.where(kind.key > last)).all()
        if not keys:
            return
        found = db.session.scalars(select(kind.key).where(kind.key.between(keys[0], keys[-1]), due)).all()
        last = keys[-1]
        yield _forget(kind, due, list(found)) if found else 0


def _forget(kind: Kind, due: ColumnElement[bool], found: list[Any]) -> int:
    with write_transaction() as session:
        # Somebody may have come back since they were looked at.
        keys = list(session.scalars(select(kind.key).where(kind.key.in_(found), due)))
        kind.forget(session, keys)
    return len(keys)


def _is_unseen(since: datetime) -> ColumnElement[bool]:
    """Guests who have not been here, and whom nothing that is kept is about."""
    seen = exists().where(Token.player_id == Player.id, func.coalesce(Token.last_used_at, Token.created_at) > since)
    needed = exists().where(Room.host_id == Player.id, or_(Room.status != "closed", ~_has_match()))
    sits = exists().where(RoomSeat.player_id == Player.id, RoomSeat.room_code == Room.code, Room.status != "closed")
    reported = exists().where(or_(Report.reporter_id == Player.id, Report.reported_id == Player.id))
    named = [exists().where(column == Player.id) for column in _POINTERS_TO_PLAYERS]
    return and_(Player.guest, Player.created_at <= since, *(~each for each in (seen, needed, sits, reported, *named)))


def _forget_guests(session: Session, ids: list[Any]) -> None:
    # A room in which others have played stays for their matches: it becomes one of theirs.
    heir = (
        select(MatchSeat.player_id)
        .join(MatchRow, MatchRow.id == MatchSeat.match_id)
        .where(MatchRow.room_code == Room.code, MatchSeat.player_id.is_not(None))
        .order_by(MatchRow.id, MatchSeat.seat)
        .limit(1)
        .scalar_subquery()
    )
    _change(session, update(Room).where(Room.host_id.in_(ids)).values(host_id=heir, name=None))
    _change(session, delete(RoomSeat).where(RoomSeat.player_id.in_(ids)))
    _change(session, delete(Player).where(Player.id.in_(ids)))


def _is_long_closed(since: datetime) -> ColumnElement[bool]:
    """Rooms that closed long ago, and of which there is something left to forget."""
    told = or_(Room.name.is_not(None), exists().where(RoomSeat.room_code == Room.code))
    return and_(Room.status == "closed", Room.active_at <= since, or_(~_is_pointed_at(), told))


def _forget_rooms(session: Session, codes: list[Any]) -> None:
    """Delete the rooms without a match; of the others only what their matches point at stays."""
    _change(session, delete(Room).where(Room.code.in_(codes), ~_is_pointed_at()))
    _change(session, delete(RoomSeat).where(RoomSeat.room_code.in_(codes)))
    _change(session, update(Room).where(Room.code.in_(codes)).values(name=None))


def _has_match() -> ColumnElement[bool]:
    return exists().where(MatchRow.room_code == Room.code)


def _is_pointed_at() -> ColumnElement[bool]:
    return or_(*(exists().where(column == Room.code) for column in _POINTERS_TO_ROOMS))


def _deleting(column: Column) -> Callable[[Session, list[Any]], None]:
    return lambda session, keys: _change(session, delete(column.class_).where(column.in_(keys)))


def _change(session: Session, statement: Any) -> None:
    session.execute(statement, execution_options={"synchronize_session": False})


def _pointers_to(table: str, *but: str) -> list[Any]:
    """The columns whose rows would be left without what they point at; those that go with it are no matter."""
    tables: list[Table] = Base.metadata.sorted_tables
    return [
        key.parent
        for one in tables
        for key in one.foreign_keys
        if key.column.table.name == table and key.ondelete != "CASCADE" and one.name not in but
    ]


_POINTERS_TO_PLAYERS = _pointers_to("players", "rooms", "room_seats")
_POINTERS_TO_ROOMS = _pointers_to("rooms")

KINDS = (
    Kind(
        name="messages",
        key=Message.id,
        days=lambda kept: kept.keep_messages_days,
        is_due=lambda since: Message.sent_at <= since,
        forget=_deleting(Message.id),
    ),
    Kind(
        name="reports",
        key=Report.id,
        days=lambda kept: kept.keep_reports_days,
        is_due=lambda since: Report.created_at <= since,
        forget=_deleting(Report.id),
    ),
    Kind(
        name="rooms",
        key=Room.code,
        days=lambda kept: kept.keep_rooms_days,
        is_due=_is_long_closed,
        forget=_forget_rooms,
    ),
    Kind(
        name="guests",
        key=Player.id,
        days=lambda kept: kept.keep_guests_days,
        is_due=_is_unseen,
        forget=_forget_guests,
    ),
)
