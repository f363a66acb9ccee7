"""Verdicts: what a match that has ended counts for, and for whom.

Who leaves too early, or never comes, has lost all the same: dodging a match must not be better than losing it. The
others gain nothing from so short a match, or two friends would make points without playing.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import cast

from sqlalchemy import Connection, Table, bindparam, case, func, select

from app.models import MatchEvent, PlayerResult, Room
from app.services.presence import stayed
from app.services.records import MatchRecord

# Fewer plays than this for each seat are no match; more matches than this of the same two in a day are a farm.
PLAYS_PER_SEAT = 2
SCORED_PER_DAY = 10
DAY = timedelta(days=1)

_events = cast(Table, MatchEvent.__table__)
_results = cast(Table, PlayerResult.__table__)
_rooms = cast(Table, Room.__table__)

_seat_of_play = _events.c.event["seat"].as_integer()
_by = _events.c.event["by"].as_string()
_COUNT_PLAYS = (
    select(
        _seat_of_play.label("seat"),
        _by.label("by"),
        func.count().label("plays"),
        func.sum(case((_events.c.event["basra"].as_integer() > 0, 1), else_=0)).label("basras"),
    )
    .where(_events.c.match_id == bindparam("match_id"), _events.c.type == "played")
    .group_by(_seat_of_play, _by)
)
_one, _other = _results.alias("one"), _results.alias("other")
# Of every two of some people: how many matches that they both played were scored since a moment.
_SCORED_TOGETHER = (
    select(func.count())
    .select_from(_one.join(_other, _other.c.match_id == _one.c.match_id))
    .where(
        _one.c.player_id.in_(bindparam("people", expanding=True)),
        _one.c.finished_at > bindparam("since"),
        _other.c.player_id.in_(bindparam("people", expanding=True)),
        _other.c.player_id > _one.c.player_id,
    )
    .group_by(_one.c.player_id, _other.c.player_id)
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a match counts for.

    Shape: `dodged` are the seats that have lost it whatever became of it, and get nothing; `absent` the players who
    never came to a quick match; `basras` those that each seat's player made.
    """

    scored: bool
    dodged: frozenset[int]
    absent: tuple[str, ...]
    basras: dict[int, int]

    @property
    def counts(self) -> bool:
        """Whether it counts for anybody."""
        return self.scored or bool(self.dodged)

    def counts_for(self, seat: int) -> bool:
        """Whether it counts for a seat."""
        return self.scored or seat in self.dodged


def judge(connection: Connection, record: MatchRecord, now: datetime) -> Verdict:
    """Judge a match that has just ended."""
    result = record.match.result
    assert result is not None
    played: dict[tuple[int, str], int] = {}
    basras: dict[int, int] = {}
    for row in connection.execute(_COUNT_PLAYS, {"match_id": record.id}):
        played[row.seat, row.by] = row.plays
        if row.by == "player":
            basras[row.seat] = int(row.basras)
    never_came = _never_came(connection, record, played)
    absent = tuple(str(record.seats[seat].player_id) for seat in sorted(never_came))
    if not _may_count(connection, record, now):
        return Verdict(False, frozenset(), absent, basras)
    if result.reason == "abandoned":
        return Verdict(False, never_came, absent, basras)
    if record.match.turn >= PLAYS_PER_SEAT * len(record.seats):
        return Verdict(True, never_came, absent, basras)
    return Verdict(False, never_came | _left_early(record, played), absent, basras)


def _may_count(connection: Connection, record: MatchRecord, now: datetime) -> bool:
    people = {taken.player_id for taken in record.seats if taken.bot is None}
    if record.seeded or len(people) < len(record.seats) or any(taken.is_program for taken in record.seats):
        return False
    # Any two of them, whoever else sat there and in whatever room: a table for four is no way round.
    counts = connection.scalars(_SCORED_TOGETHER, {"people": sorted(map(str, people)), "since": now - DAY})
    return max(counts, default=0) < SCORED_PER_DAY


def _never_came(connection: Connection, record: MatchRecord, played: dict[tuple[int, str], int]) -> frozenset[int]:
    """The seats whose people had looked for this match and made no play in it, though it was their turn."""
    # A rematch is none: for that they had just agreed.
    if record.number > 1 or not connection.scalar(select(_rooms.c.quick).where(_rooms.c.code == record.room_code)):
        return frozenset()
    left = _who_left(record)
    return frozenset(
        taken.seat
        for taken in record.seats
        if taken.bot is None
        and (taken.seat, "player") not in played
        and ((taken.seat, "clock") in played or taken.seat == left)
    )


def _left_early(record: MatchRecord, played: dict[tuple[int, str], int]) -> frozenset[int]:
    """Who ended the match by leaving or by being late; who may have known nothing of it yet is not blamed."""
    seat = _who_left(record)
    if seat is None:
        return frozenset()
    result = record.match.result
    assert result is not None
    may_be_away = result.reason == "timeout" and (seat, "player") not in played
    if may_be_away and not stayed(record.room_code, seat, record.id):
        return frozenset()
    return frozenset({seat})


def _who_left(record: MatchRecord) -> int | None:
    result = record.match.result
    return result.seat if result is not None and result.reason in ("forfeit", "timeout") else None
