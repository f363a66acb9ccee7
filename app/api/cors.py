"""Calls from pages of other sites: with a token they may all that programs may, with the cookie nothing.

No answer allows credentials, so a browser shows no page what came by a cookie; and an answer to our cookie says nothing
of other sites at all.
"""

from __future__ import annotations

from flask import Flask, Response, request

from app.auth import COOKIE_NAME

PREFIX = "/api/v1/"
METHODS = "GET, POST, PUT, PATCH, DELETE"
SENT = "Authorization, Content-Type, If-None-Match"
SHOWN = (
    "Basra-Revision, Content-Disposition, ETag, Location, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, "
    "X-Request-ID"
)
# As long as browsers keep it: Chromium two hours, Firefox a day.
KEPT_S = 86_400


def init_app(app: Flask) -> None:
    """Let pages of other sites call the API."""
    app.before_request(_answer_preflight)
    app.after_request(_allow)


def _answer_preflight() -> Response | None:
    """Answer what a browser asks before a page's request; the same for every address, so that none is told of."""
    if request.method != "OPTIONS" or not request.path.startswith(PREFIX):
        return None
    if "Access-Control-Request-Method" not in request.headers:
        return None
    response = Response(status=204)
    response.headers["Access-Control-Allow-Methods"] = METHODS
    response.headers["Access-Control-Allow-Headers"] = SENT
    response.headers["Access-Control-Max-Age"] = str(KEPT_S)
    return response


def _allow(response: Response) -> Response:
    if request.path.startswith(PREFIX) and not _is_by_cookie():
        response.headers["Access-Control-Allow-Origin"] = "*"
        response.headers["Access-Control-Expose-Headers"] = SHOWN
    return response


def _is_by_cookie() -> bool:
    """Whether the cookie says who is calling; a token in the request goes before it."""
    return COOKIE_NAME in request.cookies and "Authorization" not in request.headers
