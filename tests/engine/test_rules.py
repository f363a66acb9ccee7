"""Rule sets: the table of profiles, what may be changed, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import RulesError
from engine.rules import OVERRIDES, PROFILES, parse_rules, resolve_rules

WITH_POINTS = {"A": 1, "J": 1, "2C": 2, "TD": 3}


def test_the_profiles_are_those_of_the_table() -> None:
    classic = {
        "profile": "classic",
        "target": 121,
        "seats": [2, 4],
        "allocation": "best",
        "cut": "automatic",
        "komi_basra": "total",
        "jack_on_jack": 0,
        "burned_komi": 10,
        "majority": 30,
        "carry": True,
        "card_points": WITH_POINTS,
    }
    changes: dict[str, dict[str, Any]] = {
        "classic": {},
        "traditional": {"target": 101, "allocation": "choice", "cut": "neighbour"},
        "komi": {
            "komi_basra": "clearable",
            "jack_on_jack": 30,
            "burned_komi": 30,
            "carry": False,
            "card_points": {},
        },
        "casual": {"seats": [2], "allocation": "union"},
    }
    assert [rules.to_json() for rules in PROFILES.values()] == [
        {**classic, "profile": name, **changed} for name, changed in changes.items()
    ]


def test_a_rule_set_reads_back_from_each_of_its_forms() -> None:
    for name, rules in PROFILES.items():
        assert parse_rules(name) == parse_rules({"profile": name}) == parse_rules(rules.to_json()) == rules
        for field, values in OVERRIDES.items():
            for value in values:
                changed = resolve_rules(name, target=10, overrides={field: value})
                assert changed.to_json() == {**rules.to_json(), "target": 10, field: value}
                assert parse_rules(changed.to_json()) == changed
                assert parse_rules({"profile": name, "target": 10, field: value}) == changed
        one_round = resolve_rules(name, target=None)
        assert parse_rules(one_round.to_json()) == one_round


@pytest.mark.parametrize("target", [10, 101, 500, None])
def test_targets(target: int | None) -> None:
    assert resolve_rules("classic", target=target).target == target


@pytest.mark.parametrize("target", [9, 501, 0, -121, True, 121.0, "121", [121]])
def test_targets_that_are_none(target: object) -> None:
    with pytest.raises(RulesError) as refused:
        resolve_rules("classic", target=target)
    assert refused.value.field == "target"


@pytest.mark.parametrize("profile", ["quick", "Classic", "", None, 1, [], {}])
def test_profiles_that_do_not_exist(profile: object) -> None:
    with pytest.raises(RulesError) as refused:
        resolve_rules(profile)
    assert refused.value.field == "rules"


@pytest.mark.parametrize(
    "overrides",
    [
        {"jack_on_jack": 5},
        {"jack_on_jack": False},
        {"jack_on_jack": 10.0},
        {"burned_komi": 20},
        {"komi_basra": "all"},
        {"allocation": None},
        {"carry": 1},
        {"carry": "yes"},
        {"cut": "dealer"},
        {"cut": ["automatic"]},
        {"majority": 30},
        {"seats": [2]},
        {"card_points": {}},
        {"profile": "komi"},
        {"target": 50},
        {"": 0},
    ],
)
def test_overrides_that_are_refused(overrides: dict[str, object]) -> None:
    with pytest.raises(RulesError) as refused:
        resolve_rules("classic", overrides=overrides)
    assert refused.value.field == "overrides"
    assert repr(next(iter(overrides))) in str(refused.value)


@pytest.mark.parametrize("carry", [True, False])
def test_carry_has_no_effect_in_a_match_of_one_round(carry: bool) -> None:
    with pytest.raises(RulesError) as refused:
        resolve_rules("classic", target=None, overrides={"carry": carry})
    assert refused.value.field == "overrides"
    with pytest.raises(RulesError):
        parse_rules({"profile": "classic", "target": None, "carry": carry})


@pytest.mark.parametrize(
    "data",
    [
        None,
        1,
        [],
        {},
        {"target": 121},
        {"profile": "classic", "colour": "red"},
        {"profile": "classic", "majority": 40},
        {"profile": "classic", "seats": [2, 3, 4]},
        {"profile": "classic", "card_points": {"A": 2}},
        {**PROFILES["classic"].to_json(), "majority": 30.0},
        {**PROFILES["classic"].to_json(), "target": None, "carry": False},
    ],
)
def test_rule_sets_that_are_refused(data: object) -> None:
    with pytest.raises(RulesError):
        parse_rules(data)


def test_card_points() -> None:
    classic, komi = PROFILES["classic"], PROFILES["komi"]
    assert classic.points_of("2C", "TD", "AS", "JH", "2D", "KC") == 2 + 3 + 1 + 1
    assert komi.points_of("2C", "TD", "AS", "JH") == 0
    assert classic.points_of() == 0
