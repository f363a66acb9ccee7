"""Whole matches between bots, the same for the same seed."""

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any

from engine.bots import Choice, choose
from engine.match import Event, Match
from engine.rules import Rules
from engine.shuffle import seeded_server_seed
from engine.state import Play, apply, start_match
from engine.transcript import build
from engine.view import redact, view

#: Asks a bot, as `engine.bots.choose` does: by its level, its view, the events of the round and a source of chance.
Ask = Callable[[str, dict[str, Any], Sequence[Event], Random], Choice]


class Memory:
    """The events of the running round, to tell each bot what its seat saw of them."""

    def __init__(self) -> None:
        self._events: list[Event] = []

    def add(self, events: Iterable[Event]) -> None:
        """Remember full events; those of a round are forgotten when the next one begins, with its cut."""
        for event in events:
            if event["type"] == "cut":
                self._events.clear()
            self._events.append(event)

    def of(self, seat: int) -> list[Event]:
        """Give the events of the round as a seat saw them."""
        return [redact(event, seat) for event in self._events]


def simulate(rules: Rules, seats: int, bots: Sequence[str], seed: str, number: int) -> dict[str, Any]:
    """Play the match of that number, from 1, in a room with that seed, and give its transcript.

    The bots are two levels, one a side.

    Errors: RulesError where the rules forbid that many seats.
    """
    match, events = play_match(rules, seats, bots, seed, number, Random(f"{seed}#{number}"))
    players = [{"seat": seat, "name": str(bot).capitalize(), "bot": bot} for seat, bot in enumerate(match.bots)]
    return build(events, server_seed=match.server_seed, players=players)


def play_match(
    rules: Rules, seats: int, bots: Sequence[str], seed: str, number: int, rng: Random, ask: Ask = choose
) -> tuple[Match, list[Event]]:
    """Let two bots, one a side, play the deals with that number to the end; gives that and all events.

    Errors: RulesError where the rules forbid that many seats.
    """
    levels = [bots[seat % 2] for seat in range(seats)]
    server_seed = seeded_server_seed(seed, number)
    match, begun = start_match(
        rules, seats, server_seed=server_seed, client_seeds=[""] * seats, bots=levels, seeded=True
    )
    events = list(begun)
    memory = Memory()
    memory.add(begun)
    while match.to_act is not None:
        seat = match.to_act
        card, capture = ask(levels[seat], view(match, seat), memory.of(seat), rng)
        match, more = apply(match, Play(seat, card, capture, match.turn, "bot"))
        events.extend(more)
        memory.add(more)
    return match, events
