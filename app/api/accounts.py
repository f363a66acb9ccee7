"""One's own player: registering, changing, taking everything along, and leaving."""

from __future__ import annotations

from typing import Any

from flask import Response

from app import auth, guesses, limits
from app.addresses import address
from app.api.blueprint import BODY, Blueprint, calling, reply
from app.realtime import publish
from app.schemas.accounts import Departure, NewAccount, PasswordChange, PlayerChange
from app.schemas.answers import ref
from app.schemas.requests import Empty
from app.services import accounts, departures, exports

blp = Blueprint("accounts", __name__, url_prefix="/api/v1/players/me", description="Yourself.")

CHANGE = ("auth.forbidden", *BODY)


@blp.get("")
@limits.reads
@blp.operation("getOwnPlayer", scope="read")
@blp.response(200, ref("OwnProfile"))
def get_own_player() -> Response:
    """Show yourself: your profile, and what you sign in as.

    `username` is null as long as you are a guest; nobody else is shown it.
    """
    return reply(accounts.own_profile(calling().player_id))


@blp.patch("")
@limits.moves
@blp.operation("changePlayer", scope="account", guard=auth.require_voice, refusals=(*CHANGE, "chat.muted"))
@blp.arguments(PlayerChange)
@blp.response(200, ref("OwnProfile"))
def change_player(body: dict[str, Any]) -> Response:
    """Change the name that others are shown.

    Matches that have begun keep the one of then. Names need not be different from those of others.
    """
    auth.require_voice(calling())
    player, news = accounts.rename(calling().player_id, body["name"])
    publish(news)
    return reply(player)


@blp.delete("")
@guesses.passwords
@limits.sign_in
@blp.operation("deletePlayer", scope="account", refusals=(*CHANGE, "account.wrong_password"))
@blp.arguments(Departure, required=False)
@blp.response(204)
def delete_player(body: dict[str, Any]) -> Response:
    """Delete yourself, for good.

    Running matches are forfeited, rooms left; sessions, tokens, seeks, blocks, reports and messages are gone, and the
    username is free. Finished matches stand under "Deleted player". An account's password is asked for.
    """
    player_id = calling().player_id
    with guesses.tries_of(player_id):
        password_hash = accounts.checked_password(player_id, body["password"])
    refusal, news = departures.leave(player_id, password_hash)
    publish(news)
    if refusal is not None:
        raise refusal
    response = Response(status=204)
    return auth.drop_cookie(response) if calling().by_cookie else response


@blp.post("/account")
@limits.sign_in
@blp.operation(
    "registerAccount", scope="account", whole=True, refusals=(*CHANGE, "account.exists", "account.username_taken")
)
@blp.arguments(NewAccount)
@blp.response(201, ref("NewAccountAnswer"))
def register(body: dict[str, Any]) -> Response:
    """Register as a guest: from now on you sign in with a username and a password.

    You stay who you are, with your name, your matches, your sessions and the tokens that you made. The token that you
    became a guest with ends, for whoever else may have it; if it is the one that asks, `token` is another in its place.
    Who signs in may do everything, so this needs a session, or a token of all scopes and without an end. Common
    passwords are refused; many accounts made at one address within an hour have to wait for one another.
    """
    caller = calling()
    made = accounts.register(
        caller.player_id,
        body["username"],
        body["password"],
        current=caller.token_id,
        address=address(),
        device=auth.device(),
    )
    publish(made.news)
    answer = made.profile if made.token is None else {**made.profile, "token": made.token}
    return auth.set_device(reply(answer, 201), made.device)


@blp.put("/password")
@guesses.passwords
@limits.sign_in
@blp.operation("changePassword", scope="account", refusals=(*CHANGE, "account.needed", "account.wrong_password"))
@blp.arguments(PasswordChange)
@blp.response(204)
def change_password(body: dict[str, Any]) -> Response:
    """Change your password.

    Your other sessions are signed out and their channels closed. Your tokens stay, unless you ask by `end_tokens` to
    end them with it; the one that asks always stays. Wrong passwords are limited by account too.
    """
    caller = calling()
    with guesses.tries_of(caller.player_id):
        news = accounts.change_password(
            caller.player_id,
            caller.token_id,
            body["password"],
            body["new_password"],
            end_tokens=body["end_tokens"],
            device=auth.device(),
        )
    publish(news)
    return Response(status=204)


@blp.post("/bot")
@limits.moves
@blp.operation("declareBot", scope="account", refusals=(*CHANGE, "bot.too_late"))
@blp.arguments(Empty, required=False)
@blp.response(200, ref("OwnProfile"))
def declare_bot(body: dict[str, Any]) -> Response:
    """Declare that you are a program, once and for good, before your first match.

    You are shown as a bot, are never in a rated match with people, and quick match brings you together with bots only.
    """
    player, news = accounts.declare_bot(calling().player_id)
    publish(news)
    return reply(player)


@blp.get("/export")
@limits.create
@blp.operation("exportPlayer", scope="account")
@blp.response(200, ref("Export"), headers={"Content-Disposition": {"schema": {"type": "string"}}})
def export_player() -> Response:
    """Show everything that is kept about you.

    As one JSON object, to be saved as a file: yourself, sessions and tokens without their secrets, rooms, matches,
    results, blocks, reports and messages.
    """
    response = reply(exports.export(calling().player_id, calling().token_id))
    response.headers["Content-Disposition"] = 'attachment; filename="basra.json"'
    return response
