"""A hundred matches of four seats at the same time, played by people who dawdle, lose their network and send twice."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.live import ROOT, live_server
from tests.long.client import Client
from tests.long.players import SEATS, Player

MATCHES = 100
# A round or two: every kind of event comes, and the whole takes minutes on two cores.
TARGET = 41
MOST_S = 1200.0
RULES = ("classic", "traditional", "komi")

pytestmark = pytest.mark.long


class Table:
    """One room, its people and its bots."""

    def __init__(self, port: int, number: int, statuses: Counter[int], done: Counter[str]) -> None:
        self._number = number
        self._bots = number % 3
        self.people = [
            Player(Client(port, statuses), Random(f"{number} {seat}"), done) for seat in range(SEATS - self._bots)
        ]
        self.code = ""

    async def gather(self) -> None:
        """Have all but the last person sit down, and everyone who sits open his channel."""
        for seat, player in enumerate(self.people):
            await player.client.be_a_guest(f"Player {self._number}.{seat}")
        host = self.people[0].client
        wish = {"seats": SEATS, "rules": RULES[self._number % len(RULES)], "target": TARGET, "turn_seconds": 600}
        self.code = (await host.ask("POST", "/rooms", wish))["code"]
        for player in self.people[1:-1]:
            await player.client.ask("POST", f"/rooms/{self.code}/joins")
        for bot in range(self._bots):
            body = {"seat": SEATS - 1 - bot, "level": ("easy", "medium")[bot]}
            await host.ask("POST", f"/rooms/{self.code}/bots", body)
        for player in self.people:
            await player.follow(self.code)

    async def begin(self) -> None:
        """Seat the last person, and have everyone hear that the match has begun."""
        await self.people[-1].client.ask("POST", f"/rooms/{self.code}/joins")
        await asyncio.gather(*(player.await_start() for player in self.people))

    async def play(self) -> None:
        """Play the match to its end."""
        await asyncio.gather(*(player.play() for player in self.people))

    async def end(self) -> dict[str, Any]:
        """Check that all saw the same end; returns the transcript."""
        results = [player.view["result"] for player in self.people if player.view]
        assert results == [results[0]] * len(self.people)
        assert results[0]["reason"] == "target"
        for player in self.people:
            await player.go()
        assert self.people[0].view is not None
        match_id = self.people[0].view["id"]
        transcript: dict[str, Any] = await self.people[-1].client.ask("GET", f"/matches/{match_id}/transcript")
        return transcript


async def play_all(port: int, statuses: Counter[int], done: Counter[str]) -> list[dict[str, Any]]:
    """Play every match, all from the same moment on; returns the transcripts."""
    tables = [Table(port, number, statuses, done) for number in range(MATCHES)]
    async with asyncio.timeout(MOST_S):
        await asyncio.gather(*(table.gather() for table in tables))
        await asyncio.gather(*(table.begin() for table in tables))
        await asyncio.gather(*(table.play() for table in tables))
        return list(await asyncio.gather(*(table.end() for table in tables)))


def test_a_hundred_matches_at_once_all_end_as_they_should(tmp_path: Path) -> None:
    statuses: Counter[int] = Counter()
    done: Counter[str] = Counter()
    with live_server() as server:
        transcripts = asyncio.run(play_all(server.port, statuses, done))
        said = server.log_text()
    assert len(transcripts) == MATCHES
    assert not [status for status in statuses if status >= 500], statuses
    # Too few of these, and the test would prove nothing.
    assert min(done[what] for what in ("channels lost", "sent twice at once", "sent again later")) > MATCHES, done
    assert "Traceback" not in said
    assert "_failed" not in said
    file = tmp_path / "transcripts.jsonl"
    file.write_text("".join(json.dumps(transcript) + "\n" for transcript in transcripts))
    verified = subprocess.run(
        [sys.executable, "-m", "engine", "verify", str(file)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert verified.returncode == 0, verified.stdout + verified.stderr
