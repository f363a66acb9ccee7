"""How a match begins in a room whose seats are all taken, once nobody's seed is waited for any more."""

from __future__ import annotations

import secrets
from dataclasses import replace
from datetime import datetime

from sqlalchemy.orm import Session

from app.models import MatchRow, Room, RoomSeat
from app.services import match_store
from app.services.ids import new_id
from app.services.matches import first_deadline
from app.services.news import MatchMoved, News, RoomChanged
from app.services.records import MatchRecord, SeatRecord
from app.services.room_rules import is_rated
from app.services.times import rfc3339
from engine.rules import parse_rules
from engine.shuffle import SCHEME_1, SCHEME_2, seeded_server_seed
from engine.state import start_match


def next_server_seed(seed: str | None, number: int) -> str:
    """The server seed of a room's match of that number: drawn from the system, or made from the room's seed."""
    return secrets.token_hex(32) if seed is None else seeded_server_seed(seed, number)


def next_scheme(seed: str | None) -> str:
    """How the next match of a room is dealt: a seeded one is known beforehand, and nobody need commit to anything."""
    return SCHEME_2 if seed is None else SCHEME_1


def start(session: Session, room: Room, now: datetime) -> tuple[MatchRecord, list[News]]:
    """Begin the room's next match with everyone who sits there, from the seeds that were opened."""
    seeded = room.seed is not None
    room.rated = is_rated(room)
    commitments = [taken.client_commitment for taken in room.seating] if room.scheme == SCHEME_2 else None
    seats = tuple(_seat_record(taken) for taken in room.seating)
    match, events = start_match(
        parse_rules(room.rules),
        room.seats,
        server_seed=room.server_seed,
        client_seeds=["" if seeded or taken.bot else taken.client_seed for taken in room.seating],
        client_commitments=commitments,
        bots=[taken.bot for taken in room.seating],
        rated=room.rated,
        seeded=seeded,
        at=rfc3339(now),
    )
    record = MatchRecord(
        id=new_id(),
        room_code=room.code,
        number=room.matches_played + 1,
        public=room.visibility == "public",
        spectators=room.spectators,
        rated=room.rated,
        seeded=seeded,
        turn_seconds=room.turn_seconds,
        version=match.version,
        status="playing",
        deadline_at=None,
        started_at=now,
        finished_at=None,
        scored=False,
        seats=seats,
        match=match,
    )
    record = replace(record, deadline_at=first_deadline(record, now))
    connection = session.connection()
    match_store.insert_match(connection, record, server_seed=room.server_seed)
    match_store.insert_events(connection, record.id, events)
    _hand_over(room, record)
    return record, [RoomChanged(room.code), MatchMoved(room.code, record.id, tuple(events), record)]


def is_played_with(session: Session, room: Room, own: RoomSeat, client_commitment: str | None) -> bool:
    """Whether a seat's commitment is the one of the match that is dealt or played here.

    None is any, and where nobody commits any is none.
    """
    if client_commitment is None:
        return True
    if room.status == "dealing":
        return own.client_commitment == client_commitment
    match = session.get(MatchRow, room.match_id)
    return match is None or match.client_commitments is None or match.client_commitments[own.seat] == client_commitment


def _hand_over(room: Room, record: MatchRecord) -> None:
    """Leave the room ready for its next match: with a commitment of its own, to which no player's belongs yet."""
    room.status, room.reveal_by = "playing", None
    room.match_id = record.id
    room.matches_played = record.number
    room.server_seed = next_server_seed(room.seed, record.number + 1)
    room.scheme = next_scheme(room.seed)
    for taken in room.seating:
        taken.client_commitment = taken.client_seed = ""
        taken.rematch = False


def _seat_record(taken: RoomSeat) -> SeatRecord:
    if taken.player is None:
        return SeatRecord(taken.seat, None, str(taken.bot).capitalize(), taken.bot)
    player = taken.player
    return SeatRecord(
        taken.seat, taken.player_id, player.name, None, player.guest, player.bot, registered=not player.guest
    )
