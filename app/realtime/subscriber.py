"""One open channel as its publishers see it: a bounded queue, and the order to close.

Publishers only put messages in. Each subscriber's own handler is the one that sends, so a client that stalls holds up
nobody else.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from app.realtime.places import Kind, Place

QUEUE_LENGTH = 64
# A send that takes longer than this holds a socket, and maybe a thread, that others need.
STALL_S = 20.0

NOT_ALLOWED = 1008
FAULT = 1011
RESTARTING = 1012
TOO_MANY = 1013
REPLACED = 4000

LOBBY = "lobby"


def own_topic(player_id: str) -> str:
    """What a player's own channels listen to."""
    return f"player {player_id}"


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
    """One open channel: its queue, filled by publishers and emptied by its own handler.

    Its topics say what it hears: the code of a room, or what `own_topic` gives and the lobby.
    """

    def __init__(self, topics: tuple[str, ...], player_id: str | None, wakeup: Wakeup, cut: Callable[[], None]) -> None:
        self.topics = topics
        self.player_id = player_id
        # In the room it listens to, if it is a room's.
        self.seat: int | None = None
        # The match at whose beginning it was open on this seat already.
        self.since_start_of: str | None = None
        # By what it was opened; None where nobody has said yet who he is.
        self.token_id: str | None = None
        # From where it was opened.
        self.address = "unknown"
        # What it sits on; its importance changes with the room.
        self.place: Place | None = None
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

    def wake(self) -> None:
        """Have the handler look whether there is something to do."""
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

    def is_now(self, seated: Kind) -> None:
        """Note what the channel is now: to one who has a seat, and to anybody else."""
        if self.place is not None:
            self.place.kind = Kind.SPECTATOR if self.seat is None else seated

    def cut(self) -> None:
        """Cut the connection, whatever its handler does."""
        self._cut()

    def cut_if_stalled(self, now: float) -> bool:
        """Cut the connection if its handler has been stuck in one send for too long."""
        since = self._sending_since
        if since is None or now - since < STALL_S:
            return False
        self._cut()
        return True
