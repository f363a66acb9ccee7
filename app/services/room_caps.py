"""How many rooms one player may be host of at once, and how many of them the lobby shows."""

from __future__ import annotations

from sqlalchemy import ColumnElement, func, select, tuple_
from sqlalchemy.orm import Session, aliased

from app.config import settings
from app.models import Room
from app.services.errors import Refusal

MOST, MOST_PUBLIC = 20, 3
LISTED = 2
# What a host has something to do with; a finished match's room counts again once another match is asked for.
BUSY = ("waiting", "dealing", "playing")


def require_place(session: Session, host_id: str, visibility: str) -> None:
    """Refuse one more busy room of a host who has as many as one may; a quick match asks nobody.

    Errors: room.too_many.
    """
    if not settings().rate_limits:
        return
    busy = select(Room.visibility).where(Room.host_id == host_id, Room.status.in_(BUSY)).limit(MOST)
    found = session.scalars(busy).all()
    if len(found) >= MOST:
        raise Refusal("room.too_many")
    if visibility == "public" and found.count("public") >= MOST_PUBLIC:
        raise Refusal("room.too_many", f"Nobody is host of more than {MOST_PUBLIC} public rooms at once.")


def is_listed() -> ColumnElement[bool] | None:
    """Whether a public room that waits is among the newest of its host's that the lobby shows; None: all are."""
    if not settings().rate_limits:
        return None
    newer = aliased(Room)
    same = select(func.count()).where(
        newer.host_id == Room.host_id,
        newer.status == "waiting",
        newer.visibility == "public",
        tuple_(newer.created_at, newer.code) > tuple_(Room.created_at, Room.code),
    )
    return same.correlate(Room).scalar_subquery() < LISTED
