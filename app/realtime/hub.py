"""The hub: who listens to what, in this process."""

from __future__ import annotations

import threading
import time
from collections.abc import Collection, Mapping

from app.realtime.places import Kind, Places
from app.realtime.subscriber import NOT_ALLOWED, REPLACED, RESTARTING, Subscriber
from app.realtime.watch import Watch

# How long a handler has to close the channel as it was told, before the connection is cut.
CLOSING_S = 1.0


class Hub:
    """Who listens to which room, or to what concerns himself."""

    def __init__(self, places: Places) -> None:
        self.places = places
        self.watch = Watch()
        self._lock = threading.RLock()
        # Held from reading the database to queueing what was read, so that nothing older is queued after it.
        self.publishing = threading.RLock()
        # Also those who have not said yet who they are, and so hear nothing.
        self._everyone: dict[Subscriber, None] = {}
        self._topics: dict[str, list[Subscriber]] = {}
        self._closing = False

    def welcome(self, subscriber: Subscriber) -> None:
        """Know of a subscriber, who will hear nothing before he joins."""
        with self._lock:
            self._everyone[subscriber] = None
            if self._closing:
                subscriber.close(RESTARTING, "restarting")

    def join(self, subscriber: Subscriber) -> None:
        """Let a subscriber hear the news of its topics."""
        with self._lock:
            self.welcome(subscriber)
            for topic in subscriber.topics:
                self._topics.setdefault(topic, []).append(subscriber)

    def leave(self, subscriber: Subscriber) -> None:
        """Forget a subscriber."""
        with self._lock:
            self._everyone.pop(subscriber, None)
            for topic in subscriber.topics:
                listeners = self._topics.get(topic, [])
                if subscriber in listeners:
                    listeners.remove(subscriber)
                if not listeners:
                    self._topics.pop(topic, None)

    def end(self, subscriber: Subscriber, code: int, reason: str) -> None:
        """Have a channel closed, and cut if it does not close."""
        subscriber.close(code, reason)
        self.watch.after(CLOSING_S, subscriber.cut)

    def seat_players(self, code: str, seats: Mapping[str, int], *, is_running: bool = False) -> None:
        """Give each subscriber of the room the seat that its player has now; of two on one seat the newer stays."""
        with self._lock:
            newest: dict[int, Subscriber] = {}
            for subscriber in self._topics.get(code, ()):
                subscriber.seat = seats.get(subscriber.player_id or "")
                subscriber.is_now(Kind.PLAYING if is_running else Kind.SEAT)
                if subscriber.seat is not None:
                    if subscriber.seat in newest:
                        older = newest[subscriber.seat]
                        older.close(REPLACED, "replaced by a newer channel of this seat")
                        # Between the two the seat was never without one.
                        subscriber.since_start_of = subscriber.since_start_of or older.since_start_of
                    newest[subscriber.seat] = subscriber

    def listeners(self, topic: str) -> list[Subscriber]:
        """The subscribers of a topic, the oldest first."""
        with self._lock:
            return list(self._topics.get(topic, ()))

    def spectators(self, code: str) -> list[Subscriber]:
        """Those who follow a room without a seat in it, the oldest first."""
        return [subscriber for subscriber in self.listeners(code) if subscriber.seat is None]

    def connected(self, code: str, seat: int) -> bool:
        """Whether the seat has an open channel."""
        with self._lock:
            return any(subscriber.seat == seat for subscriber in self._topics.get(code, ()))

    def stayed(self, code: str, seat: int, match_id: str) -> bool:
        """Whether the seat has had an open channel ever since a match began."""
        with self._lock:
            listening = self._topics.get(code, ())
            return any(one.seat == seat and one.since_start_of == match_id for one in listening)

    def is_used(self, code: str) -> bool:
        """Whether anyone follows the room."""
        with self._lock:
            return code in self._topics

    def cut_stalled(self) -> int:
        """Cut the connections whose clients stopped reading; returns how many."""
        now = time.monotonic()
        return sum(subscriber.cut_if_stalled(now) for subscriber in self._all())

    def sign_out(self, token_ids: Collection[str]) -> None:
        """Have the channels closed that were opened by one of these tokens."""
        for subscriber in self._all():
            if subscriber.token_id in token_ids:
                subscriber.close(NOT_ALLOWED, "signed out")

    def shut_out(self, player_ids: Collection[str], reason: str) -> None:
        """Have the channels of players closed who may be here no longer."""
        for subscriber in self._all():
            if subscriber.player_id in player_ids:
                subscriber.close(NOT_ALLOWED, reason)

    def players_by_address(self) -> dict[str, set[str]]:
        """Who has a channel open, by the address that it was opened from."""
        found: dict[str, set[str]] = {}
        for subscriber in self._all():
            if subscriber.player_id is not None:
                found.setdefault(subscriber.address, set()).add(subscriber.player_id)
        return found

    def close_all(self, code: int = RESTARTING, reason: str = "restarting") -> None:
        """Take no more channels and have every open one closed at once."""
        self.places.close()
        with self._lock:
            self._closing = True
        for subscriber in self._all():
            subscriber.close(code, reason)

    def _all(self) -> list[Subscriber]:
        with self._lock:
            return list(self._everyone)
