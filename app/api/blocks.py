"""Blocks: whom a player keeps away, or only silent."""

from __future__ import annotations

from typing import Any

from flask import Response

from app import limits
from app.api import cursors
from app.api.blueprint import BODY, Blueprint, calling, reply
from app.auth import Caller
from app.extensions import db
from app.realtime import publish
from app.schemas.answers import ref
from app.schemas.requests import PageQuery
from app.schemas.social import NewBlock
from app.services import blocks, seeks

blp = Blueprint("blocks", __name__, url_prefix="/api/v1/blocks", description="Whom you keep away.")


def _exists(_caller: Caller, player_id: str) -> None:
    blocks.require_living(db.session(), player_id)


@blp.get("")
@limits.reads
@blp.operation("listBlocks", scope="account", refusals=("request.invalid",))
@blp.arguments(PageQuery, location="query")
@blp.response(200, ref("BlockPage"))
def list_blocks(query: dict[str, Any]) -> Response:
    """List whom you have blocked or muted, newest first.

    A block stands until you end it, or one of you deletes himself.
    """
    items, more = blocks.blocks_of(calling().player_id, cursors.decode(query.get("cursor")), query["limit"])
    return reply({"items": items, "next": cursors.encode(more)})


@blp.put("/<player_id>")
@limits.moves
@blp.operation("blockPlayer", scope="account", guard=_exists, refusals=("auth.forbidden", "not_found", *BODY))
@blp.arguments(NewBlock)
@blp.response(200, ref("Block"))
def block_player(body: dict[str, Any], player_id: str) -> Response:
    """Block or mute a player.

    `block`: you are never paired, neither may sit down where the other is the host or sits already, and no word passes
    between you, whichever of you did it. `mute`: you get no phrase and no message of his. The other is not told. A
    match that runs goes on.
    """
    kept = blocks.keep_away(calling().player_id, player_id, body["kind"])
    if kept["kind"] != blocks.BLOCK:  # he may have been blocked until now
        publish(seeks.try_again(calling().player_id))
    return reply(kept)


@blp.delete("/<player_id>")
@limits.moves
@blp.operation("unblockPlayer", scope="account", refusals=("auth.forbidden", "not_found"))
@blp.response(204)
def unblock_player(player_id: str) -> Response:
    """End a block or a mute.

    If you look for a match, he may be found for it from now on.
    """
    blocks.let_be(calling().player_id, player_id)
    publish(seeks.try_again(calling().player_id))
    return Response(status=204)
