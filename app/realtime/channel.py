"""A channel: the handler that sends one client its news, whatever they are about, until either side ends it."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from simple_websocket import Server

from app.extensions import db
from app.realtime.hub import Hub
from app.realtime.subscriber import NOT_ALLOWED, Message, Subscriber
from app.realtime.wire import Wire
from app.services import bearers, sanctions
from app.services.times import rfc3339, utcnow

PING_S = 10.0


class Refused(Exception):
    """The channel ends: with this code, for this reason."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


@contextmanager
def reading() -> Iterator[None]:
    """Read from the database and give the connection back at once: a channel lives long, the pool is small."""
    try:
        yield
    finally:
        db.session.remove()


class Channel(ABC):
    """One client's channel: the only one who sends to it."""

    def __init__(self, hub: Hub, ws: Server, wire: Wire, topics: tuple[str, ...], player_id: str) -> None:
        self.hub = hub
        self.subscriber = Subscriber(topics, player_id, ws.event, wire.cut)
        self._ws = ws
        self._expires_at: datetime | None = None

    def opened_by(self, token_id: str, expires_at: datetime | None, address: str) -> None:
        """Note by what token it is open, and from where: with that it ends."""
        self.subscriber.token_id = token_id
        self.subscriber.address = address
        self._expires_at = expires_at

    def run(self) -> None:
        """Send what there is and then all news, until either side ends it."""
        try:
            with self.hub.publishing:
                self.hub.join(self.subscriber)
                self._require_token()
                texts = self.read_all()
            self.opened()
            for text in texts:
                self.send(text)
            self._loop()
        finally:
            self.hub.leave(self.subscriber)
            self.left()

    def _loop(self) -> None:
        ping_at = time.monotonic() + PING_S
        while self._ws.connected:
            messages, lost, close = self.subscriber.take()
            for message in messages:
                self.deliver(message)
            if lost:
                self.send_all()
            if close is not None:
                raise Refused(close.code, close.reason)
            if time.monotonic() >= ping_at:
                self._require_time()
                self.send(self.ping())
                ping_at = time.monotonic() + PING_S
            wake_at = min(ping_at, self.look())
            self._ws.event.wait(max(0.0, wake_at - time.monotonic()))
            self._ws.event.clear()
            self._ws.input_buffer.clear()  # a client only listens

    def _require_token(self) -> None:
        """Refuse who was signed out or banned while it opened: from the joining on, the hub would have been told."""
        with reading():
            if self.subscriber.token_id is not None and not bearers.stands(self.subscriber.token_id):
                raise Refused(NOT_ALLOWED, "signed out")
            until = sanctions.banned_until(str(self.subscriber.player_id), self.subscriber.address)
            if until is not None:
                raise Refused(NOT_ALLOWED, f"banned until {rfc3339(until)}")

    def _require_time(self) -> None:
        if self._expires_at is not None and self._expires_at <= utcnow():
            raise Refused(NOT_ALLOWED, "the token has expired")

    def send_all(self) -> None:
        """Send everything anew."""
        with self.hub.publishing:
            texts = self.read_all()
        for text in texts:
            self.send(text)

    def send(self, text: str) -> None:
        """Send one message; the housekeeping sees how long it takes."""
        self.subscriber.sending(time.monotonic())
        self._ws.send(text)
        self.subscriber.sending(None)

    @abstractmethod
    def read_all(self) -> list[str]:
        """The messages that show everything as the receiver may see it at this moment.

        Errors: Refused if the channel is not open to him.
        """

    @abstractmethod
    def deliver(self, message: Message) -> None:
        """Send a message, unless the client knows better already."""

    @abstractmethod
    def ping(self) -> str:
        """The message that proves the channel alive."""

    @abstractmethod
    def look(self) -> float:
        """Do what is due without a message, and say when to be asked again. Units: s of the monotonic clock."""

    @abstractmethod
    def opened(self) -> None:
        """Tell others that the channel is open."""

    @abstractmethod
    def left(self) -> None:
        """Tell others that the channel is gone."""
