"""Two people who play, by the API and by the channel, and how long each of their moves takes."""

from __future__ import annotations

import http.client
import json
import time
from typing import Any

import websocket

from tests.live import LiveServer
from tests.runtime.people import Person, begin

# About as fast as anybody could play, and slow enough to leave the machine to the server.
PAUSE_S = 0.02
# So often they lose their channels, and want them back.
MOVES_A_CHANNEL = 50
MOST_MESSAGES = 1000


class Table:
    """Two players at one table, each with a channel; when a match is over they begin another."""

    def __init__(self, server: LiveServer) -> None:
        self._people = [Person(server, "Mona"), Person(server, "Karim")]
        self._lines = [http.client.HTTPConnection("127.0.0.1", server.port, timeout=60) for _ in self._people]
        self._channels: list[websocket.WebSocket] = []
        self._sit_down()

    def play(self, seconds: float) -> list[float]:
        """Play for so long; returns how long each move took, until both have heard of it. Units: s."""
        for line in self._lines:
            line.close()  # it may have been idle for longer than the server keeps it; it opens itself again
        until = time.monotonic() + seconds
        took = []
        while time.monotonic() < until:
            if self._views[0]["to_act"] is None:
                self._sit_down()
            elif len(took) % MOVES_A_CHANNEL == MOVES_A_CHANNEL - 1:
                self._open_channels()
            time.sleep(PAUSE_S)
            began = time.monotonic()
            self._move()
            took.append(time.monotonic() - began)
        return took

    def close(self) -> None:
        """Leave the table."""
        for one in (*self._channels, *self._lines):
            one.close()

    def _sit_down(self) -> None:
        self._code, self._match_id = begin(*self._people, target=500)
        self._open_channels()

    def _open_channels(self) -> None:
        """Come back, however full the house is."""
        for channel in self._channels:
            channel.close()
        self._channels = [person.channel(self._code).connection for person in self._people]
        self._views = [self._hear(channel, 0) for channel in self._channels]

    def _move(self) -> None:
        seat = self._views[0]["to_act"]
        view = self._views[seat]
        version = self._post(seat, {"turn": view["turn"], "card": view["you"]["hand"][0]})["view"]["version"]
        self._views = [self._hear(channel, version) for channel in self._channels]

    def _post(self, seat: int, move: dict[str, Any]) -> dict[str, Any]:
        line = self._lines[seat]
        fields = {"Content-Type": "application/json", "Authorization": f"Bearer {self._people[seat].token}"}
        line.request("POST", f"/api/v1/matches/{self._match_id}/moves", json.dumps(move), fields)
        with line.getresponse() as response:
            answer: dict[str, Any] = json.loads(response.read())
        assert response.status == 201, answer
        return answer

    @staticmethod
    def _hear(channel: websocket.WebSocket, version: int) -> dict[str, Any]:
        """The view that a channel shows once the match is so far; the published schema is other tests' matter."""
        for _ in range(MOST_MESSAGES):
            view: dict[str, Any] | None = json.loads(channel.recv()).get("view")
            if view is not None and view["version"] >= version:
                return view
        raise AssertionError(f"version {version} is never told")
