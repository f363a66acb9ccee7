"""Score sheets, by hand."""

from __future__ import annotations

from engine.cards import PACK
from engine.rules import PROFILES, Rules, resolve_rules
from engine.scoring import Sheet, leader_of, parse_sheet, score_round

CLASSIC, KOMI = PROFILES["classic"], PROFILES["komi"]


def score(
    rules: Rules = CLASSIC, first: int = 27, leftover: int = 0, last_capture: int = 0, carried: int = 0, basra: int = 0
) -> Sheet:
    """Score a round of which the first side took so many cards off the pack in its order, from clubs to spades."""
    taken, lying = PACK[: 52 - leftover], PACK[52 - leftover :]
    basras = ((("8H", basra),) if basra else (), ())
    return score_round(rules, 3, (taken[:first], taken[first:]), basras, lying, last_capture, carried)


def test_a_sheet_in_full() -> None:
    assert score(leftover=2, first=27, last_capture=1, basra=10).to_json() == {
        "round": 3,
        "cards": [27, 25],
        "leftover": ["QS", "KS"],
        "leftover_side": 1,
        "majority": [30, 0],
        # Clubs and diamonds, with the ace of hearts: A, J, 2C and A, J, TD and A.
        "card_points": [1 + 1 + 2 + 1 + 1 + 3 + 1, 1 + 1 + 1],
        "basras": [10, 0],
        "points": [50, 3],
        "carry": 0,
    }


def test_twenty_seven_is_a_majority_and_twenty_six_is_none() -> None:
    assert score(first=27).majority == (30, 0)
    assert score(first=25).majority == (0, 30)
    assert score(first=26).majority == (0, 0)


def test_the_leftover_decides_the_majority() -> None:
    assert score(first=25, leftover=2, last_capture=0).majority == (30, 0)
    assert score(first=25, leftover=2, last_capture=1).majority == (0, 30)


def test_no_leftover_is_nobodys() -> None:
    assert score(leftover=0, last_capture=1).leftover_side is None
    assert score(leftover=1, last_capture=1).leftover_side == 1
    assert score(leftover=1, last_capture=0).leftover_side == 0


def test_a_round_is_worth_43_without_basras_and_30_without_card_points() -> None:
    assert sum(score().points) == 43
    assert sum(score(KOMI).points) == 30
    assert sum(score(first=26).points) == 13
    assert sum(score(KOMI, first=26).points) == 0


def test_ties_carry_the_whole_majority_on() -> None:
    assert score(first=26).carry == 30
    assert score(first=26, carried=30).carry == 60
    assert score(first=26, carried=60).carry == 90
    won = score(first=25, carried=90)
    assert won.majority == (0, 120)
    assert won.carry == 0


def test_where_nothing_carries() -> None:
    assert score(KOMI, first=26).carry == 0
    assert score(resolve_rules("classic", overrides={"carry": False}), first=26).carry == 0
    assert score(resolve_rules("komi", overrides={"carry": True}), first=26).carry == 30


def test_the_sheet_of_a_match_of_one_round_shows_the_tied_majority_that_is_lost() -> None:
    assert score(resolve_rules("classic", target=None), first=26).carry == 30


def test_sheets_read_back() -> None:
    for sheet in (score(), score(first=26, leftover=3)):
        assert parse_sheet(sheet.to_json()) == sheet


def test_who_leads() -> None:
    assert leader_of((3, 2)) == 0
    assert leader_of((2, 3)) == 1
    assert leader_of((2, 2)) is None
