"""What holds at every node of play, for every profile and number of seats and every overridable field."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.bots import LEVELS, choose
from engine.capture import captures
from engine.cards import PACK, SWEEPERS, card_value
from engine.match import Match, match_from_json
from engine.rules import PROFILES, Rules
from engine.simulate import Memory
from engine.state import Cut, Play, apply, legal_actions
from engine.transcript import build, replay, verify
from engine.view import view
from tests.engine import referee
from tests.engine.tables import TABLES, VARIANTS, begin, bot_action, finish, name_of, random_action, walk


def check_node(match: Match) -> None:
    """Check all that holds of a single state."""
    rnd = match.round
    lying = [card for place in (*rnd.hands, rnd.floor, rnd.undealt, *rnd.piles) for card in place]
    assert sorted(lying) == sorted(PACK)
    assert match_from_json(json.loads(json.dumps(match.to_json()))) == match
    assert (match.to_act is None) == (match.result is not None) == (match.status == "finished")
    check_actions(match)
    check_views(match)


def check_actions(match: Match) -> None:
    actions = legal_actions(match)
    assert bool(actions) == (match.result is None)
    assert len(set(actions)) == len(actions)
    if match.result is not None:
        return
    if match.round.phase == "cut":
        assert actions == tuple(Cut(match.to_act or 0, at, match.round.number) for at in range(1, 52))
        return
    assert list(actions) == sorted(actions, key=lambda action: (action.card, action.capture))
    assert {action.card for action in actions} == {*match.round.hands[match.to_act or 0]}
    for card in match.round.hands[match.to_act or 0]:
        check_captures(match.rules, match.round.floor, card)


def check_captures(rules: Rules, floor: tuple[str, ...], card: str) -> None:
    """Check that each listed capture is legal, maximal and, but for a union, disjoint."""
    found = captures(rules, floor, card)
    assert len({capture.cards for capture in found}) == len(found)
    for capture in found:
        assert list(capture.cards) == [lying for lying in floor if lying in capture.cards]
        named = [lying for group in capture.groups for lying in group]
        assert {*named} == {*capture.cards}
        left = [lying for lying in floor if lying not in capture.cards]
        if card in SWEEPERS:
            assert not left
            continue
        if rules.allocation != "union":
            assert len(named) == len(capture.cards)
        assert all(lying[0] != card[0] for lying in left)
        value = card_value(card)
        if value:
            numbers = [card_value(lying) for lying in left if card_value(lying)]
            sums = (sum(group) for size in range(2, len(numbers) + 1) for group in combinations(numbers, size))
            assert value not in sums


def check_views(match: Match) -> None:
    """Check that receivers see the same but for their own hand, and nothing in it that is another's."""
    spectator = view(match, None)
    assert spectator["you"] is None
    for seat in range(match.seats):
        seen = view(match, seat)
        own = seen["you"]
        assert {**seen, "you": None} == spectator
        assert own["hand"] == ([] if match.result else list(match.round.hands[seat]))
        assert [play["card"] for play in own["plays"]] == own["hand"]
        json.dumps(seen)


def check_rounds(match: Match) -> None:
    """Check that the points of each round add up."""
    carried = 0
    for sheet in match.sheets:
        won = sum(sheet.majority)
        assert won == (0 if sheet.cards[0] == sheet.cards[1] else match.rules.majority + carried)
        assert sum(sheet.card_points) == match.rules.points_of(*PACK)
        assert sum(sheet.points) == sum(sheet.card_points) + sum(sheet.basras) + won
        assert sum(sheet.cards) == 52
        assert (sheet.leftover_side is None) == (not sheet.leftover)
        carried = sheet.carry
    assert match.scores == tuple(sum(sheet.points[side] for sheet in match.sheets) for side in (0, 1))


@pytest.mark.parametrize(("rules", "seats"), [*TABLES, *VARIANTS], ids=name_of)
def test_random_play(rules: Rules, seats: int) -> None:
    rng = Random(f"{rules}{seats}")
    match, events = begin(rules, seats, seed=f"invariant {name_of(rules)}")
    actions = []
    check_node(match)
    start = match
    for before, action, after, more in walk(match, random_action(rng)):
        check_node(after)
        assert [event["version"] for event in more] == list(range(before.version + 1, after.version + 1))
        actions.append(action)
        events += more
        match = after
    check_rounds(match)
    assert Counter(event["type"] for event in events)["played"] == match.turn == 48 * len(match.sheets)
    again = start
    for action in actions:
        again, _ = apply(again, action)
    assert again == match
    players = [{"seat": seat, "name": "x", "bot": None} for seat in range(seats)]
    transcript = json.loads(json.dumps(build(events, server_seed=match.server_seed, players=players)))
    assert replay(transcript) == verify(transcript) == match


@settings(derandomize=True, deadline=None, max_examples=25)
@given(table=st.sampled_from([*TABLES, *VARIANTS]), seed=st.integers(0, 10**6), data=st.data())
def test_any_line_of_play(table: tuple[Rules, int], seed: int, data: st.DataObject) -> None:
    match, _ = begin(*table, seed=str(seed))
    for _ in range(data.draw(st.integers(1, 30))):
        match, _ = apply(match, data.draw(st.sampled_from(legal_actions(match))))
        check_node(match)


@pytest.mark.parametrize(("rules", "seats"), TABLES, ids=name_of)
def test_hidden_cards_change_neither_a_view_nor_a_bots_choice(rules: Rules, seats: int) -> None:
    """Swap the cards that a seat cannot see; nothing that it is told, or a bot in it does, may change."""
    rng = Random(4)
    match, events = begin(rules, seats, seed="swap")
    memory = Memory()
    memory.add(events)
    for state, _, _, more in walk(match, bot_action("random", rng)):
        seat = state.to_act or 0
        if state.round.phase == "play":
            swapped = swap_hidden(state, seat, rng)
            assert view(swapped, seat) == view(state, seat)
            told = memory.of(seat)
            for level in LEVELS:
                mine, theirs = (choose(level, view(one, seat), told, Random(7)) for one in (state, swapped))
                assert mine == theirs
        memory.add(more)


def swap_hidden(match: Match, seat: int, rng: Random) -> Match:
    """Deal out anew what a seat cannot see: the other hands and the undealt pack."""
    rnd = match.round
    hidden = [card for other, hand in enumerate(rnd.hands) if other != seat for card in hand] + list(rnd.undealt)
    rng.shuffle(hidden)
    hands = [hand if other == seat else tuple(hidden.pop() for _ in hand) for other, hand in enumerate(rnd.hands)]
    return match._replace(round=rnd._replace(hands=tuple(hands), undealt=tuple(hidden)))


def count_lines(match: Match, depth: int) -> Counter[str]:
    """Count the lines of play of a length, and what their last plays did."""
    if depth == 0:
        assert match.last_play is not None
        return Counter(lines=1, captures=bool(match.last_play.captured), basras=bool(match.last_play.basra))
    total: Counter[str] = Counter()
    for action in legal_actions(match):
        total += count_lines(apply(match, action)[0], depth - 1)
    return total


#: Lines of play, those that end in a capture and in a basra, by profile, seats and depth.
LINES = {
    ("classic", 2): [(4, 3, 0), (16, 5, 0), (48, 22, 2), (144, 37, 1), (288, 104, 14), (576, 134, 4)],
    ("classic", 4): [(4, 2, 0), (16, 8, 0), (64, 27, 2), (256, 153, 3), (768, 217, 11), (2304, 506, 39)],
    ("traditional", 2): [(4, 3, 0), (16, 4, 0), (50, 25, 0), (152, 33, 2), (320, 171, 5), (668, 245, 14)],
    ("traditional", 4): [(4, 2, 0), (16, 5, 0), (64, 26, 2), (256, 76, 12), (776, 265, 0), (2336, 607, 117)],
    ("komi", 2): [(4, 3, 0), (16, 5, 0), (48, 22, 3), (144, 37, 1), (288, 104, 14), (576, 134, 4)],
    ("komi", 4): [(4, 2, 0), (16, 8, 0), (64, 27, 2), (256, 153, 3), (768, 217, 13), (2304, 506, 39)],
    ("casual", 2): [(4, 3, 0), (16, 5, 0), (48, 22, 2), (144, 37, 1), (288, 104, 14), (576, 134, 8)],
}


@pytest.mark.parametrize(("profile", "seats"), LINES)
def test_counts_of_lines(profile: str, seats: int) -> None:
    match, _ = begin(PROFILES[profile], seats, seed="lines")
    if match.round.phase == "cut":
        match, _ = apply(match, Cut(match.to_act or 0, 26))
    counted = [count_lines(match, depth) for depth in range(1, len(LINES[profile, seats]) + 1)]
    assert [(one["lines"], one["captures"], one["basras"]) for one in counted] == LINES[profile, seats]
    rnd, rules = match.round, match.rules.to_json()
    hands = [list(hand) for hand in rnd.hands]
    referees = [referee.lines_of(hands, list(rnd.floor), rnd.leader, depth, rules) for depth in range(1, 7)]
    assert referees == LINES[profile, seats]


def test_bots_play_by_the_same_rules() -> None:
    for level in LEVELS:
        for rules, seats in TABLES:
            match, _ = begin(rules, seats, seed=level, bots=[level] * seats)
            end, events = finish(match, bot_action(level, Random(3)))
            check_rounds(end)
            assert {event["by"] for event in events if event["type"] == "played"} == {"bot"}
            assert isinstance(end.turn, int)
            assert all(isinstance(action, Play) for action in legal_actions(match))
