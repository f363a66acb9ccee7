"""Notices: how the news of a command line reach the server, whose channels they are told on.

A command line is a process of its own: it commits what it does, and leaves a notice of it, which the server takes up
within a second. Without a server nobody listens, and the notice waits for the next one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from sqlalchemy import delete, exists, select

from app.extensions import db, write_transaction
from app.models import Notice
from app.services import match_store, matches
from app.services.news import AddressSanctioned, MatchMoved, News, PlayerBanned, RoomChanged, SignedOut

# What decisions of those who run the service lead to; of a match only its name is left, for the server to read.
SIMPLE: dict[str, Any] = {kind.__name__: kind for kind in (RoomChanged, SignedOut, PlayerBanned, AddressSanctioned)}
MOVED = MatchMoved.__name__


def leave(news: Iterable[News]) -> None:
    """Leave news for the server; what only those at a table would have heard is gone."""
    rows = [row for item in news if (row := _written(item)) is not None]
    if rows:
        with write_transaction() as session:
            session.add_all(rows)


def take() -> list[News]:
    """The news that were left, in their order; they are taken once."""
    if not db.session.scalar(select(exists().where(Notice.id > 0))):
        return []
    with write_transaction() as session:
        rows = session.execute(select(Notice.kind, Notice.news).order_by(Notice.id)).all()
        session.execute(delete(Notice))
    found = [_read(row.kind, row.news) for row in rows]
    return [item for item in found if item is not None]


def _written(item: News) -> Notice | None:
    if isinstance(item, MatchMoved):
        first = item.events[0]["version"] if item.events else item.record.version + 1
        return Notice(kind=MOVED, news={"match_id": item.match_id, "first": first})
    kind = type(item).__name__
    return Notice(kind=kind, news=asdict(item)) if kind in SIMPLE else None


def _read(kind: str, news: dict[str, Any]) -> News | None:
    if kind == MOVED:
        return _moved(news["match_id"], news["first"])
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in news.items()}
    item: News = SIMPLE[kind](**values)
    return item


def _moved(match_id: str, first: int) -> News | None:
    record = matches.load(match_id)
    if record is None:
        return None
    events = match_store.events_after(db.session.connection(), match_id, first - 1, record.version)
    return MatchMoved(record.room_code, record.id, tuple(events), record)
