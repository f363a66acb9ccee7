"""Rooms and who sits in them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, String, Text, UniqueConstraint, false
from sqlalchemy.orm import Mapped, mapped_column, relationship

from app.models.base import Base, UtcDateTime
from app.models.players import Player


class Room(Base):
    """Where people meet, sit down and play one match after another."""

    __tablename__ = "rooms"
    __table_args__ = (
        Index(None, "visibility", "status", "created_at"),
        Index(None, "status", "active_at"),
        Index(None, "host_id", "status", "visibility", "created_at"),
    )

    code: Mapped[str] = mapped_column(String(6), primary_key=True)
    host_id: Mapped[str] = mapped_column(ForeignKey("players.id"))
    name: Mapped[str | None] = mapped_column(String(24))
    seats: Mapped[int]
    rules: Mapped[dict[str, Any]] = mapped_column(JSON)
    turn_seconds: Mapped[int]
    visibility: Mapped[str] = mapped_column(String(16))
    rated: Mapped[bool]
    # What the creator asked for: true, false, or null for "where it may be".
    rated_wanted: Mapped[bool | None]
    seed: Mapped[str | None] = mapped_column(Text)
    spectators: Mapped[bool]
    # Whether its players may write to one another in their own words.
    chat: Mapped[bool] = mapped_column(default=False, server_default=false())
    # Whether it was made for people who had looked for a match, and so have never been here before it begins.
    quick: Mapped[bool] = mapped_column(default=False, server_default=false())
    status: Mapped[str] = mapped_column(String(16))
    # The running or last match; no foreign key, because matches already point at their room.
    match_id: Mapped[str | None] = mapped_column(String(32))
    matches_played: Mapped[int] = mapped_column(default=0)
    # Of the next match: its commitment is shown, itself it stays here until the match takes it over.
    server_seed: Mapped[str] = mapped_column(String(64))
    # How the next match is dealt; a room older than its second scheme goes on with the first one once.
    scheme: Mapped[str] = mapped_column(String(16), server_default="basra-deal/1")
    # While seeds are opened: when the match begins without those that were not.
    reveal_by: Mapped[datetime | None] = mapped_column(UtcDateTime)
    tally: Mapped[list[int]] = mapped_column(JSON)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    active_at: Mapped[datetime] = mapped_column(UtcDateTime)

    seating: Mapped[list[RoomSeat]] = relationship(
        order_by="RoomSeat.seat", cascade="all, delete-orphan", passive_deletes=True, lazy="selectin"
    )


class RoomSeat(Base):
    """A taken seat: by a player or by a bot of some level. A free seat has no row."""

    __tablename__ = "room_seats"
    __table_args__ = (UniqueConstraint("room_code", "player_id"),)

    room_code: Mapped[str] = mapped_column(ForeignKey("rooms.code", ondelete="CASCADE"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    player_id: Mapped[str | None] = mapped_column(ForeignKey("players.id"), index=True)
    bot: Mapped[str | None] = mapped_column(String(16))
    # Of the player's seed for the next match, "" without one; the seed itself from when it is opened.
    client_commitment: Mapped[str] = mapped_column(String(64), default="", server_default="")
    client_seed: Mapped[str] = mapped_column(String(64), default="")
    # Whether the player asked for another match, or agreed to one.
    rematch: Mapped[bool] = mapped_column(default=False, server_default=false())
    joined_at: Mapped[datetime] = mapped_column(UtcDateTime)

    player: Mapped[Player | None] = relationship(lazy="joined")
