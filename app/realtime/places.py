"""Places: how many sockets there may be, in total, for one player and for one address, and who comes first."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import TypeVar

# So much of all places can only be had by players for their seats, whoever else wants to look on.
KEPT_FOR_SEATS = 0.25

Key = TypeVar("Key")


class TooMany(Exception):
    """No channel more is taken: in total, for this player, at this address, or in this room."""


class Kind(IntEnum):
    """What a channel is to its player, the least important first."""

    UNNAMED = 0
    SPECTATOR = 1
    OWN = 2
    SEAT = 3
    # A seat of a match that runs.
    PLAYING = 4


@dataclass(eq=False)
class Place:
    """A socket's place; a caller who has not said yet who they are has one without a player."""

    kind: Kind
    player_id: str | None
    address: str
    is_kept: bool
    is_ended: bool = False
    _end: Callable[[], None] | None = None

    def ended_by(self, end: Callable[[], None]) -> None:
        """Say how the channel is ended if somebody needs the place more."""
        self._end = end
        if self.is_ended:
            end()

    def end(self) -> None:
        """End the channel."""
        self.is_ended = True
        if self._end is not None:
            self._end()


class Places:
    """The places for sockets: taken before the upgrade, given back when the request ends."""

    def __init__(self, most: int, most_per_player: int | None = None, most_per_address: int | None = None) -> None:
        self._most = most
        self._most_of_others = max(1, most - int(most * KEPT_FOR_SEATS))
        self._most_per_player = most_per_player
        self._most_per_address = most_per_address
        self._lock = threading.Lock()
        # The oldest first.
        self._taken: dict[Place, None] = {}
        self._taken_by_others = 0
        self._per_address: Counter[str] = Counter()
        # A player's seats count together, whether a match runs there or not: that changes while the channel is open.
        self._per_player: Counter[tuple[str, Kind]] = Counter()
        self._counted: dict[Place, tuple[str, Kind]] = {}
        self._closed = False

    def take(self, kind: Kind, player_id: str | None, address: str) -> Place:
        """Take a place; for a seat of a match that runs another channel has to go if need be.

        Errors: TooMany if there is none, or the service is going down.
        """
        place, goes = Place(kind, player_id, address, is_kept=kind >= Kind.SEAT), None
        with self._lock:
            if self._closed:
                raise TooMany
            self._check_player(kind, player_id)
            if kind is Kind.PLAYING:
                goes = self._make_room(address)
            else:
                self._require_room(place)
            self._taken[place] = None
            self._taken_by_others += not place.is_kept
            self._per_address[address] += 1
            if player_id is not None:
                self._count(place, kind, player_id)
        if goes is not None:
            goes.end()
        return place

    def claim(self, place: Place, kind: Kind, player_id: str) -> None:
        """Note whose place it is, once they have said so.

        Errors: TooMany if the player has no more of this kind, or the place has gone to somebody else.
        """
        with self._lock:
            if place.is_ended:
                raise TooMany
            self._check_player(kind, player_id)
            self._count(place, kind, player_id)
            place.kind, place.player_id = kind, player_id

    def give_back(self, place: Place) -> None:
        """Give a place back; one that has gone to somebody else already is not given twice."""
        with self._lock:
            if place in self._taken:
                self._free(place)

    def close(self) -> None:
        """Give no place any more."""
        with self._lock:
            self._closed = True

    def _require_room(self, place: Place) -> None:
        """Turn away somebody without whom a match goes on as well, unless there is room."""
        if len(self._taken) >= self._most or self._has_its_share(place.address):
            raise TooMany
        if not place.is_kept and self._taken_by_others >= self._most_of_others:
            raise TooMany

    def _make_room(self, address: str) -> Place | None:
        """Let somebody in whom a match waits for: at the expense of their own neighbours first, then of anybody."""
        goes = None
        if self._has_its_share(address):
            goes = self._least(place for place in self._taken if place.address == address)
        if goes is None and len(self._taken) >= self._most:
            goes = self._least(self._taken) or self._beyond_its_share()
            if goes is None:
                raise TooMany
        if goes is not None:
            self._free(goes)
            goes.is_ended = True
        return goes

    def _least(self, places: Iterable[Place]) -> Place | None:
        """The least important place without which a match goes on, of the address that has most of all."""
        found = [place for place in places if place.kind is not Kind.PLAYING]
        return min(found, key=lambda place: (place.kind, -self._per_address[place.address]), default=None)

    def _beyond_its_share(self) -> Place | None:
        """The oldest place of an address that has more than its share, and can only have that by seats."""
        found = (place for place in self._taken if self._has_its_share(place.address, beyond=True))
        return next(found, None)

    def _has_its_share(self, address: str, *, beyond: bool = False) -> bool:
        return self._most_per_address is not None and self._per_address[address] >= self._most_per_address + beyond

    def _free(self, place: Place) -> None:
        del self._taken[place]
        self._taken_by_others -= not place.is_kept
        _drop(self._per_address, place.address)
        if place in self._counted:
            _drop(self._per_player, self._counted.pop(place))

    def _check_player(self, kind: Kind, player_id: str | None) -> None:
        most = self._most_per_player
        if most is not None and player_id is not None and self._per_player[player_id, min(kind, Kind.SEAT)] >= most:
            raise TooMany

    def _count(self, place: Place, kind: Kind, player_id: str) -> None:
        key = self._counted[place] = (player_id, min(kind, Kind.SEAT))
        self._per_player[key] += 1


def _drop(counts: Counter[Key], key: Key) -> None:
    counts[key] -= 1
    if not counts[key]:
        del counts[key]
