"""How fast the engine is, as ratios to one `random.shuffle` of 52 cards on the same machine in the same run."""

import random
import time
from statistics import median

from engine.match import Match
from engine.rules import PROFILES
from engine.shuffle import seeded_server_seed
from engine.state import Action, Play, apply, legal_actions, start_match
from engine.view import view

ROUNDS_S_TIMES_SHUFFLE_MIN = 0.01
MOVE_SHUFFLES_MAX = 25
SLICES = 15  # shuffles and play are measured in turns, so that a busy machine slows both
SHUFFLES_A_SLICE = 2000
MATCHES_A_SLICE = 15


def start(number: int) -> Match:
    """Start a match to 121 between two people."""
    seed = seeded_server_seed("speed", number)
    match, _ = start_match(PROFILES["classic"], 2, server_seed=seed, client_seeds=["", ""], bots=[None, None])
    return match


def time_shuffle() -> float:
    """Give the seconds of one shuffle."""
    pack = list(range(52))
    begin = time.process_time()
    for _ in range(SHUFFLES_A_SLICE):
        random.shuffle(pack)
    return (time.process_time() - begin) / SHUFFLES_A_SLICE


def time_round(numbers: range, rng: random.Random) -> float:
    """Play random cards to the end of matches, with whole states and events, and give the seconds of one round."""
    rounds = 0
    begin = time.process_time()
    for number in numbers:
        match = start(number)
        while (seat := match.to_act) is not None:
            match, _ = apply(match, Play(seat, rng.choice(match.round.hands[seat])))
        rounds += len(match.sheets)
    return (time.process_time() - begin) / rounds


def time_move(path: list[tuple[Match, Action]]) -> float:
    """Give the seconds of one action with the view after it."""
    begin = time.process_time()
    for match, action in path:
        after, _ = apply(match, action)
        view(after, 0)
    return (time.process_time() - begin) / len(path)


def random_path(rng: random.Random) -> list[tuple[Match, Action]]:
    """Give the states of some random matches, each with an action."""
    path: list[tuple[Match, Action]] = []
    for number in range(5):
        match = start(number)
        while actions := legal_actions(match):
            path.append((match, rng.choice(actions)))
            match, _ = apply(*path[-1])
    return path


def main() -> int:
    """Print the two ratios; exit status 1 where one does not hold."""
    rng = random.Random(1)
    path = random_path(rng)
    rates, costs = [], []
    for i in range(SLICES):
        shuffle_s = time_shuffle()
        rates.append(shuffle_s / time_round(range(i * MATCHES_A_SLICE, (i + 1) * MATCHES_A_SLICE), rng))
        costs.append(time_move(path) / shuffle_s)
    rate, cost = median(rates), median(costs)
    print(f"random-play rounds/s x seconds of a shuffle: {rate:.4f} (at least {ROUNDS_S_TIMES_SHUFFLE_MIN})")
    print(f"apply + view, in shuffles: {cost:.1f} (at most {MOVE_SHUFFLES_MAX})")
    return int(rate < ROUNDS_S_TIMES_SHUFFLE_MIN or cost > MOVE_SHUFFLES_MAX)


if __name__ == "__main__":
    raise SystemExit(main())
