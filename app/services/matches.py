"""Commands of running matches: a person's play, cut and forfeit, and what the clock and the bots do."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection

from app.config import settings
from app.extensions import db, write_transaction
from app.services import deadlines, match_store, results
from app.services.errors import Refusal
from app.services.ids import is_id
from app.services.match_views import events_for, view_of
from app.services.news import MatchMoved, News, RoomChanged
from app.services.records import MatchRecord
from app.services.times import rfc3339, utcnow
from engine.errors import EngineError
from engine.state import Abandon, Action, Cut, Forfeit, Match, Play, apply

__all__ = ["Answer", "Overdue", "act", "cut", "events_for", "forfeit", "load", "play", "view_of", "welcome_back"]

Event = dict[str, Any]
FindRepeat = Callable[[Connection, MatchRecord, int], list[Event] | None]


@dataclass(frozen=True, slots=True)
class Answer:
    """What the sender of a command gets: its events and the view after them; not fresh if it was a repeat."""

    events: list[Event]
    view: dict[str, Any]
    fresh: bool


class Overdue(Exception):
    """The turn that is due has ended, and the clock has not acted on it yet: it comes first, then the command."""


def play(
    player_id: str, match_id: str, turn: int, card: str, capture: list[str] | None = None
) -> tuple[Answer, list[News]]:
    """Play a card for the player's seat.

    Errors: not_found, auth.forbidden and the codes of the match; Overdue.
    """

    def find_repeat(connection: Connection, record: MatchRecord, seat: int) -> list[Event] | None:
        past = match_store.played_at(connection, record.id, turn) if 0 <= turn < record.match.turn else None
        if past is None:
            return None
        command, event = past
        same = event["seat"] == seat and event["card"] == card and event["by"] == "player"
        if not same or (capture is not None and set(capture) != set(event["captured"])):
            return None
        return match_store.events_of_command(connection, record.id, command)

    named = None if capture is None else tuple(capture)
    return _command(player_id, match_id, lambda seat: Play(seat, card, named, turn=turn), find_repeat)


def cut(player_id: str, match_id: str, number: int, at: int) -> tuple[Answer, list[News]]:
    """Cut the pack of a round for the player's seat.

    Errors: not_found, auth.forbidden and the codes of the match; Overdue.
    """

    def find_repeat(connection: Connection, record: MatchRecord, seat: int) -> list[Event] | None:
        for command, event in match_store.events_of_type(connection, record.id, "cut"):
            if (event["round"], event["seat"], event["cut"], event["by"]) == (number, seat, at, "player"):
                return match_store.events_of_command(connection, record.id, command)
        return None

    return _command(player_id, match_id, lambda seat: Cut(seat, at, round=number), find_repeat)


def forfeit(player_id: str, match_id: str) -> tuple[Answer, list[News]]:
    """Give the match up for the player's side.

    Errors: not_found, auth.forbidden, match.over; Overdue.
    """

    def find_repeat(connection: Connection, record: MatchRecord, seat: int) -> list[Event] | None:
        for command, event in match_store.events_of_type(connection, record.id, "match_finished"):
            if (event["result"]["reason"], event["result"]["seat"]) == ("forfeit", seat):
                return match_store.events_of_command(connection, record.id, command)
        return None

    return _command(player_id, match_id, lambda seat: Forfeit(seat), find_repeat)


def act(match_id: str, action: Action, *, expect_version: int, due_by: datetime | None = None) -> list[News] | None:
    """Do what the clock or a bot does, unless the match has moved on or its deadline is later than `due_by`.

    What was decided long before it could be done is not done either: meanwhile nobody else could do anything.
    """
    with write_transaction() as session:
        connection = session.connection()
        record = match_store.load(connection, match_id)
        if record is None or record.is_over or record.version != expect_version:
            return None
        if due_by is not None and (record.deadline_at is None or record.deadline_at > due_by):
            return None
        now = utcnow()
        if due_by is not None and now - due_by > timedelta(seconds=deadlines.AWAY_S):
            return None
        record, events = _advance(connection, record, action, now)
    return _news(record, events)


def welcome_back(match_id: str, seat: int) -> list[News]:
    """End the clock's short turns for a seat whose player is back, also the one that is running."""
    seen = load(match_id)
    if seen is None or seen.is_over or not seen.seats[seat].clock_run:
        return []
    with write_transaction() as session:
        connection = session.connection()
        record = match_store.load(connection, match_id)
        if record is None or record.is_over or not record.seats[seat].clock_run:
            return []
        was_deserted = record.seats[seat].clock_run >= deadlines.CLOCK_RUN_LIMIT
        record = _with_clock_run(connection, record, seat, 0)
        due = record.match.to_act == seat and record.match.round.phase == "play"
        now = utcnow()
        if not (was_deserted and due and record.deadline_at) or _is_overdue(record, now):
            return []
        # When the turn began; a deadline that was moved since, because the service was down, says less than now.
        short = _turn_s(record, record.match, deadlines.CLOCK_RUN_LIMIT)
        began = min(deadlines.after(record.deadline_at, -short), now)
        full = deadlines.after(began, _turn_s(record, record.match, 0))
        if full <= record.deadline_at:
            return []
        record = replace(record, deadline_at=full)
        match_store.set_deadline(connection, record.id, full)
    return [MatchMoved(record.room_code, record.id, (), record)]


def load(match_id: str) -> MatchRecord | None:
    """The match as it is now, or None."""
    return match_store.load(db.session.connection(), match_id) if is_id(match_id) else None


def forfeit_for(connection: Connection, record: MatchRecord, seat: int, now: datetime) -> list[News]:
    """Give the match up for a player who is gone, in the transaction in which that is found out."""
    return _news(*_advance(connection, record, Forfeit(seat), now))


def own_seat(record: MatchRecord | None, player_id: str) -> tuple[MatchRecord, int]:
    """The match and the player's seat in it.

    Errors: not_found for a stranger, auth.forbidden for one who may only look on.
    """
    if record is None:
        raise Refusal("not_found")
    seat = record.seat_of(player_id)
    if seat is not None:
        return record, seat
    raise Refusal("auth.forbidden" if record.may_watch() else "not_found")


def first_deadline(record: MatchRecord, now: datetime) -> datetime | None:
    """The deadline of a match that begins now."""
    return _deadline(record, record.match, now)


def _command(
    player_id: str, match_id: str, action_of: Callable[[int], Action], find_repeat: FindRepeat
) -> tuple[Answer, list[News]]:
    with write_transaction() as session:
        connection = session.connection()
        record, seat = own_seat(match_store.load(connection, match_id) if is_id(match_id) else None, player_id)
        repeated = find_repeat(connection, record, seat)
        if repeated is None:
            now = utcnow()
            if _is_overdue(record, now):
                raise Overdue
            try:
                record, events = _advance(connection, record, action_of(seat), now)
            except EngineError as error:
                raise _refusal(error, record, seat) from error
    if repeated is not None:
        return Answer(events_for(record, repeated, seat), view_of(record, seat), fresh=False), []
    return Answer(events_for(record, events, seat), view_of(record, seat), fresh=True), _news(record, events)


def _is_overdue(record: MatchRecord, now: datetime) -> bool:
    """Whether a person's turn has ended; a bot's deadline only ever plays, and takes nothing from anyone."""
    seat = record.match.to_act
    if seat is None or record.deadline_at is None or record.seats[seat].bot is not None:
        return False
    return record.deadline_at <= now


def _advance(
    connection: Connection, record: MatchRecord, action: Action, now: datetime
) -> tuple[MatchRecord, tuple[Event, ...]]:
    """Apply an action and all that follows at once, and store it if the match is still where it was."""
    match, events = apply(record.match, action, at=rfc3339(now))
    if match.unattended_deals and match.status != "finished":
        match, more = apply(match, Abandon(), at=rfc3339(now))
        events = (*events, *more)
    expected = record.version
    record = _count_clock_plays(connection, record, action)
    record = replace(record, **match_store.moved(record, match, _deadline(record, match, now)))
    if not match_store.compare_and_set(connection, record, expected=expected):
        raise Refusal("unavailable")
    match_store.insert_events(connection, record.id, events)
    if record.is_over:
        record = results.settle(connection, record, now)
    return record, events


def _count_clock_plays(connection: Connection, record: MatchRecord, action: Action) -> MatchRecord:
    if not isinstance(action, Play | Cut):
        return record
    run = record.seats[action.seat].clock_run
    if action.by == "player" and run:
        return _with_clock_run(connection, record, action.seat, 0)
    if action.by == "clock" and isinstance(action, Play):
        return _with_clock_run(connection, record, action.seat, run + 1)
    return record


def _with_clock_run(connection: Connection, record: MatchRecord, seat: int, run: int) -> MatchRecord:
    match_store.set_clock_run(connection, record.id, seat, run)
    seats = tuple(replace(taken, clock_run=run) if taken.seat == seat else taken for taken in record.seats)
    return replace(record, seats=seats)


def _deadline(record: MatchRecord, match: Match, now: datetime) -> datetime | None:
    if match.to_act is None:
        return None
    taken = record.seats[match.to_act]
    if taken.bot is not None:
        return deadlines.after(now, random.uniform(*settings().bot_pause_s))
    if match.round.phase == "cut":
        return deadlines.after(now, deadlines.CUT_S)
    return deadlines.after(now, _turn_s(record, match, taken.clock_run))


def _turn_s(record: MatchRecord, match: Match, clock_run: int) -> int:
    """How long the turn that is due lasts for a seat that the clock has played for so often."""
    first = match.round.deal == 1 and all(len(hand) == len(match.round.hands[0]) == 4 for hand in match.round.hands)
    return deadlines.turn_s(record.turn_seconds, turn=match.turn, first_of_round=first, clock_run=clock_run)


def _news(record: MatchRecord, events: tuple[Event, ...]) -> list[News]:
    news: list[News] = [MatchMoved(record.room_code, record.id, events, record)]
    return [*news, RoomChanged(record.room_code)] if record.is_over else news


def _refusal(error: EngineError, record: MatchRecord, seat: int) -> Refusal:
    """The engine's refusal as the sender sees it, with what helps him to go on."""
    if error.code == "match.stale_turn":
        return Refusal(error.code, view=view_of(record, seat))
    if error.code == "match.illegal_capture":
        return Refusal(error.code, legal=getattr(error, "legal", []))
    if error.code == "request.invalid":
        raise error  # an action that no request can ask for: a fault of ours
    return Refusal(error.code)
