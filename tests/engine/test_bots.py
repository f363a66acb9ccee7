"""The bots: what they choose, from a view alone."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine.arena import arena
from engine.bots import LEVELS, choose
from engine.match import Match
from engine.rules import PROFILES
from engine.view import view
from tests.engine.tables import position


def chosen(match: Match) -> str:
    card, capture = choose("easy", view(match, match.to_act))
    assert capture is None
    return card


def test_random_needs_a_source_of_chance_and_plays_every_card() -> None:
    match = position(hands=[["7D", "KC", "AS"], ["TH"]], floor=["2C"])
    with pytest.raises(ValueError, match="chance"):
        choose("random", view(match, 0))
    rng = Random(1)
    assert {choose("random", view(match, 0), rng=rng)[0] for _ in range(50)} == {"7D", "KC", "AS"}


def test_an_unknown_level() -> None:
    with pytest.raises(KeyError):
        choose("grandmaster", {})
    assert set(LEVELS) == {"random", "easy", "medium"}


@pytest.mark.parametrize(
    ("hand", "floor", "best", "why"),
    [
        (["KC", "5D", "9H"], ["5S", "KD", "2C"], "5D", "equal gains: the floor that is left gives less away"),
        (["KC", "2D"], ["2C"], "2D", "a basra"),
        (["9C", "TS"], ["TD", "9D"], "TS", "the ten of diamonds"),
        (["8C", "6S"], ["8D", "2D", "4H"], "6S", "two cards rather than one"),
        (["JC", "4S"], ["3D", "KS", "QD"], "JC", "the whole floor rather than nothing"),
        (["JC", "QS"], ["QD"], "QS", "a basra rather than a jack's sweep"),
        (["JC", "KS"], [], "KS", "a jack is not laid on an empty floor"),
        (["7D", "KS"], [], "KS", "nor the komi"),
        (["AS", "KS"], ["5D", "9D"], "KS", "an ace is worth more than a king, lying there"),
        (["3S", "QS"], ["7C"], "QS", "a floor of ten is cleared by every ten"),
    ],
)
def test_what_easy_plays(hand: list[str], floor: list[str], best: str, why: str) -> None:
    assert chosen(position(hands=[hand, ["TH"]], floor=floor, undealt=["TC", "5C", "AC", "AD"])) == best, why


def test_cards_are_worth_nothing_once_the_majority_is_decided() -> None:
    hand, floor = ["KC", "8C"], ["KD", "KS", "KH", "7S", "AD"]
    assert chosen(position(hands=[hand, []], floor=floor, piles=[22], carried=30)) == "KC"
    assert chosen(position(hands=[hand, []], floor=floor, piles=[27], carried=30)) == "8C"


def test_cards_that_were_just_taken_are_not_feared_until_the_next_round() -> None:
    match = position(hands=[["QC", "KC"], ["TH"]], floor=["4S"])
    seen: dict[str, Any] = view(match, 0)
    seen["last_play"] = {"card": "KS", "captured": ["KD", "KH"]}
    assert choose("easy", {**seen, "turn": 1}) == ("KC", None)
    assert choose("easy", {**seen, "turn": 0}) == ("QC", None)


def test_easy_beats_random() -> None:
    assert arena(PROFILES["classic"], 2, 60, "strength", ["easy", "random"])["wins"][0] >= 0.83 * 60
