"""Rate limits: how much one caller may ask in a while, as decorators of views.

What each has spent is kept in this process, which is the only one.
"""

from __future__ import annotations

import ipaddress
import logging
import math
import re
import threading
import time
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Protocol

from flask import Flask, current_app, request
from werkzeug.exceptions import MethodNotAllowed, TooManyRequests

from app import auth
from app.config import settings
from app.observability import log
from app.services import rooms
from app.services.errors import Refusal

# Who asks from so many addresses that older ones are forgotten has that many allowances anyway.
MOST_KEPT = 20_000
_IN_A_ROOM = re.compile(r"/api/v1/rooms/([^/]+)(?:/|$)")
_WITH_PORT = re.compile(r"\[([^\]]+)\](?::\d+)?|([^:]+):\d+")

View = Callable[..., Any]


class Pace(Protocol):
    """How fast something may be spent; what is kept of a key is None before it has spent anything."""

    def wait_s(self, kept: Any, now: float) -> float:
        """How long until one more may be spent; not above 0 if it may be now."""

    def spent(self, kept: Any, now: float) -> Any:
        """What is kept once one more is spent."""


@dataclass(frozen=True)
class Bucket:
    """So many a second, refilled all the time, and so many at once. Kept is when it will be full again."""

    per_s: float
    burst: int

    def wait_s(self, kept: float | None, now: float) -> float:
        # Rounded, or the last of a burst would be refused for what a sum of floats is off.
        return round(self.spent(kept, now) - now - self.burst / self.per_s, 6)

    def spent(self, kept: float | None, now: float) -> float:
        return max(now, kept or now) + 1 / self.per_s


@dataclass(frozen=True)
class Window:
    """At most so many in any span of so many seconds. Kept are the last times."""

    most: int
    span_s: float

    def wait_s(self, kept: tuple[float, ...] | None, now: float) -> float:
        return kept[0] + self.span_s - now if kept and len(kept) == self.most else 0.0

    def spent(self, kept: tuple[float, ...] | None, now: float) -> tuple[float, ...]:
        return (*(kept or ()), now)[-self.most :]


@dataclass
class Ledger:
    """What everyone has spent lately."""

    clock: Callable[[], float] = time.monotonic
    _lock: threading.Lock = field(default_factory=threading.Lock)
    # The least lately used first.
    _kept: dict[tuple[Pace, Hashable], Any] = field(default_factory=dict)

    def wait_s(self, pace: Pace, key: Hashable) -> float:
        """How long the key must wait before it may spend one more."""
        with self._lock:
            return pace.wait_s(self._kept.get((pace, key)), self.clock())

    def spend(self, pace: Pace, key: Hashable, *, always: bool = False) -> float:
        """Spend one if that may be, or in any case; returns how long it would have had to wait."""
        with self._lock:
            now = self.clock()
            kept = self._kept.pop((pace, key), None)
            wait_s = pace.wait_s(kept, now)
            self._kept[pace, key] = pace.spent(kept, now) if always or wait_s <= 0 else kept
            if len(self._kept) > MOST_KEPT:
                del self._kept[next(iter(self._kept))]
            return wait_s


MOVES = Bucket(per_s=10, burst=120)
READS = Bucket(per_s=20, burst=200)
GUESTS = Window(most=30, span_s=60)
UNKNOWN_ROOM_CODES = Window(most=20, span_s=60)


def caller() -> str:
    """The key a caller's requests are counted by: the token, else the address."""
    return auth.limit_key() or address()


def address() -> str:
    """The key an address's requests are counted by; neighbours in one IPv6 network of /64 are one.

    A proxy may forward anything. Where that is no address, its own one counts.
    """
    original = request.environ.get("werkzeug.proxy_fix.orig", {}).get("REMOTE_ADDR")
    for text in (request.remote_addr, original):
        with suppress(ValueError):
            return _network(text or "")
    return "unknown"


def _network(text: str) -> str:
    with_port = _WITH_PORT.fullmatch(text)
    found = ipaddress.ip_address(with_port[1] or with_port[2] if with_port else text)
    if found.version == 4:
        return str(found)
    return str(found.ipv4_mapped or ipaddress.ip_network((int(found) >> 64 << 64, 64)))


def _limit(pace: Pace, key: Callable[[], str]) -> Callable[[View], View]:
    def decorate(view: View) -> View:
        @wraps(view)
        def limited(*args: Any, **view_args: Any) -> Any:
            if settings().rate_limits:
                _refuse_while(_ledger().spend(pace, key()))
            return view(*args, **view_args)

        return limited

    return decorate


# A view is decorated with one of these.
moves = _limit(MOVES, caller)
reads = _limit(READS, caller)
guests = _limit(GUESTS, address)


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

    return limited


def init_app(app: Flask) -> None:
    """Give the app its ledger."""
    app.extensions["limits"] = Ledger()
    if not app.extensions["settings"].rate_limits:
        log("rate_limits_off", level=logging.WARNING)
    app.before_request(_count_room_codes_of_wrong_methods)


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
        _refuse_while(wait_s)


def _sits_in(code: str) -> bool:
    calling = auth.identify(unsafe=False)
    with suppress(Refusal):
        seating = rooms.room_json(code)["seating"]
        return calling is not None and any((place["player"] or {}).get("id") == calling.player_id for place in seating)
    return False


def _count_if_unknown(code: str) -> None:
    try:
        rooms.room_json(code)
    except Refusal:
        _ledger().spend(UNKNOWN_ROOM_CODES, address(), always=True)


def _refuse_while(wait_s: float) -> None:
    if wait_s > 0:
        raise TooManyRequests(retry_after=math.ceil(wait_s))


def _ledger() -> Ledger:
    found: Ledger = current_app.extensions["limits"]
    return found
