"""The medium bot: it counts the cards gone and looks ahead to the next plays.

A play is worth what it gains, less what the next seat is to be expected to gain from the floor that is left, with some
of what the own side may then get from the floor that he leaves. Jacks and the komi are kept while the floor is thin,
and once the pack is out it counts who captured last. Where the other hand is known, the deal is played out in the head.
"""

from collections.abc import Callable, Sequence
from math import comb
from typing import Any

from engine.bots import last_deal
from engine.bots.sight import Move, Pool, Sight, look
from engine.bots.takes import best_take
from engine.cards import SWEEPERS, Card

Floor = tuple[Card, ...]

#: How much of the own side's gain after the next play counts: the floor changes until then.
FOLLOW = 0.6
#: What it is worth to keep a jack or the komi for a later turn, in cards.
KEPT_SWEEPER = 6
#: How likely the last captor still is the last one after another play.
STAYS_LAST = 0.8


def choose(view: dict[str, Any], events: Sequence[dict[str, Any]] = ()) -> tuple[Card, Floor]:
    """Choose a card and its capture; the same view and events always give the same ones."""
    sight = look(view, events)
    if last_deal.is_known(sight):
        move = last_deal.best_move(sight)
    else:
        # Of equals a jack or the komi is the dearer one.
        move = max(sight.moves, key=lambda move: (_value(sight, move), move.card not in SWEEPERS))
    return move.card, move.capture


def _value(sight: Sight, move: Move) -> float:
    """What a play is worth in points: its gain, what it leads to and what it leaves in the hand."""
    rest = tuple([card for card in sight.hand if card != move.card])
    floor = move.take.left if move.take else (*sight.floor, move.card)
    gain = sight.worth(move.take) if move.take else 0.0
    kept = KEPT_SWEEPER * sight.card_worth * sum(card in SWEEPERS for card in rest)
    return gain + kept + _leftover(sight, move, floor) - _expected_reply(sight, floor, rest)


def _expected_reply(sight: Sight, floor: Floor, rest: tuple[Card, ...]) -> float:
    """What the next seat gains on the average, less what the own side then may get."""
    known: dict[Floor, float] = {}

    def follow(left: Floor) -> float:
        if left not in known:
            known[left] = FOLLOW * _expected_follow(sight, left, rest)
        return known[left]

    return _expected_best(sight, floor, *sight.hand_of((sight.seat + 1) % sight.seats), follow)


def _expected_follow(sight: Sight, floor: Floor, rest: tuple[Card, ...]) -> float:
    """What the seat after the next gains: oneself, with the rest of the hand, or the partner."""
    if sight.seats == 2 and rest:
        takes = [best_take(sight.rules, floor, card) for card in rest]
        return max(sight.worth(take) if take else 0.0 for take in takes)
    return _expected_best(sight, floor, *sight.hand_of((sight.seat + 2) % sight.seats), lambda _: 0.0)


def _expected_best(sight: Sight, floor: Floor, many: int, pool: Pool, follow: Callable[[Floor], float]) -> float:
    """Give what the best of so many cards out of a pool gains on the average, less what follows on the floor it leaves.

    Going through the cards from the best one down, each is played when the hand has it and none that is better.
    """
    many = min(many, pool.size)
    if not many:
        return 0.0
    nothing = -follow(floor)
    worths = []
    for card, there_are in pool.kinds:
        take = best_take(sight.rules, floor, card)
        if take and (worth := sight.worth(take) - follow(take.left)) > nothing:
            worths.append((worth, there_are))
    total, better, none_better = 0.0, 0, 1.0
    for worth, there_are in sorted(worths, reverse=True):
        better += there_are
        none_yet = comb(pool.size - better, many) / comb(pool.size, many)
        total += (none_better - none_yet) * worth
        none_better = none_yet
    return total + none_better * nothing


def _leftover(sight: Sight, move: Move, floor: Floor) -> float:
    """What it is worth that a side captured last: the floor goes to it when the pack is out and all is played."""
    mine = True if move.take else sight.last_is_mine
    if sight.undealt or mine is None:
        return 0.0
    worth = len(floor) * sight.card_worth + sight.rules.points_of(*floor)
    return (worth if mine else -worth) * STAYS_LAST ** sum(sight.counts)
