"""Transcripts: one finished match, complete; to write them, to play them again and to check the deal.

A transcript is checked by doing everything in it again and comparing: what differs is named by its place.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.actions import Abandon, Action, Cut, Forfeit, Play
from engine.cards import PACK, Card
from engine.errors import EngineError, RulesError
from engine.match import CUT, Event, Match
from engine.node import Node
from engine.rules import parse_rules
from engine.shuffle import (
    CUT_MAX,
    CUT_MIN,
    SCHEME_1,
    SCHEME_2,
    Deal,
    FairChance,
    commitment,
    deal_pack,
    is_client_commitment,
    is_client_seed,
    is_opening,
    is_server_seed,
)
from engine.state import apply, start_match

FORMAT = "basra-transcript/1"

#: How a match ends when its last round has been counted; all other reasons end it early.
_PLAYED_OUT = ("target", "round")


def build(events: Sequence[Event], *, server_seed: str, players: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Give the transcript of a finished match from all its full events.

    Errors: ValueError where they are not those of one whole match.
    """
    if not events or events[0]["type"] != "match_started" or events[-1]["type"] != "match_finished":
        raise ValueError("a transcript is made from the events of one whole match")
    client_seeds = events[0]["fairness"]["client_seeds"]
    return _build(events, server_seed, players, FairChance(server_seed, tuple(client_seeds)).pack)


def _build(
    events: Sequence[Event],
    server_seed: str,
    players: Sequence[Mapping[str, Any]],
    pack_of: Callable[[int], Sequence[Card]],
) -> dict[str, Any]:
    started, result = events[0], events[-1]["result"]
    seats = len(started["seats"])
    rounds: list[dict[str, Any]] = []

    def open_round() -> None:
        number = len(rounds) + 1
        rounds.append(_round_before_its_cut(number, (started["dealer"] + len(rounds)) % seats, seats, pack_of(number)))

    for event in events:
        match event["type"]:
            case "cut":
                open_round()
                rounds[-1].update(cut=event["cut"], cut_by=event["by"])
            case "dealt":
                rounds[-1]["hands"].append(event["hands"])
                if event["deal"] == 1:
                    rounds[-1].update(floor=event["floor"], buried=event["buried"])
            case "played":
                rounds[-1]["plays"].append({name: event[name] for name in ("seat", "card", "captured", "basra", "by")})
            case "round_scored":
                rounds[-1]["scores"] = event["sheet"]
    # A match that ended while the cut was due has a round without any event of its own.
    if result["reason"] not in _PLAYED_OUT and (not rounds or rounds[-1]["scores"]):
        open_round()
    return {
        "format": FORMAT,
        "rules": started["rules"],
        "seats": seats,
        "players": [{name: player[name] for name in ("seat", "name", "bot")} for player in players],
        "seeded": started["seeded"],
        "rated": started["rated"],
        "started_at": started["at"],
        "finished_at": events[-1]["at"],
        "fairness": _opened(started["fairness"], server_seed),
        "rounds": rounds,
        "scores": result["scores"],
        "result": {name: result[name] for name in ("winner", "reason", "seat", "scores", "by") if name in result},
    }


def _opened(fairness: Mapping[str, Any], server_seed: str) -> dict[str, Any]:
    """Give a match's fairness with the seed that is shown at its end."""
    committed = {"client_commitments": fairness["client_commitments"]} if fairness["scheme"] == SCHEME_2 else {}
    return {
        "scheme": fairness["scheme"],
        "commitment": fairness["commitment"],
        "server_seed": server_seed,
        **committed,
        "client_seeds": fairness["client_seeds"],
    }


def _round_before_its_cut(number: int, dealer: int, seats: int, pack: Sequence[Card]) -> dict[str, Any]:
    return {
        "number": number,
        "dealer": dealer,
        "leader": (dealer + 1) % seats,
        "shuffled": list(pack),
        "cut": None,
        "cut_by": None,
        "buried": [],
        "hands": [],
        "floor": [],
        "plays": [],
        "scores": None,
    }


def replay(transcript: object) -> Match:
    """Play a transcript again by the rules and give the match at its end; the deals are taken as they stand there.

    Errors: TranscriptError that says where the transcript is unreadable or a rule is broken.
    """
    told = Node("", transcript)
    if told["format"].value != FORMAT:
        raise told["format"].error(f"{FORMAT!r} is the only format known")
    match, events, chance = _start(told)
    at = told["finished_at"].value
    for number, rnd in enumerate(told["rounds"].as_list(), start=1):
        if match.round.phase == CUT and rnd["cut"].value is not None and match.round.number == number:
            by = rnd["cut_by"].as_text()
            cutter = (match.round.dealer - 1) % match.seats
            cut = Cut(cutter, rnd["cut"].as_number() if by == "player" else None, number, by)
            match, events = _go_on(rnd["cut"], match, events, cut, at, chance)
        for play in rnd["plays"].as_list():
            captured = tuple(card.as_text() for card in play["captured"].as_list())
            action = Play(play["seat"].as_number(), play["card"].as_text(), captured, match.turn, play["by"].as_text())
            match, events = _go_on(play, match, events, action, at, chance)
    if match.result is None:
        match, events = _go_on(told["result"], match, events, _early_end(told["result"]), at, chance)
    due = _build(events, match.server_seed, [player.value for player in told["players"].as_list()], chance.pack)
    # The fair deal is another question than the rules, and `verify`'s.
    del due["fairness"]
    told.compare(due)
    return match


def verify(transcript: object) -> Match:
    """Replay a transcript, and check that it was dealt as its seeds say.

    Errors: TranscriptError that says where it is unreadable, breaks a rule or was dealt otherwise.
    """
    match = replay(transcript)
    told = Node("", transcript)
    fair = FairChance(match.server_seed, match.client_seeds)
    told["fairness"]["commitment"].compare(commitment(match.server_seed))
    for seed, committed in zip(
        told["fairness"]["client_seeds"].as_list(), match.client_commitments or (), strict=False
    ):
        if not is_opening(seed.value, committed):
            raise seed.error(f"not what was committed to, {committed!r}")
    if match.rated and (match.seeded or any(match.bots)):
        raise told["rated"].error("a match with a seed or a bot is never rated")
    for number, rnd in enumerate(told["rounds"].as_list(), start=1):
        if number == 1:
            rnd["dealer"].compare(fair.first_dealer())
        cut = rnd["cut"].value if rnd["cut_by"].value == "player" else None
        deal = fair.deal(number, rnd["dealer"].value, cut)
        rnd["shuffled"].compare(list(deal.shuffled))
        if rnd["cut_by"].value is not None:
            rnd["cut"].compare(deal.cut)
            rnd["buried"].compare([{"card": card, "at": at} for card, at in deal.buried])
    return match


def _start(told: Node) -> tuple[Match, list[Event], "_ToldChance"]:
    """Start the match that a transcript tells of."""
    seats = told["seats"].as_number()
    players = told["players"].as_list()
    if len(players) != seats:
        raise told["players"].error(f"not {seats} players")
    for seat, player in enumerate(players):
        player["seat"].compare(seat)
        player["name"].as_text()
    bots = [_bot(player["bot"]) for player in players]
    for name in ("seeded", "rated"):
        told[name].as_flag()
    started_at, finished_at = told["started_at"].as_time(), told["finished_at"].as_time()
    if finished_at < started_at:
        raise told["finished_at"].error("before the start")
    server_seed = told["fairness"]["server_seed"]
    if not is_server_seed(server_seed.value):
        raise server_seed.error("not a server seed")
    client_seeds = told["fairness"]["client_seeds"].as_list()
    for seed in client_seeds:
        if not is_client_seed(seed.value):
            raise seed.error("not a client seed")
    chance = _ToldChance(told, seats)
    try:
        rules = parse_rules(told["rules"].value)
        told["rules"].compare(rules.to_json())
        match, events = start_match(
            rules,
            seats,
            server_seed=server_seed.value,
            client_seeds=[seed.value for seed in client_seeds],
            client_commitments=_commitments(told["fairness"]),
            bots=bots,
            rated=told["rated"].value,
            seeded=told["seeded"].value,
            at=told["started_at"].value,
            chance=chance,
        )
    except RulesError as error:
        raise told["rules"].error(str(error)) from error
    except EngineError as error:
        raise told["fairness"].error(str(error)) from error
    return match, list(events), chance


def _commitments(fairness: Node) -> list[str] | None:
    """Read what the players committed to; None in the scheme in which they did not."""
    scheme = fairness["scheme"]
    if scheme.value == SCHEME_1:
        return None
    if scheme.value != SCHEME_2:
        raise scheme.error(f"{SCHEME_1!r} and {SCHEME_2!r} are the only schemes known")
    told = fairness["client_commitments"].as_list()
    for shown in told:
        if not is_client_commitment(shown.value):
            raise shown.error("not a client commitment")
    return [shown.value for shown in told]


def _bot(told: Node) -> str | None:
    if told.value is not None and not told.as_text():
        raise told.error("not the level of a bot")
    return None if told.value is None else told.as_text()


def _go_on(
    told: Node, match: Match, events: list[Event], action: Action, at: str, chance: "_ToldChance"
) -> tuple[Match, list[Event]]:
    try:
        match, more = apply(match, action, at, chance)
    except EngineError as error:
        raise told.error(str(error)) from error
    return match, [*events, *more]


def _early_end(result: Node) -> Action:
    reason = result["reason"].as_text()
    if reason in _PLAYED_OUT:
        raise result["reason"].error("the match had not come to its end")
    if reason == "abandoned":
        return Abandon(by="operator" if result.value.get("by") == "operator" else "clock")
    return Forfeit(result["seat"].as_number(), reason)


@dataclass(frozen=True, slots=True)
class _ToldChance:
    """The deals that a transcript tells of, made from its packs, cuts and burials."""

    told: Node
    seats: int

    def _round(self, number: int) -> Node:
        rounds = self.told["rounds"].as_list()
        if number > len(rounds):
            raise self.told["rounds"].error(f"the match went on to a round {number}")
        return rounds[number - 1]

    def first_dealer(self) -> int:
        """Give the dealer that the first round names."""
        dealer = self._round(1)["dealer"]
        if dealer.as_number() not in range(self.seats):
            raise dealer.error("not a seat")
        return dealer.as_number()

    def pack(self, number: int) -> tuple[Card, ...]:
        """Give the pack as a round has it."""
        shuffled = self._round(number)["shuffled"]
        cards = tuple(card.as_card() for card in shuffled.as_list())
        if sorted(cards) != sorted(PACK):
            raise shuffled.error("not a pack of 52 cards")
        return cards

    def deal(self, number: int, dealer: int, cut: int | None) -> Deal:
        """Deal a round as its pack, cut and burials say."""
        rnd = self._round(number)
        buried = iter(rnd["buried"].as_list())

        def bury(card: Card, undealt: int) -> int:
            told = next(buried, None)
            if told is None:
                raise rnd["buried"].error(f"{card} was turned and is not there")
            told["card"].compare(card)
            if told["at"].as_number() not in range(1, undealt + 1):
                raise told["at"].error(f"not among the {undealt} undealt cards below the top one")
            return told["at"].as_number()

        if cut is None:
            cut = rnd["cut"].as_number()
            if not CUT_MIN <= cut <= CUT_MAX:
                raise rnd["cut"].error(f"a cut takes {CUT_MIN} to {CUT_MAX} cards")
        return deal_pack(self.pack(number), cut, dealer, self.seats, bury)
