"""The replay's positions, computed in a browser from transcripts alone, against the engine's own events and views."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page

from engine.actions import Abandon, Forfeit, Play
from engine.match import Match
from engine.rules import PROFILES
from engine.simulate import play_match
from engine.state import apply, start_match
from engine.transcript import build
from engine.view import view
from tests.test_js import workbench

__all__ = ["workbench"]

PLIES = 500
TABLES = [("classic", 2), ("classic", 4), ("traditional", 2), ("komi", 4), ("casual", 2)]
FRAMES = """async (transcript) => {
    const { framesOf } = await import('/static/js/replay/frames.js');
    return framesOf(transcript);
}"""
ADDRESSES = """async (transcript) => {
    const { addressOf, framesOf, indexOf } = await import('/static/js/replay/frames.js');
    const frames = framesOf(transcript);
    return frames.map((_, index) => [addressOf(frames, index), indexOf(frames, addressOf(frames, index))]);
}"""
# What events have and transcripts do not tell.
UNTOLD = {"at", "groups"}


def told(event: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in event.items() if name not in UNTOLD}


def transcript_of(match: Match, events: list[dict[str, Any]]) -> dict[str, Any]:
    players = [{"seat": seat, "name": f"Seat {seat}", "bot": bot} for seat, bot in enumerate(match.bots)]
    return build(events, server_seed=match.server_seed, players=players)


def states_of(match: Match, events: list[dict[str, Any]]) -> dict[int, Match]:
    """Give the match after each of its commands, by version."""
    now, _ = start_match(
        match.rules, match.seats, server_seed=match.server_seed, client_seeds=match.client_seeds,
        bots=match.bots, seeded=match.seeded,
    )  # fmt: skip
    found = {now.version: now}
    for event in events:
        if event["type"] == "played":
            play = Play(event["seat"], event["card"], tuple(event["captured"]), now.turn, event["by"])
            now, _ = apply(now, play)
            found[now.version] = now
    return found


def check(frame: dict[str, Any], match: Match) -> None:
    """Compare a position with the view that the engine gives at the same moment."""
    shown = view(match, None)
    # The view has more of what stands in the rules, and this client's has it from there.
    due = {name: value for name, value in shown["round"].items() if name not in ("deals", "majority")}
    assert frame["round"] == due
    assert frame["hands"] == [list(hand) for hand in match.round.hands]
    assert sorted(frame["slots"]) == sorted(shown["round"]["floor"])
    for name in ("turn", "to_act", "scores", "rounds", "result"):
        assert frame[name] == shown[name], name
    if shown["last_play"]:
        assert told(frame["last_play"]) == told(shown["last_play"])


@pytest.mark.parametrize(("profile", "seats"), TABLES)
def test_acceptance_12_every_position_is_the_engines(workbench: Page, profile: str, seats: int) -> None:
    plies = 0
    number = 0
    while plies < PLIES:
        number += 1
        match, events = play_match(
            PROFILES[profile], seats, ["easy", "random"], "replay", number, Random(f"{profile} {number}")
        )
        frames = workbench.evaluate(FRAMES, transcript_of(match, events))
        assert [told(frame["event"]) for frame in frames] == [told(event) for event in events[1:]]
        for version, state in states_of(match, events).items():
            check(frames[version - 2], state)
        plies += match.turn


def begun(plays: int, rules: str = "classic", seats: int = 2, by: str = "player") -> tuple[Match, list[dict[str, Any]]]:
    """Give a match of people after some plays."""
    match, made = start_match(
        PROFILES[rules], seats, server_seed="ab" * 32, client_seeds=["cd"] * seats, bots=[None] * seats
    )
    events = list(made)
    while match.turn < plays:
        assert match.to_act is not None
        card = view(match, match.to_act)["you"]["hand"][0]
        match, more = apply(match, Play(match.to_act, card, None, match.turn, by))
        events += more
    return match, events


@pytest.mark.parametrize("plays", [0, 5, 8, 48])
def test_a_match_that_was_left_ends_where_it_was(workbench: Page, plays: int) -> None:
    match, events = begun(plays)
    match, more = apply(match, Forfeit(0, "forfeit"))
    frames = workbench.evaluate(FRAMES, transcript_of(match, [*events, *more]))
    assert [told(frame["event"]) for frame in frames] == [told(event) for event in [*events, *more][1:]]
    assert frames[-1]["result"] == more[-1]["result"]
    assert frames[-1]["round"]["floor"] == frames[-2]["round"]["floor"]


def test_a_match_that_ended_before_its_first_card_has_one_position(workbench: Page) -> None:
    match, events = begun(0, "traditional")
    match, more = apply(match, Forfeit(1, "forfeit"))
    frames = workbench.evaluate(FRAMES, transcript_of(match, [*events, *more]))
    assert [frame["event"]["type"] for frame in frames] == ["match_finished"]
    assert workbench.evaluate(ADDRESSES, transcript_of(match, [*events, *more])) == [["0", 0]]


def test_an_abandoned_match_ends_too(workbench: Page) -> None:
    match, events = begun(16, seats=4, by="clock")
    match, more = apply(match, Abandon())
    frames = workbench.evaluate(FRAMES, transcript_of(match, [*events, *more]))
    assert frames[-1]["result"]["reason"] == "abandoned"


def test_every_position_has_an_address_of_its_own(workbench: Page) -> None:
    match, events = play_match(PROFILES["classic"], 2, ["easy", "easy"], "addresses", 1, Random(1))
    found = workbench.evaluate(ADDRESSES, transcript_of(match, events))
    assert [index for _, index in found] == list(range(len(found)))
    assert len({address for address, _ in found}) == len(found)
    plays = [address for (address, _), event in zip(found, events[1:], strict=True) if event["type"] == "played"]
    assert plays == [str(turn) for turn in range(1, match.turn + 1)]
    assert found[1][0] == "0", "the opening is the first turn's"
