"""Bots: each sees what its seat may see, never a state, and answers with a card and a capture."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from engine.bots import easy, medium, random
from engine.cards import Card

#: A card of the hand, and the capture to make with it; None: the best.
Choice = tuple[Card, tuple[Card, ...] | None]

#: A thing that happened, as a seat was told it.
Event = dict[str, Any]

#: Every strength of bot, with how it chooses.
LEVELS: Mapping[str, Callable[[dict[str, Any], Sequence[Event], Random | None], Choice]] = {
    "random": lambda view, _, rng: random.choose(view, rng),
    "easy": lambda view, _, __: easy.choose(view),
    "medium": lambda view, events, _: medium.choose(view, events),
}

#: Those that make use of what happened before; the others go by the view alone.
REMEMBER = frozenset({"medium"})


def choose(level: str, view: dict[str, Any], events: Sequence[Event] = (), rng: Random | None = None) -> Choice:
    """Give what a bot of a level plays when its seat, whose view this is, is to play.

    The events are those of the round as its seat saw them, for a bot that remembers; without them it goes by the view.

    Errors: KeyError for a level that does not exist; ValueError where a level needs an `rng` and has none.
    """
    return LEVELS[level](view, events, rng)
