"""Devices: the browsers that an account knows, so that a stranger's guesses do not keep its owner out."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import delete, exists, select
from sqlalchemy.orm import Session

from app.extensions import db, delete_if_any
from app.models import KnownDevice, Player
from app.services import usernames
from app.services.bearers import hash_of
from app.services.ids import new_id
from app.services.news import News
from app.services.times import rfc3339, utcnow

# So many an account knows; on one more, the one that was used longest ago is a stranger again.
MOST = 50
KEPT = timedelta(days=400)


def known(username: str, secret: str | None) -> str | None:
    """What a device is counted by that has signed in to the account before; None for any other."""
    if secret is None:
        return None
    found = (
        select(KnownDevice.id)
        .join(Player, Player.id == KnownDevice.player_id)
        .where(Player.username == usernames.fold(username), KnownDevice.device_hash == hash_of(secret))
    )
    return db.session.scalar(found)


def remember(session: Session, player_id: str, secret: str | None) -> str:
    """Have an account know a device from now on; returns the secret that the device is to keep."""
    now = utcnow()
    kept = secret if secret is not None and _is_one(session, secret) else secrets.token_urlsafe(32)
    own = list(
        session.scalars(
            select(KnownDevice).where(KnownDevice.player_id == player_id).order_by(KnownDevice.used_at.desc())
        )
    )
    found = next((device for device in own if device.device_hash == hash_of(kept)), None)
    if found is not None:
        found.used_at = now
        return kept
    for forgotten in own[MOST - 1 :]:
        session.delete(forgotten)
    session.add(KnownDevice(id=new_id(), player_id=player_id, device_hash=hash_of(kept), created_at=now, used_at=now))
    return kept


def forget_others(session: Session, player_id: str, secret: str | None) -> None:
    """Have an account know no device any more but the one that asks."""
    hashed = "" if secret is None else hash_of(secret)
    session.execute(delete(KnownDevice).where(KnownDevice.player_id == player_id, KnownDevice.device_hash != hashed))


def devices_of(player_id: str) -> list[dict[str, Any]]:
    """What is kept of the devices that a player's account knows, the last used first."""
    query = select(KnownDevice).where(KnownDevice.player_id == player_id).order_by(KnownDevice.used_at.desc())
    return [
        {"created_at": rfc3339(device.created_at), "last_used_at": rfc3339(device.used_at)}
        for device in db.session.scalars(query)
    ]


def expire(now: datetime) -> list[News]:
    """Forget the devices that have not signed in for long; nobody is told."""
    delete_if_any(KnownDevice, KnownDevice.used_at <= now - KEPT)
    return []


def _is_one(session: Session, secret: str) -> bool:
    """Whether the secret was given to a device by us, for whichever account."""
    return bool(session.scalar(select(exists().where(KnownDevice.device_hash == hash_of(secret)))))
