"""People at four-seat tables who dawdle, lose their network and send twice."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from random import Random
from typing import Any

from websockets.asyncio.client import ClientConnection

from tests.long.client import ANSWER_S, Client

SEATS = 4
MOST_DELAY_S = 0.05
# How often, of all turns, a player does what the test is about.
SENDS_TWICE_AT_ONCE = 0.1
SENDS_AGAIN_LATER = 0.1
LOSES_NETWORK = 0.03
NAMES_CAPTURE = 0.5
# A cut waits for its player only 10 s, which a busy machine may take: the clock may have made it already.
TOO_LATE_FOR_A_CUT = {"match.stale_turn", "match.wrong_phase", "match.not_your_turn"}


class Player:
    """A person: follows the match by his channel alone, and plays when it is his turn."""

    def __init__(self, client: Client, chance: Random, done: Counter[str]) -> None:
        self.client = client
        self._chance = chance
        # What has happened in the whole test, by name.
        self._done = done
        self._code = ""
        self._channel: ClientConnection | None = None
        self.view: dict[str, Any] | None = None
        self._acted_on = 0

    async def follow(self, code: str) -> None:
        """Open the room's channel."""
        self._code = code
        self._channel = await self.client.channel(code)

    async def await_start(self) -> None:
        """Listen until the match has begun."""
        while self.view is None:
            await self._hear()

    async def play(self) -> None:
        """Play until the match is over."""
        while self._current["result"] is None:
            if self._current["to_act"] == self._current["you"]["seat"] and self._current["version"] > self._acted_on:
                await self._act(self._current)
            if self._chance.random() < LOSES_NETWORK:
                await self._lose_network()
            await self._hear()

    async def go(self) -> None:
        """Close the page."""
        if self._channel is not None:
            await self._channel.close()

    @property
    def _current(self) -> dict[str, Any]:
        assert self.view is not None
        return self.view

    async def _hear(self) -> None:
        """Take in one message; the events must follow on what is known without a gap."""
        assert self._channel is not None
        message = json.loads(await asyncio.wait_for(self._channel.recv(), ANSWER_S))
        if message["type"] == "events":
            known = self.view["version"] if self.view else 0
            versions = [event["version"] for event in message["events"]]
            assert versions == list(range(known + 1, known + 1 + len(versions))), (known, versions)
        if message["type"] in ("events", "view"):
            self.view = message["view"]

    async def _lose_network(self) -> None:
        assert self._channel is not None
        self._done["channels lost"] += 1
        if self._chance.random() < 0.5:
            self._channel.transport.abort()
        else:
            await self._channel.close()
        await self._dawdle()
        await self.follow(self._code)

    async def _act(self, view: dict[str, Any]) -> None:
        await self._dawdle()
        self._acted_on = view["version"]
        path = f"/matches/{view['id']}"
        if view["round"]["phase"] == "cut":
            body = {"round": view["round"]["number"], "at": self._chance.randint(1, 51)}
            status, answer = await self.client.call("POST", f"{path}/cuts", body)
            assert status == 201 or answer["code"] in TOO_LATE_FOR_A_CUT, answer
            return
        body = self._move(view)
        if self._chance.random() < SENDS_TWICE_AT_ONCE:
            self._done["sent twice at once"] += 1
            answers = await asyncio.gather(*(self.client.call("POST", f"{path}/moves", body) for _ in range(2)))
        else:
            answers = [await self.client.call("POST", f"{path}/moves", body)]
            if self._chance.random() < SENDS_AGAIN_LATER:
                self._done["sent again later"] += 1
                await self._dawdle()
                answers.append(await self.client.call("POST", f"{path}/moves", body))
        statuses = sorted(status for status, _ in answers)
        assert statuses == [200, 201][-len(answers) :], answers
        assert all(answer["events"] == answers[0][1]["events"] for _, answer in answers)

    def _move(self, view: dict[str, Any]) -> dict[str, Any]:
        play = self._chance.choice(view["you"]["plays"])
        body = {"turn": view["turn"], "card": play["card"]}
        if self._chance.random() < NAMES_CAPTURE:
            body["capture"] = self._chance.choice(play["captures"])["cards"]
        return body

    async def _dawdle(self) -> None:
        await asyncio.sleep(self._chance.uniform(0, MOST_DELAY_S))
