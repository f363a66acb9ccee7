"""What a seat, or a spectator, may see: the only place that hides cards."""

from typing import Any

from engine.capture import captures
from engine.match import Match
from engine.shuffle import HAND_SIZE
from engine.state import CAPTURES_SHOWN, fairness_of


def view(match: Match, seat: int | None) -> dict[str, Any]:
    """Give the contract's view of a match for a seat, or with None for a spectator.

    What only the service knows is left to it: ids, names, connections, deadlines, whether the result was scored.

    After the end nobody holds cards and nothing lies on the floor. The leftover of a round that was played out is in
    the piles; where the match ended early, the piles are as they were, and the cards of hands and floor are nobody's.
    """
    is_over = match.result is not None
    return {
        "rules": match.rules.to_json(),
        "status": match.status,
        "version": match.version,
        "rated": match.rated,
        "seeded": match.seeded,
        "fairness": fairness_of(match),
        "seats": [
            {"seat": other, "side": other % 2, "bot": bot, "cards": 0 if is_over else len(match.round.hands[other])}
            for other, bot in enumerate(match.bots)
        ],
        "you": None if seat is None else _own(match, seat),
        "round": _round(match),
        "turn": match.turn,
        "to_act": match.to_act,
        "scores": list(match.scores),
        "rounds": [sheet.to_json() for sheet in match.sheets],
        "last_play": match.last_play and match.last_play.to_json(),
        "result": match.result and match.result.to_json(),
    }


def redact(event: dict[str, Any], seat: int | None) -> dict[str, Any]:
    """Give a full event as a seat, or with None a spectator, may see it; also after the end."""
    if event["type"] != "dealt":
        return event
    shown = {name: value for name, value in event.items() if name != "hands"}
    shown["hand"] = None if seat is None else event["hands"][seat]
    if "buried" in event:
        shown["buried"] = [buried["card"] for buried in event["buried"]]
    return shown


def _own(match: Match, seat: int) -> dict[str, Any]:
    rnd = match.round
    hand = () if match.result is not None else rnd.hands[seat]
    return {
        "seat": seat,
        "side": seat % 2,
        "hand": list(hand),
        "plays": [
            {
                "card": card,
                "captures": [capture.to_json() for capture in captures(match.rules, rnd.floor, card, CAPTURES_SHOWN)],
            }
            for card in hand
        ],
    }


def _round(match: Match) -> dict[str, Any]:
    rnd = match.round
    return {
        "number": rnd.number,
        "dealer": rnd.dealer,
        "leader": rnd.leader,
        "phase": rnd.phase,
        "deal": rnd.deal,
        "deals": 48 // (HAND_SIZE * match.seats),
        "undealt": len(rnd.undealt),
        "floor": [] if match.result is not None else list(rnd.floor),
        "piles": [len(pile) for pile in rnd.piles],
        "basras": [[{"card": card, "points": points} for card, points in side] for side in rnd.basras],
        "last_capture": rnd.last_capture,
        "majority": match.majority,
        "carried": match.carried,
    }
