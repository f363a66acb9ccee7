"""Calls from pages of other sites: with a token they may all that programs may, with the cookie nothing.

No answer allows credentials, so a browser sends no cookie of ours along and shows a page nothing that came by one.
"""

from __future__ import annotations

from flask import Flask, Response, request

PREFIX = "/api/v1/"
METHODS = "GET, POST, PUT, PATCH, DELETE"
SENT = "Authorization, Content-Type, If-None-Match"
SHOWN = (
    "Basra-Revision, Content-Disposition, ETag, Location, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate"
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
    if request.path.startswith(PREFIX):
        response.headers["Access-Control-Allow-Origin"] = "*"
        response.headers["Access-Control-Expose-Headers"] = SHOWN
    return response
