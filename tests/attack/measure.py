"""Measures how slow the slowest move becomes while everything is thrown at the server."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from statistics import median

from tests.attack.table import Table
from tests.live import ROOT, LiveServer, live_server

# So much slower than without the floods may the slowest move be.
MOST_TIMES = 3
# On a quiet machine the slowest move takes a few milliseconds, and one hiccup of anybody is more than three of those.
# What nobody can notice is taken for this long, so that the verdict is about the floods and not about the machine.
FLOOR_S = 0.1
# The first moves pay for what is loaded and prepared once.
WARM_UP_S = 2.0
# Few places, so that they can be taken; one address has half of them.
SETTINGS = {"RATE_LIMITS": "on", "MAX_SOCKETS": "16"}


@dataclass(frozen=True)
class Verdict:
    """How long the moves took: before the floods, during them, and during them at a twin that nobody attacks.

    The twin tells what the machine is like meanwhile: others may use it too, and so do the floods themselves.
    Units: s.
    """

    before: list[float]
    attacked: list[float]
    twin: list[float]
    floods: dict[str, int]
    log: str

    @property
    def times(self) -> float:
        """How many times as slow as without floods the slowest move is."""
        return max(self.attacked) / max(*self.before, *self.twin, FLOOR_S)

    def __str__(self) -> str:
        lines = [f"{what:32} {count}" for what, count in sorted(self.floods.items())]
        lines.append(_line("quiet, before", self.before))
        lines.append(_line("quiet, meanwhile at a twin", self.twin))
        lines.append(_line("under attack", self.attacked))
        lines.append(f"slowest under attack / in quiet, or {FLOOR_S} s: {self.times:.2f} (at most {MOST_TIMES})")
        return "\n".join(lines)


def attack(seconds: float) -> Verdict:
    """Play half as long in quiet, and then for so long under attack."""
    with live_server(**SETTINGS) as server, live_server(**SETTINGS) as other:
        with closing(Table(server)) as table, closing(Table(other)) as twin:
            for each in (table, twin):
                each.play(WARM_UP_S)
            before = table.play(seconds / 2)
            with _floods(server, seconds) as said, ThreadPoolExecutor() as pool:
                meanwhile = pool.submit(twin.play, seconds)
                attacked = table.play(seconds)
        return Verdict(before, attacked, meanwhile.result(), said, server.log_text())


@contextmanager
def _floods(server: LiveServer, seconds: float) -> Iterator[dict[str, int]]:
    """Run the floods for so long; what they say is known at the end."""
    command = [sys.executable, "-m", "tests.attack.floods", str(server.port), str(server.database), str(seconds)]
    said: dict[str, int] = {}
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as floods:
        try:
            yield said
            said.update(json.loads(floods.communicate(timeout=60)[0]))
        finally:
            floods.kill()


def _line(name: str, took: list[float]) -> str:
    middle, slowest = (round(value * 1000, 1) for value in (median(took), max(took)))
    return f"{name:32} {len(took)} moves, median {middle} ms, slowest {slowest} ms"
