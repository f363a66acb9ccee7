"""The audit trail: every decision of those who run the service, with who took it, on whom, and why."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from app.extensions import db, delete_if_any
from app.models import AuditEntry, Player
from app.services.errors import Refusal
from app.services.news import News
from app.services.times import rfc3339, utcnow

# How long a decision can be looked up; docs/privacy.md says so, too.
KEPT = timedelta(days=730)


@dataclass(frozen=True, slots=True)
class Actor:
    """Who decides: a player who is an admin, or a user of the machine's command line."""

    player_id: str | None = None
    user: str | None = None

    def require_may_touch(self, player: Player) -> None:
        """Refuse an admin's decision about another admin, or about themselves: those are the command line's.

        Errors: auth.forbidden.
        """
        if player.admin and self.user is None:
            raise Refusal("auth.forbidden", "Decisions about an admin are taken on the command line.")


def note(session: Session, actor: Actor, action: str, subject: str, reason: str, **details: Any) -> None:
    """Put a decision on the trail, in the transaction that carries it out."""
    session.add(
        AuditEntry(
            at=utcnow(),
            by_player=actor.player_id,
            by_user=actor.user,
            action=action,
            subject=subject,
            reason=reason,
            details=details,
        )
    )


def entries(
    before: int | None, limit: int, *, since: datetime | None = None, subject: str | None = None
) -> tuple[list[dict[str, Any]], int | None]:
    """A page of the trail, newest first, and the number that the next page goes on from."""
    query = select(AuditEntry).order_by(AuditEntry.id.desc())
    if before is not None:
        query = query.where(AuditEntry.id < before)
    if since is not None:
        query = query.where(AuditEntry.at >= since)
    if subject is not None:
        query = query.where(AuditEntry.subject == subject)
    found = db.session.scalars(query.limit(limit + 1)).all()
    page = found[:limit]
    names = _names_of({entry.by_player for entry in page} | {entry.subject for entry in page})
    return [_json(entry, names) for entry in page], page[-1].id if len(found) > limit else None


def decisions_on(player_id: str) -> list[dict[str, Any]]:
    """What was decided about a player, as they may know it: neither by whom nor in which words."""
    query = select(AuditEntry).where(AuditEntry.subject == player_id).order_by(AuditEntry.id.desc())
    return [
        {"at": rfc3339(entry.at), "action": entry.action, "until": entry.details.get("until")}
        for entry in db.session.scalars(query)
    ]


def forget_words_about(session: Session, player_id: str) -> None:
    """Leave on the trail only that something was decided about a player, who has left for good."""
    session.execute(update(AuditEntry).where(AuditEntry.subject == player_id).values(reason="", details={}))


def expire(now: datetime) -> list[News]:
    """Forget the decisions of long ago; nobody is told."""
    delete_if_any(AuditEntry, AuditEntry.at <= now - KEPT)
    return []


def _names_of(ids: set[str | None]) -> dict[str, str]:
    rows = db.session.execute(select(Player.id, Player.name).where(Player.id.in_(filter(None, ids))))
    return {row.id: row.name for row in rows}


def _json(entry: AuditEntry, names: dict[str, str]) -> dict[str, Any]:
    by: dict[str, Any] = {"player": None, "user": entry.by_user}
    if entry.by_player is not None:
        by["player"] = {"id": entry.by_player, "name": names.get(entry.by_player)}
    return {
        "id": str(entry.id),
        "at": rfc3339(entry.at),
        "by": by,
        "action": entry.action,
        "subject": entry.subject,
        "name": names.get(entry.subject),
        "reason": entry.reason,
        "details": entry.details,
    }
