"""Bots: each sees the contract's view of its seat, never a state, and answers with a card and a capture."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from engine.bots import easy, random
from engine.cards import Card

#: A card of the hand, and the capture to make with it; None: the best.
Choice = tuple[Card, tuple[Card, ...] | None]

#: Every strength of bot, with how it chooses.
LEVELS: Mapping[str, Callable[[dict[str, Any], Random | None], Choice]] = {
    "random": random.choose,
    "easy": easy.choose,
}


def choose(level: str, view: dict[str, Any], rng: Random | None = None) -> Choice:
    """Give what a bot of a level plays when its seat, whose view this is, is to play.

    Errors: KeyError for a level that does not exist; ValueError where a level needs an `rng` and has none.
    """
    return LEVELS[level](view, rng)
