"""What one receiver may see of a match: the engine hides the cards, the service adds what only it knows."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from app.services.presence import connected
from app.services.records import MatchRecord
from app.services.times import rfc3339, utcnow
from engine.view import redact, view


def view_of(record: MatchRecord, seat: int | None) -> dict[str, Any]:
    """The match as a seat sees it, or as a spectator does."""
    shown = {"id": record.id, "room": record.room_code, **view(record.match, seat), "rated": record.rated}
    shown["now"] = rfc3339(utcnow())
    shown["deadline"] = rfc3339(record.deadline_at) if record.deadline_at and not record.is_over else None
    for taken, place in zip(record.seats, shown["seats"], strict=True):
        place["player"] = taken.player_json()
        place["connected"] = is_connected(record.room_code, taken.seat, taken.bot)
    if shown["result"] is not None:
        shown["result"] = result_json(shown["result"], record.scored, record.voided_at)
    return shown


def events_for(record: MatchRecord, events: Iterable[dict[str, Any]], seat: int | None) -> list[dict[str, Any]]:
    """Full events as a receiver may see them."""
    return [_event_for(record, event, seat) for event in events]


def result_json(result: dict[str, Any], scored: bool, voided_at: datetime | None) -> dict[str, Any]:
    """A match's result with whether it was scored; and when it was voided, if it was."""
    shown = {**result, "scored": scored}
    return shown if voided_at is None else {**shown, "voided_at": rfc3339(voided_at)}


def is_connected(code: str, seat: int, bot: str | None) -> bool:
    """Whether somebody is there on a seat; a bot always is."""
    return bot is not None or connected(code, seat)


def _event_for(record: MatchRecord, event: dict[str, Any], seat: int | None) -> dict[str, Any]:
    shown = {**redact(event, seat)}  # most events come back as they were given, and belong to others too
    if shown["type"] == "match_started":
        shown["seats"] = [
            {**place, "player": taken.player_json()} for taken, place in zip(record.seats, shown["seats"], strict=True)
        ]
    elif shown["type"] == "match_finished":
        shown["result"] = result_json(shown["result"], record.scored, record.voided_at)
    return shown
