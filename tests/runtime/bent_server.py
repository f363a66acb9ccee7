"""A service whose operator cheats: it deals as it likes and tells of it as if all were well.

In a test of the service `bend(name, monkeypatch.setattr)`; for a server of its own
`live_server(wsgi="tests.runtime.bent_server:serve('redrawn')")`. Each way to cheat is about a room in which an honest
player has sat down before its accomplice, who holds the last seat.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import datetime
from typing import Any

from flask import Flask
from sqlalchemy.orm import Session

from app import create_app
from app.models import Room
from app.services import dealing, history, match_start, matches
from app.services.news import News, RoomChanged
from app.services.records import MatchRecord
from engine.shuffle import FairChance, client_commitment
from engine.state import Forfeit, apply, start_match
from engine.transcript import build

SetAttribute = Callable[[object, str, Any], None]
Arrange = Callable[[Room], None]
# A jack at the accomplice's hand comes soon if one tries that often.
TRIES = 200


def bend(how: str, set_attribute: SetAttribute = setattr) -> None:
    """Have the service of this process cheat from now on."""
    WAYS[how](set_attribute)


def serve(how: str) -> Flask:
    """The application of a cheating operator, for a server of its own."""
    bend(how)
    return create_app()


def _before_the_start(arrange: Arrange) -> Callable[[SetAttribute], None]:
    """Change a room when all its seeds are known and the match is about to begin."""
    honest = match_start.start

    def start(session: Session, room: Room, now: datetime) -> tuple[MatchRecord, list[News]]:
        if room.scheme == "basra-deal/2":
            arrange(room)
        return honest(session, room, now)

    return lambda set_attribute: set_attribute(match_start, "start", start)


def _is_liked(room: Room, server_seed: str, client_seeds: list[str]) -> bool:
    """Whether these seeds give the accomplice a jack in the first hand."""
    chance = FairChance(server_seed, tuple(client_seeds))
    return any(card[0] == "J" for card in chance.deal(1, chance.first_dealer()).hands[-1])


def _redraw(room: Room) -> None:
    """Draw the service's seed until it suits the seeds of the others."""
    seeds = [taken.client_seed for taken in room.seating]
    tried = (secrets.token_hex(32) for _ in range(TRIES))
    room.server_seed = next(seed for seed in tried if _is_liked(room, seed, seeds))


def _let_the_accomplice_choose(room: Room) -> None:
    """Give the accomplice a seed that suits the others', and the commitment that belongs to it."""
    *others, accomplice = room.seating
    seeds = [taken.client_seed for taken in others]
    tried = (secrets.token_hex(16) for _ in range(TRIES))
    accomplice.client_seed = next(seed for seed in tried if _is_liked(room, room.server_seed, [*seeds, seed]))
    accomplice.client_commitment = client_commitment(accomplice.client_seed)


def _drop(room: Room) -> None:
    """Deal as if the honest seed had not come; its opening was answered 201."""
    room.seating[0].client_seed = ""


def _downgrade(room: Room) -> None:
    """Deal by the scheme in which nobody but the service commits."""
    room.scheme = "basra-deal/1"


def _seed(room: Room) -> None:
    """Deal what was known from the beginning."""
    room.scheme, room.seed, room.rated = "basra-deal/1", "known", False
    room.server_seed = match_start.next_server_seed(room.seed, 1)


def _deal_twice(set_attribute: SetAttribute) -> None:
    """Look at the seeds of a room's first dealing, then have it dealt again: its accomplice has got up."""
    honest, seen = dealing._start, set[str]()

    def start(session: Session, room: Room, now: datetime) -> list[News]:
        if room.status != "dealing" or room.code in seen:
            return honest(session, room, now)
        seen.add(room.code)
        room.status, room.reveal_by, room.server_seed = "waiting", None, secrets.token_hex(32)
        for taken in room.seating:
            taken.client_seed = taken.client_commitment = ""
        room.seating.pop()
        return [RoomChanged(room.code)]

    set_attribute(dealing, "_start", start)


def _tell_of_another_match(set_attribute: SetAttribute) -> None:
    """Deal by another seed, and afterwards tell of a match that nobody saw, dealt by the promised one."""
    honest_start, honest_transcript = match_start.start, history.transcript
    promised: dict[str, str] = {}

    def start(session: Session, room: Room, now: datetime) -> tuple[MatchRecord, list[News]]:
        promised[room.code], room.server_seed = room.server_seed, secrets.token_hex(32)
        return honest_start(session, room, now)

    def transcript(match_id: str, player_id: str | None) -> dict[str, Any]:
        told, record = honest_transcript(match_id, player_id), matches.load(match_id)
        assert record is not None
        match, events = start_match(
            record.match.rules, record.match.seats, server_seed=promised[record.room_code],
            client_seeds=record.match.client_seeds, client_commitments=record.match.client_commitments,
            bots=record.match.bots, rated=told["rated"], seeded=False, at=told["started_at"],
        )  # fmt: skip
        _, more = apply(match, Forfeit(told["result"]["seat"]), at=told["finished_at"])
        return build([*events, *more], server_seed=promised[record.room_code], players=told["players"])

    set_attribute(match_start, "start", start)
    set_attribute(history, "transcript", transcript)


WAYS: dict[str, Callable[[SetAttribute], None]] = {
    "redrawn": _before_the_start(_redraw),
    "puppet": _before_the_start(_let_the_accomplice_choose),
    "dropped": _before_the_start(_drop),
    "downgraded": _before_the_start(_downgrade),
    "seeded": _before_the_start(_seed),
    "dealt twice": _deal_twice,
    "retold": _tell_of_another_match,
}
