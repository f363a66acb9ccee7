"""Captures: the shared vectors, a brute-force referee, and the edges."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.capture import NOTHING, Capture, best_capture, captures, named_capture
from engine.cards import PACK
from engine.rules import PROFILES, Rules, parse_rules, resolve_rules
from tests.engine import referee

VECTORS = json.loads((Path(__file__).parents[1] / "data" / "captures.json").read_text())

RULES = [
    *PROFILES.values(),
    resolve_rules("komi", overrides={"allocation": "choice", "jack_on_jack": 20, "komi_basra": "total"}),
    resolve_rules("casual", overrides={"burned_komi": 30, "komi_basra": "clearable"}),
]

# Ranks low enough that sums overlap, so that small floors are hard ones.
crowded = st.lists(st.sampled_from([card for card in PACK if card[0] in "A23456"]), unique=True, max_size=9)
anything = st.lists(st.sampled_from(PACK), unique=True, max_size=10)


def cards_of(found: tuple[Capture, ...]) -> list[list[str]]:
    return [list(capture.cards) for capture in found]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: f"{vector['id']}-{vector['rules']}")
def test_shared_vectors(vector: dict[str, Any]) -> None:
    rules = parse_rules(vector["rules"])
    found = captures(rules, vector["floor"], vector["card"])
    assert list(found[0].cards) == vector["capture"]
    assert found[0].basra == vector["basra"]
    if "choices" in vector:
        assert sorted(map(sorted, cards_of(found))) == sorted(map(sorted, vector["choices"]))


@settings(derandomize=True, deadline=None, max_examples=400)
@given(floor=st.one_of(crowded, anything), card=st.sampled_from(PACK), rules=st.sampled_from(RULES))
def test_referee_agrees(floor: list[str], card: str, rules: Rules) -> None:
    floor = [lying for lying in floor if lying != card]
    points = referee.POINTS if rules.card_points else {}
    found = captures(rules, floor, card)
    assert cards_of(found) == referee.captures_of(floor, card, rules.allocation, points)
    assert best_capture(rules, floor, card) == found[0]
    for capture in found:
        assert capture.basra == referee.basra_of(floor, card, list(capture.cards), rules.to_json())
        check_groups(rules, floor, card, capture)


def check_groups(rules: Rules, floor: list[str], card: str, capture: Capture) -> None:
    """Check that the groups explain the capture, rank cards first and sums by the floor."""
    if card[0] == "J" or card == "7D":
        assert capture.groups == ((tuple(floor),) if floor else ())
        return
    flat = [lying for group in capture.groups for lying in group]
    assert set(flat) == set(capture.cards)
    if rules.allocation != "union":
        assert len(flat) == len(capture.cards)
    singles = [group for group in capture.groups if len(group) == 1]
    sums = list(capture.groups[len(singles) :])
    assert [group[0] for group in singles] == [lying for lying in floor if lying[0] == card[0]]
    places = [[floor.index(lying) for lying in group] for group in sums]
    assert places == sorted(sorted(group) for group in places)
    for group in sums:
        assert sum(referee.VALUES[lying[0]] for lying in group) == referee.VALUES[card[0]]
    if rules.allocation == "union" and card[0] in referee.VALUES:
        assert len(sums) == len(referee.groups_of(floor, referee.VALUES[card[0]]))


@settings(derandomize=True, deadline=None, max_examples=300)
@given(floor=crowded, card=st.sampled_from(PACK), rules=st.sampled_from(RULES), data=st.data())
def test_a_named_capture_is_legal_exactly_when_it_is_listed(
    floor: list[str], card: str, rules: Rules, data: st.DataObject
) -> None:
    floor = [lying for lying in floor if lying != card]
    listed = {frozenset(capture.cards): capture for capture in captures(rules, floor, card)}
    for cards in listed:
        named = named_capture(rules, floor, card, sorted(cards))
        assert named is not None
        assert set(named.cards) == cards
        assert named.basra == listed[cards].basra
        check_groups(rules, floor, card, named)
    other = data.draw(st.lists(st.sampled_from([*floor, card, "KS"]), max_size=len(floor) + 1))
    is_listed = len(set(other)) == len(other) and frozenset(other) in listed
    assert (named_capture(rules, floor, card, other) is not None) == is_listed


@pytest.mark.parametrize("card", ["JS", "7D", "7C", "AS", "KH", "TC", "6H"])
def test_of_all_sets_of_floor_cards_only_the_listed_ones_are_legal(card: str) -> None:
    rng = Random(card)
    for _ in range(6):
        floor = [lying for lying in rng.sample(PACK[:10] + PACK[13:24] + PACK[39:], 6) if lying != card]
        for rules in RULES:
            listed = {frozenset(capture.cards) for capture in captures(rules, floor, card)}
            for size in range(len(floor) + 1):
                for cards in combinations(floor, size):
                    assert (named_capture(rules, floor, card, cards) is not None) == (frozenset(cards) in listed)


def test_full_floors_of_fifteen() -> None:
    rng = Random(15)
    for ranks in ("A2345", "A23456789"):
        cards = [card for card in PACK if card[0] in ranks]
        for card in ("TC", "9C", "8H"):
            floor = [lying for lying in rng.sample(cards, 15) if lying != card]
            for rules in (PROFILES["classic"], PROFILES["traditional"], PROFILES["casual"]):
                wanted = referee.captures_of(floor, card, rules.allocation, referee.POINTS)
                assert cards_of(captures(rules, floor, card)) == wanted


def test_the_limit_cuts_the_list_and_not_the_law() -> None:
    rules = PROFILES["traditional"]
    floor = [rank + suit for rank in "A234" for suit in "CDHS"][:15]
    everything = captures(rules, floor, "TS")
    assert len(everything) > 64
    assert captures(rules, floor, "TS", 64) == everything[:64]
    assert captures(rules, floor, "TS", 1) == everything[:1]
    last = everything[-1]
    assert named_capture(rules, floor, "TS", last.cards[::-1]) is not None


def test_a_floor_beyond_any_in_play_is_answered_or_refused() -> None:
    floor = [card for card in PACK if card != "TS"]
    assert len(captures(PROFILES["casual"], floor, "TS")[0].cards) == 39
    assert len(captures(PROFILES["classic"], floor, "JS")[0].cards) == 51
    with pytest.raises(ValueError, match="larger than any in play"):
        captures(PROFILES["classic"], floor, "TS")
    with pytest.raises(ValueError, match="larger than any in play"):
        captures(PROFILES["traditional"], floor, "TS")


def test_groups_may_share_cards_only_in_a_union() -> None:
    floor, cards = ["4C", "6D", "6H"], ["4C", "6D", "6H"]
    assert named_capture(PROFILES["casual"], floor, "TH", cards) is not None
    assert named_capture(PROFILES["traditional"], floor, "TH", cards) is None


def test_nothing_to_take() -> None:
    assert captures(PROFILES["classic"], (), "JS") == (NOTHING,)
    assert captures(PROFILES["classic"], ("KS", "3C"), "QS") == (NOTHING,)
    assert NOTHING.to_json() == {"cards": [], "groups": [], "basra": 0}


@pytest.mark.parametrize(
    ("floor", "card", "why"),
    [
        (["4C", "6D"], [], "a card that can take must take"),
        (["4C", "6D", "TC"], ["4C", "6D"], "a rank card may not be left out"),
        (["4C", "6D", "TC"], ["TC"], "nor a sum"),
        (["4C", "6D", "5C"], ["4C", "6D", "5C"], "more than it takes"),
        (["4C", "6D", "KC"], ["4C", "6D", "KC"], "a court is in no sum"),
        (["4C", "6D", "6H"], ["4C"], "half a sum"),
        (["4C", "6D"], ["4C", "6D", "6D"], "a card named twice"),
        (["4C", "6D"], ["4C", "6H"], "a card that is not there"),
    ],
)
def test_illegal_names(floor: list[str], card: list[str], why: str) -> None:
    for rules in PROFILES.values():
        assert named_capture(rules, floor, "TH", card) is None, why
