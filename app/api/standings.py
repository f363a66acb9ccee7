"""Standings: leaderboards, and how a player's rating changed."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from flask import Response

from app import limits
from app.api import cursors
from app.api.blueprint import Blueprint, calling, reply
from app.auth import Caller
from app.schemas.answers import ref
from app.schemas.requests import PageQuery
from app.services import leaderboards, players, ratings
from app.services.errors import Refusal, refuse_field
from app.services.ids import is_id

blp = Blueprint("standings", __name__, url_prefix="/api/v1", description="Who stands where.")

# No value of any board is as high; and no database is asked for a number that it cannot hold.
VALUE_MOST = 2**31 - 1


def _is_board(_caller: Caller, kind: str) -> None:
    if kind not in leaderboards.KINDS:
        raise Refusal("not_found")


def _exists(caller: Caller, player_id: str) -> None:
    players.require(caller.player_id if player_id == "me" else player_id)


@blp.get(
    "/leaderboards/<kind>",
    parameters=[
        {"in": "path", "name": "kind", "required": True, "schema": {"type": "string", "enum": leaderboards.KINDS}}
    ],
)
@limits.reads
@blp.operation("getLeaderboard", scope="read", guard=_is_board, refusals=("not_found", "request.invalid"))
@blp.arguments(PageQuery, location="query")
@blp.response(200, ref("Leaderboard"))
def get_leaderboard(query: dict[str, Any], kind: str) -> Response:
    """Show who leads among the registered players.

    `rating`: those whose rating is established. `week`: points since Monday 00:00 UTC. `points`: all points. Points
    count of matches between registered players, one opponent ten times a week. Guests and bot accounts stand on none.
    """
    _is_board(calling(), kind)
    found = leaderboards.board(kind, calling().player_id, board_place(kind, query.get("cursor")), query["limit"])
    cursor = board_cursor(found.next)
    return reply({"items": found.items, "next": cursor, "me": found.me, "unranked": found.unranked})


@blp.get("/players/<player_id>/ratings")
@limits.reads
@blp.operation("listRatings", scope="read", guard=_exists, refusals=("not_found", "request.invalid"))
@blp.arguments(PageQuery, location="query")
@blp.response(200, ref("RatingPage"))
def list_ratings(query: dict[str, Any], player_id: str) -> Response:
    """List how a player's rating changed, newest first.

    `me` is yourself. Of other players, matches in private rooms are not named.
    """
    caller_id = calling().player_id
    if player_id == "me":
        player_id = caller_id
    players.require(player_id)
    items, more = ratings.changes_of(player_id, caller_id, _change_place(query.get("cursor")), query["limit"])
    cursor = None if more is None else cursors.encode_value([more.at.isoformat(), more.shown])
    return reply({"items": items, "next": cursor})


def board_cursor(place: leaderboards.Place | None) -> str | None:
    """The text of where a page of a board ended; None stays None, the end of the board."""
    return None if place is None else cursors.encode_value([place.value, place.player_id])


def board_place(kind: str, text: str | None) -> leaderboards.Place | None:
    """Where to go on; None stays None, the top of the board.

    Errors: request.invalid for a text that we never gave.
    """
    if text is None:
        return None
    try:
        value, player_id = cursors.decode_value(text)
        if type(value) not in ((int, float) if kind == "rating" else (int,)) or not abs(value) <= VALUE_MOST:
            raise ValueError
        if not isinstance(player_id, str) or not is_id(player_id):
            raise ValueError
        return leaderboards.Place(value, player_id)
    except (TypeError, ValueError):
        refuse_field("cursor", "Not a cursor of this list.")


def _change_place(text: str | None) -> ratings.Place | None:
    if text is None:
        return None
    try:
        at, shown = cursors.decode_value(text)
        moment = datetime.fromisoformat(at)
        if moment.tzinfo is None or type(shown) is not int or not 0 < shown < VALUE_MOST:
            raise ValueError
        return ratings.Place(moment.astimezone(UTC), shown)
    except (TypeError, ValueError, OverflowError):
        refuse_field("cursor", "Not a cursor of this list.")
