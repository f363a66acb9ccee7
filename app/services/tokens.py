"""The tokens that a player makes for his programs."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy.orm import Session

from app.extensions import db, write_transaction
from app.models import Token
from app.services import bearers, players
from app.services.errors import Refusal
from app.services.news import News
from app.services.times import maybe_rfc3339, rfc3339, utcnow

MOST = 50


def tokens_of(player_id: str) -> list[dict[str, Any]]:
    """What a player has made for his programs and may still be used, newest first; the secrets are not in it."""
    return [_json(token) for token in bearers.valid(db.session(), player_id, bearers.API)]


def create(
    player_id: str,
    held: frozenset[str],
    label: str,
    scopes: list[str],
    expires_in_days: int | None,
    *,
    at_latest: datetime | None = None,
) -> dict[str, Any]:
    """Make a token for a program; it may do no more than what asks for it (`held`), and not for longer (`at_latest`).

    Errors: auth.scope_missing; auth.required for a deleted player; token.too_many.
    """
    if not held.issuperset(scopes):
        raise Refusal("auth.scope_missing", "A token cannot make another one that may do more than itself.")
    asked = None if expires_in_days is None else utcnow() + timedelta(days=expires_in_days)
    expires_at = min((end for end in (asked, at_latest) if end is not None), default=None)
    with write_transaction() as session:
        players.living(session, player_id)
        if len(bearers.valid(session, player_id, bearers.API)) >= MOST:
            raise Refusal("token.too_many")
        token, secret = bearers.issue(
            session, player_id, bearers.API, label=label, scopes=scopes, expires_at=expires_at, used=False
        )
        return {**_json(token), "token": secret}


def revoke(player_id: str, token_id: str, current: str) -> list[News]:
    """End one of a player's tokens, and what is open by it; `current` is the token that asks.

    Errors: not_found, also for another player's and for a session.
    """
    with write_transaction() as session:
        ended = [bearers.own(session, player_id, bearers.API, token_id)]
        return bearers.put_out(session, player_id, ended, current)


def end_others(session: Session, player_id: str, current: str) -> list[News]:
    """End all that a player has made for programs, but the token that asks."""
    found = bearers.valid(session, player_id, bearers.API)
    return bearers.end(session, [token for token in found if token.id != current])


def _json(token: Token) -> dict[str, Any]:
    return {
        "id": token.id,
        "label": token.label,
        "scopes": token.scopes.split(),
        "created_at": rfc3339(token.created_at),
        "expires_at": maybe_rfc3339(token.expires_at),
        "last_used_at": maybe_rfc3339(token.last_used_at),
    }
