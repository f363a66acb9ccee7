"""Rate limits: how much one caller may ask in a while, as decorators of views."""

from __future__ import annotations

import ipaddress
import logging
from collections.abc import Callable
from typing import Any

from flask import Flask, Response, request

from app.extensions import limiter
from app.observability import log

STATUS_TOO_MANY = 429


def caller() -> str:
    """The key a caller's requests are counted by: the token, else the player, else the address."""
    from app import auth

    return auth.limit_key() or address()


def address() -> str:
    """The key an address's requests are counted by; neighbours in one IPv6 network of /64 are one."""
    found = ipaddress.ip_address(request.remote_addr or "0.0.0.0")
    return str(ipaddress.ip_network(f"{found}/64", strict=False)) if found.version == 6 else str(found)


def _not_found(response: Response) -> bool:
    return response.status_code == 404


# A view is decorated with one of these. "n per m seconds" in a moving window: a burst of n, then n / m a second.
moves: Callable[..., Any] = limiter.shared_limit("120 per 12 second", scope="moves", key_func=caller)
reads: Callable[..., Any] = limiter.shared_limit("200 per 10 second", scope="reads", key_func=caller)
guests: Callable[..., Any] = limiter.shared_limit("30 per minute", scope="guests", key_func=address)
room_codes: Callable[..., Any] = limiter.shared_limit(
    "20 per minute", scope="room_codes", key_func=address, deduct_when=_not_found
)


def init_app(app: Flask) -> None:
    """Bind the limiter to the app."""
    settings = app.extensions["settings"]
    app.config["RATELIMIT_ENABLED"] = settings.rate_limits
    if not settings.rate_limits:
        log("rate_limits_off", level=logging.WARNING)
    # Registered before the limiter, so it runs after it: the limiter tells everyone to retry, also who was served.
    app.after_request(_retry_only_the_refused)
    limiter.init_app(app)


def _retry_only_the_refused(response: Response) -> Response:
    if response.status_code < STATUS_TOO_MANY:
        response.headers.pop("Retry-After", None)
    return response
