"""Transcripts: written, replayed, verified, and refused once anything in them is changed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

import pytest

from engine.errors import TranscriptError
from engine.match import Match
from engine.rules import PROFILES, Rules, resolve_rules
from engine.scoring import parse_sheet
from engine.shuffle import commitment
from engine.simulate import simulate
from engine.state import Abandon, Action, Cut, Forfeit, Play, apply
from engine.transcript import build, replay, verify
from tests.engine.tables import begin, bot_action, finish, random_action

TRADITIONAL = PROFILES["traditional"]


def write(match: Match, events: list[dict[str, Any]]) -> dict[str, Any]:
    """Give the transcript of a match as it reads back from JSON."""
    players = [{"seat": seat, "name": f"Seat {seat}", "bot": bot} for seat, bot in enumerate(match.bots)]
    transcript: dict[str, Any] = json.loads(json.dumps(build(events, server_seed=match.server_seed, players=players)))
    return transcript


def play_some(
    rules: Rules, seats: int, plays: int, *last: Action, bots: list[str | None] | None = None, cut: int | None = 7
) -> dict[str, Any]:
    """Play so many cards, then the last actions, and give the transcript."""
    match, events = begin(rules, seats, "some", bots, client_seeds=["", "0a", "", "ff"][:seats])
    while match.turn < plays or (match.round.phase == "cut" and cut is not None):
        seat = match.to_act or 0
        if match.round.phase == "cut":
            action: Action = Cut(seat, cut or 1)
        else:
            action = Play(seat, match.round.hands[seat][0], by="bot" if match.bots[seat] else "player")
        match, more = apply(match, action)
        events += more
    for action in last:
        match, more = apply(match, action, "2026-01-01T00:00:00Z")
        events += more
    return write(match, events)


def people_and_cuts() -> dict[str, Any]:
    """Give a one-round match of two people who choose, cut and bring seeds of their own."""
    rules = resolve_rules("traditional", target=None)
    match, events = begin(rules, seed="people", client_seeds=["ab12", ""], rated=True)
    end, more = finish(match, random_action(Random(3)))
    return write(end, events + more)


def four_by_the_clock() -> dict[str, Any]:
    """Give an abandoned match of three people and a bot, which the clock cut."""
    match, events = begin(TRADITIONAL, 4, "clock", [None, None, "easy", None])
    while not match.unattended_deals:
        seat = match.to_act or 0
        if match.round.phase == "cut":
            action: Action = Cut(seat, None, by="clock")
        else:
            action = Play(seat, match.round.hands[seat][0], by="bot" if match.bots[seat] else "clock")
        match, more = apply(match, action)
        events += more
    match, more = apply(match, Abandon())
    return write(match, [*events, *more])


def test_a_whole_transcript() -> None:
    transcript = people_and_cuts()
    assert list(transcript) == [
        "format",
        "rules",
        "seats",
        "players",
        "seeded",
        "rated",
        "started_at",
        "finished_at",
        "fairness",
        "rounds",
        "scores",
        "result",
    ]
    assert transcript["players"][1] == {"seat": 1, "name": "Seat 1", "bot": None}
    assert transcript["fairness"].keys() == {"scheme", "commitment", "server_seed", "client_seeds"}
    (rnd,) = transcript["rounds"]
    assert (rnd["number"], rnd["cut_by"], rnd["leader"]) == (1, "player", (rnd["dealer"] + 1) % 2)
    assert len(rnd["hands"]) == 6
    assert len(rnd["plays"]) == 48
    assert rnd["plays"][0].keys() == {"seat", "card", "captured", "basra", "by"}
    assert parse_sheet(rnd["scores"]).points == tuple(transcript["scores"])
    assert transcript["result"]["reason"] == "round"
    verify(transcript)


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("plays", [0, 1, 9, 48, 60])
def test_matches_that_ended_early(seats: int, plays: int) -> None:
    for rules in (PROFILES["classic"], TRADITIONAL):
        transcript = play_some(rules, seats, plays, Forfeit(1))
        assert transcript["result"] == {
            "winner": 0,
            "reason": "forfeit",
            "seat": 1,
            "scores": transcript["scores"],
        }
        assert transcript["rounds"][-1]["scores"] is None
        assert transcript["finished_at"] == "2026-01-01T00:00:00Z"
        assert verify(transcript).turn == plays


@pytest.mark.parametrize("plays", [0, 48])
def test_matches_that_ended_while_the_cut_was_due(plays: int) -> None:
    match, events = begin(TRADITIONAL, 2, "cut")
    while match.turn < plays or match.round.phase != "cut":
        seat = match.to_act or 0
        action: Action = Cut(seat, 40) if match.round.phase == "cut" else Play(seat, match.round.hands[seat][0])
        match, more = apply(match, action)
        events += more
    match, more = apply(match, Forfeit(0))
    transcript = write(match, [*events, *more])
    rnd = transcript["rounds"][-1]
    assert rnd["number"] == plays // 48 + 1
    assert (rnd["cut"], rnd["cut_by"], rnd["scores"]) == (None, None, None)
    assert rnd["buried"] == rnd["hands"] == rnd["floor"] == rnd["plays"] == []
    assert len(rnd["shuffled"]) == 52
    verify(transcript)


def test_time_outs_bots_and_abandoned_matches() -> None:
    late = play_some(PROFILES["classic"], 2, 8, Forfeit(begin(seed="some")[0].to_act or 0, "timeout"))
    assert verify(late).result is not None
    verify(play_some(TRADITIONAL, 4, 20, Forfeit(0), bots=[None, "easy", None, "random"]))
    abandoned = verify(four_by_the_clock())
    assert abandoned.result is not None
    assert abandoned.result.reason == "abandoned"


def test_a_seeded_match_is_dealt_again_too() -> None:
    transcript = simulate(PROFILES["komi"], 4, ["easy", "random"], "tutorial", 3)
    assert transcript["seeded"] is True
    verify(transcript)
    transcript["fairness"]["server_seed"] = "0" * 64
    replay(transcript)
    with pytest.raises(TranscriptError, match=r"^fairness\.commitment"):
        verify(transcript)


def test_the_fair_deal_is_verifys_and_not_replays() -> None:
    transcript = people_and_cuts()
    other = begin(resolve_rules("traditional", target=None), seed="another", client_seeds=["ab12", ""])[0]
    transcript["fairness"]["server_seed"] = other.server_seed
    transcript["fairness"]["commitment"] = commitment(other.server_seed)
    replay(transcript)
    with pytest.raises(TranscriptError, match=r"rounds\[0\]"):
        verify(transcript)


#: What may be changed without breaking a rule or the deal: it is told by nobody else.
FREE = ("started_at", "finished_at", "rated", "seeded")
#: A person may have played, and cut, what the clock did; what a match never came to is open.
FREE_BY_THE_CLOCK = (".by", ".cut_by", "rules.target", "rules.carry")


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Give every field and entry below a value: its path, what holds it, and under which key."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        here = f"{path}[{key}]" if isinstance(value, list) else f"{path}.{key}" if path else key
        yield here, value, key
        yield from leaves(inner, here)


def changed(value: Any, path: str) -> Any:
    """Give another value of the same kind, one that could stand there."""
    if path.endswith(".bot"):
        return None if value else "easy"
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if value is None:
        return 1
    if isinstance(value, list):
        return value[:-1] if value else ["2C"]
    if isinstance(value, dict):
        return {}
    if path.endswith(("cut_by", "by")):
        return "player" if value != "player" else "clock"
    if len(value) == 2:
        return "3C" if value != "3C" else "4D"
    if set(value) <= set("0123456789abcdef"):
        return value[:-1] + ("0" if value[-1:] != "0" else "1")
    return f"{value}x"


@pytest.mark.parametrize("make", [people_and_cuts, four_by_the_clock], ids=["people", "clock"])
def test_every_change_is_found_and_said_where(make: Any) -> None:
    transcript = make()
    paths = [path for path, _, _ in leaves(transcript)]
    assert len(paths) > 200
    for path in paths:
        told = deepcopy(transcript)
        holder, key = next((holder, key) for at, holder, key in leaves(told) if at == path)
        holder[key] = changed(holder[key], path)
        if path in FREE or path.endswith("].name") or (make is four_by_the_clock and path.endswith(FREE_BY_THE_CLOCK)):
            continue
        if path in ("rules.burned_komi", "rules.jack_on_jack"):
            holder[key] = 11
        with pytest.raises(TranscriptError, match=r"^[a-z_]+(\[\d+\]|\.)?.*: "):
            verify(told)


@pytest.mark.parametrize("junk", [None, True, 7, -1, 2.5, "", "x", [], [[]], {}, {"a": 1}])
def test_junk_is_refused_and_never_a_fault(junk: Any) -> None:
    with pytest.raises(TranscriptError):
        verify(junk)
    transcript = play_some(TRADITIONAL, 2, 9, Forfeit(1))
    for path in [path for path, _, _ in leaves(transcript)]:
        told = deepcopy(transcript)
        holder, key = next((holder, key) for at, holder, key in leaves(told) if at == path)
        if type(holder[key]) is type(junk):
            continue
        holder[key] = junk
        if path == "rules.target" and junk is None:
            continue
        with pytest.raises(TranscriptError):
            verify(told)
        if isinstance(holder, dict):
            del holder[key]
            with pytest.raises(TranscriptError):
                verify(told)


def tampered(**changes: Any) -> dict[str, Any]:
    """Give a good transcript with some of its fields changed."""
    return {**people_and_cuts(), **changes}


@pytest.mark.parametrize(
    ("told", "where"),
    [
        (tampered(format="basra-transcript/2"), "format"),
        (tampered(seats=3), "players"),
        (tampered(seeded=True), "fairness"),
        (tampered(finished_at="1969-12-31T23:59:59Z"), "finished_at"),
        (tampered(started_at="1970-01-01"), "started_at"),
        (tampered(started_at="1970-01-01T00:00:00+00:00"), "started_at"),
        (tampered(started_at="yesterday"), "started_at"),
        (tampered(rules="classic"), "rules"),
        (tampered(rules={"profile": "traditional"}), "rules"),
        (tampered(scores=[1, 2]), r"scores\[0\]"),
    ],
)
def test_where_it_is_wrong(told: dict[str, Any], where: str) -> None:
    with pytest.raises(TranscriptError, match=f"^{where}"):
        verify(told)


def test_a_rated_match_has_no_bot_and_no_seed() -> None:
    transcript = simulate(PROFILES["classic"], 2, ["easy", "random"], "rated", 1)
    transcript["rated"] = True
    with pytest.raises(TranscriptError, match=r"^rated"):
        verify(transcript)


def test_plays_that_break_the_rules_are_named() -> None:
    transcript = people_and_cuts()
    plays = transcript["rounds"][0]["plays"]
    plays[3], plays[4] = plays[4], plays[3]
    with pytest.raises(TranscriptError, match=r"^rounds\[0\]\.plays\[3\]: .*seat"):
        replay(transcript)


def test_plays_and_rounds_too_few_or_too_many() -> None:
    transcript = people_and_cuts()
    short = deepcopy(transcript)
    del short["rounds"][0]["plays"][-1]
    with pytest.raises(TranscriptError, match=r"had not come to its end"):
        replay(short)
    long = deepcopy(transcript)
    long["rounds"][0]["plays"].append(long["rounds"][0]["plays"][0])
    with pytest.raises(TranscriptError, match=r"plays\[48\].*over"):
        replay(long)
    more = deepcopy(transcript)
    more["rounds"].append({**deepcopy(more["rounds"][0]), "number": 2, "plays": []})
    with pytest.raises(TranscriptError, match=r"^rounds: 1 entries are due, not 2"):
        replay(more)
    none = {**transcript, "rounds": []}
    with pytest.raises(TranscriptError, match=r"^rounds"):
        replay(none)


def test_an_end_that_nobody_may_make() -> None:
    transcript = play_some(PROFILES["classic"], 2, 9, Forfeit(1))
    abandoned = deepcopy(transcript)
    abandoned["result"] |= {"reason": "abandoned", "winner": None, "seat": None}
    with pytest.raises(TranscriptError, match=r"^result: .*abandoned"):
        verify(abandoned)
    claimed = deepcopy(transcript)
    claimed["result"] |= {"reason": "target", "seat": None}
    with pytest.raises(TranscriptError, match=r"^result\.reason"):
        verify(claimed)


def test_burials_are_checked_by_the_rules_and_by_the_deal() -> None:
    rules = resolve_rules("classic", target=None)
    transcript = next(
        told
        for told in (simulate(rules, 2, ["random", "random"], "burial", number) for number in range(1, 99))
        if told["rounds"][0]["buried"]
    )
    verify(transcript)
    rnd = transcript["rounds"][0]
    (buried, *rest) = rnd["buried"]
    for changed_burials, where in (
        ([], r"^rounds\[0\]\.buried: .*turned"),
        ([{**buried, "card": "2C"}, *rest], r"^rounds\[0\]\.buried\[0\]\.card"),
        ([{**buried, "at": 0}, *rest], r"^rounds\[0\]\.buried\[0\]\.at"),
        ([{**buried, "at": 44}, *rest], r"^rounds\[0\]\.buried\[0\]\.at"),
        ([*rnd["buried"], buried], r"^rounds\[0\]\.buried: "),
    ):
        with pytest.raises(TranscriptError, match=where):
            replay({**transcript, "rounds": [{**rnd, "buried": changed_burials}]})
    for cut in (0, 52):
        with pytest.raises(TranscriptError, match=r"^rounds\[0\]\.cut: "):
            replay({**transcript, "rounds": [{**rnd, "cut": cut}]})


def test_a_transcript_is_of_a_finished_match() -> None:
    match, events = begin()
    with pytest.raises(ValueError, match=r"whole match"):
        build(events, server_seed=match.server_seed, players=[])
    with pytest.raises(ValueError, match=r"whole match"):
        build([], server_seed=match.server_seed, players=[])


def test_what_nothing_is_known_of_is_let_be() -> None:
    verify({**people_and_cuts(), "note": "added by a later version"})


def test_bots_and_people_at_one_table() -> None:
    match, events = begin(TRADITIONAL, 4, "mixed", ["easy", None, None, "random"])
    end, more = finish(match, bot_action("easy", Random(1)))
    transcript = write(end, events + more)
    assert verify(transcript).scores == tuple(transcript["scores"])
    assert {play["by"] for rnd in transcript["rounds"] for play in rnd["plays"]} == {"bot", "player"}
