"""What may be done in a match, apart from its start."""

from dataclasses import dataclass
from typing import NamedTuple

from engine.cards import Card


class Play(NamedTuple):
    """A seat plays a card; without a capture the best one is made, without a turn none is checked."""

    seat: int
    card: Card
    capture: tuple[Card, ...] | None = None
    turn: int | None = None
    by: str = "player"  # "bot" and only that for a bot's seat; "clock" with four seats for one who is absent


@dataclass(frozen=True, slots=True)
class Cut:
    """A seat cuts the pack, or with `at` None and by "clock" has it cut automatically."""

    seat: int
    at: int | None  # cards taken off the top
    round: int | None = None
    by: str = "player"


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A seat leaves the match, or with two seats let its turn's deadline pass."""

    seat: int
    reason: str = "forfeit"


@dataclass(frozen=True, slots=True)
class Abandon:
    """The match ends without a winner: the clock has played a whole deal for everyone, or the operator stops it."""

    by: str = "clock"  # "operator" at any time


Action = Play | Cut | Forfeit | Abandon
