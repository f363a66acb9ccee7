"""Places: how many sockets there may be, in total and for one player, and how many of them are kept for seats."""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import dataclass
from enum import Enum

# So much of all places can only be had by players for their seats, whoever else wants to look on.
KEPT_FOR_SEATS = 0.25


class TooMany(Exception):
    """No channel more is taken: in total, for this player, or in this room."""


class Kind(Enum):
    """What a channel is to its player; each kind is counted for itself."""

    SEAT = "seat"
    OWN = "own"
    SPECTATOR = "spectator"


@dataclass(eq=False)
class Place:
    """A socket's place; a caller who has not said yet who he is has one without a player."""

    kind: Kind
    player_id: str | None
    is_kept: bool


class Places:
    """The places for sockets: taken before the upgrade, given back when the request ends."""

    def __init__(self, most: int, most_per_player: int) -> None:
        self._most = most
        self._most_of_others = max(1, most - int(most * KEPT_FOR_SEATS))
        self._most_per_player = most_per_player
        self._lock = threading.Lock()
        self._taken = 0
        self._taken_by_others = 0
        self._per_player: Counter[tuple[str, Kind]] = Counter()
        self._closed = False

    def take(self, kind: Kind, player_id: str | None) -> Place:
        """Take a place.

        Errors: TooMany if there is none, or the service is going down.
        """
        place = Place(kind, player_id, is_kept=kind is Kind.SEAT)
        with self._lock:
            if self._closed or self._taken >= self._most:
                raise TooMany
            if not place.is_kept and self._taken_by_others >= self._most_of_others:
                raise TooMany
            if player_id is not None:
                self._count(player_id, kind)
            self._taken += 1
            self._taken_by_others += not place.is_kept
        return place

    def claim(self, place: Place, kind: Kind, player_id: str) -> None:
        """Note whose place it is, once he has said so.

        Errors: TooMany if the player has no more of this kind.
        """
        with self._lock:
            self._count(player_id, kind)
            place.kind, place.player_id = kind, player_id

    def give_back(self, place: Place) -> None:
        """Give a place back."""
        with self._lock:
            self._taken -= 1
            self._taken_by_others -= not place.is_kept
            if place.player_id is not None:
                key = (place.player_id, place.kind)
                self._per_player[key] -= 1
                if not self._per_player[key]:
                    del self._per_player[key]

    def close(self) -> None:
        """Give no place any more."""
        with self._lock:
            self._closed = True

    def _count(self, player_id: str, kind: Kind) -> None:
        if self._per_player[player_id, kind] >= self._most_per_player:
            raise TooMany
        self._per_player[player_id, kind] += 1
