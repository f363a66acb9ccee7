"""The easy bot: greedy. It takes what gains most now, and among equals leaves the next seat the least.

It remembers nothing: which cards may still be in other hands it reads off the view alone.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from engine.capture import best_capture
from engine.cards import KOMI, PACK, SWEEPERS, Card
from engine.rules import Rules, parse_rules
from engine.scoring import MAJORITY_CARDS
from engine.shuffle import PLAYS_A_ROUND

#: A card counts toward the majority as this part of it: 30 points make it one point a card.
MAJORITY_PARTS = 30


def choose(view: dict[str, Any]) -> tuple[Card, None]:
    """Choose a card; the same view always gives the same one."""
    rules = parse_rules(view["rules"])
    card_worth = _card_worth(view)
    gains = {}
    for play in view["you"]["plays"]:
        best = play["captures"][0]
        gains[play["card"]] = _gain(rules, card_worth, play["card"], best["cards"], best["basra"])
    # Of two plays that gain the same a jack or the komi is the dearer one.
    top = max((gain, card not in SWEEPERS) for card, gain in gains.items())
    equals = [card for card, gain in gains.items() if (gain, card not in SWEEPERS) == top]
    if len(equals) == 1:
        return equals[0], None
    others = _unseen(view)
    floors = {card: _floor_after(view, card) for card in equals}
    return min(equals, key=lambda card: _given_away(rules, card_worth, floors[card], others)), None


def _card_worth(view: dict[str, Any]) -> int:
    """What one card is worth toward the majority, in parts of a point; nothing once that is decided."""
    rnd = view["round"]
    return 0 if max(rnd["piles"]) >= MAJORITY_CARDS else rnd["majority"]


def _gain(rules: Rules, card_worth: int, card: Card, taken: Sequence[Card], basra: int) -> int:
    """What a capture brings, in parts of a point."""
    if not taken:
        return 0
    points = basra + rules.points_of(card, *taken)
    return MAJORITY_PARTS * points + card_worth * (1 + len(taken))


def _floor_after(view: dict[str, Any], card: Card) -> list[Card]:
    taken = next(play["captures"][0]["cards"] for play in view["you"]["plays"] if play["card"] == card)
    floor = [lying for lying in view["round"]["floor"] if lying not in taken]
    return floor if taken else [*floor, card]


def _unseen(view: dict[str, Any]) -> Counter[Card]:
    """Count the cards that another hand may hold, the komi and each rank apart, by one card of each."""
    rnd, last = view["round"], view["last_play"]
    seen = {*view["you"]["hand"], *rnd["floor"]}
    seen.update(shown["card"] for side in rnd["basras"] for shown in side)
    # Before a round's first play the last one is still the former round's, and its cards are back in the pack.
    if last and view["turn"] > PLAYS_A_ROUND * (rnd["number"] - 1):
        seen.update([last["card"], *last["captured"]])
    kinds: dict[str, Card] = {}
    return Counter(kinds.setdefault(KOMI if card == KOMI else card[0], card) for card in PACK if card not in seen)


def _given_away(rules: Rules, card_worth: int, floor: Sequence[Card], others: Counter[Card]) -> int:
    """What the next seat would gain from a floor, summed over the cards that it may hold."""
    total = 0
    for card, many in others.items():
        best = best_capture(rules, floor, card)
        total += many * _gain(rules, card_worth, card, best.cards, best.basra)
    return total
