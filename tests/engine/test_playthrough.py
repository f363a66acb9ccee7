"""A golden match: every event and every view of it as they were when they were right.

A change that is meant rewrites the file: `python -m tests.engine.test_playthrough`. Read what differs first.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

from engine.match import Event, Match
from engine.rules import parse_rules
from engine.state import Cut, Play, apply
from engine.view import view
from tests.engine.tables import begin, bot_action

FILE = Path(__file__).parents[1] / "data" / "playthrough.jsonl"


def playthrough() -> Iterator[str]:
    """Give the lines: each command's full events, and the views of the seat to act and of a spectator after it."""
    rng = Random(11)
    match, events = begin(
        parse_rules({"profile": "traditional", "target": 60, "komi_basra": "clearable", "jack_on_jack": 20}),
        4,
        "playthrough",
        [None, "easy", None, None],
        client_seeds=["0123456789abcdef", "", "", "ff"],
    )
    yield line(match, events)
    while match.to_act is not None:
        action = bot_action("easy" if match.to_act % 2 else "random", rng)(match)
        if isinstance(action, Cut) and match.round.number == 2:
            action = Cut(action.seat, None, 2, "clock")
        elif isinstance(action, Play) and match.to_act == 3:
            action = action._replace(by="clock")
        match, more = apply(match, action)
        yield line(match, list(more))


def line(match: Match, events: list[Event]) -> str:
    told = {"events": events, "view": view(match, match.to_act), "watched": view(match, None)["round"]}
    return json.dumps(told, separators=(",", ":"))


def test_the_golden_match() -> None:
    golden = FILE.read_text().splitlines()
    for number, (now, then) in enumerate(zip(playthrough(), golden, strict=True), start=1):
        assert json.loads(now) == json.loads(then), f"line {number}"


if __name__ == "__main__":
    FILE.write_text("".join(f"{told}\n" for told in playthrough()))
