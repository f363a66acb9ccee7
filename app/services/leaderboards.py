"""Leaderboards: who stands where among the registered players, by rating, by the week's points and by all points.

Points count here that registered players won from one another; a profile's own points may be more.

What a board sorts by stands in the player's row, written as his matches end, with an index for each board: a page costs
what it shows, however many people play, and a rank is counted in the index alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from sqlalchemy import (
    Column,
    ColumnElement,
    Row,
    ScalarSelect,
    Select,
    String,
    Table,
    and_,
    func,
    literal,
    select,
    true,
    tuple_,
)

from app.extensions import db
from app.models import Player
from app.services.players import player_json
from app.services.ratings import rating_of, whole
from app.services.times import utcnow, week_of

KINDS = ("rating", "week", "points")

_players = cast(Table, Player.__table__)
# By what each board is sorted.
_VALUES: dict[str, Column[Any]] = {
    "rating": _players.c.rating_value,
    "week": _players.c.week_points,
    "points": _players.c.board_points,
}
_SHOWN = (
    _players.c.id, _players.c.name, _players.c.guest, _players.c.bot, _players.c.board_points, _players.c.week_points,
    _players.c.rating_value, _players.c.rating_deviation, _players.c.rating_volatility, _players.c.rated_at,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Place:
    """Where a page of a board ended: the value and the player of its last row."""

    value: float
    player_id: str


@dataclass(frozen=True, slots=True)
class Standings:
    """A page of a board and where it ended; the caller's own row wherever he stands, or why he has none."""

    items: list[dict[str, Any]]
    next: Place | None
    me: dict[str, Any] | None
    unranked: str | None


def board(kind: str, caller_id: str | None, place: Place | None, limit: int) -> Standings:
    """A page of a leaderboard, best first; those who are shown with the same value have the same rank."""
    now = utcnow()
    value, listed = _VALUES[kind], _listed(kind, now)
    own = None if caller_id is None else _own(caller_id, and_(listed, value > 0))
    on_board = own is not None and bool(own.ranked)
    own_value = getattr(own, value.name) if on_board else None
    rows = db.session.execute(_page(value, listed, place, own_value, limit)).all()
    found = [row for row in rows if row.id is not None]
    return Standings(
        _with_ranks(kind, found[:limit], place, rows[0], now),
        Place(getattr(found[limit - 1], value.name), found[limit - 1].id) if len(found) > limit else None,
        _row(kind, own, rows[0].above_own + 1, now) if own is not None and on_board else None,
        None if own is None or on_board else _why_not(kind, own),
    )


def _own(caller_id: str, ranked: ColumnElement[bool]) -> Row[Any] | None:
    query: Select[Any] = select(*_SHOWN, ranked.label("ranked")).where(_players.c.id == caller_id)
    return db.session.execute(query).one_or_none()


def _listed(kind: str, now: datetime) -> ColumnElement[bool]:
    """Who may stand on a board; on those of points he needs some."""
    people = and_(~_players.c.guest, ~_players.c.bot, _players.c.deleted_at.is_(None))
    if kind == "rating":
        return and_(people, _players.c.established_until > now)
    return and_(people, _players.c.week_at == week_of(now)) if kind == "week" else people


def _why_not(kind: str, own: Row[Any]) -> str:
    if own.guest:
        return "guest"
    if own.bot:
        return "bot"
    return "provisional" if kind == "rating" else "no_points"


def _page(
    value: Column[Any], listed: ColumnElement[bool], place: Place | None, own_value: float | None, limit: int
) -> Select[Any]:
    """One statement: the rows of a page and one more, each with the counts from which ranks follow.

    The counts come once more where there is no row, with nulls for its columns.
    """

    def count(condition: ColumnElement[bool]) -> ScalarSelect[int]:
        return select(func.count()).where(listed, condition).scalar_subquery()

    order = (value.desc(), _players.c.id.desc())
    page = select(*_SHOWN).where(listed, value > 0).order_by(*order).limit(limit + 1)
    none: ColumnElement[int] = literal(0)
    before = above = above_own = none
    if place is not None:
        key, spot = tuple_(value, _players.c.id), tuple_(place.value, place.player_id, types=[value.type, String()])
        # The value once more alone: by pairs alone SQLite would not find both ends of what it has to read.
        page = page.where(value <= place.value, key < spot)
        before, above = count(and_(value >= place.value, key >= spot)), count(_is_better(value, place.value))
    if own_value is not None:
        above_own = count(_is_better(value, own_value))
    counts = select(before.label("before"), above.label("above"), above_own.label("above_own")).subquery()
    rows = page.subquery()
    return (
        select(rows, counts)
        .select_from(counts.outerjoin(rows, true()))
        .order_by(rows.c[value.name].desc(), rows.c.id.desc())
    )


def _is_better(value: Column[Any], than: float) -> ColumnElement[bool]:
    """Whether a player is shown with more; a rating is shown rounded."""
    return value >= whole(than) + 0.5 if value is _players.c.rating_value else value > than


def _with_ranks(
    kind: str, page: list[Row[Any]], place: Place | None, counts: Row[Any], now: datetime
) -> list[dict[str, Any]]:
    position, rank = counts.before, counts.above + 1
    last = None if place is None else whole(place.value)
    items = []
    for row in page:
        position += 1
        shown = whole(getattr(row, _VALUES[kind].name))
        if shown != last:
            rank, last = position, shown
        items.append(_row(kind, row, rank, now))
    return items


def _row(kind: str, row: Row[Any], rank: int, now: datetime) -> dict[str, Any]:
    shown = {
        "rank": rank,
        "player": player_json(row),
        "value": whole(getattr(row, _VALUES[kind].name)),
    }
    if kind == "rating":
        shown["deviation"] = whole(rating_of(row, now).deviation)
    return shown
