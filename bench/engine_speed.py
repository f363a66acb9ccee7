"""How fast the engine is, as ratios to one `random.shuffle` of 52 cards on the same machine in the same run."""

import random
import time
from collections.abc import Callable
from statistics import median

from engine.match import Match
from engine.rules import PROFILES
from engine.shuffle import seeded_server_seed
from engine.state import apply, legal_actions, start_match
from engine.view import view

ROUNDS_S_TIMES_SHUFFLE_MIN = 0.01
MOVE_SHUFFLES_MAX = 25
SLICES = 15  # shuffles and play are measured in turns, so that a busy machine slows both
ROUNDS_A_SLICE = 60


def start(number: int) -> Match:
    """Start a match of one round without bots."""
    seed = seeded_server_seed("speed", number)
    match, _ = start_match(PROFILES["classic"], 2, server_seed=seed, client_seeds=["", ""], bots=[None, None])
    return match


def play_rounds(numbers: range, rng: random.Random) -> int:
    """Play random rounds to their ends, with whole states and events, and give how many."""
    for number in numbers:
        match = start(number)
        while not match.sheets:
            match, _ = apply(match, rng.choice(legal_actions(match)))
    return len(numbers)


def moves(count: int, rng: random.Random) -> list[tuple[Match, object]]:
    """Give positions of random play, each with an action."""
    found = []
    number = 0
    while len(found) < count:
        match = start(number := number + 1)
        while not match.sheets:
            action = rng.choice(legal_actions(match))
            found.append((match, action))
            match, _ = apply(match, action)
    return found[:count]


def seconds(run: Callable[[], object]) -> float:
    """Time one call."""
    begin = time.perf_counter()
    run()
    return time.perf_counter() - begin


def main() -> int:
    """Print the two ratios and whether each holds."""
    rng = random.Random(1)
    pack = list(range(52))
    path = moves(1000, rng)

    def shuffle() -> None:
        for _ in range(2000):
            random.shuffle(pack)

    def move() -> None:
        for match, action in path:
            after, _ = apply(match, action)
            view(after, 0)

    rates, costs = [], []
    for i in range(SLICES):
        one_shuffle = seconds(shuffle) / 2000
        numbers = range(i * ROUNDS_A_SLICE, (i + 1) * ROUNDS_A_SLICE)
        rates.append(ROUNDS_A_SLICE / seconds(lambda numbers=numbers: play_rounds(numbers, rng)) * one_shuffle)
        costs.append(seconds(move) / len(path) / one_shuffle)
    rate, cost = median(rates), median(costs)
    print(f"random-play rounds/s x seconds of a shuffle: {rate:.4f} (at least {ROUNDS_S_TIMES_SHUFFLE_MIN})")
    print(f"apply + view, in shuffles: {cost:.1f} (at most {MOVE_SHUFFLES_MAX})")
    return int(rate < ROUNDS_S_TIMES_SHUFFLE_MIN or cost > MOVE_SHUFFLES_MAX)


if __name__ == "__main__":
    raise SystemExit(main())
