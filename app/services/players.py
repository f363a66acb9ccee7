"""Players and their tokens."""

from __future__ import annotations

import hashlib
import secrets
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, cast

from sqlalchemy import Table, bindparam, or_, select, update
from sqlalchemy.exc import OperationalError

from app.extensions import DatabaseBusy, db, write_transaction
from app.models import Player, Token
from app.services.errors import Refusal
from app.services.ids import is_id, new_id
from app.services.times import utcnow

TOKEN_PREFIX = "bsr_"
# Above this the rating says too little yet.
PROVISIONAL_DEVIATION = 110
ALL_SCOPES = "read play account"

# A token's last use is noted no more often than this, so that moves cost one write and not two.
USE_NOTED_EVERY = timedelta(minutes=1)

_tokens = cast(Table, Token.__table__)
_SELECT_TOKEN = select(_tokens.c.id, _tokens.c.player_id, _tokens.c.scopes, _tokens.c.last_used_at).where(
    _tokens.c.token_hash == bindparam("hashed"),
    _tokens.c.revoked_at.is_(None),
    or_(_tokens.c.expires_at.is_(None), _tokens.c.expires_at > bindparam("now")),
)
_NOTE_USE = update(_tokens).where(_tokens.c.id == bindparam("token_id")).values(last_used_at=bindparam("now"))


@dataclass(frozen=True, slots=True)
class Bearer:
    """Whom a token stands for, and what it may be used for."""

    token_id: str
    player_id: str
    scopes: frozenset[str]


def create_guest(name: str | None, *, session: bool) -> tuple[dict[str, Any], str]:
    """Make a guest, and a token that stands for him: the contract's player, and the token's only showing."""
    token = TOKEN_PREFIX + secrets.token_urlsafe(32)
    now = utcnow()
    player = Player(id=new_id(), name=name or f"Guest {secrets.randbelow(9000) + 1000}", guest=True, created_at=now)
    with write_transaction() as db_session:
        db_session.add(player)
        db_session.flush()
        db_session.add(
            Token(
                id=new_id(),
                player_id=player.id,
                token_hash=_hash(token),
                kind="session" if session else "api",
                scopes=ALL_SCOPES,
                created_at=now,
                last_used_at=now,
            )
        )
    return player_json(player), token


def bearer_of(token: str) -> Bearer | None:
    """Whom a token stands for, or None if it is unknown, expired or revoked."""
    if not token.startswith(TOKEN_PREFIX) or len(token) > 100:
        return None
    now = utcnow()
    found = db.session.connection().execute(_SELECT_TOKEN, {"hashed": _hash(token), "now": now}).one_or_none()
    if found is None:
        return None
    if found.last_used_at is None or found.last_used_at <= now - USE_NOTED_EVERY:
        _note_use(found.id, now)
    return Bearer(found.id, found.player_id, frozenset(found.scopes.split()))


def profile(player_id: str) -> dict[str, Any]:
    """A player as the contract shows him to everyone.

    Errors: not_found.
    """
    player = db.session.get(Player, player_id) if is_id(player_id) else None
    if player is None:
        raise Refusal("not_found")
    return {
        **player_json(player),
        "points": player.points,
        "rating": {
            "value": round(player.rating_value),
            "deviation": round(player.rating_deviation),
            "provisional": player.rating_deviation > PROVISIONAL_DEVIATION,
        },
    }


def player_json(player: Player) -> dict[str, Any]:
    """A player in short, as he appears on a seat."""
    return {"id": player.id, "name": player.name, "guest": player.guest, "bot": player.bot}


def _note_use(token_id: str, now: datetime) -> None:
    # Where the database is busy the next request notes it: no request fails because of a note.
    with suppress(DatabaseBusy, OperationalError), write_transaction() as session:
        session.execute(_NOTE_USE, {"token_id": token_id, "now": now})


def _hash(token: str) -> str:
    # A token has 256 random bits: a slow hash would protect nothing more.
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
