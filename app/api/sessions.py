"""Sessions: signing in and out, and the devices where one is signed in."""

from __future__ import annotations

from typing import Any

from flask import Response, g

from app import auth, guesses, limits
from app.api.blueprint import BODY, Blueprint, calling, reply
from app.api.devices import device
from app.realtime import publish
from app.schemas.accounts import NewSession
from app.schemas.answers import ref
from app.services import sessions

blp = Blueprint("sessions", __name__, url_prefix="/api/v1/sessions", description="Where you are signed in.")


@blp.post("")
@guesses.sign_ins
@blp.operation("signIn", scope=None, refusals=("auth.forbidden", *BODY))
@blp.arguments(NewSession)
@blp.response(201, ref("SignInAnswer"))
def sign_in(body: dict[str, Any]) -> Response:
    """Sign in to an account.

    Whether the username or the password was wrong is not told. With `session` a cookie is set instead of giving a
    token, in place of the session that the browser had. Failed tries are limited by address and by account; a browser
    that has signed in to the account before keeps a cookie by which it has a limit of its own.
    """
    with guesses.sign_in_of(body["username"]):
        made = sessions.sign_in(
            body["username"], body["password"], label=device(), instead_of=replaced(body), device=auth.device()
        )
    publish(made.news)
    return signed_in(made.player, made.token, body, made.device)


@blp.get("")
@limits.reads
@blp.operation("listSessions", scope="account")
@blp.response(200, ref("SessionPage"))
def list_sessions() -> Response:
    """List where you are signed in, newest first.

    50 at most: who signs in once more is signed out where he was longest ago. `current` is the one that asks.
    """
    return reply({"items": sessions.sessions_of(calling().player_id, calling().token_id), "next": None})


@blp.delete("/<session_id>")
@limits.moves
@blp.operation("signOut", scope="account", refusals=("auth.forbidden", "not_found"))
@blp.response(204)
def sign_out(session_id: str) -> Response:
    """Sign out where you are signed in; `current` is the session that asks.

    Its channels are closed; an open code of a transfer is void, unless you sign yourself out. A guest who signs out
    everywhere cannot come back.
    """
    own = calling().token_id
    publish(sessions.sign_out(calling().player_id, own if session_id == "current" else session_id, own))
    response = Response(status=204)
    return auth.drop_cookie(response) if calling().by_cookie and session_id in ("current", own) else response


def replaced(body: dict[str, Any]) -> str | None:
    """The session whose cookie the answer will take the place of."""
    return g.calling.token_id if body["session"] and g.calling is not None and g.calling.by_cookie else None


def signed_in(player: dict[str, Any], token: str, body: dict[str, Any], known_by: str | None = None) -> Response:
    """The answer to who has shown who they are: with a cookie or a token, as they asked.

    What an account knows the device by is always a cookie: what keeps none is no device.
    """
    answer = {"player": player} if body["session"] else {"player": player, "token": token}
    response = reply(answer, 201)
    if body["session"]:
        auth.set_cookie(response, token)
    return response if known_by is None else auth.set_device(response, known_by)
