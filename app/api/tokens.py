"""Tokens: what a player makes for his programs."""

from __future__ import annotations

from typing import Any

from flask import Response

from app import limits
from app.api.blueprint import BODY, Blueprint, calling, reply
from app.realtime import publish
from app.schemas.accounts import NewToken
from app.schemas.answers import ref
from app.services import tokens

blp = Blueprint("tokens", __name__, url_prefix="/api/v1/tokens", description="For your programs.")


@blp.post("")
@limits.create
@blp.operation("createToken", scope="account", refusals=("auth.forbidden", *BODY, "token.too_many"))
@blp.arguments(NewToken)
@blp.response(201, ref("CreatedToken"))
def create_token(body: dict[str, Any]) -> Response:
    """Make a token for a program.

    The token itself is shown this once and stored hashed. It can have no scope that the asking token lacks: `read`
    looks, `play` plays, `account` does what concerns your account. Nor does it outlast the asking token. You have 50 at
    most.
    """
    caller = calling()
    made = tokens.create(
        caller.player_id,
        caller.scopes,
        body["label"],
        body["scopes"],
        body["expires_in_days"],
        at_latest=caller.expires_at,
    )
    return reply(made, 201)


@blp.get("")
@limits.reads
@blp.operation("listTokens", scope="account")
@blp.response(200, ref("TokenPage"))
def list_tokens() -> Response:
    """List your tokens that may be used, newest first.

    Without their secrets. Those that were revoked or have expired are gone.
    """
    return reply({"items": tokens.tokens_of(calling().player_id), "next": None})


@blp.delete("/<token_id>")
@limits.moves
@blp.operation("revokeToken", scope="account", refusals=("auth.forbidden", "not_found"))
@blp.response(204)
def revoke_token(token_id: str) -> Response:
    """Revoke a token.

    It stands for nobody from now on, and the channels that were opened with it are closed (1008).
    """
    publish(tokens.revoke(calling().player_id, token_id, calling().token_id))
    return Response(status=204)
