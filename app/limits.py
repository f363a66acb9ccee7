"""Rate limits: how much one player, and one address, may ask in a while, as decorators of views.

Everything is counted by what the limited party cannot make more of: all tokens and devices of a player are one, and
guests, who are made for nothing, spend from their own and from their address's. What each has spent is kept in this
process, which is the only one.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from flask import Flask, Response, current_app, g
from werkzeug.exceptions import TooManyRequests

from app import auth
from app.addresses import address
from app.config import settings
from app.observability import log
from app.paces import Bucket, Ledger, Pace, Standing, Window

View = Callable[..., Any]
Charge = tuple[Pace, str]
CREATED = 201
# All guests of an address together have so many times what one of them has: a house, a school, a carrier's customers.
SHARE = 20


@dataclass(frozen=True)
class Limit:
    """What a player may do so often, and how often all guests of one address may, with those who name nobody."""

    own: Pace
    shared: Pace


def _bucket(name: str, per_s: float, burst: int) -> Limit:
    own = Bucket(name, per_s=per_s, burst=burst)
    return Limit(own, Bucket(f"{name}-address", per_s=per_s * SHARE, burst=burst * SHARE))


MOVES = _bucket("move", per_s=10, burst=120)
READS = _bucket("read", per_s=20, burst=200)
# Rooms, seeks and whatever else stays in the database; guests and reports have their own.
CREATIONS = _bucket("create", per_s=1, burst=60)
CHAT = _bucket("chat", per_s=1, burst=5)
REPORTS = Limit(Window("report", most=10, span_s=3600), Window("report-address", most=10 * SHARE, span_s=3600))
GUESTS = Window("guest", most=60, span_s=60)
# Most of them work out a slow hash, so an address has less than so many times what a player has.
SIGN_INS = Limit(Window("sign-in", most=30, span_s=60), Window("sign-in-address", most=60, span_s=60))

# By what a class is counted, as documents put it into words.
BY_PLAYER, BY_GUESTS, BY_ADDRESS, BY_NOBODY = "player", "guests", "address", "nobody"
BY_DEVICE, BY_ACCOUNT, BY_ACCOUNT_HERE = "device", "account", "account_here"


def player_key(caller: auth.Caller) -> str:
    """The key that all of a player's requests are counted by, whichever token or device they come from."""
    return f"player:{caller.player_id}"


def _limited(limit: Limit) -> Callable[[View], View]:
    def decorate(view: View) -> View:
        @wraps(view)
        def limited(*args: Any, **view_args: Any) -> Any:
            if settings().rate_limits:
                spend(charges(limit))
            return view(*args, **view_args)

        return noted(limited, view, (limit.own, BY_PLAYER), (limit.shared, BY_GUESTS))

    return decorate


def charges(limit: Limit) -> list[Charge]:
    """From what the current request spends: the player's own, and of a guest or of nobody also the address's."""
    caller = auth.visitor()
    own: list[Charge] = [] if caller is None else [(limit.own, player_key(caller))]
    return own if caller is not None and not caller.guest else [*own, (limit.shared, address())]


def noted(limited: View, view: View, *classes: tuple[Pace, str]) -> View:
    """Note at a view what limits it and what that is counted by, for the document that tells clients."""
    limited.limits = (*getattr(view, "limits", ()), *classes)  # type: ignore[attr-defined]
    return limited


# A view is decorated with one of these.
moves = _limited(MOVES)
reads = _limited(READS)
create = _limited(CREATIONS)
reports = _limited(REPORTS)
chat = _limited(CHAT)
sign_in = _limited(SIGN_INS)


def guests(view: View) -> View:
    """Limit the new guests of an address, whoever asks for them."""

    @wraps(view)
    def limited(*args: Any, **view_args: Any) -> Any:
        if settings().rate_limits:
            spend([(GUESTS, address())])
        return view(*args, **view_args)

    return noted(limited, view, (GUESTS, BY_ADDRESS))


def plays(view: View) -> View:
    """Count as a move what the match does not take; what it takes has a limit in the turns of the others.

    So a program that plays as fast as it may, one request at a time, is never refused.
    """

    @wraps(view)
    def limited(*args: Any, **view_args: Any) -> Any:
        answer = view(*args, **view_args)
        if settings().rate_limits and answer.status_code == CREATED:
            for pace, key in charges(MOVES):
                standing = ledger().give_back(pace, key)
                g.limits = [(told, standing if told is pace else other) for told, other in g.limits]
        return answer

    return moves(limited)


def init_app(app: Flask) -> None:
    """Give the app its ledger."""
    app.extensions["limits"] = Ledger()
    if not app.extensions["settings"].rate_limits:
        log("rate_limits_off", level=logging.WARNING)
    app.after_request(_tell)


def spend(wanted: list[Charge]) -> None:
    """Spend one of each, or nothing and refuse. The caller is told of the first, and of another one if that refuses."""
    spent: list[Charge] = []
    for pace, key in wanted:
        standing = ledger().spend(pace, key)
        if standing.wait_s > 0:
            give_back(spent)
            refuse_as(pace, standing)
        if not spent:
            g.setdefault("limits", []).append((pace, standing))
        spent.append((pace, key))


def give_back(spent: list[Charge]) -> None:
    """Give back what was spent and shall not count."""
    for pace, key in spent:
        ledger().give_back(pace, key)


def refuse_as(pace: Pace, standing: Standing) -> None:
    """Refuse whoever has to wait, and tell what for; nobody else is told of a limit that they may never meet."""
    if standing.wait_s > 0:
        g.setdefault("limits", []).append((pace, standing))
        refuse_for(standing.wait_s)


def refuse_for(wait_s: float) -> None:
    """Refuse the current request, which may be sent again after so long."""
    raise TooManyRequests(retry_after=math.ceil(wait_s))


def ledger() -> Ledger:
    """What everyone has spent lately."""
    found: Ledger = current_app.extensions["limits"]
    return found


def _tell(response: Response) -> Response:
    """Tell the caller where they stand, as the IETF's draft on RateLimit fields has it."""
    told: list[tuple[Pace, Standing]] = g.get("limits", [])
    if told:
        response.headers["RateLimit-Policy"] = ", ".join(
            f'"{pace.name}";q={pace.quota};w={math.ceil(pace.span_s)}' for pace, _ in told
        )
        response.headers["RateLimit"] = ", ".join(
            f'"{pace.name}";r={standing.left};t={math.ceil(standing.more_in_s)}' for pace, standing in told
        )
    return response
