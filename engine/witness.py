"""What only somebody who sat at the table can check of a deal: that it was the one that they saw being promised.

A transcript agrees with itself, whoever made it. The notes of a witness tell what was shown *before* they opened their
own seed; docs/fair-deal.md says how they are taken.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.errors import TranscriptError
from engine.node import Node
from engine.shuffle import SCHEME_2, client_commitment, is_client_commitment, is_client_seed
from engine.transcript import verify

FORMAT = "basra-notes/1"

ACCEPTED, REFUSED = "accepted", "refused"
#: What became of an opening; None: it was never sent.
OPENINGS = (None, "sent", ACCEPTED, "late", REFUSED)


@dataclass(frozen=True, slots=True)
class _Dealing:
    """One dealing as its witness noted it."""

    commitment: str | None
    client_seed: str
    seat: int | None
    client_commitments: list[str] | None
    opened: str | None
    match: str | None


def bear_witness(transcript: object, notes: object) -> str:
    """Verify a transcript, hold it against the notes of one who sat there, and say in words what they prove.

    Errors: TranscriptError that says what was arranged, or what cannot be read.
    """
    verify(transcript)
    told = Node("", transcript)
    noted = Node("notes", notes)
    dealing = _dealing_of_the_match(noted)
    _check_scheme(told)
    if dealing.commitment not in (None, told["fairness"]["commitment"].value):
        raise TranscriptError(
            f"the service had committed itself to {dealing.commitment} and dealt with another seed: "
            "it was drawn anew after that"
        )
    _check_commitments(told, dealing)
    if noted["table"].value is not None:
        _check_table(told, noted["table"])
    return _check_own_part(told, dealing)


def _dealing_of_the_match(notes: Node) -> _Dealing:
    """Find the one dealing that led to the match, and see that none before it was thrown away."""
    notes["format"].compare(FORMAT)
    notes["scheme"].compare(SCHEME_2)
    match = notes["match"].as_text()
    dealings = [_read(noted) for noted in notes["dealings"].as_list()]
    places = [place for place, dealing in enumerate(dealings) if dealing.match == match]
    if not places:
        raise TranscriptError("no dealing that you noted led to this match")
    if len(places) > 1:
        raise TranscriptError(
            "the cards of this match were dealt more than once: two dealings that you noted led to it"
        )
    if sum(dealing.client_seed == dealings[places[0]].client_seed for dealing in dealings) > 1:
        raise TranscriptError("you had noted the same seed for two dealings: it was known when this one was dealt")
    for before in reversed(dealings[: places[0]]):
        if before.match is not None:
            break
        if before.opened is not None:
            raise TranscriptError(
                "you had opened your seed for another dealing, which led to no match: it was dealt again"
            )
    return dealings[places[0]]


def _read(noted: Node) -> _Dealing:
    seed, opened = noted["client_seed"], noted["opened"]
    if not seed.as_text() or not is_client_seed(seed.value):
        raise seed.error("not a client seed")
    if opened.value not in OPENINGS:
        raise opened.error(f"not one of {', '.join(map(repr, OPENINGS))}")
    seat = None if noted["seat"].value is None else noted["seat"].as_number()
    shown = noted["client_commitments"]
    if shown.value is not None:
        _check_shown(noted, shown.as_list(), seat, client_commitment(seed.value))
    elif opened.value is not None:
        raise shown.error("nobody opens a seed before they have noted what the others committed to")
    commitment, match = noted["commitment"], noted["match"]
    if opened.value is not None or commitment.value is not None:
        commitment.as_text()
    return _Dealing(
        commitment=commitment.value,
        client_seed=seed.value,
        seat=seat,
        client_commitments=shown.value,
        opened=opened.value,
        match=None if match.value is None else match.as_text(),
    )


def _check_shown(noted: Node, shown: list[Node], seat: int | None, own: str) -> None:
    """Check that the commitments were noted where the witness's own stood among them."""
    for one in shown:
        if not is_client_commitment(one.value):
            raise one.error("not a client commitment")
    if seat is None or seat not in range(len(shown)):
        raise noted["seat"].error("not one of the seats")
    shown[seat].compare(own)


def _check_scheme(told: Node) -> None:
    scheme = told["fairness"]["scheme"].value
    if told["seeded"].value:
        raise TranscriptError(f"{SCHEME_2} was promised, and the match was seeded: whoever made it knew the cards")
    if scheme != SCHEME_2:
        raise TranscriptError(
            f"{SCHEME_2} was promised, and the match was dealt by {scheme}, where nobody commits first"
        )


def _check_commitments(told: Node, dealing: _Dealing) -> None:
    now = told["fairness"]["client_commitments"].value
    if dealing.seat not in (None, *range(len(now))):
        raise TranscriptError(f"this match has {len(now)} seats, and you had noted that you sit on seat {dealing.seat}")
    if dealing.client_commitments is None:
        if not any(now):
            raise TranscriptError("the service had taken your commitment, and dealt as if nobody had committed")
        return
    if len(now) != len(dealing.client_commitments):
        raise TranscriptError(f"{len(dealing.client_commitments)} seats were there when you noted the commitments")
    for seat, (before, after) in enumerate(zip(dealing.client_commitments, now, strict=True)):
        if before != after:
            raise TranscriptError(
                f"the commitment of seat {seat} ({_name(told, seat)}) was {before or 'none'} before, and is "
                f"{after or 'none'} now: it was changed when seeds were being opened"
            )


def _check_table(told: Node, table: Node) -> None:
    """Check that the transcript tells of the match that was seen: one made up afterwards may fit every seed."""
    seat, rounds = table["seat"].as_number(), told["rounds"].value
    plays = [[play["seat"], play["card"]] for rnd in rounds for play in rnd["plays"]]
    rules = table["rules"].value
    if not isinstance(rules, Mapping):
        raise table["rules"].error("not an object")
    for name, seen in rules.items():
        _compare(told["rules"].value.get(name), seen, f"the rule {name!r}")
    for hand in table["hands"].as_list():
        number, deal = hand["round"].as_number(), hand["deal"].as_number()
        hands = _at(_at(rounds, number - 1, "hands"), deal - 1)
        _compare(_at(hands, seat), hand["cards"].value, f"your hand in round {number}, deal {deal}")
    for floor in table["floors"].as_list():
        number = floor["round"].as_number()
        _compare(_at(rounds, number - 1, "floor"), floor["cards"].value, f"the floor of round {number}")
    for play in table["plays"].as_list():
        turn, seen = play["turn"].as_number(), [play["seat"].as_number(), play["card"].as_text()]
        _compare(_at(plays, turn), seen, f"the play of turn {turn}")


def _at(told: Any, place: int, name: str | None = None) -> Any:
    """Give what stands at a place of a list, or None where that ends before it."""
    found = told[place] if told is not None and place in range(len(told)) else None
    return found if found is None or name is None else found[name]


def _compare(told: object, seen: object, what: str) -> None:
    if told != seen:
        raise TranscriptError(
            f"{what} was {seen} at the table, and is {told} here: this is not the match that was played"
        )


def _check_own_part(told: Node, dealing: _Dealing) -> str:
    seeds, committed = (told["fairness"][name].value for name in ("client_seeds", "client_commitments"))
    if dealing.client_seed in (seeds if dealing.seat is None else [seeds[dealing.seat]]):
        if dealing.opened is None:
            raise TranscriptError("your seed is in the deal, although you had never opened it")
        return "dealt as you had seen it promised, with your part in it: nothing was arranged"
    if client_commitment(dealing.client_seed) not in committed:
        return "another part than yours stands at your seat: this proves something only to the device that gave it"
    if dealing.opened == ACCEPTED:
        raise TranscriptError("your seed was accepted, and is not in the deal: it was dropped")
    if dealing.opened == REFUSED:
        raise TranscriptError("your seed was refused, although it is the one that you had committed to")
    others = [_name(told, seat) for seat, seed in enumerate(seeds) if seed]
    whose = f"that of {' and '.join(others)} is" if others else "nor is anybody else's"
    return f"you were away when the cards were dealt: your part is not in it, {whose}"


def _name(told: Node, seat: int) -> str:
    return told["players"].as_list()[seat]["name"].as_text()
