"""The arena: which of two bots is the better one, over deals that each of them plays from both sides."""

from collections.abc import Sequence
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

from engine.bots import Choice, choose
from engine.match import Event
from engine.rules import Rules
from engine.simulate import play_match


def arena(rules: Rules, seats: int, matches: int, seed: str, bots: Sequence[str]) -> dict[str, Any]:
    """Play an even number of matches between two bots, in pairs with the same deals and the sides swapped.

    Units: the median of a bot's moves is in milliseconds.

    Errors: RulesError where the rules forbid that many seats.
    """
    wins, draws = [0, 0], 0
    times_ms: tuple[list[float], list[float]] = ([], [])
    for number in range(matches):
        sides = (0, 1) if number % 2 == 0 else (1, 0)  # by side, which of the two bots sits there
        levels = [bots[bot] for bot in sides]
        winner, times = _play(rules, seats, levels, seed, number // 2 + 1)
        for side, bot in enumerate(sides):
            times_ms[bot].extend(times[side])
        if winner is None:
            draws += 1
        else:
            wins[sides[winner]] += 1
    return {
        "bots": list(bots),
        "wins": wins,
        "draws": draws,
        "matches": matches,
        "ms_per_move": [round(median(times), 3) for times in times_ms],
    }


def _play(
    rules: Rules, seats: int, levels: Sequence[str], seed: str, number: int
) -> tuple[int | None, tuple[list[float], list[float]]]:
    """Play the deals of that number once; gives the side that wins and, by side, the milliseconds of each move."""
    times_ms: tuple[list[float], list[float]] = ([], [])

    def ask(level: str, view: dict[str, Any], events: Sequence[Event], rng: Random) -> Choice:
        begin = perf_counter()
        choice = choose(level, view, events, rng)
        times_ms[view["you"]["side"]].append(1000 * (perf_counter() - begin))
        return choice

    match, _ = play_match(rules, seats, levels, seed, number, Random(f"{seed}#{number}"), ask)
    assert match.result is not None, "a match is played to its end"
    return match.result.winner, times_ms
