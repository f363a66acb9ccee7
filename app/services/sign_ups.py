"""Accounts by the address that they are made at: many of them slow down, and are listed for those who run the service.

Thousands may share an address, so none is shut out; and registration is free, so none is as fast as it likes.
"""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.config import settings
from app.extensions import db, delete_if_any
from app.models import SignUp
from app.services.errors import Refusal
from app.services.ids import new_id
from app.services.news import News
from app.services.times import rfc3339

SPAN = timedelta(hours=1)
# So many in an hour come as they like; each one more waits longer after the one before it, up to an end.
FREE = 20
STEP, STEP_MOST = timedelta(seconds=10), timedelta(minutes=10)
KEPT = timedelta(days=7)


def require_pause(session: Session, address: str, now: datetime) -> None:
    """Refuse an account at an address that has made many lately, until it has paused.

    Errors: rate_limited, with how long to wait.
    """
    if not settings().rate_limits:
        return
    query = select(func.count(), func.max(SignUp.at)).where(SignUp.address == address, SignUp.at > now - SPAN)
    count, last = session.execute(query).one()
    if count < FREE:
        return
    pause = min(STEP * (count - FREE + 1), STEP_MOST)
    # Never longer than the pause, whatever the clock did meanwhile.
    wait = min(pause, last + pause - now)
    if wait > timedelta(0):
        raise Refusal(
            "rate_limited",
            "Many accounts were made from here within the hour. Wait before you make another.",
            retry_after_s=math.ceil(wait.total_seconds()),
        )


def note(session: Session, address: str, now: datetime) -> None:
    """Note that an account was made at an address."""
    session.add(SignUp(id=new_id(), address=address, at=now))


def suspicious_addresses(since: datetime, least: int = FREE) -> list[dict[str, Any]]:
    """The addresses that have made many accounts since a moment, `KEPT` ago at most; those with the most come first."""
    count = func.count()
    query = (
        select(
            SignUp.address,
            count.label("accounts"),
            func.min(SignUp.at).label("first"),
            func.max(SignUp.at).label("last"),
        )
        .where(SignUp.at >= since)
        .group_by(SignUp.address)
        .having(count >= least)
        .order_by(count.desc(), SignUp.address)
    )
    return [
        {
            "address": found.address,
            "accounts": found.accounts,
            "first_at": rfc3339(found.first),
            "last_at": rfc3339(found.last),
        }
        for found in db.session.execute(query)
    ]


def expire(now: datetime) -> list[News]:
    """Forget the sign-ups of long ago; nobody is told."""
    delete_if_any(SignUp, SignUp.at <= now - KEPT)
    return []
