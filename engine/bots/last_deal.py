"""The last deal of two seats: who has counted the cards knows the other hand, and can play it out in the head."""

from math import inf
from typing import NamedTuple

from engine.bots.sight import Move, Sight
from engine.bots.takes import Take, best_take
from engine.cards import PACK, Card
from engine.rules import Rules
from engine.scoring import MAJORITY_CARDS


class Position(NamedTuple):
    """The end of a round as the seat to play sees it, with both hands known."""

    hand: tuple[Card, ...]
    other: tuple[Card, ...]  # the other seat's hand
    floor: tuple[Card, ...]
    lead: int  # points ahead of the other seat, those of the deal alone
    pile: int  # cards
    captured_last: bool


def is_known(sight: Sight) -> bool:
    """Tell whether all the cards that were not seen lie in the one other hand."""
    return sight.seats == 2 and not sight.undealt and len(sight.unseen) == sight.counts[1 - sight.seat]


def best_move(sight: Sight) -> Move:
    """Give the play with the best end, if the other seat plays its best."""
    position = Position(sight.hand, sight.unseen, sight.floor, 0, sight.mine, sight.last_is_mine is True)
    best, lead = sight.moves[0], -inf
    # Much taken first: the better the first line, the more of the others need not be played out.
    for move in sorted(sight.moves, key=lambda move: -len(move.capture)):
        after = _after(position, move.card, move.take)
        if (worth := -_lead_of(sight.rules, sight.majority, after, -inf, -lead)) > lead:
            best, lead = move, worth
    return best


def _after(position: Position, card: Card, take: Take | None) -> Position:
    """Give the position after a play, as the other seat sees it."""
    hand, other, floor, lead, pile, captured_last = position
    others_pile = len(PACK) - len(hand) - len(other) - len(floor) - pile
    rest = tuple([held for held in hand if held != card])
    if take:
        return Position(other, rest, take.left, -lead - take.points, others_pile, False)
    return Position(other, rest, (*floor, card), -lead, others_pile, not captured_last)


def _lead_of(rules: Rules, majority: int, position: Position, low: float, high: float) -> float:
    """Give the points that the seat to play will be ahead, exactly if that is between the bounds (alpha-beta)."""
    if not position.hand:
        return _count(rules, majority, position)
    takes = [(card, best_take(rules, position.floor, card)) for card in position.hand]
    takes.sort(key=lambda play: -play[1].cards - 3 * play[1].points if play[1] else 0)
    best = -inf
    for card, take in takes:
        best = max(best, -_lead_of(rules, majority, _after(position, card, take), -high, -max(low, best)))
        if best >= high:
            break
    return best


def _count(rules: Rules, majority: int, position: Position) -> int:
    """Count the round: the leftover goes to the last captor, then the majority is known."""
    floor, captured_last = position.floor, position.captured_last
    cards = position.pile + (len(floor) if captured_last else 0)
    lead = position.lead + rules.points_of(*floor) * (1 if captured_last else -1)
    if cards >= MAJORITY_CARDS:
        return lead + majority
    return lead - majority if len(PACK) - cards >= MAJORITY_CARDS else lead
