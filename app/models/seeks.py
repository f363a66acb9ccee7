"""Seeks: who looks for others to play with."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from app.models.base import Base, UtcDateTime


class Seek(Base):
    """A player's wish for a match with whoever wants the same; he has one at a time."""

    __tablename__ = "seeks"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    player_id: Mapped[str] = mapped_column(ForeignKey("players.id", ondelete="CASCADE"), unique=True)
    seats: Mapped[int]
    rules: Mapped[str] = mapped_column(String(16))
    target: Mapped[int | None]
    client_commitment: Mapped[str] = mapped_column(String(64), default="", server_default="")
    # Where the match is, once enough of them were there.
    room_code: Mapped[str | None] = mapped_column(ForeignKey("rooms.code"))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    # When the player was last heard of.
    seen_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
