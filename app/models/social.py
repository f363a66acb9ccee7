"""How players get along: blocks, reports, and what is written at a table."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from app.models.base import Base, UtcDateTime


class Block(Base):
    """One player keeps another away (`block`), or only silent (`mute`)."""

    __tablename__ = "blocks"

    player_id: Mapped[str] = mapped_column(ForeignKey("players.id", ondelete="CASCADE"), primary_key=True)
    other_id: Mapped[str] = mapped_column(ForeignKey("players.id", ondelete="CASCADE"), primary_key=True, index=True)
    kind: Mapped[str] = mapped_column(String(8))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)


class Report(Base):
    """A player's complaint about another, with what was written at their table just then."""

    __tablename__ = "reports"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    reporter_id: Mapped[str] = mapped_column(ForeignKey("players.id", ondelete="CASCADE"), index=True)
    reported_id: Mapped[str] = mapped_column(ForeignKey("players.id", ondelete="CASCADE"), index=True)
    room_code: Mapped[str | None] = mapped_column(String(6))
    reason: Mapped[str] = mapped_column(String(16))
    text: Mapped[str] = mapped_column(Text)
    messages: Mapped[list[dict[str, Any]]] = mapped_column(JSON)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    # When somebody who runs the service had dealt with it.
    handled_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class Message(Base):
    """A line written at a table; it goes when its room closes."""

    __tablename__ = "messages"
    __table_args__ = (Index(None, "room_code", "id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    room_code: Mapped[str] = mapped_column(ForeignKey("rooms.code", ondelete="CASCADE"))
    player_id: Mapped[str] = mapped_column(ForeignKey("players.id", ondelete="CASCADE"), index=True)
    text: Mapped[str] = mapped_column(String(200))
    sent_at: Mapped[datetime] = mapped_column(UtcDateTime)
