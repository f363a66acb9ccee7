"""The medium bot: each of its traits on a position made for it, and how well it plays."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from engine.arena import arena
from engine.bots import Choice, choose
from engine.bots.last_deal import best_move, is_known
from engine.bots.sight import look
from engine.cards import Card
from engine.match import Match
from engine.rules import PROFILES, Rules, resolve_rules
from engine.simulate import Memory, play_match
from engine.state import Play, apply, legal_actions
from engine.view import redact, view
from tests.engine.tables import TABLES, begin, bot_action, name_of, position, walk

HIDDEN = ["TC", "5C", "AC", "AD", "5H", "9S", "8S", "KS"]


def gone(*cards: Card) -> list[dict[str, Any]]:
    """Give the events in which cards went by earlier in the round."""
    return [{"type": "played", "turn": 0, "seat": 1, "card": card, "captured": [], "basra": 0} for card in cards]


def chosen(
    hand: Sequence[Card], floor: Sequence[Card], events: Sequence[dict[str, Any]] = (), **settings: Any
) -> tuple[Card, tuple[Card, ...] | None]:
    """Ask the bot in the middle of a round of two seats."""
    match = position(hands=[hand, ["TH", "6C", "8C", "6S"]], floor=floor, undealt=HIDDEN, **settings)
    return choose("medium", view(match, 0), events)


def seen(match: Match) -> list[dict[str, Any]]:
    """Give the events of one who saw every card that was captured."""
    return gone(*match.round.piles[0], *match.round.piles[1])


def test_it_leaves_no_easy_basra() -> None:
    # Either capture leaves a lone card; a lone nine cannot be taken when the other nines are gone.
    assert chosen(["9S", "4H"], ["9D", "4C"], gone("4S", "4D")) == ("9S", ("9D",))
    assert chosen(["9S", "4H"], ["9D", "4C"], gone("9C", "9H")) == ("4H", ("4C",))
    # Nothing can be taken: any ten would clear three and seven, nothing clears a seven and a queen.
    assert chosen(["3S", "QS"], ["7C"]) == ("QS", ())


def test_it_trails_a_rank_whose_other_cards_are_gone() -> None:
    hand, floor = ["KC", "QC"], ["4S", "9D"]
    assert chosen(hand, floor, gone("KD", "KH", "KS")) == ("KC", ())
    assert chosen(hand, floor, gone("QD", "QH", "QS")) == ("QC", ())


@pytest.mark.parametrize("sweeper", ["JC", "7D"])
def test_it_keeps_jack_and_komi_for_a_full_floor(sweeper: Card) -> None:
    hand = [sweeper, "4S", "8H"]
    for thin in ([], ["QD"], ["3D", "KS"]):
        assert chosen(hand, thin)[0] != sweeper
    full = ["3D", "KD", "QD", "QS", "TD", "9D"]
    assert chosen(hand, full) == (sweeper, tuple(full))


def test_the_komi_makes_a_basra_when_it_can() -> None:
    assert chosen(["7D", "KC"], ["3D", "5S"]) == ("7D", ("3D", "5S"))
    assert chosen(["7D", "KC"], ["3D", "9S"]) == ("KC", ())


def test_it_keeps_a_jack_for_a_jack_where_that_is_a_basra() -> None:
    hand, floor = ["JC", "4S"], ["JD"]
    assert chosen(hand, floor, rules=PROFILES["komi"]) == ("JC", ("JD",))
    assert chosen(hand, floor, rules=PROFILES["classic"]) == ("4S", ())


def test_it_chooses_among_captures_by_what_they_leave() -> None:
    hand, floor = ["9S", "KC"], ["AH", "3D", "5C", "2S", "6H", "QC"]
    rules = PROFILES["traditional"]
    undealt = ["TC", "AC", "4D", "8D", "9H", "9C", "8S", "KS"]
    # The captures gain the same. Left are 2 and 6, or 3 and 5: those should lie there whose likes are gone.
    for cards, taken in (
        (("2C", "2D", "2H", "6D"), ("AH", "3D", "5C")),
        (("3C", "3H", "3S", "5D", "5H", "5S"), ("AH", "2S", "6H")),
    ):
        match = position(hands=[hand, ["TH", "6C", "8C", "6S"]], floor=floor, undealt=undealt, rules=rules)
        assert choose("medium", view(match, 0), gone(*cards)) == ("9S", taken)


def test_cards_are_worth_more_the_closer_the_majority_is() -> None:
    hand, floor = ["KC", "8C"], ["KD", "KS", "KH", "8S", "AD"]
    worths = []
    for first in (13, 20, 26, 27):
        match = position(hands=[hand, ["TH", "6C"]], floor=floor, undealt=HIDDEN[:6], piles=[first])
        worths.append(look(view(match, 0), ()).card_worth)
    assert worths[3] == 0 < worths[0]
    even = position(hands=[hand, ["TH", "6C"]], floor=floor, undealt=["TC", "5C", "AC", "QD"], carried=30)
    plain = position(hands=[hand, ["TH", "6C"]], floor=floor, undealt=["TC", "5C", "AC", "QD"])
    assert look(view(even, 0), ()).card_worth == 2 * look(view(plain, 0), ()).card_worth
    assert worths[1] > worths[2]


@pytest.mark.parametrize(
    ("hand", "floor", "others", "gift"),
    [
        (["QH", "AC"], ["KH", "TD", "KC"], ["5C", "8H", "2H"], "AC"),
        (["QH", "TD"], ["4C", "3H", "9D"], ["3D", "4D", "4H"], "TD"),
    ],
)
def test_it_minds_who_captured_last_when_the_pack_is_out(
    hand: list[Card], floor: list[Card], others: list[Card], gift: Card
) -> None:
    """With four seats: what is left on the floor goes to the last captor, so the card with points is laid for him."""
    for last_capture, card in ((0, gift), (1, "QH")):
        match = position(hands=[hand, *([other] for other in others)], floor=floor, last_capture=last_capture)
        assert choose("medium", view(match, 0), seen(match)) == (card, ())


def test_in_the_last_deal_of_two_it_takes_last_rather_than_most() -> None:
    # A king at once takes three cards, but then the eight of the other seat takes last, and with it the ten of
    # diamonds and the rest; the eight first leaves him nothing to take, and the kings wait.
    match = position(hands=[["KC", "8C"], ["8H", "5H"]], floor=["8D", "KD", "KS", "TD", "QD"], last_capture=1)
    sight = look(view(match, 0), seen(match))
    assert is_known(sight)
    assert choose("medium", view(match, 0), seen(match)) == ("8C", ("8D",))


def best_lead(match: Match, side: int) -> int:
    """Play every line to its end; gives the best lead that the side can be sure of."""
    if match.result is not None:
        return match.scores[side] - match.scores[1 - side]
    leads = [best_lead(apply(match, action)[0], side) for action in legal_actions(match)]
    return max(leads) if match.to_act == side else min(leads)


@pytest.mark.parametrize("profile", ["classic", "komi", "casual"])
def test_a_last_deal_that_is_known_is_played_perfectly(profile: str) -> None:
    checked = 0
    for number in range(8):
        match, events = begin(resolve_rules(profile, target=None), 2, f"last {number}", ["easy", "easy"])
        memory = Memory()
        memory.add(events)
        for before, _, after, more in walk(match, bot_action("easy", Random(1))):
            seat = before.to_act or 0
            sight = look(view(before, seat), memory.of(seat))
            assert is_known(sight) == (before.turn >= 40)
            if before.turn >= 43:
                move = best_move(sight)
                best, _ = apply(before, Play(seat, move.card, move.capture, by="bot"))
                assert best_lead(best, seat) == best_lead(before, seat)
                checked += 1
            memory.add(more)
            match = after
    assert checked == 8 * 5


@pytest.mark.parametrize(("rules", "seats"), TABLES, ids=name_of)
def test_it_counts_what_its_seat_saw(rules: Rules, seats: int) -> None:
    """What it takes for unseen is all that is hidden from the seat, and nothing else, in every round."""
    match, events = begin(rules, seats, "count", ["easy"] * seats)
    memory = Memory()
    memory.add(events)
    for before, _, _, more in walk(match, bot_action("easy", Random(1))):
        rnd, seat = before.round, before.to_act or 0
        sight = look(view(before, seat), memory.of(seat))
        others = [card for other, hand in enumerate(rnd.hands) if other != seat for card in hand]
        buried = {card for event in memory.of(seat) for card in event.get("buried", ())} if rnd.deal == 1 else set()
        assert {*sight.unseen} == {*others, *rnd.undealt}
        assert sight.dealt.size == len(others) + len(rnd.undealt) - len(buried)
        assert sum(many for _, many in sight.dealt.kinds) == sight.dealt.size
        assert not buried & {*others}
        # Without memory nothing that is hidden is taken for gone.
        assert {*look(view(before, seat), ()).unseen} >= {*sight.unseen}
        memory.add(more)


def test_events_of_other_rounds_change_nothing() -> None:
    match, events = begin(PROFILES["classic"], 2, "rounds", ["medium", "medium"])
    memory = Memory()
    memory.add(events)
    whole = [*events]
    for before, _, _, more in walk(match, bot_action("easy", Random(1))):
        if before.round.number > 2:
            break
        seat = before.to_act or 0
        shown = [redact(event, seat) for event in whole]
        assert choose("medium", view(before, seat), shown) == choose("medium", view(before, seat), memory.of(seat))
        memory.add(more)
        whole += more


@pytest.mark.parametrize(("rules", "seats"), TABLES, ids=name_of)
def test_its_plays_are_legal_with_and_without_memory(rules: Rules, seats: int) -> None:
    def forget(level: str, seen: dict[str, Any], _: object, rng: Random) -> Choice:
        return choose(level, seen, (), rng)

    for ask in (choose, forget):
        match, _ = play_match(rules, seats, ["medium", "random"], "legal", 1, Random(1), ask)
        assert match.result is not None


def wins(seats: int, matches: int, seed: str, profile: str = "classic") -> float:
    result = arena(PROFILES[profile], seats, matches, seed, ["medium", "easy"])
    won: int = result["wins"][0]
    return won / matches


def test_medium_beats_easy() -> None:
    assert wins(2, 100, "strength") >= 0.7


def test_medium_beats_easy_in_pairs() -> None:
    assert wins(4, 40, "strength") >= 0.6


@pytest.mark.long
def test_medium_beats_easy_over_600_matches() -> None:
    assert wins(2, 600, "strength") >= 0.75


@pytest.mark.long
@pytest.mark.parametrize(("profile", "seats"), [("classic", 4), ("traditional", 2), ("komi", 2), ("casual", 2)])
def test_medium_beats_easy_at_every_table(profile: str, seats: int) -> None:
    assert wins(seats, 200, "strength", profile) >= 0.65
