"""The arena: two bots over deals that each plays from both sides."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from engine import __main__ as command_line
from engine import arena as module
from engine.arena import arena
from engine.bots import Choice, choose
from engine.match import Event
from engine.rules import PROFILES, resolve_rules


def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, dict[str, Any], list[Event]]]:
    """Note whom the arena asks, with which view and which events."""
    questions: list[tuple[str, dict[str, Any], list[Event]]] = []

    def ask(level: str, view: dict[str, Any], events: Sequence[Event], rng: Random) -> Choice:
        questions.append((level, view, list(events)))
        return choose(level, view, events, rng)

    monkeypatch.setattr(module, "choose", ask)
    return questions


@pytest.mark.parametrize("seats", [2, 4])
def test_each_two_matches_have_the_same_deals_with_the_sides_swapped(
    seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    questions = asked(monkeypatch)
    arena(resolve_rules("classic", target=None), seats, 4, "mirror", ["easy", "random"])
    first = [question for question in questions if question[1]["turn"] == 0]
    assert len(first) == 4
    for one, other in zip(first[::2], first[1::2], strict=True):
        assert {one[0], other[0]} == {"easy", "random"}
        for name in ("you", "round", "fairness"):
            assert one[1][name] == other[1][name]
        levels = [[seat["bot"] for seat in view["seats"]] for _, view, _ in (one, other)]
        assert levels == [["easy", "random"] * (seats // 2), ["random", "easy"] * (seats // 2)]
    assert first[0][1]["fairness"] != first[2][1]["fairness"]


def test_bots_are_told_the_round_as_their_seat_saw_it(monkeypatch: pytest.MonkeyPatch) -> None:
    questions = asked(monkeypatch)
    arena(resolve_rules("classic", target=60), 2, 2, "told", ["easy", "easy"])
    assert any(view["round"]["number"] > 1 for _, view, _ in questions)
    for _, view, events in questions:
        rnd = view["round"]
        deals = [event for event in events if event["type"] == "dealt"]
        played = [event for event in events if event["type"] == "played"]
        assert [(deal["round"], deal["deal"]) for deal in deals] == [
            (rnd["number"], deal) for deal in range(1, rnd["deal"] + 1)
        ]
        assert [event["turn"] for event in played] == list(range(48 * (rnd["number"] - 1), view["turn"]))
        assert all("hands" not in deal for deal in deals)
        mine = [event["card"] for event in played if event["seat"] == view["you"]["seat"]]
        assert {*deals[-1]["hand"]} - {*mine} == {*view["you"]["hand"]}


def test_what_the_command_prints(capsys: pytest.CaptureFixture[str]) -> None:
    args = ["arena", "--rules", '{"profile": "classic", "target": null}', "--seats", "4", "--matches", "6"]
    assert command_line.main([*args, "--seed", "s", "--bots", "random,easy"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert list(told) == ["bots", "wins", "draws", "matches", "ms_per_move"]
    assert (told["bots"], told["matches"]) == (["random", "easy"], 6)
    assert sum(told["wins"]) + told["draws"] == 6
    assert all(ms >= 0 for ms in told["ms_per_move"])
    assert command_line.main([*args, "--seed", "s", "--bots", "easy,random"]) == 0
    other = json.loads(capsys.readouterr().out)
    assert other["bots"] == ["easy", "random"]


def test_the_same_seed_gives_the_same_wins() -> None:
    results = [arena(PROFILES["komi"], 2, 4, seed, ["easy", "random"]) for seed in ("s", "s")]
    for result in results:
        del result["ms_per_move"]
    assert results[0] == results[1]


def test_a_bot_against_itself_wins_as_often_as_it_loses() -> None:
    result = arena(PROFILES["classic"], 2, 20, "self", ["easy", "easy"])
    assert result["wins"][0] == result["wins"][1]


@pytest.mark.parametrize(
    "args",
    [
        ["--rules", "quick"],
        ["--seats", "3"],
        ["--seats", "4", "--rules", "casual"],
        ["--matches", "0"],
        ["--matches", "-2"],
        ["--matches", "7"],
        ["--matches", "many"],
        ["--bots", "easy"],
        ["--bots", "easy,random,easy"],
        ["--bots", "easy,expert"],
    ],
)
def test_what_the_command_refuses(args: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        command_line.main(["arena", *args])
    assert exit_.value.code == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert f"argument {args[0]}" in told.err


@pytest.mark.long
def test_easy_beats_random_over_600_matches() -> None:
    result = arena(PROFILES["classic"], 2, 600, "strength", ["easy", "random"])
    assert result["wins"][0] >= 0.83 * 600
