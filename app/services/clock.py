"""What happens when a deadline has passed: the contract's section "Time" and the bots' turns.

Every step goes through the same compare-and-set as a player's command, so sweeps that overlap, or a sweep and a move,
do no harm: exactly one of them counts.
"""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from typing import Any, cast

from sqlalchemy import CursorResult, Table, bindparam, exists, select, update

from app.extensions import db, write_transaction
from app.models import MatchEvent, MatchRow, MatchSeat
from app.services import matches
from app.services.news import News
from app.services.records import MatchRecord
from engine import bots
from engine.state import Action, Cut, Forfeit, Play
from engine.view import redact, view

# After the service was down everyone has at least this long to come back.
GRACE = timedelta(seconds=30)
SUBSTITUTE = "easy"

_matches = cast(Table, MatchRow.__table__)
_seats = cast(Table, MatchSeat.__table__)
_events = cast(Table, MatchEvent.__table__)
_SELECT_DUE = (
    select(_matches.c.id)
    .where(_matches.c.status == "playing", _matches.c.deadline_at <= bindparam("now"))
    .order_by(_matches.c.deadline_at)
)
_A_BOT_IS_DUE = exists().where(
    _seats.c.match_id == _matches.c.id, _seats.c.seat == _matches.c.to_act, _seats.c.bot.is_not(None)
)
_GIVE_GRACE = (
    update(_matches)
    .where(_matches.c.status == "playing", _matches.c.deadline_at < bindparam("until"), ~_A_BOT_IS_DUE)
    .values(deadline_at=bindparam("until"))
)
_OF_THE_MATCH = _events.c.match_id == bindparam("match_id")
# Every round begins with its cut.
_ROUND_BEGAN = (
    select(_events.c.version)
    .where(_OF_THE_MATCH, _events.c.type == "cut")
    .order_by(_events.c.version.desc())
    .limit(1)
    .scalar_subquery()
)
_SELECT_ROUND = (
    select(_events.c.event).where(_OF_THE_MATCH, _events.c.version >= _ROUND_BEGAN).order_by(_events.c.version)
)


def due(now: datetime) -> list[str]:
    """The matches whose deadline has passed, the latest ones last."""
    return list(db.session.scalars(_SELECT_DUE, {"now": now}))


def act_on(match_id: str, now: datetime) -> list[News]:
    """Do what has to be done in a match whose deadline has passed; nothing if it has moved on."""
    record = matches.load(match_id)
    if record is None or record.is_over or record.deadline_at is None or record.deadline_at > now:
        return []
    return matches.act(match_id, _action(record), expect_version=record.version, due_by=now) or []


def give_grace(now: datetime) -> int:
    """Move every person's deadline at least 30 s ahead, because the service was down; returns how many moved.

    A bot's deadline stays: it only ever plays, and the others wait for it.
    """
    with write_transaction() as session:
        result = session.execute(_GIVE_GRACE, {"until": now + GRACE})
        return cast(CursorResult[Any], result).rowcount


def _action(record: MatchRecord) -> Action:
    """What the clock does on the seat that is late: a bot plays, two seats forfeit, four seats are played for."""
    seat = record.match.to_act
    assert seat is not None, "a match that is over has no deadline"
    if record.match.round.phase == "cut":
        return Cut(seat, None, by="clock")
    bot = record.seats[seat].bot
    if bot is None and len(record.seats) == 2:
        return Forfeit(seat, "timeout")
    seen = [redact(event, seat) for event in _round_events(record.id)]
    card, capture = bots.choose(bot or SUBSTITUTE, view(record.match, seat), seen, random.Random())
    named = None if capture is None else tuple(capture)
    return Play(seat, card, named, turn=record.match.turn, by="clock" if bot is None else "bot")


def _round_events(match_id: str) -> list[dict[str, Any]]:
    """What happened in the round that is played, complete and secret."""
    return list(db.session.scalars(_SELECT_ROUND, {"match_id": match_id}))
