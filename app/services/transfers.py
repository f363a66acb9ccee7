"""Transfers: a code that moves a player to another device, once and soon."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.config import settings
from app.extensions import delete_if_any, write_transaction
from app.models import Transfer
from app.services import sessions
from app.services.bearers import hash_of, void_codes
from app.services.errors import Refusal
from app.services.ids import CODE_LETTERS, new_id
from app.services.networks import BAN, until_of
from app.services.news import News
from app.services.players import living
from app.services.times import rfc3339, utcnow

# 52 random bits: whoever tries a million codes a second meets one of a thousand open ones after weeks.
LENGTH, GROUP = 12, 4
LASTS = timedelta(minutes=10)


def create(player_id: str) -> dict[str, Any]:
    """A new code for a player's other device; one that he asked for before is void.

    Errors: auth.required for a deleted player.
    """
    code = "".join(secrets.choice(CODE_LETTERS) for _ in range(LENGTH))
    now = utcnow()
    with write_transaction() as session:
        living(session, player_id)
        void_codes(session, player_id)
        session.add(
            Transfer(id=new_id(), player_id=player_id, code_hash=hash_of(code), created_at=now, expires_at=now + LASTS)
        )
    shown = "-".join(code[at : at + GROUP] for at in range(0, LENGTH, GROUP))
    return {
        "code": shown,
        # Behind the #, which no browser sends to a server: the code is in no log.
        "url": f"{settings().public_url}/move#{shown}",
        "expires_at": rfc3339(now + LASTS),
    }


def use(text: str, address: str, *, label: str | None, instead_of: str | None, device: str | None) -> sessions.SignedIn:
    """Sign a device in as the player who made the code.

    Errors: not_found for a code that is unknown, used or too old; auth.banned, also for a guest at that address.
    """
    code = parse(text)
    shut_until = until_of(BAN, address)
    with write_transaction() as session:
        found = None if code is None else _open(session, code)
        if found is None:
            raise Refusal("not_found", "The code is unknown, was used already or is too old.")
        player = living(session, found.player_id)
        if player.guest and shut_until is not None:
            raise Refusal("auth.banned", until=rfc3339(shut_until))
        found.used_at = utcnow()
        return sessions.begin(session, player, label=label, instead_of=instead_of, device=device)


def expire(now: datetime) -> list[News]:
    """Forget the codes that nobody can use any more; nobody is told."""
    delete_if_any(Transfer, Transfer.expires_at <= now)
    return []


def parse(text: str) -> str | None:
    """The code as it is hashed, whichever way it was typed, or None if the text can be no code.

    >>> parse("abcd efgh-JKMN")
    'ABCDEFGHJKMN'
    """
    code = "".join(text.split()).replace("-", "").upper()
    return code if len(code) == LENGTH and set(code) <= set(CODE_LETTERS) else None


def _open(session: Session, code: str) -> Transfer | None:
    query = select(Transfer).where(
        Transfer.code_hash == hash_of(code), Transfer.used_at.is_(None), Transfer.expires_at > utcnow()
    )
    return session.scalar(query)
