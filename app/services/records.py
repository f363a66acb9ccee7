"""A match as the service holds it in memory: the engine's state and what surrounds it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from engine.state import Match


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """Who plays on a seat."""

    seat: int
    player_id: str | None
    name: str
    bot: str | None
    guest: bool = False
    is_program: bool = False
    clock_run: int = 0
    # When the match began.
    registered: bool = False

    def player_json(self) -> dict[str, Any] | None:
        """The player as the contract shows him, or None on a bot's seat."""
        if self.player_id is None:
            return None
        return {"id": self.player_id, "name": self.name, "guest": self.guest, "bot": self.is_program}


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """One match with its seats, as read in one transaction."""

    id: str
    room_code: str
    number: int
    public: bool
    spectators: bool
    rated: bool
    seeded: bool
    turn_seconds: int
    version: int
    status: str
    deadline_at: datetime | None
    started_at: datetime
    finished_at: datetime | None
    scored: bool
    seats: tuple[SeatRecord, ...]
    match: Match
    voided_at: datetime | None = None

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.status == "finished"

    def seat_of(self, player_id: str | None) -> int | None:
        """The seat of a player, or None if he has none here."""
        return seat_among(self.seats, player_id)

    def may_watch(self) -> bool:
        """Whether someone without a seat may look on: after the end, or where spectators are allowed."""
        return self.is_over or self.spectators


def seat_among(seats: Iterable[SeatRecord], player_id: str | None) -> int | None:
    """The seat of a player, or None if he has none of these."""
    if player_id is None:
        return None
    return next((taken.seat for taken in seats if taken.player_id == player_id), None)
