"""The channel of a room: the room, the match as its receiver sees it, and who is there."""

from __future__ import annotations

from simple_websocket import Server

from app.extensions import db
from app.realtime.admission import MOST_SPECTATORS
from app.realtime.channel import Channel, Refused, reading
from app.realtime.hub import Hub
from app.realtime.publication import (
    announce_presence,
    may_follow,
    messages_text,
    ping_text,
    publish,
    read_room,
    room_text,
    view_text,
)
from app.realtime.subscriber import NOT_ALLOWED, TOO_MANY, Message
from app.realtime.wire import Wire
from app.services import matches
from app.services.errors import Refusal
from app.services.pulse import pulse


class RoomChannel(Channel):
    """One client's channel of a room."""

    def __init__(self, hub: Hub, ws: Server, wire: Wire, code: str, player_id: str) -> None:
        super().__init__(hub, ws, wire, (code,), player_id)
        self._code = code
        self._match_id: str | None = None
        self._version = 0

    def read_all(self) -> list[str]:
        player_id = self.subscriber.player_id
        with reading():
            try:
                room = read_room(self.hub, self._code)
            except Refusal:
                raise Refused(NOT_ALLOWED, "there is no such room") from None
            if not may_follow(room, self.subscriber.seat):
                raise Refused(NOT_ALLOWED, "this room is not open to you")
            if self.subscriber in self.hub.spectators(self._code)[MOST_SPECTATORS:]:
                raise Refused(TOO_MANY, "too many look on here")
            texts = [room_text(room)]
            record = matches.load(room["match_id"]) if room["match_id"] else None
            if record is not None and (record.may_watch() or record.seat_of(player_id) is not None):
                self._match_id, self._version = record.id, record.version
                texts.append(view_text(matches.view_of(record, record.seat_of(player_id))))
            if room["chat"] and player_id is not None and self.subscriber.seat is not None:
                texts.append(messages_text(self._code, player_id))
            return texts

    def deliver(self, message: Message) -> None:
        if message.match_id is None:
            self.send(message.text)
            return
        known = self._version if message.match_id == self._match_id else 0
        if (message.has_events and message.last <= known) or message.last < known:
            return
        if message.has_events and message.first != known + 1:
            self.send_all()
            return
        self._match_id, self._version = message.match_id, message.last
        self.send(message.text)

    def ping(self) -> str:
        with reading():
            return ping_text(*(pulse(db.session(), self._code) or (None, None)))

    def look(self) -> float:
        return float("inf")

    def opened(self) -> None:
        seat = self.subscriber.seat
        if seat is None:
            return
        announce_presence(self._code, seat)
        if self._match_id is not None:
            with reading():
                publish(matches.welcome_back(self._match_id, seat))

    def left(self) -> None:
        seat = self.subscriber.seat
        if seat is not None and not self.hub.connected(self._code, seat):
            announce_presence(self._code, seat)
