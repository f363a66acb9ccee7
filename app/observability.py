"""What the service tells its operator: constant event names with ids and counts, never a body, card or token."""

from __future__ import annotations

import logging
import re
import secrets
import sys
import time
import traceback
from pathlib import Path
from typing import Any

from flask import Flask, Response, g, request
from gunicorn.glogging import Logger  # type: ignore[import-untyped]

LOGGER = logging.getLogger("basra")
_REQUEST_ID = re.compile(r"[A-Za-z0-9_-]{8,64}")
# How many places of a traceback are named, from the innermost out.
PLACES = 6
_PLAIN = re.compile(r"[\w.:/<>+@-]+")


def log(event: str, *, level: int = logging.INFO, **fields: Any) -> None:
    """Log one event; fields are ids, counts and durations only."""
    LOGGER.log(level, " ".join([event, *(f"{name}={_value(value)}" for name, value in fields.items())]))


def log_failure(event: str, error: BaseException, **fields: Any) -> None:
    """Log an error by its type and the places it came through.

    Its words stay out: a driver's message quotes the statement, and with it a state full of cards.
    """
    log(event, level=logging.ERROR, error=type(error).__name__, at=_places(error), **fields)


def request_id() -> str | None:
    """The id of the request being served, for logs and problems."""
    found: str | None = g.get("request_id")
    return found


class ServerLog(Logger):  # type: ignore[misc]
    """The server's own log, which would quote the requests that it cannot read: line, headers and all.

    Whatever it tells while it handles an error is told by the error's type and places.
    """

    # The only failure that concerns no request: the service did not come up, and its operator needs to know why.
    STARTING = "Exception in worker process"

    def warning(self, msg: Any, *args: Any, **options: Any) -> None:
        error = sys.exc_info()[1]
        if error is None:
            super().warning(msg, *args, **options)
        else:
            log("request_unreadable", level=logging.WARNING, error=type(error).__name__)

    def exception(self, msg: Any, *args: Any, **options: Any) -> None:
        error = sys.exc_info()[1]
        if error is None or msg == self.STARTING:
            super().exception(msg, *args, **options)
        else:
            log_failure("server_failed", error)


def init_app(app: Flask) -> None:
    """Give every request an id and a line in the log."""
    if not LOGGER.handlers:
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
        LOGGER.addHandler(handler)
        LOGGER.setLevel(logging.INFO)
    app.before_request(_begin)
    app.after_request(_end)


def _begin() -> None:
    given = request.headers.get("X-Request-ID", "")
    g.request_id = given if _REQUEST_ID.fullmatch(given) else secrets.token_hex(8)
    g.request_began = time.monotonic()


def _end(response: Response) -> Response:
    response.headers["X-Request-ID"] = g.request_id
    if request.url_rule and request.url_rule.websocket and response.status_code < 400:
        return response  # a channel that has ended: the hub's log tells about it
    log(
        "request",
        method=request.method,
        # The rule, not the path: a private room's code is a secret, and an unknown path may hold anything.
        route=request.url_rule.rule if request.url_rule else None,
        status=response.status_code,
        ms=round((time.monotonic() - g.request_began) * 1000, 1),
        request_id=g.request_id,
    )
    return response


def _places(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)[-PLACES:]
    return "<".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in reversed(frames))


def _value(value: Any) -> str:
    text = str(value)
    return text if _PLAIN.fullmatch(text) else repr(text)
