"""A player's own channel: his seeks, his running matches, and the lobby."""

from __future__ import annotations

import time

from simple_websocket import Server

from app.realtime.channel import Channel, reading
from app.realtime.hub import Hub
from app.realtime.lobby import Lobby
from app.realtime.publication import ping_text, read_own
from app.realtime.subscriber import LOBBY, Message, own_topic
from app.realtime.wire import Wire


class OwnChannel(Channel):
    """One client's channel of what concerns its player, wherever it happens."""

    def __init__(self, hub: Hub, lobby: Lobby, ws: Server, wire: Wire, player_id: str) -> None:
        super().__init__(hub, ws, wire, (own_topic(player_id), LOBBY), player_id)
        self._player_id = player_id
        self._lobby = lobby
        self._lobby_number = -1
        self._lobby_text = ""
        self._looked_at = 0.0
        # How far the client knows each match: news may overtake each other.
        self._versions: dict[str, int] = {}

    def read_all(self) -> list[str]:
        with reading():
            texts, versions = read_own(self._player_id)
            self._versions.update(versions)
            return [*texts, self._read_lobby()]

    def deliver(self, message: Message) -> None:
        if message.match_id is not None:
            if message.last <= self._versions.get(message.match_id, 0):
                return
            self._versions[message.match_id] = message.last
        self.send(message.text)

    def ping(self) -> str:
        return ping_text(None, None)

    def look(self) -> float:
        """Send the lobby if it is time for that and it is another than the client has."""
        if time.monotonic() >= self._lobby.due(self._lobby_number, self._looked_at):
            known = self._lobby_text
            with reading():
                text = self._read_lobby()
            if text != known:
                self.send(text)
        return self._lobby.due(self._lobby_number, self._looked_at)

    def opened(self) -> None:
        """Nobody is told: to be in the lobby is to be nowhere yet."""

    def left(self) -> None:
        """Nobody is told."""

    def _read_lobby(self) -> str:
        self._lobby_number, self._lobby_text = self._lobby.look()
        self._looked_at = time.monotonic()
        return self._lobby_text
