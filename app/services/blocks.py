"""Who keeps whom away: blocks and mutes, and what follows from them at a table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import and_, exists, or_, select, tuple_
from sqlalchemy.orm import Session

from app.extensions import db, write_transaction
from app.models import Block, Player, Room
from app.services.errors import Refusal, refuse_field
from app.services.ids import is_id
from app.services.paging import Cursor, key_of, page_of
from app.services.players import living, player_json
from app.services.times import rfc3339, utcnow

BLOCK = "block"


def keep_away(player_id: str, other_id: str, kind: str) -> dict[str, Any]:
    """Block another player, or only mute him; the newer of the two takes the older one's place.

    Errors: not_found for an unknown player, request.invalid for oneself.
    """
    with write_transaction() as session:
        living(session, player_id)
        other = require_living(session, other_id)
        if other_id == player_id:
            refuse_field("player_id", "That is you.")
        found = session.get(Block, (player_id, other_id))
        if found is None:
            found = Block(player_id=player_id, other_id=other_id, kind=kind, created_at=utcnow())
            session.add(found)
        found.kind = kind
        return _json(found, other)


def require_living(session: Session, player_id: str) -> Player:
    """A player who can be kept away.

    Errors: not_found for one who is unknown or has left for good.
    """
    player = session.get(Player, player_id) if is_id(player_id) else None
    if player is None or player.deleted_at is not None:
        raise Refusal("not_found", "There is no such player.")
    return player


def let_be(player_id: str, other_id: str) -> None:
    """End a block or a mute.

    Errors: not_found.
    """
    with write_transaction() as session:
        found = session.get(Block, (player_id, other_id)) if is_id(other_id) else None
        if found is None:
            raise Refusal("not_found", "You have not blocked or muted this player.")
        session.delete(found)


def blocks_of(player_id: str, cursor: Cursor | None, limit: int) -> tuple[list[dict[str, Any]], Cursor | None]:
    """A page of whom a player has blocked or muted, newest first."""
    query = (
        select(Block, Player)
        .join(Player, Player.id == Block.other_id)
        .where(Block.player_id == player_id)
        .order_by(Block.created_at.desc(), Block.other_id.desc())
    )
    if cursor is not None:
        query = query.where(tuple_(Block.created_at, Block.other_id) < key_of(cursor))
    rows = db.session.execute(query.limit(limit + 1)).all()
    return page_of(rows, limit, lambda row: _json(*row), lambda row: Cursor(row[0].created_at, row[0].other_id))


def are_apart(session: Session, player_id: str, others: Iterable[str]) -> bool:
    """Whether a player and one of the others have blocked one another, whoever of them did."""
    others = set(others)
    mine = and_(Block.player_id == player_id, Block.other_id.in_(others))
    theirs = and_(Block.other_id == player_id, Block.player_id.in_(others))
    return bool(session.scalar(select(exists().where(Block.kind == BLOCK, or_(mine, theirs)))))


def apart(session: Session, people: Iterable[str]) -> set[frozenset[str]]:
    """All pairs among these people of whom one has blocked the other."""
    people = set(people)
    query = select(Block.player_id, Block.other_id).where(
        Block.kind == BLOCK, Block.player_id.in_(people), Block.other_id.in_(people)
    )
    return {frozenset(pair) for pair in session.execute(query)}


def deaf_to(session: Session, player_id: str) -> frozenset[str]:
    """Those who get no word of a player: he is muted or blocked by them, or has blocked them himself."""
    by_them = select(Block.player_id).where(Block.other_id == player_id)
    by_him = select(Block.other_id).where(Block.player_id == player_id, Block.kind == BLOCK)
    return frozenset(session.scalars(by_them.union(by_him)))


def unheard_by(session: Session, player_id: str) -> frozenset[str]:
    """Those of whom a player gets no word: the other side of `deaf_to`."""
    by_him = select(Block.other_id).where(Block.player_id == player_id)
    by_them = select(Block.player_id).where(Block.other_id == player_id, Block.kind == BLOCK)
    return frozenset(session.scalars(by_him.union(by_them)))


def require_open_to(session: Session, room: Room, player_id: str) -> None:
    """Refuse who may not sit down in a room, because he and its host, or somebody who sits there, are apart.

    Who sits there keeps his seat; a host who does not is refused like anybody else.

    Errors: room.blocked.
    """
    seated = {taken.player_id for taken in room.seating if taken.player_id is not None}
    if player_id not in seated and are_apart(session, player_id, {room.host_id, *seated}):
        raise Refusal("room.blocked")


def _json(found: Block, other: Player) -> dict[str, Any]:
    return {"player": player_json(other), "kind": found.kind, "created_at": rfc3339(found.created_at)}
