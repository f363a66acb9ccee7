"""Matches, their seats and their events. The move path reads and writes these tables by Core statements."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, String, false
from sqlalchemy.orm import Mapped, mapped_column

from app.models.base import Base, UtcDateTime


class MatchRow(Base):
    """One match as stored: the engine's state, and what the service needs to find it."""

    __tablename__ = "matches"
    __table_args__ = (Index(None, "status", "deadline_at"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    room_code: Mapped[str] = mapped_column(ForeignKey("rooms.code"), index=True)
    number: Mapped[int]
    public: Mapped[bool]
    spectators: Mapped[bool]
    status: Mapped[str] = mapped_column(String(16))
    rules: Mapped[dict[str, Any]] = mapped_column(JSON)
    rated: Mapped[bool]
    seeded: Mapped[bool]
    server_seed: Mapped[str] = mapped_column(String(64))
    client_seeds: Mapped[list[str]] = mapped_column(JSON)
    # None: a match of the scheme in which nobody but the service commits.
    client_commitments: Mapped[list[str] | None] = mapped_column(JSON(none_as_null=True))
    turn_seconds: Mapped[int]
    version: Mapped[int]
    state: Mapped[dict[str, Any]] = mapped_column(JSON)
    to_act: Mapped[int | None]
    deadline_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    started_at: Mapped[datetime] = mapped_column(UtcDateTime)
    finished_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    result: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    scored: Mapped[bool] = mapped_column(default=False)
    # When those who run the service took back what it had brought.
    voided_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class MatchSeat(Base):
    """Who played on a seat, under the name of then."""

    __tablename__ = "match_seats"

    match_id: Mapped[str] = mapped_column(ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    player_id: Mapped[str | None] = mapped_column(ForeignKey("players.id"), index=True)
    name: Mapped[str] = mapped_column(String(24))
    bot: Mapped[str | None] = mapped_column(String(16))
    # Whether it was a registered player, when the match began; who registers later was a guest in it.
    registered: Mapped[bool] = mapped_column(default=False, server_default=false())
    # Plays of the clock in a row on this seat.
    clock_run: Mapped[int] = mapped_column(default=0)


class MatchEvent(Base):
    """One event of a match with all its secrets; it leaves only through the engine's redaction."""

    __tablename__ = "match_events"

    match_id: Mapped[str] = mapped_column(ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    # The first version of the command that made this event.
    command: Mapped[int]
    turn: Mapped[int | None]
    type: Mapped[str] = mapped_column(String(16))
    event: Mapped[dict[str, Any]] = mapped_column(JSON)
