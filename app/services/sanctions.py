"""Bans and mutes of players: both end by themselves, and a ban ends what its player is in the middle of."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from app.extensions import db, write_transaction
from app.models import Player, Seek
from app.services import audit, departures, networks, seating
from app.services.audit import Actor
from app.services.blocks import require_living
from app.services.ends import end_of
from app.services.errors import Refusal
from app.services.networks import BAN, MUTE
from app.services.news import News, PlayerBanned
from app.services.times import maybe_rfc3339, rfc3339, utcnow


def ban(actor: Actor, player_id: str, until: datetime, reason: str) -> tuple[dict[str, Any], list[News]]:
    """Shut a player out until a moment: running matches are forfeited, rooms left, open channels ended.

    Errors: not_found, auth.forbidden, request.invalid for an end that is none.
    """
    until = end_of(until)
    with write_transaction() as session:
        player = _touched(session, actor, player_id)
        player.banned_until = until
        session.execute(delete(Seek).where(Seek.player_id == player_id))
        audit.note(session, actor, BAN, player_id, reason, until=rfc3339(until))
    # From here on nothing new can begin for them, so what is running now is all there is.
    news: list[News] = [PlayerBanned(player_id, rfc3339(until))]
    departures.forfeit_all(player_id, news)
    with write_transaction() as session:
        news += seating.leave_all(session, player_id)
        shown = sanctions_json(session.get_one(Player, player_id))
    return shown, news


def mute(actor: Actor, player_id: str, until: datetime, reason: str) -> dict[str, Any]:
    """Let a player say and name nothing until a moment; they play on.

    Errors: not_found, auth.forbidden, request.invalid for an end that is none.
    """
    until = end_of(until)
    with write_transaction() as session:
        player = _touched(session, actor, player_id)
        player.muted_until = until
        audit.note(session, actor, MUTE, player_id, reason, until=rfc3339(until))
        return sanctions_json(player)


def lift(actor: Actor, kind: str, player_id: str, reason: str) -> dict[str, Any]:
    """End a ban or a mute early; what it has cost, a match for instance, stays so.

    Errors: not_found for an unknown player or where nothing is in force, auth.forbidden.
    """
    column = "banned_until" if kind == BAN else "muted_until"
    with write_transaction() as session:
        player = _touched(session, actor, player_id)
        if not is_ahead(getattr(player, column)):
            raise Refusal("not_found", f"There is no {kind} of this player.")
        setattr(player, column, None)
        audit.note(session, actor, f"un{kind}", player_id, reason)
        return sanctions_json(player)


def in_force(kind: str, own: datetime | None, guest_at: str | None) -> datetime | None:
    """Until when somebody is banned or muted, by themselves or as a guest at an address; None if they are not."""
    at_address = None if guest_at is None else networks.until_of(kind, guest_at)
    return max((moment for moment in (own, at_address) if is_ahead(moment)), default=None)  # type: ignore[type-var]


def banned_until(player_id: str, address: str) -> datetime | None:
    """Until when a player who calls from an address is banned; None if they are not."""
    found = db.session.execute(select(Player.guest, Player.banned_until).where(Player.id == player_id)).one_or_none()
    return None if found is None else in_force(BAN, found.banned_until, address if found.guest else None)


def sanctions_json(player: Player) -> dict[str, Any]:
    """A player, and what is in force against them."""
    return {"player": {"id": player.id, "name": player.name}, **in_force_json(player)}


def in_force_json(player: Player) -> dict[str, Any]:
    """What is in force against a player."""
    return {
        "banned_until": maybe_rfc3339(player.banned_until if is_ahead(player.banned_until) else None),
        "muted_until": maybe_rfc3339(player.muted_until if is_ahead(player.muted_until) else None),
    }


def is_ahead(moment: datetime | None) -> bool:
    """Whether a moment is still to come."""
    return moment is not None and moment > utcnow()


def guests_among(player_ids: set[str]) -> set[str]:
    """Which of some players have not registered."""
    return set(db.session.scalars(select(Player.id).where(Player.id.in_(player_ids), Player.guest)))


def _touched(session: Session, actor: Actor, player_id: str) -> Player:
    player = require_living(session, player_id)
    actor.require_may_touch(player)
    return player
