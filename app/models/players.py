"""Players, and the tokens by which they are recognised."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from app.models.base import Base, UtcDateTime


class Player(Base):
    """Who sits on a seat: a guest, an account or a program."""

    __tablename__ = "players"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    name: Mapped[str] = mapped_column(String(24))
    guest: Mapped[bool]
    bot: Mapped[bool] = mapped_column(default=False)
    points: Mapped[int] = mapped_column(default=0)
    rating_value: Mapped[float] = mapped_column(default=1500.0)
    rating_deviation: Mapped[float] = mapped_column(default=500.0)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)


class Token(Base):
    """A secret that stands for a player; only its hash is kept."""

    __tablename__ = "tokens"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    player_id: Mapped[str] = mapped_column(ForeignKey("players.id", ondelete="CASCADE"), index=True)
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    kind: Mapped[str] = mapped_column(String(16))
    scopes: Mapped[str] = mapped_column(String(200))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    last_used_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    expires_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    revoked_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
