"""What happens when a deadline has passed: the contract's section "Time" and the bots' turns.

Every step goes through the same compare-and-set as a player's command, so sweeps that overlap, or a sweep and a move,
do no harm: exactly one of them counts.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, cast

from flask import current_app
from sqlalchemy import Table, bindparam, exists, select, update

from app.extensions import db, write_transaction
from app.models import MatchEvent, MatchRow, MatchSeat
from app.services import dealing, matches, steps, times
from app.services.deadlines import AWAY_S
from app.services.errors import Refusal
from app.services.news import MatchMoved, News
from app.services.records import MatchRecord
from app.services.times import running_s
from engine import bots
from engine.state import Action, Cut, Forfeit, Play
from engine.view import redact, view

# After the service was down everyone has at least this long to come back.
GRACE = timedelta(seconds=30)
SUBSTITUTE = "easy"
# So often a command waits for what the clock has to do first: once, unless the turn moves under its hands.
TRIES = 3
# When the clock of this process last got through all that was due; without a running clock there is no such moment.
_WORKED_AT = "clock_worked_at"

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
    .returning(_matches.c.id)
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


def begin(now: datetime) -> int:
    """Give everyone the grace of a restart and expect the clock to work from now on; returns how many got it."""
    times.follow_what_passes()
    with write_transaction() as session:
        steps.shorten(session, now)
    moved, _ = _give_grace(now)
    current_app.extensions[_WORKED_AT] = running_s()
    return len(moved)


def end() -> None:
    """Expect the clock of this process to work no longer."""
    current_app.extensions.pop(_WORKED_AT, None)
    times.follow_the_system()


def got_through() -> None:
    """Note that the clock works; a stretch in which it did not stays noted until it is made up for."""
    if not _was_away():
        _note_work()


def make_up(now: datetime) -> list[News]:
    """After a stretch in which the clock could not work, give everyone the grace of a restart.

    The database was away, or the process stood still: then nobody could play, and the deadlines of that time are void.
    Whoever acts on a deadline asks for this first.
    """
    if not _was_away():
        return []
    moved, news = _give_grace(now)
    _note_work()
    return [*news, *(told for match_id in moved for told in moved_deadline(match_id))]


def moved_deadline(match_id: str) -> list[News]:
    """What the table of a match is told when nothing but its deadline has moved."""
    record = matches.load(match_id)
    return [] if record is None else [MatchMoved(record.room_code, record.id, (), record)]


def due(now: datetime) -> list[str]:
    """The matches whose deadline has passed, the latest ones last."""
    return list(db.session.scalars(_SELECT_DUE, {"now": now}))


def act_on(match_id: str, now: datetime) -> list[News]:
    """Do what has to be done in a match whose deadline has passed; nothing if it has moved on."""
    news = make_up(now)
    record = matches.load(match_id)
    now = min(now, times.utcnow())  # all deadlines, and our clock, may have been set back since
    if record is None or record.is_over or record.deadline_at is None or record.deadline_at > now:
        return news
    return news + (matches.act(match_id, _action(record), expect_version=record.version, due_by=now) or [])


def command(
    match_id: str, do: Callable[[], tuple[matches.Answer, list[News]]]
) -> tuple[matches.Answer | Refusal, list[News]]:
    """Do a player's command; where his turn or another's has ended before it, the clock comes first.

    A refusal is returned and not raised, because what the clock has done before it is news all the same.
    """
    news: list[News] = []
    for _ in range(TRIES):
        try:
            answer, more = do()
        except matches.Overdue:
            news += act_on(match_id, times.utcnow())
        except Refusal as refusal:
            return refusal, news
        else:
            return answer, news + more
    return Refusal("unavailable"), news


def _was_away() -> bool:
    worked_at = current_app.extensions.get(_WORKED_AT)
    return worked_at is not None and running_s() - worked_at > AWAY_S


def _note_work() -> None:
    if _WORKED_AT in current_app.extensions:
        current_app.extensions[_WORKED_AT] = running_s()


def _give_grace(now: datetime) -> tuple[list[str], list[News]]:
    """Move every person's deadline at least 30 s ahead, and give dealings their time again.

    Returns the matches whose deadline has moved, and the news of the rooms. A bot's deadline stays: it only ever plays,
    and the others wait for it.
    """
    with write_transaction() as session:
        return list(session.scalars(_GIVE_GRACE, {"until": now + GRACE})), dealing.give_grace(session, now)


def _action(record: MatchRecord) -> Action:
    """What the clock does on the seat that is late: a bot plays, two seats forfeit, four seats are played for."""
    seat = record.match.to_act
    assert seat is not None, "a match that is over has no deadline"
    if record.match.round.phase == "cut":
        return Cut(seat, None, by="clock")
    bot = record.seats[seat].bot
    if bot is None and len(record.seats) == 2:
        return Forfeit(seat, "timeout")
    level = bot or SUBSTITUTE
    seen = [redact(event, seat) for event in _round_events(record.id)] if level in bots.REMEMBER else []
    card, capture = bots.choose(level, view(record.match, seat), seen, random.Random())
    named = None if capture is None else tuple(capture)
    return Play(seat, card, named, turn=record.match.turn, by="clock" if bot is None else "bot")


def _round_events(match_id: str) -> list[dict[str, Any]]:
    """What happened in the round that is played, complete and secret."""
    return list(db.session.scalars(_SELECT_ROUND, {"match_id": match_id}))
