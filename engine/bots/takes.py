"""What a card takes from a floor, as bots that look ahead ask it: again and again for the same few floors."""

from functools import lru_cache
from typing import NamedTuple

from engine.capture import best_capture
from engine.cards import Card
from engine.rules import Rules


class Take(NamedTuple):
    """A capture as it counts for its side."""

    cards: int  # the played one too
    points: int  # of the cards, and the basra
    left: tuple[Card, ...]  # the floor after it


@lru_cache(maxsize=2**13)
def best_take(rules: Rules, floor: tuple[Card, ...], card: Card) -> Take | None:
    """Give what a card's best capture brings, None where it takes nothing."""
    taken, _, basra = best_capture(rules, floor, card)
    return make_take(rules, floor, card, taken, basra) if taken else None


def make_take(rules: Rules, floor: tuple[Card, ...], card: Card, taken: tuple[Card, ...], basra: int) -> Take:
    """Give what that capture brings."""
    left = tuple([lying for lying in floor if lying not in taken])
    return Take(1 + len(taken), basra + rules.points_of(card, *taken), left)
