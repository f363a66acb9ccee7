"""Steps of the system's clock: somebody sets it, and no deadline comes nearer or goes further away by that.

`times.utcnow` goes on as time passes, so between a step and the next sweep nothing has happened yet. The sweep then
moves what is measured in moments by as much as the clock was set, and the service's own clock with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from flask import current_app
from sqlalchemy import ColumnElement, Interval, func, literal, select, true, update
from sqlalchemy.orm import InstrumentedAttribute, Session

from app.extensions import write_transaction
from app.models import MatchRow, Player, Room, Seek, SignUp, Transfer
from app.services import deadlines, times

# What is less is kept until it adds up, as where a clock goes a little too fast.
LEAST_S = 1.0
# So long after a step nothing is forgotten for its age: the clock may be wrong, and be set right again.
REST_S = 3600.0
# When the last step was seen, by the time that passes.
_STEPPED_AT = "clock_stepped_at"

Moment = InstrumentedAttribute[Any]
# The moments whose passing takes something from somebody, and the rows where it still can. What somebody was promised
# as a date, like a token's end, stays; so does what only tells when something was.
MOMENTS: tuple[tuple[Moment, ColumnElement[bool]], ...] = (
    (MatchRow.deadline_at, MatchRow.status == "playing"),
    (Room.active_at, Room.status.in_(("waiting", "finished"))),
    (Room.reveal_by, Room.status == "dealing"),
    (Seek.created_at, true()),
    (Seek.seen_at, true()),
    (Transfer.expires_at, true()),
    (Player.no_show_at, Player.no_show_at.is_not(None)),
    (Player.no_seek_until, Player.no_seek_until.is_not(None)),
    (SignUp.at, true()),
)


@dataclass(frozen=True, slots=True)
class Step:
    """By how much the clock was set, and whose deadlines were moved by it: matches, and rooms that deal."""

    seconds: float
    match_ids: list[str]
    codes: list[str]


def follow() -> Step | None:
    """Move every deadline by as much as the system's clock was set since the last time; None if it was not.

    Only who is the clock of the database may do it: twice would be as wrong as not at all.
    """
    seconds = round(times.gap_s(), 3)
    if abs(seconds) < LEAST_S:
        return None
    current_app.extensions[_STEPPED_AT] = times.running_s()
    with write_transaction() as session:
        match_ids, codes = _move(session, timedelta(seconds=seconds))
        # Before the commit: whoever writes next sees both or neither.
        times.set_ahead(seconds)
        try:
            session.commit()
        except BaseException:
            times.set_ahead(-seconds)
            raise
    return Step(seconds, match_ids, codes)


def shorten(session: Session, now: datetime) -> None:
    """Take back what is further away than it can be: the system's clock was set back while no service was running."""
    playing = select(MatchRow.id, MatchRow.turn_seconds, MatchRow.deadline_at).where(MatchRow.status == "playing")
    for match_id, turn_seconds, deadline_at in session.execute(playing).all():
        latest = deadlines.after(now, deadlines.longest_s(turn_seconds))
        if deadline_at is not None and deadline_at > latest:
            session.execute(update(MatchRow).where(MatchRow.id == match_id).values(deadline_at=latest))
    session.execute(update(Seek).where(Seek.seen_at > now).values(seen_at=now))
    session.execute(update(Room).where(Room.status == "dealing").values(reveal_by=now))


def is_quiet() -> bool:
    """Whether the system's clock was not set lately, so that what it makes old is old."""
    stepped_at = current_app.extensions.get(_STEPPED_AT)
    return stepped_at is None or times.running_s() - float(stepped_at) >= REST_S


def _move(session: Session, step: timedelta) -> tuple[list[str], list[str]]:
    by = _on_sqlite if session.get_bind().dialect.name == "sqlite" else _on_postgresql
    for moment, where in MOMENTS:
        moving = update(moment.class_).where(where).values({moment: by(moment, step)})
        session.execute(moving, execution_options={"synchronize_session": False})
    match_ids = session.scalars(select(MatchRow.id).where(MatchRow.status == "playing"))
    return list(match_ids), list(session.scalars(select(Room.code).where(Room.status == "dealing")))


def _on_sqlite(moment: Moment, step: timedelta) -> ColumnElement[Any]:
    # SQLite keeps moments as texts and counts to the millisecond; written as all others are, they can be compared.
    return func.strftime("%Y-%m-%d %H:%M:%f000", moment, f"{step.total_seconds():+.3f} seconds")


def _on_postgresql(moment: Moment, step: timedelta) -> ColumnElement[Any]:
    return moment + literal(step, Interval())
