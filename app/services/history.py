"""Matches to look back on: a match by its id, its events, lists of matches, transcripts."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, cast

from sqlalchemy import Row, Select, Table, select, tuple_

from app.extensions import db
from app.models import MatchRow, MatchSeat, Player, PlayerResult
from app.services import match_store
from app.services.errors import Refusal
from app.services.ids import is_id
from app.services.match_filters import MatchFilter, narrowed
from app.services.match_views import events_for, result_json
from app.services.matches import load
from app.services.paging import Cursor, key_of, page_of
from app.services.players import require
from app.services.ratings import change
from app.services.records import MatchRecord
from app.services.results import outcome_of
from app.services.times import maybe_rfc3339, rfc3339
from engine.match import match_from_json
from engine.transcript import build

_matches = cast(Table, MatchRow.__table__)
_seats = cast(Table, MatchSeat.__table__)
_players = cast(Table, Player.__table__)
_results = cast(Table, PlayerResult.__table__)

# Without the state: a list of finished matches needs no hands.
_LISTED: Select[Any] = select(
    _matches.c.id,
    _matches.c.room_code,
    _matches.c.status,
    _matches.c.rules,
    _matches.c.result,
    _matches.c.scored,
    _matches.c.started_at,
    _matches.c.finished_at,
    _matches.c.to_act,
    _seats.c.seat,
    _matches.c.voided_at,
    _results.c.outcome,
    _results.c.points,
    _results.c.rating_before,
    _results.c.rating_after,
)


def visible(match_id: str, player_id: str | None) -> tuple[MatchRecord, int | None]:
    """A match that the caller may look at, and his seat in it if he has one.

    Errors: not_found, or auth.required for a nameless caller, who may know of finished matches only.
    """
    record = load(match_id)
    seat = None if record is None else record.seat_of(player_id)
    if player_id is None and (record is None or not record.is_over):
        raise Refusal("auth.required")
    if record is None or (seat is None and not record.may_watch()):
        raise Refusal("not_found")
    return record, seat


def events(match_id: str, player_id: str | None, after: int, limit: int) -> tuple[list[dict[str, Any]], int | None]:
    """Events after a version as the caller may see them, and the version to go on after, if there are more.

    Errors: as `visible`.
    """
    record, seat = visible(match_id, player_id)
    if after >= record.version:
        return [], None  # without asking the database, whose integers end where a query's do not
    found = match_store.events_after(db.session.connection(), record.id, after, limit + 1)
    shown = found[:limit]
    return events_for(record, shown, seat), shown[-1]["version"] if len(found) > limit else None


def transcript(match_id: str, player_id: str | None) -> dict[str, Any]:
    """The transcript of a finished match.

    Errors: before the end match.running for its people, not_found for others, auth.required for a nameless caller.
    """
    record, seat = visible(match_id, player_id)
    if not record.is_over:
        raise Refusal(
            "not_found" if seat is None else "match.running", "The transcript is there once the match is over."
        )
    full = match_store.events_after(db.session.connection(), record.id, 0, record.version)
    players = [{"seat": taken.seat, "name": taken.name, "bot": taken.bot} for taken in record.seats]
    return build(full, server_seed=record.match.server_seed, players=players)


def matches_of(
    player_id: str, caller_id: str, wanted: MatchFilter | None, cursor: Cursor | None, limit: int
) -> tuple[list[dict[str, Any]], Cursor | None]:
    """A page of a player's matches, newest first; of another player only those of public rooms.

    Errors: not_found for an unknown player.
    """
    own = player_id in ("me", caller_id)
    if not own:
        require(player_id)
    query = _listed(caller_id if own else player_id, public_only=not own)
    if wanted is not None:
        query = narrowed(query, wanted, caller_id)
    if cursor is not None:
        if not is_id(cursor.key):
            return [], None
        query = query.where(tuple_(_matches.c.started_at, _matches.c.id) < key_of(cursor))
    rows = db.session.execute(query.limit(limit + 1)).all()
    seats = _seats_of([row.id for row in rows])
    scores = _scores_of([row.id for row in rows if row.result is None])
    return page_of(
        rows,
        limit,
        lambda row: _item(row, seats[row.id], scores.get(row.id), caller_id),
        lambda row: Cursor(row.started_at, row.id),
    )


def _listed(player_id: str, *, public_only: bool) -> Select[Any]:
    brought = (_results.c.match_id == _matches.c.id) & (_results.c.player_id == player_id)
    query = (
        _LISTED.join(_seats, _seats.c.match_id == _matches.c.id)
        .outerjoin(_results, brought)
        .where(_seats.c.player_id == player_id)
        .order_by(_matches.c.started_at.desc(), _matches.c.id.desc())
    )
    return query.where(_matches.c.public) if public_only else query


def _item(row: Row[Any], seats: list[dict[str, Any]], scores: list[int] | None, caller_id: str) -> dict[str, Any]:
    due = None if row.to_act is None else seats[row.to_act]["player"]
    return {
        "id": row.id,
        "room": row.room_code,
        "status": row.status,
        "rules": row.rules,
        "seats": seats,
        "scores": scores if row.result is None else row.result["scores"],
        "result": None if row.result is None else result_json(row.result, row.scored, row.voided_at),
        "started_at": rfc3339(row.started_at),
        "finished_at": maybe_rfc3339(row.finished_at),
        "your_turn": due is not None and due["id"] == caller_id,
        "outcome": None if row.result is None else row.outcome or outcome_of(row.seat % 2, row.result["winner"]),
        "points": row.points,
        "rating_change": change(row.rating_before, row.rating_after),
    }


def _seats_of(match_ids: list[str]) -> dict[str, list[dict[str, Any]]]:
    query = (
        select(
            _seats.c.match_id, _seats.c.seat, _seats.c.player_id, _seats.c.name, _seats.c.bot,
            _players.c.guest, _players.c.bot.label("is_program"),
        )
        .select_from(_seats.outerjoin(_players, _players.c.id == _seats.c.player_id))
        .where(_seats.c.match_id.in_(match_ids))
        .order_by(_seats.c.seat)
    )  # fmt: skip
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in db.session.execute(query):
        player = None
        if row.player_id is not None:
            player = {"id": row.player_id, "name": row.name, "guest": row.guest, "bot": row.is_program}
        found[row.match_id].append({"seat": row.seat, "side": row.seat % 2, "player": player, "bot": row.bot})
    return found


def _scores_of(match_ids: list[str]) -> dict[str, list[int]]:
    """The scores of running matches, which only their states know."""
    query = select(_matches.c.id, _matches.c.state).where(_matches.c.id.in_(match_ids))
    return {row.id: list(match_from_json(row.state).scores) for row in db.session.execute(query)}
