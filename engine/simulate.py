"""Whole matches between bots, the same for the same seed."""

from collections.abc import Sequence
from random import Random
from typing import Any

from engine.bots import choose
from engine.match import Event, Match
from engine.rules import Rules
from engine.shuffle import seeded_server_seed
from engine.state import Play, apply, start_match
from engine.transcript import build
from engine.view import view


def simulate(rules: Rules, seats: int, bots: Sequence[str], seed: str, number: int) -> dict[str, Any]:
    """Play the match of that number, from 1, in a room with that seed, and give its transcript.

    The bots are two levels, one a side.

    Errors: RulesError where the rules forbid that many seats.
    """
    levels = [bots[seat % 2] for seat in range(seats)]
    server_seed = seeded_server_seed(seed, number)
    match, events = start_match(
        rules, seats, server_seed=server_seed, client_seeds=[""] * seats, bots=levels, seeded=True
    )
    _, more = play_out(match, Random(f"{seed}#{number}"))
    players = [{"seat": seat, "name": level.capitalize(), "bot": level} for seat, level in enumerate(levels)]
    return build([*events, *more], server_seed=server_seed, players=players)


def play_out(match: Match, rng: Random) -> tuple[Match, list[Event]]:
    """Let the bots of a match play it to its end; gives that end and the events on the way."""
    events: list[Event] = []
    while match.to_act is not None:
        seat = match.to_act
        level = match.bots[seat]
        assert level is not None, "a person's turn cannot be played out"
        card, capture = choose(level, view(match, seat), rng)
        match, more = apply(match, Play(seat, card, capture, match.turn, "bot"))
        events.extend(more)
    return match, events
