"""Scheme basra-deal/2: the same cards as before, seeds that fit what was committed to, and what a witness finds."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.__main__ import main
from engine.errors import EngineError, TranscriptError
from engine.match import match_from_json
from engine.rules import PROFILES
from engine.shuffle import client_commitment, commitment
from engine.state import Forfeit, apply, fairness_of, legal_actions
from engine.transcript import build, replay, verify
from engine.witness import bear_witness
from tests.engine.deal_referee import Words, deal, is_fair
from tests.engine.tables import begin

Json = dict[str, Any]
SEEDS = ["0a" * 16, "0b"]
COMMITMENTS = [client_commitment(seed) for seed in SEEDS]
MATCH, NAMES = "the-match", ("Mona", "Adel", "Samia", "Fouad")


def dealt(
    seeds: list[str] = SEEDS, commitments: list[str] | None = COMMITMENTS, seed: str = "fair", **more: Any
) -> Json:
    """The transcript of a match that was given up after ten plays and cuts."""
    rules, seats = PROFILES["traditional"], len(seeds)
    match, events = begin(rules, seats, seed, client_seeds=seeds, client_commitments=commitments, **more)
    rng = Random(1)
    while match.turn < 10:
        match, made = apply(match, rng.choice(legal_actions(match)))
        events += made
    match, made = apply(match, Forfeit(0))
    players = [{"seat": seat, "name": NAMES[seat], "bot": None} for seat in range(seats)]
    told: Json = json.loads(json.dumps(build([*events, *made], server_seed=match.server_seed, players=players)))
    return told


def noted(transcript: Json, place: int = 0, **more: Any) -> Json:
    """What an honest witness has noted of one dealing."""
    return {
        "commitment": transcript["fairness"]["commitment"], "client_seed": SEEDS[place], "seat": place,
        "client_commitments": COMMITMENTS, "opened": "accepted", "match": MATCH, **more,
    }  # fmt: skip


def notes(*dealings: Json, **more: Any) -> Json:
    return {"format": "basra-notes/1", "scheme": "basra-deal/2", "room": "SCJHYN", "match": MATCH,
            "dealings": list(dealings), "table": None, **more}  # fmt: skip


def table(transcript: Json, seat: int = 0) -> Json:
    """What a witness has noted at the table of this match."""
    rounds = transcript["rounds"]
    plays = [play for rnd in rounds for play in rnd["plays"]]
    return {
        "seat": seat, "rules": transcript["rules"],
        "hands": [{"round": rnd["number"], "deal": deal, "cards": hands[seat]}
                  for rnd in rounds for deal, hands in enumerate(rnd["hands"], start=1)],
        "floors": [{"round": rnd["number"], "cards": rnd["floor"]} for rnd in rounds],
        "plays": [{"turn": turn, "seat": play["seat"], "card": play["card"]} for turn, play in enumerate(plays)],
    }  # fmt: skip


def found(transcript: Json, told: Json) -> str:
    """What the check refuses."""
    with pytest.raises(TranscriptError) as refused:
        bear_witness(transcript, told)
    return str(refused.value)


@pytest.mark.parametrize("seats", [2, 4])
def test_the_same_seeds_give_the_same_cards_in_both_schemes_and_by_the_referee(seats: int) -> None:
    seeds = ["ab", "", "0c", "f" * 64][:seats]
    committed = [client_commitment(seed) if seed else "" for seed in seeds]
    old, new = dealt(seeds, None), dealt(seeds, committed)
    for transcript in (old, new):
        verify(transcript)
        assert is_fair(transcript)
    assert new["fairness"]["scheme"] == "basra-deal/2"
    assert list(new["fairness"]) == ["scheme", "commitment", "server_seed", "client_commitments", "client_seeds"]
    assert {**old, "fairness": None} == {**new, "fairness": None}


def test_the_referee_deals_as_the_shared_vectors_say() -> None:
    vectors = json.loads((Path(__file__).parents[1] / "data" / "deals.json").read_text())
    for vector in vectors:
        words = Words(vector["server_seed"], vector["client_seeds"], 1)
        told = deal(words, vector["dealer"], len(vector["client_seeds"]))
        assert told == {name: vector[name] for name in told}


def test_who_opens_another_seed_than_they_committed_to_is_not_dealt_to() -> None:
    for seeds, commitments in (
        (["ab", ""], ["", ""]),
        (["ab", ""], [client_commitment("ac"), ""]),
        (["", ""], ["", "ab"]),
        (["", ""], [""]),
    ):
        with pytest.raises(EngineError):
            begin(client_seeds=seeds, client_commitments=commitments)
    with pytest.raises(EngineError):
        begin(client_commitments=["", ""], seeded=True)


def test_a_match_that_was_stored_before_there_were_commitments_goes_on_as_it_was() -> None:
    match, _ = begin(client_seeds=["ab", ""])
    stored = match.to_json()
    del stored["client_commitments"]
    assert match_from_json(stored) == match
    assert fairness_of(match)["scheme"] == "basra-deal/1"
    committed, _ = begin(client_seeds=SEEDS, client_commitments=COMMITMENTS)
    assert match_from_json(json.loads(json.dumps(committed.to_json()))) == committed


BENT: dict[str, tuple[Callable[[Json], Any], str]] = {
    "a seed that does not fit": (lambda fair: fair["client_seeds"].__setitem__(0, "0c"), "client_seeds[0]"),
    "a seed beside nothing": (lambda fair: fair["client_commitments"].__setitem__(1, ""), "client_seeds[1]"),
    "no commitment": (lambda fair: fair["client_commitments"].__setitem__(1, "ab"), "client_commitments[1]"),
    "too few": (lambda fair: fair["client_commitments"].pop(), "fairness"),
    "none at all": (lambda fair: fair.pop("client_commitments"), "client_commitments"),
    "an unknown scheme": (lambda fair: fair.update(scheme="basra-deal/3"), "scheme"),
}  # fmt: skip


@pytest.mark.parametrize("what", BENT)
def test_seeds_and_commitments_that_do_not_agree_are_found(what: str) -> None:
    transcript = dealt()
    change, place = BENT[what]
    change(transcript["fairness"])
    with pytest.raises(TranscriptError, match="fairness") as refused:
        verify(transcript)
    assert place in str(refused.value)


def test_a_replay_leaves_seeds_and_commitments_to_verify() -> None:
    transcript = dealt()
    transcript["fairness"]["client_seeds"][0] = "0c"
    assert replay(transcript).turn == 10


def test_an_honest_deal_is_one_to_whoever_sat_there() -> None:
    transcript = dealt()
    for seat in (0, 1):
        for opened in ("accepted", "sent", "late"):
            told = notes(noted(transcript, seat, opened=opened))
            assert "nothing was arranged" in bear_witness(transcript, told)
    before = noted(transcript, match="the-one-before", client_seed="0d", client_commitments=None, opened=None)
    after = {**before, "match": None}
    assert "nothing was arranged" in bear_witness(transcript, notes(before, noted(transcript), after))


def test_who_was_away_is_told_so_and_nothing_is_said_to_be_proved() -> None:
    transcript = dealt(["", SEEDS[1]])
    mine = noted(transcript, opened=None)
    for told in (mine, {**mine, "opened": "late"}, {**mine, "opened": "sent"}, {**mine, "client_commitments": None}):
        words = bear_witness(transcript, notes(told))
        assert "you were away when the cards were dealt: your part is not in it, that of Adel is" in words
        assert "arranged" not in words
    nobody = dealt(["", ""])
    assert "nor is anybody else's" in bear_witness(nobody, notes(mine))


def test_what_another_device_gave_proves_nothing_to_this_one() -> None:
    transcript = dealt(["", SEEDS[1]], [client_commitment("0e"), COMMITMENTS[1]])
    mine = noted(transcript, opened=None, client_commitments=None)
    assert "another part than yours" in bear_witness(transcript, notes(mine))


def test_what_was_arranged_is_said_in_plain_words() -> None:
    fair = dealt()
    redrawn = dealt(seed="redrawn")
    assert "drawn anew" in found(redrawn, notes(noted(fair)))
    puppet = dealt([SEEDS[0], "0c"], [COMMITMENTS[0], client_commitment("0c")])
    assert "seat 1 (Adel)" in found(puppet, notes(noted(puppet)))
    dropped = dealt(["", SEEDS[1]])
    assert "dropped" in found(dropped, notes(noted(dropped)))
    assert "refused" in found(dropped, notes(noted(dropped, opened="refused")))
    old = dealt(commitments=None)
    assert "dealt by basra-deal/1" in found(old, notes(noted(old)))
    seeded = dealt(["", ""], None, seeded=True)
    assert "seeded" in found(seeded, notes(noted(seeded)))
    ignored = dealt(["", ""], ["", ""])
    assert "as if nobody had" in found(ignored, notes(noted(ignored, opened=None, client_commitments=None)))
    known = notes(noted(fair, opened=None))
    assert "never opened" in found(fair, known)


def test_a_second_dealing_is_found() -> None:
    fair = dealt()
    first = noted(fair, commitment="0" * 64, client_seed="0d", client_commitments=[client_commitment("0d"), ""])
    assert "dealt again" in found(fair, notes({**first, "match": None}, noted(fair)))
    assert "nothing was arranged" in bear_witness(fair, notes({**first, "match": "another"}, noted(fair)))
    assert "more than once" in found(fair, notes(first, noted(fair)))
    assert "no dealing" in found(fair, notes({**first, "match": None}))
    twice = noted(fair, match=None)
    assert "same seed" in found(fair, notes(noted(fair), twice))


def test_a_match_that_was_made_up_afterwards_is_found_though_it_fits_every_seed() -> None:
    fair = dealt()
    seen = table(fair)
    assert "nothing was arranged" in bear_witness(fair, notes(noted(fair), table=seen))
    away = {**seen, "hands": [], "plays": seen["plays"][:3]}
    assert "nothing was arranged" in bear_witness(fair, notes(noted(fair), table=away))
    first, floor, play = seen["hands"][0], seen["floors"][0], seen["plays"][-1]
    other = [card for card in ("2C", "3C", "4C", "5C", "6C", "8C", "9C", "TC") if card not in first["cards"]][:4]
    for part, what in (
        ({"rules": {**seen["rules"], "target": 10}}, "the rule 'target'"),
        ({"hands": [{**first, "cards": other}]}, "your hand in round 1, deal 1"),
        ({"hands": [{**first, "deal": 7}]}, "your hand in round 1, deal 7"),
        ({"floors": [{**floor, "cards": other}]}, "the floor of round 1"),
        ({"floors": [{**floor, "round": 9}]}, "the floor of round 9"),
        ({"plays": [{**play, "seat": 1 - play["seat"]}]}, "the play of turn 9"),
        ({"plays": [{**play, "turn": 10}]}, "the play of turn 10"),
        ({"seat": 1, "plays": []}, "your hand"),
    ):
        said = found(fair, notes(noted(fair), table={**seen, **part}))
        assert what in said
        assert "not the match that was played" in said


UNREADABLE: list[tuple[Json, str]] = [
    ({"format": "basra-notes/2"}, "notes.format"),
    ({"scheme": "basra-deal/1"}, "notes.scheme"),
    ({"match": None}, "notes.match"),
    ({"dealings": None}, "notes.dealings"),
    ({"table": {"seat": "0"}}, "notes.table.seat"),
    ({"table": {"seat": 0, "rules": 7}}, "notes.table.rules"),
    ({"table": {"seat": 0, "rules": {}, "hands": {}}}, "notes.table.hands"),
    (
        {"table": {"seat": 0, "rules": {}, "hands": [], "floors": [], "plays": [{"turn": "1"}]}},
        "notes.table.plays[0].turn",
    ),
]
WRONG: list[tuple[Json, str]] = [
    ({"client_seed": ""}, "client_seed"),
    ({"client_seed": "0A"}, "client_seed"),
    ({"client_seed": "0c"}, "client_commitments[0]"),
    ({"opened": "yes"}, "opened"),
    ({"seat": None}, "seat"),
    ({"seat": 2}, "seat"),
    ({"client_commitments": None}, "client_commitments"),
    ({"client_commitments": [COMMITMENTS[0], "x"]}, "client_commitments[1]"),
    ({"commitment": None}, "commitment"),
    ({"match": 7}, "match"),
]


def test_notes_that_cannot_be_read_prove_nothing() -> None:
    fair = dealt()
    for change, place in UNREADABLE:
        assert found(fair, notes(noted(fair), **change)).startswith(place)
    for change, place in WRONG:
        assert found(fair, notes(noted(fair, **change))).startswith(f"notes.dealings[0].{place}")
    for told in (None, [], 7):
        assert found(fair, told).startswith("notes")  # type: ignore[arg-type]


def test_the_command_line_holds_a_transcript_against_notes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fair, bent = dealt(), dealt()
    bent["fairness"].update(commitment=commitment("ab" * 32), server_seed="ab" * 32)
    file, book = tmp_path / "match.json", tmp_path / "notes.json"

    def run(transcript: Json, *args: str) -> tuple[int, str]:
        file.write_text(json.dumps(transcript))
        return main(["verify", str(file), *args]), capsys.readouterr().out

    book.write_text(json.dumps(notes(noted(fair))))
    status, said = run(fair, "--notes", str(book))
    assert (status, said.endswith("nothing was arranged\n")) == (0, True)
    assert run(bent, "--notes", str(book))[0] == 1
    book.write_text(json.dumps(notes(noted(fair, commitment="0" * 64))))
    assert run(fair)[0] == 0
    status, said = run(fair, "--notes", str(book))
    assert (status, "drawn anew" in said, "nothing was arranged" in said) == (1, True, False)
    for content in ("{", "[" * 100_000):
        book.write_text(content)
        assert run(fair, "--notes", str(book))[0] == 1
    assert run(fair, "--notes", str(tmp_path / "missing"))[0] == 1
