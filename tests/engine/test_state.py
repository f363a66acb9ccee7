"""How a match goes on: starts, turns, refusals, cuts, deals and the ends of rounds and matches."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from engine.cards import PACK
from engine.errors import (
    CardNotInHand,
    EngineError,
    IllegalCapture,
    MatchOver,
    NotYourTurn,
    RulesError,
    StaleTurn,
    WrongPhase,
)
from engine.match import Match, match_from_json
from engine.rules import PROFILES, resolve_rules
from engine.state import Abandon, Action, Cut, Forfeit, Play, apply, legal_actions, start_match
from tests.engine.tables import begin, finish, position, random_action

CLASSIC, TRADITIONAL = PROFILES["classic"], PROFILES["traditional"]


def refuse(match: Match, action: Action, kind: type[EngineError]) -> EngineError:
    """Check that an action is refused, by that error and no other, and changes nothing."""
    before = json.dumps(match.to_json())
    with pytest.raises(EngineError) as refused:
        apply(match, action)
    assert type(refused.value) is kind, refused.value
    assert json.dumps(match.to_json()) == before
    return refused.value


class TestStart:
    def test_the_first_events(self) -> None:
        match, events = begin(seats=4, at="2026-01-02T03:04:05Z", rated=False)
        assert [event["type"] for event in events] == ["match_started", "cut", "dealt"]
        assert [event["version"] for event in events] == [1, 2, 3]
        assert {event["at"] for event in events} == {"2026-01-02T03:04:05Z"}
        started, cut, dealt = events
        assert started["dealer"] == match.round.dealer
        assert started["seats"][3] == {"seat": 3, "side": 1, "bot": None}
        assert started["rules"] == CLASSIC.to_json()
        assert started["fairness"].keys() == {"scheme", "commitment", "client_commitments", "client_seeds"}
        assert cut["seat"] == (match.round.dealer - 1) % 4
        assert cut["by"] == "auto"
        assert dealt["counts"] == [4, 4, 4, 4]
        assert dealt["undealt"] == 32
        assert match.to_act == match.round.leader == (match.round.dealer + 1) % 4
        assert match.version == 3

    def test_the_floor_opens_without_jack_and_komi(self) -> None:
        for number in range(60):
            match, events = begin(seed=f"floor {number}")
            assert len(match.round.floor) == 4
            assert not {"JC", "JD", "JH", "JS", "7D"} & {*match.round.floor}
            for buried in events[-1]["buried"]:
                assert 1 <= buried["at"] <= 43

    @pytest.mark.parametrize(("profile", "seats"), [("classic", 3), ("classic", 1), ("casual", 4), ("komi", 0)])
    def test_seats_that_the_rules_forbid(self, profile: str, seats: int) -> None:
        with pytest.raises(RulesError) as refused:
            begin(PROFILES[profile], seats)
        assert refused.value.field == "seats"

    @pytest.mark.parametrize(
        "changed",
        [
            {"server_seed": "ab"},
            {"client_seeds": ["", "XY"]},
            {"client_seeds": [""]},
            {"bots": [None]},
            {"client_seeds": ["ab", ""], "seeded": True},
        ],
    )
    def test_seeds_that_are_none(self, changed: dict[str, Any]) -> None:
        given = {"server_seed": "0" * 64, "client_seeds": ["", ""], "bots": [None, None], **changed}
        with pytest.raises(EngineError):
            start_match(CLASSIC, 2, **given)


class TestPlays:
    def test_a_capture(self) -> None:
        match = position(hands=[["TH", "3C"], ["KD"]], floor=["4C", "KS", "6D", "TD"], piles=[10, 10], turn=5)
        after, events = apply(match, Play(0, "TH", turn=5), at="2026-01-02T03:04:05Z")
        assert events == (
            {
                "version": match.version + 1,
                "type": "played",
                "at": "2026-01-02T03:04:05Z",
                "turn": 5,
                "seat": 0,
                "card": "TH",
                "captured": ["4C", "6D", "TD"],
                "groups": [["TD"], ["4C", "6D"]],
                "basra": 0,
                "by": "player",
            },
        )
        assert after.round.floor == ("KS",)
        assert after.round.hands[0] == ("3C",)
        assert after.round.piles[0][-4:] == ("TH", "4C", "6D", "TD")
        assert (after.turn, after.to_act, after.round.last_capture) == (6, 1, 0)

    def test_a_card_that_takes_nothing_lies_at_the_end(self) -> None:
        match = position(hands=[["TH", "3C"], ["KD"]], floor=["4C", "KS"], last_capture=1)
        after, events = apply(match, Play(0, "3C"))
        assert after.round.floor == ("4C", "KS", "3C")
        assert events[0]["captured"] == events[0]["groups"] == []
        assert after.round.last_capture == 1

    def test_a_basra_is_shown_by_its_card(self) -> None:
        match = position(hands=[["TH", "3C"], ["KD"], ["2C"], ["2D"]], floor=["4C", "6D"], to_act=0)
        after, events = apply(match, Play(0, "TH"))
        assert events[0]["basra"] == 10
        assert after.round.basras == ((("TH", 10),), ())

    def test_a_lone_jack_or_komi_lies_down(self) -> None:
        for card in ("JC", "7D"):
            after, _ = apply(position(hands=[[card], ["KD"]]), Play(0, card))
            assert after.round.floor == (card,)

    def test_the_choice_of_an_allocation(self) -> None:
        match = position(rules=TRADITIONAL, hands=[["5D", "KC"], ["KD"]], floor=["2H", "2S", "3S"])
        assert [action.capture for action in legal_actions(match)] == [("2H", "3S"), ("2S", "3S"), ()]
        best, _ = apply(match, Play(0, "5D"))
        assert best.round.floor == ("2S",)
        other, _ = apply(match, Play(0, "5D", ("3S", "2S")))
        assert other.round.floor == ("2H",)
        error = refuse(match, Play(0, "5D", ("2H", "2S", "3S")), IllegalCapture)
        assert isinstance(error, IllegalCapture)
        assert error.legal == [["2H", "3S"], ["2S", "3S"]]

    def test_the_order_of_refusals(self) -> None:
        match = position(hands=[["5D"], ["KD"]], floor=["2H", "3S"], turn=7)
        wrong = Play(1, "AC", ("2H",), turn=6)
        refuse(match._replace(result=finish_early(match).result), wrong, MatchOver)
        refuse(match, wrong, StaleTurn)
        waiting = match._replace(round=match.round._replace(phase="cut"))
        refuse(waiting, wrong._replace(turn=7), WrongPhase)
        refuse(waiting, wrong._replace(turn=None), WrongPhase)
        refuse(match, wrong._replace(turn=7), NotYourTurn)
        refuse(match, wrong._replace(turn=7, seat=0), CardNotInHand)
        refuse(match, Play(0, "5D", ("2H",), 7), IllegalCapture)
        refuse(match, Play(0, "5D", (), 7), IllegalCapture)
        refuse(match, Play(0, "5D", ("2H", "3S"), 8), StaleTurn)
        after, _ = apply(match, Play(0, "5D", ("3S", "2H"), 7))
        assert after.round.floor == ()

    def test_the_codes_are_the_contracts(self) -> None:
        kinds = (MatchOver, StaleTurn, WrongPhase, NotYourTurn, CardNotInHand, IllegalCapture, EngineError)
        assert [kind.code for kind in kinds] == [
            "match.over",
            "match.stale_turn",
            "match.wrong_phase",
            "match.not_your_turn",
            "match.card_not_in_hand",
            "match.illegal_capture",
            "request.invalid",
        ]

    def test_who_may_play_for_whom(self) -> None:
        two = position(hands=[["5D"], ["KD"]])
        refuse(two, Play(0, "5D", by="clock"), EngineError)
        refuse(two, Play(0, "5D", by="bot"), EngineError)
        four = position(hands=[["5D"], ["KD"], ["2C"], ["2D"]], bots=[None, "easy", None, None])
        refuse(four, Play(0, "5D", by="bot"), EngineError)
        after, _ = apply(four, Play(0, "5D", by="clock"))
        refuse(after, Play(1, "KD"), EngineError)
        refuse(after, Play(1, "KD", by="clock"), EngineError)
        apply(after, Play(1, "KD", by="bot"))


def finish_early(match: Match) -> Match:
    return apply(match, Forfeit(0))[0]


class TestCuts:
    def test_the_neighbour_is_waited_for(self) -> None:
        match, events = begin(TRADITIONAL, 4)
        assert [event["type"] for event in events] == ["match_started"]
        assert match.round.phase == "cut"
        assert match.round.deal == 0
        assert match.to_act == (match.round.dealer - 1) % 4
        assert sorted(match.round.undealt) == sorted(PACK)
        assert legal_actions(match) == tuple(Cut(match.to_act, at, 1) for at in range(1, 52))

    def test_a_cut_puts_the_top_below(self) -> None:
        match, _ = begin(TRADITIONAL)
        pack = match.round.undealt
        after, events = apply(match, Cut(match.to_act or 0, 20, 1))
        assert [event["type"] for event in events] == ["cut", "dealt"]
        assert (events[0]["cut"], events[0]["by"], events[0]["seat"]) == (20, "player", match.to_act)
        assert after.round.hands[after.round.leader] == pack[20:24]
        assert after.round.phase == "play"
        assert after.to_act == after.round.leader

    def test_the_clock_cuts_where_it_was_drawn(self) -> None:
        match, _ = begin(TRADITIONAL, seed="late")
        late, events = apply(match, Cut(match.to_act or 0, None, by="clock"))
        automatic, drawn = begin(CLASSIC, seed="late")
        assert events[0]["by"] == "clock"
        assert events[0]["cut"] == drawn[1]["cut"]
        assert late.round.hands == automatic.round.hands

    def test_a_bot_cuts_automatically_at_once(self) -> None:
        for bots in (["easy", None], [None, "easy"]):
            match, events = begin(TRADITIONAL, bots=bots)
            cutter = (match.round.dealer - 1) % 2
            assert len(events) == (3 if bots[cutter] else 1)
            assert all(event["by"] == "auto" for event in events if event["type"] == "cut")

    def test_refusals(self) -> None:
        match, _ = begin(TRADITIONAL)
        seat = match.to_act or 0
        for at in (0, 52, -1, True, 26.0, "26"):
            refuse(match, Cut(seat, at), EngineError)  # type: ignore[arg-type]
        refuse(match, Cut(seat, None), EngineError)
        refuse(match, Cut(seat, 26, by="clock"), EngineError)
        refuse(match, Cut(seat, None, by="auto"), EngineError)
        refuse(match, Cut(1 - seat, 26, 2), StaleTurn)
        refuse(match, Cut(1 - seat, 26, 1), NotYourTurn)
        after, _ = apply(match, Cut(seat, 26, 1))
        refuse(after, Cut(seat, 26, 2), StaleTurn)
        refuse(after, Cut(seat, 26, 1), WrongPhase)


def last_play(scores: tuple[int, int], first: int, **settings: Any) -> tuple[Match, tuple[dict[str, Any], ...]]:
    """Play the last card of a round, a king that takes nothing, with so many cards in the first side's pile."""
    match = position(
        hands=[[], ["KD"]],
        floor=["2H", "3S"],
        piles=[first],
        to_act=1,
        dealer=1,
        scores=scores,
        **settings,
    )
    return apply(match, Play(1, "KD"))


class TestEnds:
    def test_the_next_deal(self) -> None:
        match = position(hands=[[], ["KD"]], floor=["2H"], undealt=PACK[:8], to_act=1, dealer=1)
        after, events = apply(match, Play(1, "KD"))
        assert [event["type"] for event in events] == ["played", "dealt"]
        assert events[1].keys() == {"version", "type", "at", "round", "deal", "counts", "hands", "undealt"}
        assert after.round.hands == (PACK[:4], PACK[4:8])
        assert after.round.deal == 2
        assert after.to_act == 0

    def test_the_next_round(self) -> None:
        after, events = last_play((10, 20), 25)
        assert [event["type"] for event in events] == ["played", "round_scored", "cut", "dealt"]
        assert [event["version"] for event in events] == list(range(after.version - 3, after.version + 1))
        assert after.sheets[0].leftover == ("2H", "3S", "KD")
        assert after.sheets[0].leftover_side == 0
        assert after.sheets[0].cards == (28, 24)
        assert after.scores == tuple(a + b for a, b in zip((10, 20), after.sheets[0].points, strict=True))
        assert events[1]["scores"] == list(after.scores)
        assert (after.round.number, after.round.dealer, after.round.leader) == (2, 0, 1)
        assert after.round.piles == ((), ())
        assert after.last_play is not None
        assert after.last_play.card == "KD"

    def test_a_cleared_floor_is_no_leftover(self) -> None:
        match = position(hands=[[], ["5D"]], floor=["2H", "3S"], to_act=1, dealer=1)
        after, events = apply(match, Play(1, "5D"))
        assert events[0]["basra"] == 10
        assert after.sheets[0].leftover == ()
        assert after.sheets[0].leftover_side is None
        assert after.sheets[0].basras == (0, 10)

    def test_the_leftover_is_never_a_basra(self) -> None:
        after, _ = last_play((0, 0), 25)
        assert after.sheets[0].basras == (0, 0)

    def test_a_tied_majority_is_carried_until_it_is_won(self) -> None:
        after, _ = last_play((0, 0), 23, carried=30)
        assert after.sheets[0].cards == (26, 26)
        assert after.sheets[0].carry == after.carried == 60
        assert after.majority == 90
        won, _ = last_play((0, 0), 24, carried=30)
        assert won.sheets[0].majority == (60, 0)
        assert won.carried == 0

    def test_a_carry_that_is_open_at_the_end_is_lost(self) -> None:
        after, events = last_play((120, 0), 23)
        assert events[-1]["type"] == "match_finished"
        assert after.sheets[0].carry == 30
        assert after.result is not None
        assert after.result.winner == 0

    def test_the_target_wins_for_whoever_has_more(self) -> None:
        first, _ = last_play((200, 130), 25)
        assert first.result is not None
        assert (first.result.winner, first.result.reason, first.result.seat) == (0, "target", None)
        second, _ = last_play((100, 300), 25)
        assert second.result is not None
        assert second.result.winner == 1
        assert second.to_act is None
        assert legal_actions(second) == ()
        assert sum(map(len, second.round.piles)) == 52
        assert second.round.floor == ()

    def test_below_the_target_goes_on_and_at_it_wins(self) -> None:
        points = last_play((0, 0), 25)[0].sheets[0].points
        below, _ = last_play((120 - points[0], 0), 25)
        assert below.result is None
        at, _ = last_play((121 - points[0], 0), 25)
        assert at.result is not None

    def test_level_at_the_target_goes_on(self) -> None:
        points = last_play((0, 0), 25)[0].sheets[0].points
        level, _ = last_play((150 - points[0], 150 - points[1]), 25)
        assert level.scores == (150, 150)
        assert level.result is None
        assert level.round.number == 2

    def test_one_round(self) -> None:
        rules = resolve_rules("classic", target=None)
        points = last_play((0, 0), 25)[0].sheets[0].points
        won, _ = last_play((0, 0), 25, rules=rules)
        assert won.result is not None
        assert (won.result.winner, won.result.reason) == (0, "round")
        drawn, _ = last_play((points[1], points[0]), 25, rules=rules)
        assert drawn.result is not None
        assert (drawn.result.winner, drawn.result.reason) == (None, "round")
        tied, _ = last_play((0, 0), 23, rules=rules)
        assert tied.sheets[0].carry == 30  # shown, and lost

    def test_the_next_cut_is_waited_for(self) -> None:
        after, events = last_play((0, 0), 25, rules=TRADITIONAL)
        assert [event["type"] for event in events] == ["played", "round_scored"]
        assert after.round.phase == "cut"
        assert after.round.number == 2
        assert after.to_act == 1


class TestLeaving:
    def test_a_forfeit_loses_for_the_side(self) -> None:
        match, _ = begin(seats=4)
        for seat in range(4):
            after, events = apply(match, Forfeit(seat))
            assert events[0]["result"] == {
                "winner": 1 - seat % 2,
                "reason": "forfeit",
                "seat": seat,
                "scores": [0, 0],
            }
            refuse(after, Forfeit(seat), MatchOver)
            refuse(after, Abandon(), MatchOver)

    def test_a_forfeit_while_the_cut_is_due(self) -> None:
        match, _ = begin(TRADITIONAL)
        after, _ = apply(match, Forfeit(match.round.dealer))
        assert after.status == "finished"
        assert after.round.phase == "cut"

    def test_a_time_out_is_only_for_the_slow_turn_of_two(self) -> None:
        match, _ = begin()
        seat = match.to_act or 0
        after, _ = apply(match, Forfeit(seat, "timeout"))
        assert after.result is not None
        assert (after.result.winner, after.result.reason, after.result.seat) == (1 - seat, "timeout", seat)
        refuse(match, Forfeit(1 - seat, "timeout"), NotYourTurn)
        refuse(match, Forfeit(seat, "boredom"), EngineError)
        refuse(match, Forfeit(2), EngineError)
        four, _ = begin(seats=4)
        refuse(four, Forfeit(four.to_act or 0, "timeout"), EngineError)
        cut, _ = begin(TRADITIONAL)
        refuse(cut, Forfeit(cut.to_act or 0, "timeout"), WrongPhase)

    def test_a_bot_never_forfeits(self) -> None:
        match, _ = begin(bots=["easy", None])
        refuse(match, Forfeit(0), EngineError)
        refuse(match, Forfeit(0, "timeout"), EngineError)


class TestUnattended:
    def play_deal(self, match: Match, people: dict[int, str]) -> Match:
        """Play one whole deal; `people` says by whom each seat is played, by default by the clock."""
        deal, number = match.round.deal, match.round.number
        while (match.round.deal, match.round.number) == (deal, number):
            seat = match.to_act
            assert seat is not None
            by = "bot" if match.bots[seat] else people.get(seat, "clock")
            match, _ = apply(match, Play(seat, match.round.hands[seat][0], by=by))
        return match

    def test_whole_deals_by_the_clock_are_counted(self) -> None:
        match, _ = begin(seats=4, bots=[None, "easy", None, None])
        match = self.play_deal(match, {0: "player"})
        assert match.unattended_deals == 0
        refuse(match, Abandon(), EngineError)
        assert apply(match, Abandon(by="operator"))[0].result is not None
        match = self.play_deal(match, {})
        assert match.unattended_deals == 1
        match = self.play_deal(match, {})
        assert match.unattended_deals == 2
        over, events = apply(match, Abandon())
        assert events[0]["result"] == {
            "winner": None,
            "reason": "abandoned",
            "seat": None,
            "scores": list(match.scores),
        }
        assert over.status == "finished"

    def test_one_play_of_a_person_ends_the_count(self) -> None:
        match, _ = begin(seats=4)
        match = self.play_deal(match, {})
        assert match.unattended_deals == 1
        seat = match.to_act or 0
        match, _ = apply(match, Play(seat, match.round.hands[seat][0]))
        assert match.unattended_deals == 0
        match = self.play_deal(match, {})
        assert match.unattended_deals == 0
        match = self.play_deal(match, {})
        assert match.unattended_deals == 1

    def test_bots_alone_are_never_unattended(self) -> None:
        match, _ = begin(seats=4, bots=["easy"] * 4)
        for _ in range(4):
            match = self.play_deal(match, {})
        assert match.unattended_deals == 0


def test_states_are_immutable_and_read_back() -> None:
    match, _ = begin(TRADITIONAL, 4, seed="json")
    end, _ = finish(match, random_action(Random(1)))
    for state in (match, end):
        assert match_from_json(json.loads(json.dumps(state.to_json()))) == state
        with pytest.raises(AttributeError):
            state.turn = 0  # type: ignore[misc]
        hash(state)
