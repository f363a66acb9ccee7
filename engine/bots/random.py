"""The random bot: any card of the hand, with its best capture."""

from random import Random
from typing import Any

from engine.cards import Card


def choose(view: dict[str, Any], rng: Random | None = None) -> tuple[Card, None]:
    """Choose a card.

    Errors: ValueError without an `rng`.
    """
    if rng is None:
        raise ValueError("the random bot needs a source of chance")
    return rng.choice(view["you"]["hand"]), None
