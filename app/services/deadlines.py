"""When a turn ends: the contract's section "Time" as pure functions. Units: seconds."""

from __future__ import annotations

from datetime import datetime, timedelta

GRACE_S = 1
CUT_S = 10
FIRST_TURN_OF_MATCH_S = 60
FIRST_TURN_OF_ROUND_S = 10
# From this many plays of the clock in a row a seat counts as deserted, and its turns are short.
CLOCK_RUN_LIMIT = 2
DESERTED_TURN_S = 10
# The clock looks several times a second. When it has not got through for so long, nobody may be blamed for being late.
AWAY_S = 5


def turn_s(turn_seconds: int, *, turn: int, first_of_round: bool, clock_run: int) -> int:
    """How long a person's turn lasts.

    >>> turn_s(120, turn=0, first_of_round=True, clock_run=0)
    181
    >>> turn_s(120, turn=40, first_of_round=True, clock_run=0)
    131
    >>> turn_s(120, turn=41, first_of_round=False, clock_run=2)
    10
    """
    length = turn_seconds + GRACE_S
    if turn == 0:
        length += FIRST_TURN_OF_MATCH_S
    elif first_of_round:
        length += FIRST_TURN_OF_ROUND_S
    return min(length, DESERTED_TURN_S) if clock_run >= CLOCK_RUN_LIMIT else length


def longest_s(turn_seconds: int) -> int:
    """How long a person's turn lasts at most: the first one of a match."""
    return turn_s(turn_seconds, turn=0, first_of_round=True, clock_run=0)


def after(now: datetime, seconds: float) -> datetime:
    """The moment some seconds from now."""
    return now + timedelta(seconds=seconds)
