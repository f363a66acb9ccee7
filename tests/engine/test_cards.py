"""Cards, and the examples in the engine's docstrings."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest

import engine
from engine.cards import PACK, SWEEPERS, card_value, join_cards, parse_card, split_cards

MODULES = [path.stem for path in Path(engine.__file__).parent.glob("*.py") if path.stem not in ("__init__", "__main__")]


def test_the_pack_has_52_cards_in_suit_order() -> None:
    assert len(set(PACK)) == len(PACK) == 52
    assert PACK[0] == "AC"
    assert PACK[12:14] == ("KC", "AD")
    assert PACK[-1] == "KS"


def test_values() -> None:
    assert [card_value(rank + "H") for rank in "A23456789TJQK"] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 0, 0]
    assert {"JC", "JD", "JH", "JS", "7D"} == SWEEPERS


def test_cards_read_back() -> None:
    assert [parse_card(card) for card in PACK] == list(PACK)
    assert split_cards(join_cards(PACK)) == PACK
    assert split_cards("") == ()


@pytest.mark.parametrize("text", ["10D", "7d", "D7", "1C", "", "7", "7D ", None, 7, ["7D"]])
def test_what_is_no_card(text: object) -> None:
    with pytest.raises(ValueError, match="is not a card"):
        parse_card(text)


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples(name: str) -> None:
    assert doctest.testmod(import_module(f"engine.{name}")).failed == 0
