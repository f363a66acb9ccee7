"""The room's channel: what is checked before the upgrade, and the handler that sends a room's news to one client."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from flask import current_app
from simple_websocket import ConnectionClosed, Server

from app import auth
from app.extensions import db
from app.observability import log_failure
from app.realtime import hub as codes
from app.realtime.hub import Hub, Message, Subscriber, TooMany
from app.realtime.publication import (
    announce_presence,
    may_follow,
    ping_text,
    publish,
    read_room,
    room_text,
    view_text,
)
from app.realtime.wire import Wire
from app.services import matches
from app.services.errors import Refusal
from app.services.pulse import pulse

PING_S = 10.0
HELLO_S = 5.0
# How long a client may take to answer our closing before the connection is cut.
CLOSING_S = 0.5


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


def serve(ws: Server, wire: Wire, code: str, player_id: str | None) -> None:
    """Serve one channel until it ends; whatever goes wrong closes it with a code and never writes HTTP into it.

    A caller who is not known yet must say who he is first.
    """
    try:
        try:
            if player_id is not None:
                Channel(ws, wire, code, player_id).run()
            else:
                _serve_after_hello(ws, wire, code)
        except Refused as refused:
            _close(ws, refused.code, refused.reason)
        except (ConnectionClosed, OSError):
            pass
        except Exception as error:
            log_failure("channel_failed", error)
            _close(ws, codes.FAULT, "fault")
    finally:
        db.session.remove()
        wire.cut()


def _serve_after_hello(ws: Server, wire: Wire, code: str) -> None:
    hub: Hub = current_app.extensions["hub"]
    stranger = Subscriber(code, None, ws.event, wire.cut)
    hub.welcome(stranger)
    try:
        token = _hello_token(ws, stranger)
    finally:
        hub.leave(stranger)
    with reading():
        caller = auth.caller_of(token)
    if caller is None or "read" not in caller.scopes:
        raise Refused(codes.NOT_ALLOWED, "this token is not known or not made for this")
    try:
        hub.reserve_for(caller.player_id)
    except TooMany:
        raise Refused(codes.TOO_MANY, "too many channels") from None
    try:
        Channel(ws, wire, code, caller.player_id).run()
    finally:
        hub.release_for(caller.player_id)


def _hello_token(ws: Server, stranger: Subscriber) -> str:
    if not ws.input_buffer and ws.connected:
        ws.event.wait(HELLO_S)
    close = stranger.take()[2]
    if close is not None:
        raise Refused(close.code, close.reason)
    try:
        message = json.loads(ws.input_buffer[0] if ws.input_buffer else "")
    except ValueError:
        message = None
    if not isinstance(message, dict) or message.get("type") != "hello" or not isinstance(message.get("token"), str):
        raise Refused(codes.NOT_ALLOWED, "a hello with a token was expected")
    token: str = message["token"]
    return token


class Channel:
    """One client's channel: the only one who sends to it."""

    def __init__(self, ws: Server, wire: Wire, code: str, player_id: str) -> None:
        self._hub: Hub = current_app.extensions["hub"]
        self._ws = ws
        self._code = code
        self._subscriber = Subscriber(code, player_id, ws.event, wire.cut)
        self._match_id: str | None = None
        self._version = 0

    def run(self) -> None:
        """Send the room, the view and then all news, until either side ends it."""
        try:
            self._open()
            self._loop()
        finally:
            self._leave()

    def _open(self) -> None:
        with self._hub.publishing:
            self._hub.join(self._subscriber)
            texts = self._read_all()
        seat = self._subscriber.seat
        if seat is not None:
            announce_presence(self._code, seat)
            self._welcome_back(seat)
        for text in texts:
            self._send(text)

    def _leave(self) -> None:
        seat = self._subscriber.seat
        self._hub.leave(self._subscriber)
        if seat is not None and not self._hub.connected(self._code, seat):
            announce_presence(self._code, seat)

    def _loop(self) -> None:
        ping_at = time.monotonic() + PING_S
        while self._ws.connected:
            messages, lost, close = self._subscriber.take()
            for message in messages:
                self._deliver(message)
            if lost:
                self._send_all()
            if close is not None:
                raise Refused(close.code, close.reason)
            if time.monotonic() >= ping_at:
                self._ping()
                ping_at = time.monotonic() + PING_S
            self._ws.event.wait(max(0.0, ping_at - time.monotonic()))
            self._ws.event.clear()
            self._ws.input_buffer.clear()  # a client only listens

    def _deliver(self, message: Message) -> None:
        if message.match_id is None:
            self._send(message.text)
            return
        known = self._version if message.match_id == self._match_id else 0
        if (message.has_events and message.last <= known) or message.last < known:
            return
        if message.has_events and message.first != known + 1:
            self._send_all()
            return
        self._match_id, self._version = message.match_id, message.last
        self._send(message.text)

    def _ping(self) -> None:
        with reading():
            now = pulse(db.session(), self._code)
        self._send(ping_text(*(now or (None, None))))

    def _send_all(self) -> None:
        with self._hub.publishing:
            texts = self._read_all()
        for text in texts:
            self._send(text)

    def _read_all(self) -> list[str]:
        """The room and, if there is a match, its view, as the receiver may see them at this moment."""
        player_id = self._subscriber.player_id
        with reading():
            try:
                room = read_room(self._hub, self._code)
            except Refusal:
                raise Refused(codes.NOT_ALLOWED, "there is no such room") from None
            if not may_follow(room, self._subscriber.seat):
                raise Refused(codes.NOT_ALLOWED, "this room is not open to you")
            texts = [room_text(room)]
            record = matches.load(room["match_id"]) if room["match_id"] else None
            if record is not None and (record.may_watch() or record.seat_of(player_id) is not None):
                self._match_id, self._version = record.id, record.version
                texts.append(view_text(matches.view_of(record, record.seat_of(player_id))))
            return texts

    def _welcome_back(self, seat: int) -> None:
        if self._match_id is not None:
            with reading():
                publish(matches.welcome_back(self._match_id, seat))

    def _send(self, text: str) -> None:
        self._subscriber.sending(time.monotonic())
        self._ws.send(text)
        self._subscriber.sending(None)


def _close(ws: Server, code: int, reason: str) -> None:
    """Close the channel and give the client a moment to answer."""
    with suppress(ConnectionClosed, OSError):
        ws.close(code, reason)
        ws.thread.join(CLOSING_S)
