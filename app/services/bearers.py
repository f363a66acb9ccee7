"""Bearers of tokens: how a secret comes to stand for a player, is recognised, and ends."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import cast

from sqlalchemy import BindParameter, ColumnElement, Table, and_, bindparam, delete, or_, select, update
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from app.extensions import DatabaseBusy, db, delete_if_any, write_transaction
from app.models import Player, Token, Transfer
from app.services.errors import Refusal
from app.services.ids import is_id, new_id
from app.services.news import News, SignedOut
from app.services.times import utcnow

TOKEN_PREFIX = "bsr_"
SCOPES = ("read", "play", "account")
# What a player makes for his programs, and what a device was signed in with.
API, SESSION = "api", "session"

# A token's last use is noted no more often than this, so that moves cost one write and not two.
USE_NOTED_EVERY = timedelta(minutes=1)
# No request waits longer for its note: a database that others write to must not hold up those who only read.
NOTE_WAIT_S = 0.05
# So long after its end a token's row is kept.
KEPT = timedelta(days=30)

_tokens = cast(Table, Token.__table__)
_players = cast(Table, Player.__table__)


def _is_valid(now: datetime | BindParameter[datetime]) -> ColumnElement[bool]:
    return and_(_tokens.c.revoked_at.is_(None), or_(_tokens.c.expires_at.is_(None), _tokens.c.expires_at > now))


_SELECT_TOKEN = (
    select(
        _tokens.c.id, _tokens.c.player_id, _tokens.c.kind, _tokens.c.scopes, _tokens.c.expires_at,
        _tokens.c.last_used_at, _players.c.guest, _players.c.created_at.label("player_since"),
        _players.c.admin, _players.c.banned_until, _players.c.muted_until,
    )
    .join_from(_tokens, _players, _players.c.id == _tokens.c.player_id)
    .where(_tokens.c.token_hash == bindparam("hashed"), _is_valid(bindparam("now")))
)  # fmt: skip
_NOTE_USE = update(_tokens).where(_tokens.c.id == bindparam("token_id")).values(last_used_at=bindparam("now"))


@dataclass(frozen=True, slots=True)
class Bearer:
    """Whom a token stands for, what it may be used for and until when, and what its player is and may not."""

    token_id: str
    player_id: str
    kind: str
    scopes: frozenset[str]
    expires_at: datetime | None
    # Whether the player is a guest, and since when there is one.
    guest: bool
    player_since: datetime
    admin: bool
    banned_until: datetime | None
    muted_until: datetime | None


def bearer_of(token: str) -> Bearer | None:
    """Whom a token stands for, or None if it is unknown, expired or revoked."""
    if not token.startswith(TOKEN_PREFIX) or len(token) > 100:
        return None
    now = utcnow()
    found = db.session.connection().execute(_SELECT_TOKEN, {"hashed": hash_of(token), "now": now}).one_or_none()
    if found is None:
        return None
    if found.last_used_at is None or found.last_used_at <= now - USE_NOTED_EVERY:
        _note_use(found.id, now)
    scopes = frozenset(found.scopes.split())
    return Bearer(
        found.id, found.player_id, found.kind, scopes, found.expires_at, found.guest, found.player_since,
        found.admin, found.banned_until, found.muted_until,
    )  # fmt: skip


def stands(token_id: str) -> bool:
    """Whether a token that was accepted a moment ago still stands for its player."""
    found = select(Token.id).where(Token.id == token_id, _is_valid(utcnow()))
    return db.session.scalar(found) is not None


def issue(
    session: Session,
    player_id: str,
    kind: str,
    *,
    label: str | None,
    scopes: Iterable[str] = SCOPES,
    expires_at: datetime | None = None,
    used: bool = True,
) -> tuple[Token, str]:
    """A new token of a player, used at once or not yet, and the secret itself: its only showing."""
    secret = TOKEN_PREFIX + secrets.token_urlsafe(32)
    now = utcnow()
    token = Token(
        id=new_id(),
        player_id=player_id,
        token_hash=hash_of(secret),
        kind=kind,
        scopes=" ".join(scope for scope in SCOPES if scope in set(scopes)),
        label=label,
        created_at=now,
        last_used_at=now if used else None,
        expires_at=expires_at,
    )
    session.add(token)
    session.flush()
    return token, secret


def valid(session: Session, player_id: str, kind: str) -> list[Token]:
    """A player's tokens of a kind that may be used now, newest first."""
    query = select(Token).where(Token.player_id == player_id, Token.kind == kind, _is_valid(utcnow()))
    return list(session.scalars(query.order_by(Token.created_at.desc(), Token.id)))


def own(session: Session, player_id: str, kind: str, token_id: str) -> Token:
    """One of a player's tokens of a kind that may be used now.

    Errors: not_found.
    """
    query = select(Token).where(Token.id == token_id, Token.kind == kind, _is_valid(utcnow()))
    token = session.scalar(query) if is_id(token_id) else None
    if token is None or token.player_id != player_id:
        raise Refusal("not_found")
    return token


def end(session: Session, ended: list[Token]) -> list[News]:
    """Let tokens stand for nobody from now on."""
    now = utcnow()
    for token in ended:
        token.revoked_at = now
    return [SignedOut(tuple(token.id for token in ended))] if ended else []


def put_out(session: Session, player_id: str, ended: list[Token], current: str) -> list[News]:
    """End a player's tokens at the wish of his `current` one.

    Whoever had one of the others may have made a code with it by which he would be back: open ones are void then. Who
    only signs himself out may want to use his code.
    """
    if any(token.id != current for token in ended):
        void_codes(session, player_id)
    return end(session, ended)


def void_codes(session: Session, player_id: str) -> None:
    """Let no code of a player's sign in another device any more."""
    session.execute(delete(Transfer).where(Transfer.player_id == player_id))


def expire(now: datetime) -> list[News]:
    """Forget the tokens that ended long ago; nobody is told."""
    dead = or_(Token.revoked_at <= now - KEPT, Token.expires_at <= now - KEPT)
    delete_if_any(Token, dead)
    return []


def hash_of(secret: str) -> str:
    """What is kept of a secret; it has so many random bits that a slow hash would protect nothing more."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _note_use(token_id: str, now: datetime) -> None:
    # Where the database is busy the next request notes it: no request fails because of a note.
    with suppress(DatabaseBusy, OperationalError), write_transaction(NOTE_WAIT_S) as session:
        session.execute(_NOTE_USE, {"token_id": token_id, "now": now})
