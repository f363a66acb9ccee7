"""What a use case tells the world, to be published after its commit and never before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from app.services.records import MatchRecord


@dataclass(frozen=True, slots=True)
class RoomChanged:
    """Something about a room is different: its seats, its status, its host."""

    code: str


@dataclass(frozen=True, slots=True)
class MatchMoved:
    """A command moved a match; `events` are complete and secret, each receiver gets them redacted."""

    code: str
    match_id: str
    events: tuple[dict[str, Any], ...]
    record: MatchRecord


@dataclass(frozen=True, slots=True)
class RematchSaid:
    """Somebody of a finished room asked for a rematch, agreed, declined or withdrew."""

    code: str
    seat: int
    state: Literal["asked", "agreed", "declined", "withdrawn"]


@dataclass(frozen=True, slots=True)
class SeekPaired:
    """A player's seek has found its room."""

    player_id: str
    seek_id: str


@dataclass(frozen=True, slots=True)
class PhraseSaid:
    """Somebody said a phrase at a table; those who are deaf to him get nothing of it."""

    code: str
    seat: int
    phrase: str
    at: str
    deaf: frozenset[str]


@dataclass(frozen=True, slots=True)
class MessageWritten:
    """Somebody wrote to those who sit at a table; `readers` are those of them who are not deaf to him."""

    code: str
    message: dict[str, Any]
    readers: frozenset[str]


@dataclass(frozen=True, slots=True)
class SignedOut:
    """Tokens stand for nobody any more; what is open by them ends."""

    token_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlayerBanned:
    """A player is shut out until a moment, in RFC 3339; what they have open ends."""

    player_id: str
    until: str


@dataclass(frozen=True, slots=True)
class AddressSanctioned:
    """What guests of a network may do has changed; with a moment they are shut out until then."""

    network: str
    banned_until: str | None


News = (
    RoomChanged
    | MatchMoved
    | RematchSaid
    | SeekPaired
    | PhraseSaid
    | MessageWritten
    | SignedOut
    | PlayerBanned
    | AddressSanctioned
)
