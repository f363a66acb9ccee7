"""Players: guests who come, and how a player is shown."""

from __future__ import annotations

import secrets
from typing import Any

from sqlalchemy import Row
from sqlalchemy.orm import Session

from app.extensions import db, write_transaction
from app.models import Player
from app.services import bearers
from app.services.errors import Refusal
from app.services.ids import is_id, new_id
from app.services.ratings import rating_json
from app.services.stats import stats_of
from app.services.times import rfc3339, utcnow


def create_guest(name: str | None, *, session: bool, label: str | None = None) -> tuple[dict[str, Any], str]:
    """Make a guest, and a token that stands for him: the contract's player, and the token's only showing."""
    name = name or f"Guest {secrets.randbelow(9000) + 1000}"
    player = Player(id=new_id(), name=name, guest=True, created_at=utcnow())
    with write_transaction() as db_session:
        db_session.add(player)
        db_session.flush()
        kind = bearers.SESSION if session else bearers.API
        _, token = bearers.issue(db_session, player.id, kind, label=label)
    return player_json(player), token


def living(session: Session, player_id: str) -> Player:
    """A player who is about to do something, as they are in this transaction.

    Errors: auth.required or auth.banned if they were deleted or banned since their request was let in.
    """
    player = session.get(Player, player_id)
    if player is None or player.deleted_at is not None:
        raise Refusal("auth.required")
    require_not_banned(player)
    return player


def is_gone(session: Session, player_id: str) -> bool:
    """Whether a player can do nothing any more."""
    try:
        living(session, player_id)
    except Refusal:
        return True
    return False


def require_not_banned(player: Player) -> None:
    """Refuse a player who is shut out.

    Errors: auth.banned.
    """
    if player.banned_until is not None and player.banned_until > utcnow():
        raise Refusal("auth.banned", until=rfc3339(player.banned_until))


def profile(player_id: str) -> dict[str, Any]:
    """A player as the contract shows him to everyone.

    Errors: not_found.
    """
    player = require(player_id)
    return {
        **player_json(player),
        "points": player.points,
        "rating": rating_json(player, utcnow()),
        "stats": stats_of(player.id),
    }


def require(player_id: str) -> Player:
    """A player whom somebody asks for by his id.

    Errors: not_found.
    """
    player = db.session.get(Player, player_id) if is_id(player_id) else None
    if player is None:
        raise Refusal("not_found")
    return player


def player_json(player: Player | Row[Any]) -> dict[str, Any]:
    """A player in short, as he appears on a seat."""
    return {"id": player.id, "name": player.name, "guest": player.guest, "bot": player.bot}
