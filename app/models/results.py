"""What each finished match brought each of its players, and who has played against whom."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from app.models.base import Base, UtcDateTime


class PlayerResult(Base):
    """One player's part of one match that counts for them; its key lets a match count for a player exactly once.

    A scored match has one for everyone in it; a match that was left too early, for who left it: a loss without points.
    """

    __tablename__ = "player_results"
    __table_args__ = (Index(None, "player_id", "finished_at"), Index(None, "finished_at"))

    match_id: Mapped[str] = mapped_column(ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True)
    player_id: Mapped[str] = mapped_column(ForeignKey("players.id"), primary_key=True)
    # win, draw or loss, and whether it was this player who left or ran out of time.
    outcome: Mapped[str] = mapped_column(String(8))
    forfeited: Mapped[bool]
    seat: Mapped[int]
    points: Mapped[int]
    # Of these, what counts on the boards.
    board_points: Mapped[int] = mapped_column(default=0, server_default="0")
    basras: Mapped[int]
    best_round: Mapped[int]
    # Null where the match was not rated.
    rating_before: Mapped[float | None]
    rating_after: Mapped[float | None]
    deviation_before: Mapped[float | None]
    deviation_after: Mapped[float | None]
    volatility_before: Mapped[float | None]
    finished_at: Mapped[datetime] = mapped_column(UtcDateTime)


class Encounter(Base):
    """How often a player has had an opponent, in matches that were scored; there is one for either side of it."""

    __tablename__ = "encounters"

    player_id: Mapped[str] = mapped_column(ForeignKey("players.id"), primary_key=True)
    opponent_id: Mapped[str] = mapped_column(ForeignKey("players.id"), primary_key=True)
    scored: Mapped[int]
    # Of these, the matches in which their ratings moved.
    rated: Mapped[int]
