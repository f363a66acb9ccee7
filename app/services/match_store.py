"""Reading and writing matches by Core statements that are built once: this is the path of every move."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, cast

from sqlalchemy import Connection, CursorResult, Table, bindparam, func, insert, select, update

from app.models import MatchEvent, MatchRow, MatchSeat, Player
from app.services.records import MatchRecord, SeatRecord
from engine.state import Match, match_from_json

_matches = cast(Table, MatchRow.__table__)
_seats = cast(Table, MatchSeat.__table__)
_events = cast(Table, MatchEvent.__table__)
_players = cast(Table, Player.__table__)

_SELECT_MATCH = select(_matches).where(_matches.c.id == bindparam("match_id"))
_SELECT_SEATS = (
    select(
        _seats.c.seat, _seats.c.player_id, _seats.c.name, _seats.c.bot, _seats.c.clock_run, _seats.c.registered,
        func.coalesce(_players.c.guest, False).label("guest"),
        func.coalesce(_players.c.bot, False).label("is_program"),
    )
    .select_from(_seats.outerjoin(_players, _players.c.id == _seats.c.player_id))
    .where(_seats.c.match_id == bindparam("match_id"))
    .order_by(_seats.c.seat)
)  # fmt: skip
_COMPARE_AND_SET = (
    update(_matches)
    .where(
        _matches.c.id == bindparam("match_id"),
        _matches.c.version == bindparam("expected"),
        _matches.c.status == "playing",
    )
    .values(
        version=bindparam("new_version"),
        state=bindparam("new_state"),
        status=bindparam("new_status"),
        to_act=bindparam("new_to_act"),
        deadline_at=bindparam("new_deadline_at"),
    )
)
_SET_CLOCK_RUN = (
    update(_seats)
    .where(_seats.c.match_id == bindparam("of_match"), _seats.c.seat == bindparam("of_seat"))
    .values(clock_run=bindparam("new_run"))
)
_SET_DEADLINE = (
    update(_matches).where(_matches.c.id == bindparam("match_id")).values(deadline_at=bindparam("new_deadline_at"))
)
_INSERT_EVENTS = insert(_events)
_SELECT_COMMAND = (
    select(_events.c.event)
    .where(_events.c.match_id == bindparam("match_id"), _events.c.command == bindparam("first"))
    .order_by(_events.c.version)
)
_SELECT_PLAYED = select(_events.c.command, _events.c.event).where(
    _events.c.match_id == bindparam("match_id"),
    _events.c.turn == bindparam("at_turn"),
    _events.c.type == "played",
)
_SELECT_OF_TYPE = (
    select(_events.c.command, _events.c.event)
    .where(_events.c.match_id == bindparam("match_id"), _events.c.type == bindparam("of_type"))
    .order_by(_events.c.version)
)
_SELECT_AFTER = (
    select(_events.c.event)
    .where(_events.c.match_id == bindparam("match_id"), _events.c.version > bindparam("after"))
    .order_by(_events.c.version)
    .limit(bindparam("most"))
)

Event = dict[str, Any]


def load(connection: Connection, match_id: str) -> MatchRecord | None:
    """The match with its seats, or None."""
    row = connection.execute(_SELECT_MATCH, {"match_id": match_id}).one_or_none()
    if row is None:
        return None
    seats = connection.execute(_SELECT_SEATS, {"match_id": match_id})
    return _record(row, seats)


def _record(row: Any, seats: Iterable[Any]) -> MatchRecord:
    return MatchRecord(
        id=row.id,
        room_code=row.room_code,
        number=row.number,
        public=row.public,
        spectators=row.spectators,
        rated=row.rated,
        seeded=row.seeded,
        turn_seconds=row.turn_seconds,
        version=row.version,
        status=row.status,
        deadline_at=row.deadline_at,
        started_at=row.started_at,
        finished_at=row.finished_at,
        scored=row.scored,
        seats=tuple(
            SeatRecord(
                seat.seat,
                seat.player_id,
                seat.name,
                seat.bot,
                bool(seat.guest),
                bool(seat.is_program),
                seat.clock_run,
                seat.registered,
            )
            for seat in seats
        ),
        match=match_from_json(row.state),
        voided_at=row.voided_at,
    )


def compare_and_set(connection: Connection, record: MatchRecord, *, expected: int) -> bool:
    """Store a match that has moved on from the expected version; false if it had moved already."""
    result = connection.execute(
        _COMPARE_AND_SET,
        {
            "match_id": record.id,
            "expected": expected,
            "new_version": record.version,
            "new_state": record.match.to_json(),
            "new_status": record.status,
            "new_to_act": record.match.to_act,
            "new_deadline_at": record.deadline_at,
        },
    )
    return cast(CursorResult[Any], result).rowcount == 1


def insert_match(connection: Connection, record: MatchRecord, *, server_seed: str) -> None:
    """Store a match that begins, with its seats."""
    match = record.match
    connection.execute(
        insert(_matches),
        {
            "id": record.id,
            "room_code": record.room_code,
            "number": record.number,
            "public": record.public,
            "spectators": record.spectators,
            "status": record.status,
            "rules": match.rules.to_json(),
            "rated": record.rated,
            "seeded": record.seeded,
            "server_seed": server_seed,
            "client_seeds": list(match.client_seeds),
            "client_commitments": None if match.client_commitments is None else list(match.client_commitments),
            "turn_seconds": record.turn_seconds,
            "version": record.version,
            "state": match.to_json(),
            "to_act": match.to_act,
            "deadline_at": record.deadline_at,
            "started_at": record.started_at,
            "finished_at": None,
            "result": None,
            "scored": False,
        },
    )
    connection.execute(
        insert(_seats),
        [
            {
                "match_id": record.id,
                "seat": taken.seat,
                "player_id": taken.player_id,
                "name": taken.name,
                "bot": taken.bot,
                "clock_run": 0,
                "registered": taken.registered,
            }
            for taken in record.seats
        ],
    )


def insert_events(connection: Connection, match_id: str, events: Sequence[Event]) -> None:
    """Append the events of one command."""
    command = events[0]["version"]
    connection.execute(
        _INSERT_EVENTS,
        [
            {
                "match_id": match_id,
                "version": event["version"],
                "command": command,
                "turn": event.get("turn"),
                "type": event["type"],
                "event": event,
            }
            for event in events
        ],
    )


def set_clock_run(connection: Connection, match_id: str, seat: int, run: int) -> None:
    """Remember how many turns in a row the clock has played for a seat."""
    connection.execute(_SET_CLOCK_RUN, {"of_match": match_id, "of_seat": seat, "new_run": run})


def set_deadline(connection: Connection, match_id: str, deadline_at: datetime) -> None:
    """Move the deadline of the turn that is due."""
    connection.execute(_SET_DEADLINE, {"match_id": match_id, "new_deadline_at": deadline_at})


def played_at(connection: Connection, match_id: str, turn: int) -> tuple[int, Event] | None:
    """The play of a past turn: the first version of its command, and its event."""
    row = connection.execute(_SELECT_PLAYED, {"match_id": match_id, "at_turn": turn}).one_or_none()
    return None if row is None else (row.command, row.event)


def events_of_type(connection: Connection, match_id: str, kind: str) -> list[tuple[int, Event]]:
    """All events of a type, each with the first version of its command."""
    rows = connection.execute(_SELECT_OF_TYPE, {"match_id": match_id, "of_type": kind})
    return [(row.command, row.event) for row in rows]


def events_of_command(connection: Connection, match_id: str, command: int) -> list[Event]:
    """The events of the command that began with a version."""
    return list(connection.scalars(_SELECT_COMMAND, {"match_id": match_id, "first": command}))


def events_after(connection: Connection, match_id: str, version: int, most: int) -> list[Event]:
    """The events after a version, oldest first, `most` at most."""
    return list(connection.scalars(_SELECT_AFTER, {"match_id": match_id, "after": version, "most": most}))


def moved(record: MatchRecord, match: Match, deadline_at: datetime | None) -> dict[str, Any]:
    """The fields of a record that a move of the engine changes."""
    return {
        "match": match,
        "version": match.version,
        "status": "finished" if match.status == "finished" else "playing",
        "deadline_at": deadline_at,
    }
