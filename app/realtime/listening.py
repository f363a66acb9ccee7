"""What is heard from a client: short messages, however long those are that it sends."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from wsproto import WSConnection
from wsproto.connection import ConnectionState
from wsproto.events import CloseConnection, Event, Message

from app.realtime.subscriber import NOT_ALLOWED

# A client only listens; the longest thing it may say is a hello. Units: characters or bytes.
LONGEST_MESSAGE = 4096


def reader(target: Callable[[], None]) -> threading.Thread:
    """The thread in which the WebSocket library reads; nothing to wait for when the process ends."""
    server: Any = target.__self__  # type: ignore[attr-defined]
    server.ws = Ears(server.ws)
    return threading.Thread(target=target, daemon=True)


class Ears:
    """A connection's protocol that keeps nothing of a message that is too long: it comes out cut off.

    Left to itself, the library closes with codes that clients of ours need not know, and before it has read what
    is on its way, so that the code may not arrive.
    """

    def __init__(self, protocol: WSConnection) -> None:
        self._protocol = protocol
        self._heard = 0

    def events(self) -> Iterator[Event]:
        """The events since the last call."""
        for event in self._protocol.events():
            if isinstance(event, Message):
                yield self._shortened(event)
            elif isinstance(event, CloseConnection) and self._protocol.state is ConnectionState.OPEN:
                # The client did not close: it sent what is no WebSocket frame.
                yield replace(event, code=NOT_ALLOWED)
            else:
                yield event

    def __getattr__(self, name: str) -> Any:
        return getattr(self._protocol, name)

    def _shortened(self, message: Message[Any]) -> Message[Any]:
        space = max(0, LONGEST_MESSAGE - self._heard)
        self._heard = 0 if message.message_finished else self._heard + len(message.data)
        return replace(message, data=message.data[:space])
