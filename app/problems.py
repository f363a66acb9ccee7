"""Refusals as problem+json (RFC 9457), and the one table of their codes."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass
from typing import Any

from flask import Flask, Response, current_app, request
from werkzeug.exceptions import HTTPException

from app.observability import log, log_failure
from app.services.errors import DATABASE_AWAY, Refusal

MEDIA_TYPE = "application/problem+json"
API_PREFIX = "/api/"


@dataclass(frozen=True, slots=True)
class Kind:
    """What a code means: its HTTP status, and the words for people."""

    status: int
    title: str
    detail: str


KINDS = {
    "request.malformed": Kind(400, "Malformed request", "The body is not JSON in UTF-8."),
    "request.media_type": Kind(415, "Not JSON", "The body must be sent as application/json."),
    "request.too_large": Kind(413, "Too large", "The body may have 16 KiB at most."),
    "request.method": Kind(405, "Method not allowed", "This address does not answer to that method."),
    "request.invalid": Kind(422, "Invalid request", "A field is missing, unknown or has a value that it cannot have."),
    "request.timeout": Kind(408, "Too slow", "The request did not come in time."),
    "request.uri_too_long": Kind(414, "Address too long", "The address of the request is too long."),
    "request.headers_too_large": Kind(431, "Headers too large", "The headers of the request are too many or too long."),
    "auth.required": Kind(401, "Who are you?", "Send a valid token, or the cookie of a session."),
    "auth.forbidden": Kind(403, "Not allowed", "You may not do this."),
    "auth.scope_missing": Kind(403, "Not in the token's scope", "The token was not made for this."),
    "auth.banned": Kind(403, "Banned", "You are banned here until the moment in `until`."),
    "not_found": Kind(404, "Not found", "There is nothing here, or nothing that you may know of."),
    "room.closed": Kind(409, "The room is closed", "The room is closed."),
    "room.started": Kind(409, "The match has started", "A match is being played in this room."),
    "room.full": Kind(409, "The room is full", "The seats are still held by those who played."),
    "room.not_dealing": Kind(409, "No dealing", "No seed of yours is waited for in this room."),
    "room.seat_taken": Kind(409, "The seat is taken", "Somebody sits there already."),
    "room.too_many": Kind(409, "Too many rooms", "The host has as many open rooms as allowed; close one first."),
    "room.blocked": Kind(403, "Not open to you", "This table is not open to you."),
    "chat.off": Kind(403, "No chat here", "The host of this room has not allowed a chat."),
    "chat.muted": Kind(403, "Muted", "Until the moment in `until` you can send nothing and choose no names."),
    "account.username_taken": Kind(409, "The username is taken", "Somebody else signs in with this username."),
    "account.exists": Kind(409, "An account already", "You have an account already."),
    "account.needed": Kind(403, "No account", "This is for players with an account; a guest can register."),
    "account.wrong_password": Kind(403, "Wrong password", "This is not your password."),
    "bot.too_late": Kind(409, "Too late", "Only who has never played can declare to be a bot."),
    "token.too_many": Kind(409, "Too many tokens", "You have as many tokens as a player may have; revoke one."),
    "match.running": Kind(409, "The match is running", "Not before the match is over."),
    "match.over": Kind(409, "The match is over", "The match is over."),
    "match.stale_turn": Kind(409, "Another turn is due", "The match has moved on; `view` shows where it is."),
    "match.wrong_phase": Kind(409, "Not now", "The round is in another phase."),
    "match.not_your_turn": Kind(409, "Not your turn", "Another seat is to act."),
    "match.card_not_in_hand": Kind(422, "Not your card", "The card is not in your hand."),
    "match.illegal_capture": Kind(
        422, "Illegal capture", "The card cannot take these cards; `legal` lists what it can."
    ),
    "rate_limited": Kind(429, "Too many requests", "Wait for as long as Retry-After says."),
    "unavailable": Kind(503, "Try again", "The service is busy; nothing was changed."),
    "internal": Kind(500, "Our fault", "Something went wrong on our side; nothing was changed."),
}
STATUS = {code: kind.status for code, kind in KINDS.items()}

# What Flask and its extensions refuse by status alone.
_CODE_OF_STATUS = {
    400: "request.malformed",
    401: "auth.required",
    403: "auth.forbidden",
    404: "not_found",
    405: "request.method",
    408: "request.timeout",
    413: "request.too_large",
    414: "request.uri_too_long",
    415: "request.media_type",
    422: "request.invalid",
    429: "rate_limited",
    431: "request.headers_too_large",
    503: "unavailable",
}


def problem(code: str, detail: str | None = None, **extra: Any) -> Response:
    """The answer to a refused request."""
    kind = KINDS[code]
    response = Response(json.dumps(body_of(code, detail, **extra)), status=kind.status, mimetype=MEDIA_TYPE)
    if kind.status == 401:
        response.headers["WWW-Authenticate"] = 'Bearer realm="basra"'
    response.headers["Cache-Control"] = "no-store"
    return response


def body_of(code: str, detail: str | None = None, **extra: Any) -> dict[str, Any]:
    """What the answer to a refused request says."""
    kind = KINDS[code]
    return {
        "type": f"/api/docs#{code}",
        "title": kind.title,
        "status": kind.status,
        "detail": detail or kind.detail,
        "code": code,
        **extra,
    }


def init_app(app: Flask) -> None:
    """Answer every refusal under /api as a problem; pages keep their own error pages."""
    app.register_error_handler(Refusal, _refused)
    app.register_error_handler(HTTPException, http_refused)
    for error in DATABASE_AWAY:
        app.register_error_handler(error, _unavailable)
    app.register_error_handler(Exception, _failed)


def http_refused(error: HTTPException) -> Response | HTTPException:
    """Answer what Flask itself or an extension refuses."""
    if not request.path.startswith(API_PREFIX) or (error.code or 500) < 400:
        return error
    code = _CODE_OF_STATUS.get(error.code or 500, "internal" if (error.code or 500) >= 500 else "request.malformed")
    response = problem(code)
    for name in ("Allow", "Retry-After"):
        if (value := dict(error.get_headers()).get(name)) is not None:
            response.headers[name] = value
    return response


def _refused(error: Refusal) -> Response:
    extra = dict(error.extra)
    retry_after_s = extra.pop("retry_after_s", None)
    response = problem(error.code, error.detail, **extra)
    if retry_after_s is not None:
        response.headers["Retry-After"] = str(retry_after_s)
    return response


def _unavailable(error: Exception) -> Response:
    log("database_unavailable", level=logging.ERROR, error=type(error).__name__)
    response = problem("unavailable")
    response.headers["Retry-After"] = "1"
    return response


def _failed(error: Exception) -> Response:
    if current_app.testing:
        raise error
    log_failure("request_failed", error)
    return problem("internal")
