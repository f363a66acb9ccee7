"""What a seat knows: its view, and what it can count because it has watched the round."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, pi, sqrt
from typing import Any, NamedTuple

from engine.bots.takes import Take, make_take
from engine.cards import KOMI, PACK, Card
from engine.rules import Rules, restore_rules
from engine.scoring import MAJORITY_CARDS
from engine.shuffle import HAND_SIZE, PLAYS_A_ROUND

#: How far the cards of a round spread between the sides: the deviation, for each root of a card that is still to go.
SPREAD = 1.1
#: How many captures of one card are weighed, best first: on a crowded floor there may be dozens that hardly differ.
CAPTURES_WEIGHED = 8


class Move(NamedTuple):
    """A play that the seat may make."""

    card: Card
    capture: tuple[Card, ...]
    take: Take | None  # None: the card stays on the floor


class Pool(NamedTuple):
    """The cards among which a hand that is not seen lies."""

    size: int
    kinds: tuple[tuple[Card, int], ...]  # cards that are as good as each other: one of them, and how many there are


@dataclass(frozen=True, slots=True)
class Sight:
    """What a seat that is to play knows."""

    rules: Rules
    seats: int
    seat: int
    hand: tuple[Card, ...]
    floor: tuple[Card, ...]
    moves: tuple[Move, ...]
    counts: tuple[int, ...]  # by seat, the cards in hand once the play that is due is made
    undealt: int
    mine: int  # cards in the own pile
    majority: int  # points
    last_is_mine: bool | None  # who captured last
    unseen: tuple[Card, ...]  # cards that lie in other hands or the undealt pack, as far as is known
    dealt: Pool  # where the other hands' cards of this deal are
    later: Pool  # where those of the next deal are
    card_worth: float  # points that a card more brings toward the majority

    def worth(self, take: Take) -> float:
        """Give what a capture is worth, in points."""
        return take.points + take.cards * self.card_worth

    def hand_of(self, seat: int) -> tuple[int, Pool]:
        """Give how many cards another seat will have at its next turn and from where; none once the round is over."""
        if self.counts[seat]:
            return self.counts[seat], self.dealt
        return (HAND_SIZE if self.undealt else 0), self.later


def look(view: dict[str, Any], events: Sequence[dict[str, Any]]) -> Sight:
    """Put together what a seat sees and what it remembers."""
    rules, rnd, you = restore_rules(view["rules"]), view["round"], view["you"]
    side, floor = you["side"], tuple(rnd["floor"])
    history = [event for event in events if _is_of_round(event, rnd["number"])]
    gone = _seen(view, history)
    unseen = tuple([card for card in PACK if card not in gone])
    # Buried cards are in the pack: nobody has one before the second deal.
    buried = {card for event in history if rnd["deal"] == 1 for card in event.get("buried", ())}
    piles = (rnd["piles"][side], rnd["piles"][1 - side])
    return Sight(
        rules=rules,
        seats=len(view["seats"]),
        seat=you["seat"],
        hand=tuple(you["hand"]),
        floor=floor,
        moves=tuple(_moves(rules, floor, you["plays"])),
        counts=tuple(seat["cards"] - (seat["seat"] == you["seat"]) for seat in view["seats"]),
        undealt=rnd["undealt"],
        mine=piles[0],
        majority=rnd["majority"],
        last_is_mine=None if rnd["last_capture"] is None else rnd["last_capture"] == side,
        unseen=unseen,
        dealt=_pool(rules, [card for card in unseen if card not in buried]),
        later=_pool(rules, unseen),
        card_worth=_card_worth(piles, rnd["majority"]),
    )


def _moves(rules: Rules, floor: tuple[Card, ...], plays: Iterable[dict[str, Any]]) -> Iterable[Move]:
    for play in plays:
        for shown in play["captures"][:CAPTURES_WEIGHED]:
            card, taken = play["card"], tuple(shown["cards"])
            yield Move(card, taken, make_take(rules, floor, card, taken, shown["basra"]) if taken else None)


def _is_of_round(event: dict[str, Any], number: int) -> bool:
    if event["type"] == "played":
        return bool(event["turn"] >= PLAYS_A_ROUND * (number - 1))
    return bool(event["type"] == "dealt" and event["round"] == number)


def _seen(view: dict[str, Any], history: Iterable[dict[str, Any]]) -> set[Card]:
    """Give every card that has been seen in the round, wherever it is by now."""
    rnd, last = view["round"], view["last_play"]
    seen = {*view["you"]["hand"], *rnd["floor"]}
    seen.update(shown["card"] for side in rnd["basras"] for shown in side)
    if last and _is_of_round(last, rnd["number"]):
        seen.update([last["card"], *last["captured"]])
    for event in history:
        if event["type"] == "played":
            seen.update([event["card"], *event["captured"]])
        else:
            seen.update([*(event["hand"] or ()), *event.get("floor", ())])
    return seen


def _pool(rules: Rules, cards: Sequence[Card]) -> Pool:
    kinds: dict[tuple[str, int], tuple[Card, int]] = {}
    for card in cards:
        kind = (KOMI if card == KOMI else card[0], rules.points_of(card))
        first, many = kinds.get(kind, (card, 0))
        kinds[kind] = (first, many + 1)
    return Pool(len(cards), tuple(kinds.values()))


def _card_worth(piles: tuple[int, int], majority: int) -> float:
    """Give what one card more in the own pile changes in the majority that is to be expected, in points.

    The cards to come are taken to fall evenly, with a normal spread. A card of them that one has for certain moves the
    expected end by half a card, and there are two steps to be on the right side of: 26 and 27 cards.
    """
    left = len(PACK) - sum(piles)
    if max(piles) >= MAJORITY_CARDS or not left:
        return 0.0
    mean, deviation = piles[0] + left / 2, SPREAD * sqrt(left)
    steps = (MAJORITY_CARDS - 0.5, len(PACK) - MAJORITY_CARDS + 0.5)
    density = sum(exp(-(((step - mean) / deviation) ** 2) / 2) for step in steps) / (deviation * sqrt(2 * pi))
    return majority * density / 2
