"""The lobby: the list of public rooms that wait, read once for all who listen and not more often than they may hear."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from app.realtime.hub import Hub
from app.realtime.subscriber import LOBBY

# Between two lists that one channel is sent, and between two readings of the database.
PAUSE_S = 1.0
NEVER = float("inf")


class Lobby:
    """The list as text; `number` tells one state of it from another."""

    def __init__(self, hub: Hub, read: Callable[[], str]) -> None:
        self._hub = hub
        self._read = read
        self._lock = threading.Lock()
        self._reading = threading.Lock()
        self._number = 0
        self._is_stale = True
        self._shown = (-1, "")
        self._read_at = -PAUSE_S

    def changed(self) -> None:
        """Note that the list may be different, and tell those who listen to look in time."""
        with self._lock:
            if self._is_stale:
                return
            self._is_stale = True
            self._number += 1
        for subscriber in self._hub.listeners(LOBBY):
            subscriber.wake()

    def due(self, seen: int, looked_at: float) -> float:
        """When a channel that has seen a state shall look again. Units: seconds of the monotonic clock."""
        with self._lock:
            if seen == self._number:
                return NEVER
            return max(looked_at, self._read_at if self._is_stale else 0.0) + PAUSE_S

    def look(self) -> tuple[int, str]:
        """The number of the state and the list's text, of this moment."""
        with self._reading:
            with self._lock:
                number, was_stale = self._number, self._is_stale
                self._is_stale = False  # what changes from here on is a state of its own
            if was_stale:
                try:
                    self._shown = (number, self._read())
                except BaseException:
                    with self._lock:
                        self._is_stale = True
                    raise
                self._read_at = time.monotonic()
            return self._shown
