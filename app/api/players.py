"""Players: becoming a guest, and looking players up."""

from __future__ import annotations

from typing import Any

from flask import Response

from app import auth, limits
from app.api.blueprint import BODY, Blueprint, reply
from app.api.devices import device
from app.api.sessions import signed_in
from app.auth import Caller
from app.schemas.answers import ref
from app.schemas.requests import NewPlayer
from app.services import players

blp = Blueprint("players", __name__, url_prefix="/api/v1/players", description="Who plays.")


def _exists(caller: Caller, player_id: str) -> None:
    players.require(player_id)


def _at_an_open_address(_caller: Caller | None) -> None:
    auth.require_open_address()


@blp.post("")
@limits.guests
@blp.operation("createPlayer", scope=None, guard=_at_an_open_address, refusals=("auth.forbidden", *BODY, "chat.muted"))
@blp.arguments(NewPlayer, required=False)
@blp.response(201, ref("NewPlayerAnswer"))
def create_player(body: dict[str, Any]) -> Response:
    """Become a guest.

    A guest plays at once, without a password. The token is shown this once and stored hashed. With `session` a cookie
    is set instead.
    """
    auth.require_open_address(name=body["name"])
    label = device() if body["session"] else None
    player, token = players.create_guest(body["name"], session=body["session"], label=label)
    return signed_in(player, token, body)


@blp.get("/<player_id>")
@limits.reads
@blp.operation("getPlayer", scope="read", guard=_exists, refusals=("not_found",))
@blp.response(200, ref("Profile"))
def get_player(player_id: str) -> Response:
    """Show a player.

    With his points, his rating and what his matches add up to. One who has left is "Deleted player".
    """
    return reply(players.profile(player_id))
