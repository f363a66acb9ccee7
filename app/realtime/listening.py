"""What is heard from a client: few and short messages, however many and long those are that it sends."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from wsproto import WSConnection
from wsproto.connection import ConnectionState
from wsproto.events import CloseConnection, Event, Message, Ping

from app.realtime.budgets import Hearing
from app.realtime.subscriber import NOT_ALLOWED

# A client only listens; the longest thing it may say is a hello. Units: characters or bytes.
LONGEST_MESSAGE = 4096


def reader(target: Callable[[], None], *, limited: bool) -> threading.Thread:
    """The thread in which the WebSocket library reads; nothing to wait for when the process ends."""
    server: Any = target.__self__  # type: ignore[attr-defined]
    server.ws = Ears(server.ws, Hearing(limited=limited))
    return threading.Thread(target=target, daemon=True)


class Ears:
    """A connection's protocol that keeps nothing of a message that is too long: it comes out cut off.

    Whoever says too much is heard no longer, and the connection ends.

    Left to itself, the library closes with codes that clients of ours need not know, and before it has read what
    is on its way, so that the code may not arrive.
    """

    def __init__(self, protocol: WSConnection, hearing: Hearing) -> None:
        self._protocol = protocol
        self._hearing = hearing
        self._heard = 0
        self._is_too_much = False

    def receive_data(self, data: bytes) -> None:
        """Take what has come, unless it is too much."""
        if self._hearing.hears_bytes(len(data)):
            self._protocol.receive_data(data)
        else:
            self._is_too_much = True

    def events(self) -> Iterator[Event]:
        """The events since the last call."""
        if not self._is_too_much:
            yield from self._events()
        if self._is_too_much and self._protocol.state is ConnectionState.OPEN:
            yield CloseConnection(code=NOT_ALLOWED, reason="too much was said")

    def _events(self) -> Iterator[Event]:
        for event in self._protocol.events():
            if isinstance(event, CloseConnection):
                # If it is still open, the client did not close: it sent what is no WebSocket frame.
                is_open = self._protocol.state is ConnectionState.OPEN
                yield replace(event, code=NOT_ALLOWED) if is_open else event
                return
            # A long frame may come in parts, which are counted as bytes.
            if getattr(event, "frame_finished", True) and not self._hearing.hears_frame():
                self._is_too_much = True
                return
            if isinstance(event, Message):
                yield self._shortened(event)
            elif not isinstance(event, Ping) or self._hearing.answers_ping():
                yield event

    def __getattr__(self, name: str) -> Any:
        return getattr(self._protocol, name)

    def _shortened(self, message: Message[Any]) -> Message[Any]:
        space = max(0, LONGEST_MESSAGE - self._heard)
        self._heard = 0 if message.message_finished else self._heard + len(message.data)
        return replace(message, data=message.data[:space])
