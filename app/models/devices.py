"""Devices that have signed in to an account, and the addresses that accounts come from."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.models.base import Base, UtcDateTime


class KnownDevice(Base):
    """A browser that has signed in to an account; of the secret that it keeps, only the hash."""

    __tablename__ = "known_devices"
    __table_args__ = (UniqueConstraint("player_id", "device_hash"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    player_id: Mapped[str] = mapped_column(ForeignKey("players.id", ondelete="CASCADE"))
    device_hash: Mapped[str] = mapped_column(String(64), index=True)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    used_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)


class SignUp(Base):
    """That an account was made at an address; not whose, so that leaving and coming again is two."""

    __tablename__ = "sign_ups"
    __table_args__ = (Index(None, "address", "at"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    address: Mapped[str] = mapped_column(String(64))
    at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
