"""A small client of the API for many players in one process: HTTP on asyncio streams, channels by `websockets`."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

ANSWER_S = 60.0


class Client:
    """One caller; all callers of a test count their answers together."""

    def __init__(self, port: int, statuses: Counter[int]) -> None:
        self._port = port
        self._statuses = statuses
        self._token: str | None = None
        self.player_id = ""

    async def be_a_guest(self, name: str) -> None:
        """Become a player."""
        made = await self.ask("POST", "/players", {"name": name})
        self.player_id, self._token = made["player"]["id"], made["token"]

    async def call(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """Ask on a connection of its own; returns the status and the answer."""
        async with asyncio.timeout(ANSWER_S):
            reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
            try:
                writer.write(self._request(method, path, body))
                answer = await reader.read()
            finally:
                writer.close()
                await writer.wait_closed()
        head, _, text = answer.partition(b"\r\n\r\n")
        status = int(head.split()[1])
        self._statuses[status] += 1
        return status, json.loads(text) if text else None

    async def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Ask what must not be refused."""
        status, answer = await self.call(method, path, body)
        assert status < 300, (method, path, status, answer)
        return answer

    async def channel(self, code: str) -> ClientConnection:
        """Open a room's channel."""
        return await connect(
            f"ws://127.0.0.1:{self._port}/api/v1/rooms/{code}/channel",
            additional_headers=self._who(),
            compression=None,
            ping_interval=None,
            open_timeout=ANSWER_S,
            close_timeout=ANSWER_S,
        )

    def _who(self) -> dict[str, str]:
        return {} if self._token is None else {"Authorization": f"Bearer {self._token}"}

    def _request(self, method: str, path: str, body: Any) -> bytes:
        text = b"" if method == "GET" else json.dumps({} if body is None else body).encode()
        headers = {"Host": "localhost", "Connection": "close", **self._who()}
        if method != "GET":
            headers |= {"Content-Type": "application/json", "Content-Length": str(len(text))}
        lines = [f"{method} /api/v1{path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
        return "\r\n".join(lines).encode() + b"\r\n\r\n" + text
