"""Sessions: the devices on which a player is signed in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.extensions import db, write_transaction
from app.models import Player, Token
from app.services import bearers, devices, passwords, usernames
from app.services.errors import Refusal
from app.services.news import News
from app.services.players import player_json, require_not_banned
from app.services.times import maybe_rfc3339, rfc3339

# So many devices; whoever signs in on one more is signed out where he was longest ago.
MOST = 50
# One answer for both, or it would tell which names have an account.
WRONG = "The username or the password is wrong."


@dataclass(frozen=True, slots=True)
class SignedIn:
    """Who is signed in on a device, and the only showing of what it keeps: a token, and what accounts know it by."""

    player: dict[str, Any]
    token: str
    device: str | None
    news: list[News]


def sign_in(username: str, password: str, *, label: str | None, instead_of: str | None, device: str | None) -> SignedIn:
    """Sign in on a device, in place of the session that its cookie held; `device` is what it was known by, if it was.

    Errors: auth.required, whichever of the two was wrong; auth.banned; unavailable.
    """
    named = select(Player.id, Player.password_hash).where(Player.username == usernames.fold(username))
    found = db.session.execute(named).one_or_none()
    stored = None if found is None else found.password_hash
    if not passwords.is_right(password, stored) or found is None or stored is None:
        raise Refusal("auth.required", WRONG)
    renewed = passwords.renewed(password, stored)
    with write_transaction() as session:
        player = session.get_one(Player, found.id)
        if player.password_hash != stored:  # while the hash was worked out, the password was changed or the player left
            raise Refusal("auth.required", WRONG)
        if renewed is not None:
            player.password_hash = renewed
        return begin(session, player, label=label, instead_of=instead_of, device=device)


def begin(
    session: Session, player: Player, *, label: str | None, instead_of: str | None, device: str | None
) -> SignedIn:
    """Sign a player in on a device that has shown that it is theirs.

    Errors: auth.banned.
    """
    require_not_banned(player)
    ended = bearers.valid(session, player.id, bearers.SESSION)[MOST - 1 :]
    if instead_of is not None:
        replaced = session.get(Token, instead_of)
        ended += [replaced] if replaced is not None and replaced.kind == bearers.SESSION else []
    news = bearers.end(session, ended)
    _, secret = bearers.issue(session, player.id, bearers.SESSION, label=label)
    known_by = None if player.guest else devices.remember(session, player.id, device)
    return SignedIn(player_json(player), secret, known_by, news)


def sessions_of(player_id: str, current: str) -> list[dict[str, Any]]:
    """Where a player is signed in, newest first; `current` is the token that asks."""
    found = bearers.valid(db.session(), player_id, bearers.SESSION)
    return [_json(session, current) for session in found]


def sign_out(player_id: str, session_id: str, current: str) -> list[News]:
    """End one of a player's sessions, and what is open in it; `current` is the token that asks.

    Errors: not_found.
    """
    with write_transaction() as session:
        ended = [bearers.own(session, player_id, bearers.SESSION, session_id)]
        return bearers.put_out(session, player_id, ended, current)


def sign_out_others(session: Session, player_id: str, current: str) -> list[News]:
    """End all of a player's sessions but the one that asks; what he made for his programs stays."""
    found = bearers.valid(session, player_id, bearers.SESSION)
    bearers.void_codes(session, player_id)
    return bearers.end(session, [other for other in found if other.id != current])


def _json(session: Token, current: str) -> dict[str, Any]:
    return {
        "id": session.id,
        "label": session.label,
        "current": session.id == current,
        "created_at": rfc3339(session.created_at),
        "last_used_at": maybe_rfc3339(session.last_used_at),
    }
