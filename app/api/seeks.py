"""Quick match: looking for others who want the same."""

from __future__ import annotations

from typing import Any

from flask import Response

from app import limits
from app.api.blueprint import BODY, Blueprint, calling, reply
from app.auth import Caller
from app.realtime import publish
from app.schemas.answers import ref
from app.schemas.requests import NewSeek
from app.services import seeks
from app.services.room_rules import RoomWish

blp = Blueprint("seeks", __name__, url_prefix="/api/v1/seeks", description="Finding others to play with.")


def _is_own(caller: Caller, seek_id: str) -> None:
    seeks.require_own(caller.player_id, seek_id)


@blp.post("")
@limits.create
@blp.operation("createSeek", scope="play", refusals=("auth.forbidden", *BODY))
@blp.arguments(NewSeek, required=False)
@blp.response(201, ref("Seek"), headers={"Location": {"schema": {"type": "string"}}})
@blp.alt_response(200, schema=ref("Seek"), description="You look for that already.", success=True)
def create_seek(body: dict[str, Any]) -> Response:
    """Look for others who want the same match.

    Those who want the same are brought together in order of arrival; when enough are there, a public room is made, all
    are seated, the match starts, and `room` is in the seek of each; if somebody committed to a client seed, that room
    is `dealing` first. Ask for the seek at least every 30 s, or it is gone. You have one at a time: another one
    replaces it. Registered players meet registered ones for their first 10 s, and guests after that, unrated. Who makes
    no play in a match that was found, for the second time in an hour, may not look for another for 2 minutes:
    `rate_limited`.
    """
    seek, fresh, news = seeks.seek(calling().player_id, RoomWish(**body))
    publish(news)
    response = reply(seek, 201 if fresh else 200)
    response.headers["Location"] = f"/api/v1/seeks/{seek['id']}"
    return response


@blp.get("/<seek_id>")
@limits.reads
@blp.operation("getSeek", scope="play", guard=_is_own, refusals=("not_found",))
@blp.response(200, ref("Seek"))
def get_seek(seek_id: str) -> Response:
    """Show your seek, and keep it alive.

    One that is paired can be asked for 10 minutes longer.
    """
    seek, news = seeks.hear_of(calling().player_id, seek_id)
    publish(news)
    return reply(seek)


@blp.delete("/<seek_id>")
@limits.moves
@blp.operation("deleteSeek", scope="play", guard=_is_own, refusals=("auth.forbidden", "not_found", "room.started"))
@blp.response(204)
def delete_seek(seek_id: str) -> Response:
    """Look no longer.

    Refused once your match was found and as long as it is played: that is left by forfeiting it.
    """
    seeks.give_up(calling().player_id, seek_id)
    return Response(status=204)
