"""Card codes, their values and the pack.

A card is two characters, rank then suit: ``7D`` is the seven of diamonds, ``TD`` the ten.
"""

from collections.abc import Mapping
from operator import add

Card = str

RANKS = "A23456789TJQK"
SUITS = "CDHS"

#: The pack in the order from which every shuffle starts: C, D, H, S, each ace to king.
PACK: tuple[Card, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)

#: The seven of diamonds, which sweeps the floor.
KOMI: Card = "7D"

#: The value of each card in sums: 1 to 10, and 0 for a court.
VALUES: Mapping[Card, int] = {card: RANKS.index(card[0]) + 1 if card[0] not in "JQK" else 0 for card in PACK}

#: The cards that take the whole floor when they are played.
SWEEPERS = frozenset({"JC", "JD", "JH", "JS", KOMI})


def card_value(card: Card) -> int:
    """Give the value of a card in sums, 1 to 10, and 0 for a court.

    >>> card_value("TD"), card_value("KS")
    (10, 0)
    """
    return VALUES[card]


def parse_card(text: object) -> Card:
    """Read one card code.

    Errors: ValueError that quotes what is not a card.
    """
    if isinstance(text, str) and text in VALUES:
        return text
    raise ValueError(f"{text!r} is not a card")


def join_cards(cards: tuple[Card, ...]) -> str:
    """Write cards as one text, two characters each."""
    return "".join(cards)


def split_cards(text: str) -> tuple[Card, ...]:
    """Read what `join_cards` wrote.

    >>> split_cards("7DKC")
    ('7D', 'KC')
    """
    return tuple(map(add, text[::2], text[1::2]))
