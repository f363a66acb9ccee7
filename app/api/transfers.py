"""Transfers: taking a player along to another device."""

from __future__ import annotations

from typing import Any

from flask import Response

from app import auth, limits
from app.addresses import address
from app.api.blueprint import BODY, Blueprint, calling, reply
from app.api.devices import device
from app.api.sessions import replaced, signed_in
from app.realtime import publish
from app.schemas.accounts import UsedTransfer
from app.schemas.answers import ref
from app.schemas.requests import Empty
from app.services import transfers

blp = Blueprint("transfers", __name__, url_prefix="/api/v1", description="Taking yourself along.")


@blp.post("/players/me/transfers")
@limits.create
@blp.operation("createTransfer", scope="account", whole=True, refusals=("auth.forbidden", *BODY))
@blp.arguments(Empty, required=False)
@blp.response(201, ref("Transfer"))
def create_transfer(body: dict[str, Any]) -> Response:
    """Make a code that signs another device in as you.

    It serves once, within ten minutes, and takes the place of one that you asked for before. The other device may do
    everything, so this needs a session, or a token of all scopes and without an end.
    """
    return reply(transfers.create(calling().player_id), 201)


@blp.post("/transfers")
@limits.sign_in
@blp.operation("useTransfer", scope=None, refusals=("auth.forbidden", "not_found", *BODY))
@blp.arguments(UsedTransfer)
@blp.response(201, ref("SignInAnswer"))
def use_transfer(body: dict[str, Any]) -> Response:
    """Sign in by a code that a player made on another device.

    With `session` a cookie is set instead of giving a token. Wrong codes are limited by address.
    """
    made = transfers.use(body["code"], address(), label=device(), instead_of=replaced(body), device=auth.device())
    publish(made.news)
    return signed_in(made.player, made.token, body, made.device)
