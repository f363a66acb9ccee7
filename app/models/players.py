"""Players, and the tokens by which they are recognised."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, false
from sqlalchemy.orm import Mapped, mapped_column

from app.models.base import Base, UtcDateTime


class Player(Base):
    """Who sits on a seat: a guest, an account or a program."""

    __tablename__ = "players"
    # An index and not a constraint: SQLite adds it in place, and the table that everything points at is not rebuilt.
    __table_args__ = (
        Index(None, "username", unique=True),
        # Of the leaderboards: with all that says who stands on one, so that ranks are counted without reading a row.
        Index("ix_players_by_rating", "guest", "rating_value", "id", "bot", "deleted_at", "established_until"),
        Index("ix_players_by_points", "guest", "board_points", "id", "bot", "deleted_at"),
        Index("ix_players_by_week", "guest", "week_at", "week_points", "id", "bot", "deleted_at"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    name: Mapped[str] = mapped_column(String(24))
    # What an account signs in with, folded so that two spellings are one; a guest has none.
    username: Mapped[str | None] = mapped_column(String(24))
    password_hash: Mapped[str | None] = mapped_column(String(200))
    guest: Mapped[bool]
    bot: Mapped[bool] = mapped_column(default=False)
    points: Mapped[int] = mapped_column(default=0)
    # Of these, what counts on the boards: of matches between registered players, and with one opponent not too often.
    board_points: Mapped[int] = mapped_column(default=0, server_default="0")
    # Of these again, those of one week, and the moment that week began: of the last week in which there were any.
    week_points: Mapped[int] = mapped_column(default=0, server_default="0")
    week_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    rating_value: Mapped[float] = mapped_column(default=1500.0)
    rating_deviation: Mapped[float] = mapped_column(default=500.0)
    rating_volatility: Mapped[float] = mapped_column(default=0.09, server_default="0.09")
    # The last rated match: from then on the deviation grows again.
    rated_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    # Whether enough matches against different people make this player an opponent who vouches for others' ratings.
    seasoned: Mapped[bool] = mapped_column(default=False, server_default=false())
    # How many such opponents there were in rated matches; counted up to as many as a rating needs.
    vouchers: Mapped[int] = mapped_column(default=0, server_default="0")
    # When the deviation will have grown so much that the rating is provisional; null while it is, or too few vouch.
    established_until: Mapped[datetime | None] = mapped_column(UtcDateTime)
    # When they last stayed away from a quick match that had been found, and until when they may not look for another.
    no_show_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    no_seek_until: Mapped[datetime | None] = mapped_column(UtcDateTime)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    # The row stays for the sake of the others' matches, without anything that says who it was.
    deleted_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    # What those who run the service have decided; a moment that has passed means nothing any more.
    banned_until: Mapped[datetime | None] = mapped_column(UtcDateTime)
    muted_until: Mapped[datetime | None] = mapped_column(UtcDateTime)
    admin: Mapped[bool] = mapped_column(default=False, server_default=false())


class Token(Base):
    """A secret that stands for a player; only its hash is kept."""

    __tablename__ = "tokens"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    player_id: Mapped[str] = mapped_column(ForeignKey("players.id", ondelete="CASCADE"), index=True)
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    kind: Mapped[str] = mapped_column(String(16))
    scopes: Mapped[str] = mapped_column(String(200))
    # What its owner calls it; of a session, the device it is on.
    label: Mapped[str | None] = mapped_column(String(60))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    last_used_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    expires_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    revoked_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class Transfer(Base):
    """A code that moves a player to another device, once and for a short time; only its hash is kept."""

    __tablename__ = "transfers"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    player_id: Mapped[str] = mapped_column(ForeignKey("players.id", ondelete="CASCADE"), index=True)
    code_hash: Mapped[str] = mapped_column(String(64), unique=True)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    expires_at: Mapped[datetime] = mapped_column(UtcDateTime)
    used_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
