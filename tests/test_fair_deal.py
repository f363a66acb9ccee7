"""The browser's own check of the fair deal: right deals pass, and whatever is changed in a transcript is found."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from engine.actions import Cut, Forfeit, Play
from engine.rules import PROFILES
from engine.shuffle import FairChance
from engine.simulate import play_match
from engine.state import apply, start_match
from engine.transcript import build
from engine.view import view
from tests.test_js import answer

Transcript = dict[str, Any]
DEALS = json.loads((Path(__file__).parent / "data" / "deals.json").read_text())
# Browsers lend their cryptography to pages of this very machine; nothing listens there, the test answers.
SECURE = "http://localhost/"
INSECURE = "http://basra.test/"
VERIFY = """async ([transcript, known]) => {
    const { verify } = await import('/static/js/fair.js');
    return verify(transcript, known);
}"""
DEAL = """async ({ server_seed, client_seeds, dealer }) => {
    const { Chance, commitmentOf } = await import('/static/js/fair.js');
    const chance = await Chance.of(server_seed, client_seeds);
    const deal = await chance.deal(1, dealer);
    return { ...deal, commitment: await commitmentOf(server_seed), dealer: await chance.firstDealer() };
}"""
STEPS = {"scheme", "commitment", "dealer", "shuffle", "cut", "hands", "floor", "buried", "plays"}


@pytest.fixture(scope="module")
def bench(browser: Browser) -> Iterator[Page]:
    page = browser.new_page()
    page.route("**/*", answer)
    page.goto(SECURE)
    yield page
    page.close()


def failed(page: Page, transcript: Transcript, **known: Any) -> set[str]:
    """Give the steps that did not hold."""
    return {one["step"] for one in page.evaluate(VERIFY, [transcript, known]) if not one["ok"]}


@pytest.mark.parametrize("vector", DEALS, ids=lambda vector: vector["id"])
def test_a_deal_is_done_again_as_it_was(bench: Page, vector: dict[str, Any]) -> None:
    deal = bench.evaluate(DEAL, vector)
    due = {name: vector[name] for name in ("dealer", "commitment", "shuffled", "cut", "floor", "buried", "undealt")}
    assert {name: deal[name] for name in due} == due
    assert deal["hands"][0] == vector["hands"]


def simulated(profile: str, seats: int, number: int = 1) -> Transcript:
    match, events = play_match(PROFILES[profile], seats, ["easy", "random"], "fair", number, Random(seats))
    players = [{"seat": seat, "name": "Bot", "bot": bot} for seat, bot in enumerate(match.bots)]
    return build(events, server_seed=match.server_seed, players=players)


def cut_by_hand(turns: int) -> Transcript:
    """Give the transcript of a match of two people who cut themselves, left after some turns."""
    seeds = ["0123456789abcdef", "fe"]
    match, made = start_match(
        PROFILES["traditional"], 2, server_seed="5a" * 32, client_seeds=seeds, bots=[None, None], rated=True
    )
    events = list(made)
    while match.turn < turns:
        assert match.to_act is not None
        if match.round.phase == "cut":
            match, more = apply(match, Cut(match.to_act, 40, match.round.number, "player"))
        else:
            card = view(match, match.to_act)["you"]["hand"][0]
            match, more = apply(match, Play(match.to_act, card, None, match.turn, "player"))
        events += more
    match, more = apply(match, Forfeit(0, "forfeit"))
    players = [{"seat": seat, "name": "Somebody", "bot": None} for seat in range(2)]
    return build([*events, *more], server_seed=match.server_seed, players=players)


@pytest.mark.parametrize(("profile", "seats"), [("classic", 2), ("komi", 4), ("casual", 2)])
def test_a_match_of_bots_was_dealt_fairly(bench: Page, profile: str, seats: int) -> None:
    found = bench.evaluate(VERIFY, [simulated(profile, seats), {}])
    assert [one for one in found if not one["ok"]] == []
    assert {one["step"] for one in found} == STEPS


@pytest.mark.parametrize("turns", [0, 5, 9, 50])
def test_a_match_that_was_cut_by_hand_and_left_was_dealt_fairly(bench: Page, turns: int) -> None:
    assert failed(bench, cut_by_hand(turns)) == set()


def swap(cards: list[Any], one: int = 0, other: int = 1) -> None:
    cards[one], cards[other] = cards[other], cards[one]


def first_buried(transcript: Transcript) -> dict[str, Any]:
    found: dict[str, Any] = next(rnd for rnd in transcript["rounds"] if rnd["buried"])
    return found


def other_hex(text: str) -> str:
    return ("0" if text[0] != "0" else "1") + text[1:]


def change_seed(transcript: Transcript) -> None:
    """Another server seed, with the commitment that belongs to it: only what was shown before gives it away."""
    transcript["fairness"].update(server_seed="00" * 32, commitment="6" * 64)


def choose_cut(transcript: Transcript) -> None:
    """Deal the first round by a cut that the service chose, as if the rules let a player do so."""
    first, fairness = transcript["rounds"][0], transcript["fairness"]
    chosen = first["cut"] % 51 + 1
    deal = FairChance(fairness["server_seed"], tuple(fairness["client_seeds"])).deal(1, first["dealer"], chosen)
    hands = [[list(hand) for hand in deal.hands]]
    buried = [{"card": card, "at": at} for card, at in deal.buried]
    first.update(cut=chosen, cut_by="player", hands=hands, floor=list(deal.floor), buried=buried, plays=[], scores=None)
    del transcript["rounds"][1:]


TAMPERED: dict[str, tuple[Callable[[Transcript], Any], str]] = {
    "scheme": (lambda t: t["fairness"].update(scheme="basra-deal/3"), "scheme"),
    "a scheme in which all are committed": (lambda t: t["fairness"].update(scheme="basra-deal/2"), "opened"),
    "commitment": (lambda t: t["fairness"].update(commitment=other_hex(t["fairness"]["commitment"])), "commitment"),
    "server seed": (lambda t: t["fairness"].update(server_seed=other_hex(t["fairness"]["server_seed"])), "commitment"),
    "client seed": (lambda t: t["fairness"]["client_seeds"].__setitem__(1, "aa"), "shuffle"),
    "a client seed that is none": (lambda t: t["fairness"]["client_seeds"].__setitem__(1, "x,"), "scheme"),
    "seed and commitment": (change_seed, "shuffle"),
    "dealer": (lambda t: t["rounds"][0].update(dealer=1 - t["rounds"][0]["dealer"]), "dealer"),
    "leader": (lambda t: t["rounds"][1].update(leader=t["rounds"][1]["dealer"]), "dealer"),
    "the order of rounds": (lambda t: swap(t["rounds"]), "dealer"),
    "pack": (lambda t: swap(t["rounds"][1]["shuffled"]), "shuffle"),
    "cut": (lambda t: t["rounds"][0].update(cut=t["rounds"][0]["cut"] % 51 + 1), "cut"),
    "a cut said to be a player's": (lambda t: t["rounds"][0].update(cut=60, cut_by="player"), "cut"),
    "a cut that nobody may choose": (choose_cut, "cut"),
    "who cut": (lambda t: t["rounds"][0].update(cut_by="clock"), "cut"),
    "hands of the first deal": (lambda t: swap(t["rounds"][0]["hands"][0]), "hands"),
    "a card of the fourth deal": (lambda t: swap(t["rounds"][0]["hands"][3][0]), "hands"),
    "floor": (lambda t: swap(t["rounds"][0]["floor"]), "floor"),
    "burial": (lambda t: first_buried(t)["buried"][0].update(at=first_buried(t)["buried"][0]["at"] % 40 + 1), "buried"),
    "a burial that is hidden": (lambda t: first_buried(t)["buried"].clear(), "buried"),
    "who played": (lambda t: t["rounds"][0]["plays"][0].update(seat=1 - t["rounds"][0]["plays"][0]["seat"]), "plays"),
    "a card played twice": (
        lambda t: t["rounds"][0]["plays"][2].update(card=t["rounds"][0]["plays"][0]["card"]), "plays",
    ),
    "no rounds": (lambda t: t["rounds"].clear(), "dealer"),
    "no cards at all": (lambda t: t["rounds"][0].update(cut=None, cut_by=None), "hands"),
    "a round that nobody was dealt": (
        lambda t: t["rounds"][0].update(cut=None, cut_by=None, hands=[], floor=[], buried=[], plays=[]), "hands",
    ),
    "nothing to read": (lambda t: t.update(fairness=None), "readable"),
    "a seed that is none": (lambda t: t["fairness"].update(server_seed="seed"), "commitment"),
}  # fmt: skip


@pytest.fixture(scope="module")
def played() -> Transcript:
    """Give a match in which something was buried."""
    found = (simulated("classic", 2, number) for number in range(1, 20))
    return next(one for one in found if any(rnd["buried"] for rnd in one["rounds"]))


@pytest.mark.parametrize("what", TAMPERED)
def test_what_was_changed_is_found(bench: Page, played: Transcript, what: str) -> None:
    change, step = TAMPERED[what]
    tampered = copy.deepcopy(played)
    change(tampered)
    assert tampered != played
    assert step in failed(bench, tampered)


def test_only_a_person_chooses_a_cut_where_the_neighbour_cuts(bench: Page) -> None:
    bots, people = simulated("traditional", 2), cut_by_hand(9)
    assert failed(bench, bots) == failed(bench, people) == set()
    choose_cut(bots)
    assert failed(bench, bots) == {"cut"}
    people["rounds"][0]["cut_by"] = "auto"
    assert "cut" in failed(bench, people)


def committed(transcript: Transcript) -> Transcript:
    """Give the same match as `basra-deal/2` tells it: the same seeds give the same cards."""
    fairness = transcript["fairness"]
    bound = [seed and sha256(seed.encode()).hexdigest() for seed in fairness["client_seeds"]]
    return {**transcript, "fairness": {**fairness, "scheme": "basra-deal/2", "client_commitments": bound}}


def test_seeds_fit_what_was_committed_to(bench: Page) -> None:
    right = committed(cut_by_hand(9))
    assert failed(bench, right) == set()
    none_for_one = committed(cut_by_hand(9))
    none_for_one["fairness"]["client_commitments"][1] = ""
    assert failed(bench, none_for_one) == {"opened"}
    swapped = committed(cut_by_hand(9))
    swap(swapped["fairness"]["client_commitments"])
    assert failed(bench, swapped) == {"opened"}


def test_a_seed_that_was_not_opened_counts_as_none(bench: Page) -> None:
    bots = committed(simulated("classic", 2))
    bots["fairness"]["client_commitments"][0] = "ab" * 32
    assert failed(bench, bots) == set()


def test_what_this_browser_saw_and_sent_is_held_against_it(bench: Page) -> None:
    transcript = cut_by_hand(9)
    fairness = transcript["fairness"]
    seen = {"commitment": fairness["commitment"], "clientSeeds": fairness["client_seeds"]}
    mine = {"seat": 0, "seeds": ["77", fairness["client_seeds"][0]]}
    assert failed(bench, transcript, seen=seen, mine=mine) == set()
    assert failed(bench, transcript, seen={**seen, "commitment": "0" * 64}) == {"shown"}
    assert failed(bench, transcript, seen={**seen, "clientSeeds": ["", ""]}) == {"shown"}
    assert failed(bench, transcript, mine={"seat": 1, "seeds": ["77"]}) == {"mine"}


def test_a_page_that_came_without_https_says_that_it_cannot(browser: Browser) -> None:
    for address, can in ((SECURE, True), (INSECURE, False)):
        page = browser.new_page()
        page.route("**/*", answer)
        page.goto(address)
        assert page.evaluate("async () => (await import('/static/js/fair_seed.js')).canVerify()") is can
        page.close()
