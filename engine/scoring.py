"""Score sheets: what a finished round is worth to each side."""

from dataclasses import dataclass
from typing import Any

from engine.cards import Card
from engine.rules import Rules

MAJORITY_CARDS = 27  # of the 52

Pair = tuple[int, int]
Basras = tuple[tuple[tuple[Card, int], ...], tuple[tuple[Card, int], ...]]


@dataclass(frozen=True, slots=True)
class Sheet:
    """The count of one round; pairs are by side."""

    round: int
    cards: Pair
    leftover: tuple[Card, ...]
    leftover_side: int | None
    majority: Pair
    card_points: Pair
    basras: Pair
    points: Pair
    carry: int

    def to_json(self) -> dict[str, Any]:
        """Give the sheet as the contract shows it."""
        return {
            "round": self.round,
            "cards": list(self.cards),
            "leftover": list(self.leftover),
            "leftover_side": self.leftover_side,
            "majority": list(self.majority),
            "card_points": list(self.card_points),
            "basras": list(self.basras),
            "points": list(self.points),
            "carry": self.carry,
        }


def parse_sheet(data: dict[str, Any]) -> Sheet:
    """Read what `Sheet.to_json` wrote."""
    fields: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in data.items()}
    return Sheet(**fields)


def score_round(
    rules: Rules,
    number: int,
    piles: tuple[tuple[Card, ...], tuple[Card, ...]],
    basras: Basras,
    leftover: tuple[Card, ...],
    last_capture: int,
    carried: int,
) -> Sheet:
    """Count a round that is played out; the piles are those before the leftover goes to the last captor's."""
    full = tuple(pile + leftover if side == last_capture else pile for side, pile in enumerate(piles))
    cards = (len(full[0]), len(full[1]))
    worth = rules.majority + carried
    majority = tuple(worth if count >= MAJORITY_CARDS else 0 for count in cards)
    card_points = tuple(rules.points_of(*pile) for pile in full)
    basra_points = tuple(sum(points for _, points in shown) for shown in basras)
    points = tuple(map(sum, zip(majority, card_points, basra_points, strict=True)))
    return Sheet(
        round=number,
        cards=cards,
        leftover=leftover,
        leftover_side=last_capture if leftover else None,
        majority=(majority[0], majority[1]),
        card_points=(card_points[0], card_points[1]),
        basras=(basra_points[0], basra_points[1]),
        points=(points[0], points[1]),
        # Also in the last round, and so in a match of one: there it is lost.
        carry=worth if cards[0] == cards[1] and rules.carry else 0,
    )


def leader_of(scores: Pair) -> int | None:
    """Give the side with more points, None where they are level."""
    if scores[0] == scores[1]:
        return None
    return 0 if scores[0] > scores[1] else 1
