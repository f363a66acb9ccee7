"""The state of a match: immutable values and their JSON."""

from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from engine.cards import Card, join_cards, split_cards
from engine.rules import Rules, restore_rules
from engine.scoring import Basras, Pair, Sheet, parse_sheet

_T = TypeVar("_T")
_BySide = tuple[tuple[_T, ...], tuple[_T, ...]]

#: A thing that happened, with its version, as it is stored: full, with what `redact` hides.
Event = dict[str, Any]

CUT, PLAY = "cut", "play"  # the phases of a round


class Round(NamedTuple):
    """One round as it stands; all 52 cards are in it somewhere."""

    number: int
    dealer: int
    leader: int
    phase: str
    deal: int  # 0 while the cut is due, then from 1
    hands: tuple[tuple[Card, ...], ...]  # by seat
    floor: tuple[Card, ...]  # the card that has lain longest first
    undealt: tuple[Card, ...]  # next to be dealt first; while the cut is due the pack before it
    piles: tuple[tuple[Card, ...], tuple[Card, ...]]  # by side
    basras: Basras  # by side, each with the card that made it
    last_capture: int | None  # side

    def to_json(self) -> dict[str, Any]:
        """Give the round for storage, cards joined into texts; it is no view, it tells all."""
        return {
            "number": self.number,
            "dealer": self.dealer,
            "leader": self.leader,
            "phase": self.phase,
            "deal": self.deal,
            "hands": [join_cards(hand) for hand in self.hands],
            "floor": join_cards(self.floor),
            "undealt": join_cards(self.undealt),
            "piles": [join_cards(pile) for pile in self.piles],
            "basras": [[list(shown) for shown in side] for side in self.basras],
            "last_capture": self.last_capture,
        }


class Played(NamedTuple):
    """One play, as its event tells it."""

    version: int
    at: str
    turn: int
    seat: int
    card: Card
    captured: tuple[Card, ...]
    groups: tuple[tuple[Card, ...], ...]
    basra: int
    by: str

    def to_json(self) -> dict[str, Any]:
        """Give the event `played`."""
        return {
            "version": self.version,
            "type": "played",
            "at": self.at,
            "turn": self.turn,
            "seat": self.seat,
            "card": self.card,
            "captured": list(self.captured),
            "groups": [list(group) for group in self.groups],
            "basra": self.basra,
            "by": self.by,
        }


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended."""

    winner: int | None  # side; None: a draw, or an abandoned match
    reason: str  # "target", "round", "forfeit", "timeout" or "abandoned"
    seat: int | None  # whose forfeit or time-out it was
    scores: Pair
    by: str | None = None  # "operator": who runs the service has stopped the match

    def to_json(self) -> dict[str, Any]:
        """Give the result as events, views and transcripts have it."""
        told = {"winner": self.winner, "reason": self.reason, "seat": self.seat, "scores": list(self.scores)}
        return told if self.by is None else {**told, "by": self.by}


class Match(NamedTuple):
    """A whole match at one moment, from which it can be gone on with."""

    rules: Rules
    seats: int
    bots: tuple[str | None, ...]  # by seat, the level; None: a person
    server_seed: str
    client_seeds: tuple[str, ...]
    # What the players committed to before, by seat, "" where one took no part; None: scheme basra-deal/1.
    client_commitments: tuple[str, ...] | None
    rated: bool
    seeded: bool
    version: int  # events so far
    turn: int  # plays so far
    to_act: int | None
    scores: Pair
    carried: int  # points that the majority of this round is worth more
    sheets: tuple[Sheet, ...]  # of the finished rounds
    last_play: Played | None
    result: Result | None
    round: Round
    attended: bool  # whether a person played in this deal
    unattended_deals: int  # whole deals in a row, up to now, in which the clock played for every person

    @property
    def status(self) -> str:
        """Give "playing" or "finished"."""
        return "playing" if self.result is None else "finished"

    @property
    def majority(self) -> int:
        """What the majority of this round is worth, in points."""
        return self.rules.majority + self.carried

    def to_json(self) -> dict[str, Any]:
        """Give the state for storage; it is no view, it tells all."""
        return {
            "rules": self.rules.to_json(),
            "seats": self.seats,
            "bots": list(self.bots),
            "server_seed": self.server_seed,
            "client_seeds": list(self.client_seeds),
            "client_commitments": None if self.client_commitments is None else list(self.client_commitments),
            "rated": self.rated,
            "seeded": self.seeded,
            "version": self.version,
            "turn": self.turn,
            "to_act": self.to_act,
            "scores": list(self.scores),
            "carried": self.carried,
            "sheets": [sheet.to_json() for sheet in self.sheets],
            "last_play": self.last_play and self.last_play.to_json(),
            "result": self.result and self.result.to_json(),
            "round": self.round.to_json(),
            "attended": self.attended,
            "unattended_deals": self.unattended_deals,
        }


def match_from_json(data: dict[str, Any]) -> Match:
    """Read what `Match.to_json` wrote."""
    commitments = data.get("client_commitments")  # not there in what was stored before there were any
    fields = {
        **data,
        "rules": restore_rules(data["rules"]),
        "bots": tuple(data["bots"]),
        "client_seeds": tuple(data["client_seeds"]),
        "client_commitments": None if commitments is None else tuple(commitments),
        "scores": tuple(data["scores"]),
        "sheets": tuple(map(parse_sheet, data["sheets"])),
        "last_play": _parse_played(data["last_play"]),
        "result": _parse_result(data["result"]),
        "round": _parse_round(data["round"]),
    }
    return Match(**fields)


def _parse_round(data: dict[str, Any]) -> Round:
    fields = {
        **data,
        "hands": tuple(map(split_cards, data["hands"])),
        "floor": split_cards(data["floor"]),
        "undealt": split_cards(data["undealt"]),
        "piles": tuple(map(split_cards, data["piles"])),
        "basras": tuple(tuple((card, points) for card, points in side) for side in data["basras"]),
    }
    return Round(**fields)


def _parse_played(data: dict[str, Any] | None) -> Played | None:
    if data is None:
        return None
    fields = {
        **data,
        "captured": tuple(data["captured"]),
        "groups": tuple(map(tuple, data["groups"])),
    }
    del fields["type"]
    return Played(**fields)


def _parse_result(data: dict[str, Any] | None) -> Result | None:
    if data is None:
        return None
    return Result(**{**data, "scores": tuple(data["scores"])})


def add_to(by_side: _BySide[_T], side: int, more: tuple[_T, ...]) -> _BySide[_T]:
    """Add to what one side has."""
    first, second = by_side
    return (first + more, second) if side == 0 else (first, second + more)
