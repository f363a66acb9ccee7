"""Views and events as each receiver may see them."""

from __future__ import annotations

import json
from random import Random

import pytest

from engine.rules import PROFILES, Rules
from engine.state import Cut, Forfeit, Play, apply
from engine.view import redact, view
from tests.engine.tables import TABLES, begin, finish, name_of, position, random_action, walk


def test_a_view_in_full() -> None:
    match = position(
        hands=[["7D", "KC"], ["TH"]], floor=["2C", "3D"], undealt=["AC", "AD"], piles=[20], turn=66, scores=(45, 8)
    )
    rnd = match.round._replace(basras=((("8H", 10),), ()), number=2)
    match = match._replace(round=rnd, carried=30, version=83)
    assert view(match, 0) == {
        "rules": PROFILES["classic"].to_json(),
        "status": "playing",
        "version": 83,
        "rated": False,
        "seeded": False,
        "fairness": view(match, None)["fairness"],
        "seats": [
            {"seat": 0, "side": 0, "bot": None, "cards": 2},
            {"seat": 1, "side": 1, "bot": None, "cards": 1},
        ],
        "you": {
            "seat": 0,
            "side": 0,
            "hand": ["7D", "KC"],
            "plays": [
                {"card": "7D", "captures": [{"cards": ["2C", "3D"], "groups": [["2C", "3D"]], "basra": 10}]},
                {"card": "KC", "captures": [{"cards": [], "groups": [], "basra": 0}]},
            ],
        },
        "round": {
            "number": 2,
            "dealer": 1,
            "leader": match.round.leader,
            "phase": "play",
            "deal": 1,
            "deals": 6,
            "undealt": 2,
            "floor": ["2C", "3D"],
            "piles": [20, 25],
            "basras": [[{"card": "8H", "points": 10}], []],
            "last_capture": 0,
            "majority": 60,
            "carried": 30,
        },
        "turn": 66,
        "to_act": 0,
        "scores": [45, 8],
        "rounds": [],
        "last_play": None,
        "result": None,
    }


def test_while_the_cut_is_due_nothing_is_dealt() -> None:
    match, _ = begin(PROFILES["traditional"], 4)
    seen = view(match, 2)
    assert seen["you"]["hand"] == seen["you"]["plays"] == []
    assert seen["to_act"] == (match.round.dealer - 1) % 4
    expected = {"phase": "cut", "deal": 0, "deals": 3, "undealt": 52, "floor": [], "piles": [0, 0]}
    assert expected.items() <= seen["round"].items()
    assert [seat["cards"] for seat in seen["seats"]] == [0, 0, 0, 0]


def test_at_most_64_captures_of_a_card_are_shown() -> None:
    floor = [rank + suit for rank in "A234" for suit in "CDHS"][:15]
    match = position(rules=PROFILES["traditional"], hands=[["TS"], ["KS"]], floor=floor)
    shown = view(match, 0)["you"]["plays"][0]["captures"]
    assert len(shown) == 64
    sizes = [len(capture["cards"]) for capture in shown]
    assert sizes == sorted(sizes, reverse=True)


def test_the_last_play_stays_until_the_next() -> None:
    match = position(hands=[[], ["KD"]], floor=["2H"], to_act=1, dealer=1, rules=PROFILES["traditional"])
    match, (played, _) = apply(match, Play(1, "KD"))
    assert match.round.number == 2
    assert view(match, 0)["last_play"] == played
    match, _ = apply(match, Cut(match.to_act or 0, 9))
    assert view(match, 0)["last_play"] == played
    seat = match.to_act or 0
    match, (played, *_) = apply(match, Play(seat, match.round.hands[seat][0]))
    assert view(match, None)["last_play"] == played


def test_after_the_end_the_table_is_empty() -> None:
    match, _ = begin(seed="end")
    match, _ = finish(match, random_action(Random(5)))
    seen = view(match, 0)
    assert seen["to_act"] is None
    assert seen["you"]["hand"] == seen["you"]["plays"] == []
    assert seen["round"]["number"] == len(seen["rounds"]) == len(match.sheets)
    assert seen["round"]["floor"] == []
    assert seen["round"]["piles"] == seen["rounds"][-1]["cards"]
    assert seen["result"]["scores"] == seen["scores"]


def test_after_an_early_end_no_card_is_shown() -> None:
    match = position(hands=[["7D", "KC"], ["TH"]], floor=["2C", "3D"], undealt=["AC", "AD"], piles=[20])
    match, _ = apply(match, Forfeit(1))
    seen = view(match, 0)
    assert seen["you"]["hand"] == seen["you"]["plays"] == []
    assert [seat["cards"] for seat in seen["seats"]] == [0, 0]
    assert seen["round"]["floor"] == []
    assert seen["round"]["piles"] == [20, 25]
    assert seen["result"] == {"winner": 0, "reason": "forfeit", "seat": 1, "scores": [0, 0]}


@pytest.mark.parametrize(("rules", "seats"), TABLES, ids=name_of)
def test_events_tell_no_receiver_what_he_may_not_know(rules: Rules, seats: int) -> None:
    match, events = begin(rules, seats, seed="redact", client_seeds=["ab"] * seats)
    for before, _, after, more in [(None, None, match, events), *walk(match, random_action(Random(9)))]:
        for event in more:
            for receiver in (*range(seats), None):
                seen = redact(event, receiver)
                assert "hands" not in seen
                if event["type"] != "dealt":
                    assert seen == event
                    continue
                told = {card for name in ("hand", "floor", "buried") for card in seen.get(name) or []}
                known = {*after.round.floor, *(b["card"] for b in event.get("buried", []))}
                assert seen["hand"] == (None if receiver is None else list(after.round.hands[receiver]))
                assert told - known == {*(seen["hand"] or [])}
                assert seen.keys() - {"hand"} == event.keys() - {"hands"}
        told = json.dumps([more, [view(after, seat) for seat in (*range(seats), None)]])
        assert match.server_seed not in told
        assert before is None or before.version < after.version


def test_where_a_card_was_buried_is_nobodys() -> None:
    dealt = next(
        events[-1] for events in (begin(seed=f"buried {number}")[1] for number in range(99)) if events[-1]["buried"]
    )
    for receiver in (0, 1, None):
        assert redact(dealt, receiver)["buried"] == [buried["card"] for buried in dealt["buried"]]
