"""What those who run the service have decided, and what of it the server has still to tell."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from app.models.base import Base, UtcDateTime


class AddressSanction(Base):
    """What the guests of a network may not do (`ban`: anything, `mute`: speak), and until when."""

    __tablename__ = "address_sanctions"

    network: Mapped[str] = mapped_column(String(43), primary_key=True)
    kind: Mapped[str] = mapped_column(String(8), primary_key=True)
    until: Mapped[datetime] = mapped_column(UtcDateTime)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)


class AuditEntry(Base):
    """One decision: who took it, when, about whom or what, and why. No foreign keys: it outlives what it tells of."""

    __tablename__ = "audit_entries"
    __table_args__ = (Index(None, "at"), Index(None, "subject"))

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(UtcDateTime)
    # One of the two: a player who is an admin, or a user of the machine's command line.
    by_player: Mapped[str | None] = mapped_column(String(32))
    by_user: Mapped[str | None] = mapped_column(String(64))
    action: Mapped[str] = mapped_column(String(24))
    # The id of a player, a match or a report, a room's code, or a network; the action says which.
    subject: Mapped[str] = mapped_column(String(64))
    reason: Mapped[str] = mapped_column(Text)
    details: Mapped[dict[str, Any]] = mapped_column(JSON)


class Notice(Base):
    """News of a command line, which has no channels of its own, for the server to publish."""

    __tablename__ = "notices"

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(24))
    news: Mapped[dict[str, Any]] = mapped_column(JSON)
