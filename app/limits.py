"""Rate limits: how much one caller may ask in a while, as decorators of views.

What each has spent is kept in this process, which is the only one.
"""

from __future__ import annotations

import logging
import math
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from flask import Flask, Response, current_app, g, request
from werkzeug.exceptions import MethodNotAllowed, TooManyRequests

from app import auth
from app.addresses import address
from app.config import settings
from app.extensions import db
from app.observability import log
from app.paces import Bucket, Ledger, Pace, Standing, Window
from app.services import rooms, usernames
from app.services.errors import Refusal

_IN_A_ROOM = re.compile(r"/api/v1/rooms/([^/]+)(?:/|$)")

View = Callable[..., Any]
CREATED = 201

MOVES = Bucket("move", per_s=10, burst=120)
READS = Bucket("read", per_s=20, burst=200)
# Rooms, seeks and whatever else stays in the database; guests and reports have their own.
CREATIONS = Bucket("create", per_s=1, burst=60)
GUESTS = Window("guest", most=30, span_s=60)
REPORTS = Window("report", most=10, span_s=3600)
CHAT = Bucket("chat", per_s=1, burst=5)
SIGN_INS = Window("sign-in", most=30, span_s=60)
FAILED_HERE = Window("failed-try", most=10, span_s=300)
FAILED_ANYWHERE = Window("failed-try-anywhere", most=60, span_s=60)
# What says that somebody is not who he said.
FAILURES = frozenset({"auth.required", "account.wrong_password"})
UNKNOWN_ROOM_CODES = Window("unknown-room", most=20, span_s=60)


def caller() -> str:
    """The key a caller's requests are counted by: the token, else the player, else the address."""
    return auth.limit_key() or address()


def player() -> str:
    """The key of what a player may do so often, whatever number of tokens he has."""
    return auth.player_key() or address()


def _limit(pace: Pace, key: Callable[[], str]) -> Callable[[View], View]:
    def decorate(view: View) -> View:
        @wraps(view)
        def limited(*args: Any, **view_args: Any) -> Any:
            if settings().rate_limits:
                _spend(pace, key())
            return view(*args, **view_args)

        return _noted(limited, view, pace, key)

    return decorate


def _noted(limited: View, view: View, pace: Pace, key: Callable[[], str]) -> View:
    """Note at the view what limits it, for the document that tells clients."""
    limited.limits = (*getattr(view, "limits", ()), (pace, key))  # type: ignore[attr-defined]
    return limited


# A view is decorated with one of these.
moves = _limit(MOVES, caller)
reads = _limit(READS, caller)
create = _limit(CREATIONS, caller)
guests = _limit(GUESTS, address)
reports = _limit(REPORTS, player)
chat = _limit(CHAT, player)
sign_in = _limit(SIGN_INS, address)


def plays(view: View) -> View:
    """Count as a move what the match does not take; what it takes has a limit in the turns of the others.

    So a program that plays as fast as it may, one request at a time, is never refused.
    """

    @wraps(view)
    def limited(*args: Any, **view_args: Any) -> Any:
        answer = view(*args, **view_args)
        if settings().rate_limits and answer.status_code == CREATED:
            _give_back(MOVES, caller())
        return answer

    return moves(limited)


@contextmanager
def tries_of(account: str) -> Iterator[None]:
    """Count the failed tries to prove to be somebody, and let nobody go on guessing his password.

    From one address few are let through in a few minutes. Those from everywhere are counted too, but only for a
    minute: many strangers together must not keep the owner out for long, and a single one not at all.
    """
    if not settings().rate_limits:
        yield
        return
    name = usernames.fold(account)
    spent: list[tuple[Pace, str]] = []
    try:
        # Before it is known how it ends: many tries at once are many tries.
        for pace, key in ((FAILED_HERE, f"{name} {address()}"), (FAILED_ANYWHERE, name)):
            _refuse_as(pace, _ledger().spend(pace, key))
            spent.append((pace, key))
        yield
    except Exception as error:
        if not isinstance(error, Refusal) or error.code not in FAILURES:
            _return(spent)
        raise
    _return(spent)
    _ledger().forget(*spent[0])


def _return(spent: list[tuple[Pace, str]]) -> None:
    for pace, key in spent:
        _ledger().give_back(pace, key)


def room_codes(view: View) -> View:
    """Count the codes of rooms that do not exist, and let nobody go on guessing."""

    @wraps(view)
    def limited(*args: Any, **view_args: Any) -> Any:
        code = _room_code()
        if code is None or not settings().rate_limits:
            return view(*args, **view_args)
        _refuse_guessing(code)
        try:
            return view(*args, **view_args)
        except Refusal as refused:
            if refused.code == "not_found":
                _count_if_unknown(code)
            raise

    return _noted(limited, view, UNKNOWN_ROOM_CODES, address)


def init_app(app: Flask) -> None:
    """Give the app its ledger."""
    app.extensions["limits"] = Ledger()
    if not app.extensions["settings"].rate_limits:
        log("rate_limits_off", level=logging.WARNING)
    app.before_request(_count_room_codes_of_wrong_methods)
    app.after_request(_tell)


def _count_room_codes_of_wrong_methods() -> None:
    """No view sees them, and still 404 or 405 tells whether the room exists."""
    code = _room_code()
    if code is not None and isinstance(request.routing_exception, MethodNotAllowed) and settings().rate_limits:
        _refuse_guessing(code)
        _count_if_unknown(code)


def _room_code() -> str | None:
    found = _IN_A_ROOM.match(request.path)
    return found[1] if found else None


def _refuse_guessing(code: str) -> None:
    """Refuse an address that has guessed too often, except to those behind it who sit in the room."""
    wait_s = _ledger().wait_s(UNKNOWN_ROOM_CODES, address())
    if wait_s > 0 and not _sits_in(code):
        _refuse_as(UNKNOWN_ROOM_CODES, Standing(wait_s, 0, wait_s))


def _sits_in(code: str) -> bool:
    calling = auth.identify(unsafe=False)
    if calling is None:
        return False
    try:
        rooms.own_seat(db.session(), code, calling.player_id)
    except Refusal:
        return False
    return True


def _count_if_unknown(code: str) -> None:
    try:
        rooms.room_json(code)
    except Refusal:
        _ledger().spend(UNKNOWN_ROOM_CODES, address(), always=True)


def _spend(pace: Pace, key: str) -> None:
    standing = _ledger().spend(pace, key)
    g.setdefault("limits", []).append((pace, standing))
    _refuse_while(standing.wait_s)


def _give_back(pace: Pace, key: str) -> None:
    standing = _ledger().give_back(pace, key)
    g.limits = [(told, standing if told is pace else other) for told, other in g.limits]


def _tell(response: Response) -> Response:
    """Tell the caller where he stands, as the IETF's draft on RateLimit fields has it."""
    told: list[tuple[Pace, Standing]] = g.get("limits", [])
    if told:
        response.headers["RateLimit-Policy"] = ", ".join(
            f'"{pace.name}";q={pace.quota};w={math.ceil(pace.span_s)}' for pace, _ in told
        )
        response.headers["RateLimit"] = ", ".join(
            f'"{pace.name}";r={standing.left};t={math.ceil(standing.more_in_s)}' for pace, standing in told
        )
    return response


def _refuse_as(pace: Pace, standing: Standing) -> None:
    """Refuse whoever has to wait, and tell what for; nobody else is told of a limit that he may never meet."""
    if standing.wait_s > 0:
        g.setdefault("limits", []).append((pace, standing))
    _refuse_while(standing.wait_s)


def _refuse_while(wait_s: float) -> None:
    if wait_s > 0:
        raise TooManyRequests(retry_after=math.ceil(wait_s))


def _ledger() -> Ledger:
    found: Ledger = current_app.extensions["limits"]
    return found
