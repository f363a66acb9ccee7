"""The hub: who listens to which room, in this process.

Publishers only put messages into the bounded queues of subscribers. Each subscriber's own handler is the one that
sends, so a client that stalls holds up nobody else.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

QUEUE_LENGTH = 64
# A send that takes longer than this holds a socket, and maybe a thread, that others need.
STALL_S = 20.0

GOING_AWAY = 1001
NOT_ALLOWED = 1008
FAULT = 1011
RESTARTING = 1012
TOO_MANY = 1013
REPLACED = 4000


class TooMany(Exception):
    """No channel more is taken, in total or for this player."""


class Wakeup(Protocol):
    """What wakes a subscriber's handler."""

    def set(self) -> None: ...


@dataclass(frozen=True)
class Message:
    """One text for the client.

    News of a match carry the versions of their first and last event; a view alone has only the one it shows.
    """

    text: str
    match_id: str | None = None
    first: int = 0
    last: int = 0
    has_events: bool = False


@dataclass(frozen=True)
class Close:
    """The order to close the channel."""

    code: int
    reason: str


class Subscriber:
    """One open channel of a room: its queue, filled by publishers and emptied by its own handler."""

    def __init__(self, code: str, player_id: str | None, wakeup: Wakeup, cut: Callable[[], None]) -> None:
        self.code = code
        self.player_id = player_id
        self.seat: int | None = None
        self._wakeup = wakeup
        self._cut = cut
        self._lock = threading.Lock()
        self._queue: deque[Message] = deque()
        self._lost = False
        self._close: Close | None = None
        self._sending_since: float | None = None

    def put(self, message: Message) -> None:
        """Queue a message; a queue that is full is dropped whole, and the handler sends everything anew."""
        with self._lock:
            if len(self._queue) >= QUEUE_LENGTH:
                self._queue.clear()
                self._lost = True
            if not self._lost:
                self._queue.append(message)
        self._wakeup.set()

    def close(self, code: int, reason: str) -> None:
        """Have the handler close the channel as soon as what is queued has been sent; the first order counts."""
        with self._lock:
            self._close = self._close or Close(code, reason)
        self._wakeup.set()

    def take(self) -> tuple[list[Message], bool, Close | None]:
        """What is to be done now: messages to send, whether some were lost, and whether to close."""
        with self._lock:
            messages, lost = list(self._queue), self._lost
            self._queue.clear()
            self._lost = False
            return messages, lost, self._close

    def sending(self, since: float | None) -> None:
        """Note when the handler began to send, or that it has done so."""
        self._sending_since = since

    def cut_if_stalled(self, now: float) -> bool:
        """Cut the connection if its handler has been stuck in one send for too long."""
        since = self._sending_since
        if since is None or now - since < STALL_S:
            return False
        self._cut()
        return True


class Hub:
    """Who listens, and the caps on how many may."""

    def __init__(self, max_sockets: int, max_per_player: int) -> None:
        self._max_sockets = max_sockets
        self._max_per_player = max_per_player
        self._lock = threading.RLock()
        # Held from reading the database to queueing what was read, so that nothing older is queued after it.
        self.publishing = threading.RLock()
        self._open = 0
        self._per_player: dict[str, int] = {}
        self._rooms: dict[str, list[Subscriber]] = {}
        # Those who have not said yet who they are.
        self._strangers: list[Subscriber] = []
        self._closing = False

    # Places: taken before the upgrade, given back when the request ends.

    def reserve(self) -> None:
        """Take one of the places for sockets.

        Errors: TooMany if there is none, or the service is going down.
        """
        with self._lock:
            if self._closing or self._open >= self._max_sockets:
                raise TooMany
            self._open += 1

    def release(self) -> None:
        """Give the place back."""
        with self._lock:
            self._open -= 1

    def reserve_for(self, player_id: str) -> None:
        """Take one of a player's own places.

        Errors: TooMany if the player has no more.
        """
        with self._lock:
            taken = self._per_player.get(player_id, 0)
            if taken >= self._max_per_player:
                raise TooMany
            self._per_player[player_id] = taken + 1

    def release_for(self, player_id: str) -> None:
        """Give a player's place back."""
        with self._lock:
            self._per_player[player_id] -= 1
            if not self._per_player[player_id]:
                del self._per_player[player_id]

    # Rooms

    def welcome(self, subscriber: Subscriber) -> None:
        """Know of a subscriber who will hear nothing before he has said who he is."""
        with self._lock:
            self._strangers.append(subscriber)
            self._close_if_closing(subscriber)

    def join(self, subscriber: Subscriber) -> None:
        """Let a subscriber hear its room's news."""
        with self._lock:
            self._close_if_closing(subscriber)
            self._rooms.setdefault(subscriber.code, []).append(subscriber)

    def leave(self, subscriber: Subscriber) -> None:
        """Forget a subscriber."""
        with self._lock:
            if subscriber in self._strangers:
                self._strangers.remove(subscriber)
            listeners = self._rooms.get(subscriber.code, [])
            if subscriber in listeners:
                listeners.remove(subscriber)
            if not listeners:
                self._rooms.pop(subscriber.code, None)

    def seat_players(self, code: str, seats: Mapping[str, int]) -> None:
        """Give each subscriber of the room the seat that its player has now; of two on one seat the newer stays."""
        with self._lock:
            newest: dict[int, Subscriber] = {}
            for subscriber in self._rooms.get(code, ()):
                subscriber.seat = seats.get(subscriber.player_id or "")
                if subscriber.seat is not None:
                    if subscriber.seat in newest:
                        newest[subscriber.seat].close(REPLACED, "replaced by a newer channel of this seat")
                    newest[subscriber.seat] = subscriber

    def listeners(self, code: str) -> list[Subscriber]:
        """The room's subscribers, the oldest first."""
        with self._lock:
            return list(self._rooms.get(code, ()))

    def connected(self, code: str, seat: int) -> bool:
        """Whether the seat has an open channel."""
        with self._lock:
            return any(s.seat == seat for s in self._rooms.get(code, ()))

    def all(self) -> Iterable[Subscriber]:
        """Every subscriber there is."""
        with self._lock:
            return [*self._strangers, *(s for listeners in self._rooms.values() for s in listeners)]

    def _close_if_closing(self, subscriber: Subscriber) -> None:
        if self._closing:
            subscriber.close(RESTARTING, "restarting")

    # Housekeeping

    def cut_stalled(self) -> int:
        """Cut the connections whose clients stopped reading; returns how many."""
        now = time.monotonic()
        return sum(s.cut_if_stalled(now) for s in self.all())

    def close_all(self, code: int = RESTARTING, reason: str = "restarting") -> None:
        """Take no more channels and have every open one closed at once."""
        with self._lock:
            self._closing = True
        for subscriber in self.all():
            subscriber.close(code, reason)
