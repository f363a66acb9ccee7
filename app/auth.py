"""Who is calling: a token in the Authorization header, or the page's cookie, and where the request comes from."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import cast
from urllib.parse import urlsplit

from flask import Response, g, request

from app.addresses import address
from app.config import settings
from app.services import bearers
from app.services.errors import Refusal
from app.services.networks import BAN, MUTE, until_of
from app.services.sanctions import in_force
from app.services.times import rfc3339

COOKIE_NAME = "basra_session"
# By this an account knows a browser that has signed in to it before; it opens nothing.
DEVICE_COOKIE_NAME = "basra_device"
COOKIE_AGE_S = 400 * 24 * 3600
SECRET_MOST = 100


@dataclass(frozen=True, slots=True)
class Caller:
    """A player who has shown who they are."""

    player_id: str
    token_id: str
    scopes: frozenset[str]
    by_cookie: bool
    expires_at: datetime | None
    # Whether it is a device that is signed in, and not what a program was given.
    is_session: bool
    guest: bool
    # Since when there is such a player.
    since: datetime
    admin: bool
    banned_until: datetime | None
    muted_until: datetime | None


def identify(*, unsafe: bool) -> Caller | None:
    """The caller of the current request, or None if it names nobody.

    Errors: auth.required for a token that is none; auth.forbidden for an unsafe request that another site sent along
    with our cookie; auth.banned.
    """
    caller = visitor()
    if caller is None and "Authorization" in request.headers:
        raise Refusal("auth.required", "The token is unknown, expired or revoked.")
    if caller is not None and caller.by_cookie and unsafe and not _is_from_our_own_page():
        raise Refusal("auth.forbidden", "With the cookie, this is allowed from our own pages only.")
    if caller is not None:
        require_not_banned(caller)
    return caller


def require_not_banned(caller: Caller) -> None:
    """Refuse a player who is shut out, and a guest where the address is.

    Errors: auth.banned.
    """
    _refuse_until("auth.banned", in_force(BAN, caller.banned_until, address() if caller.guest else None))


def require_voice(caller: Caller) -> None:
    """Refuse a player who may say and name nothing, and a guest where the address may not.

    Errors: chat.muted.
    """
    _refuse_until("chat.muted", in_force(MUTE, caller.muted_until, address() if caller.guest else None))


def require_open_address(*, name: str | None = None) -> None:
    """Refuse a new guest, or one who comes with a transfer, where the address is banned, and a name where it is muted.

    Errors: auth.banned, chat.muted.
    """
    _refuse_until("auth.banned", until_of(BAN, address()))
    if name is not None:
        _refuse_until("chat.muted", until_of(MUTE, address()))


def _refuse_until(code: str, until: datetime | None) -> None:
    if until is not None:
        raise Refusal(code, until=rfc3339(until))


def require_scope(caller: Caller, scope: str) -> None:
    """Refuse a caller whose token is not made for this.

    Errors: auth.scope_missing.
    """
    if scope not in caller.scopes:
        raise Refusal(
            "auth.scope_missing", f"The token was not made for this: it needs the scope `{scope}`.", scope=scope
        )


def require_all(caller: Caller) -> None:
    """Refuse a caller whose token may do less than a session, or only for a time.

    Errors: auth.scope_missing.
    """
    if not caller.scopes.issuperset(bearers.SCOPES) or caller.expires_at is not None:
        raise Refusal("auth.scope_missing", "This needs a session, or a token that may do everything and has no end.")


def visitor() -> Caller | None:
    """The player who looks at a page, or None if it is nobody that we know; never refuses."""
    if "caller" not in g:
        g.caller = _read()
    return cast("Caller | None", g.caller)


def caller_of(token: str, *, by_cookie: bool = False) -> Caller | None:
    """The player a token stands for, or None."""
    bearer = bearers.bearer_of(token)
    if bearer is None:
        return None
    return Caller(
        player_id=bearer.player_id,
        token_id=bearer.token_id,
        scopes=bearer.scopes,
        by_cookie=by_cookie,
        expires_at=bearer.expires_at,
        is_session=bearer.kind == bearers.SESSION,
        guest=bearer.guest,
        since=bearer.player_since,
        admin=bearer.admin,
        banned_until=bearer.banned_until,
        muted_until=bearer.muted_until,
    )


def set_cookie(response: Response, token: str) -> Response:
    """Have the browser keep a session."""
    response.set_cookie(
        COOKIE_NAME, token, max_age=COOKIE_AGE_S, httponly=True, samesite="Lax", secure=settings().secure, path="/"
    )
    return response


def device() -> str | None:
    """What the browser keeps so that accounts know it, or None."""
    secret = request.cookies.get(DEVICE_COOKIE_NAME, "")
    return secret if 0 < len(secret) <= SECRET_MOST else None


def set_device(response: Response, secret: str) -> Response:
    """Have the browser keep what an account knows it by, for longer than any session."""
    response.set_cookie(
        DEVICE_COOKIE_NAME,
        secret,
        max_age=COOKIE_AGE_S,
        httponly=True,
        samesite="Lax",
        secure=settings().secure,
        path="/api/v1",
    )
    return response


def drop_cookie(response: Response) -> Response:
    """Have the browser forget its session."""
    response.delete_cookie(COOKIE_NAME, httponly=True, samesite="Lax", secure=settings().secure, path="/")
    return response


def _read() -> Caller | None:
    header = request.headers.get("Authorization")
    if header is not None:
        scheme, _, token = header.partition(" ")
        return caller_of(token.strip()) if scheme.lower() == "bearer" else None
    cookie = request.cookies.get(COOKIE_NAME)
    return caller_of(cookie, by_cookie=True) if cookie else None


def _is_from_our_own_page() -> bool:
    if request.headers.get("Sec-Fetch-Site") == "same-origin":
        return True
    origin = request.headers.get("Origin")
    own = {_origin(settings().public_url), _origin(request.host_url)}
    return origin is not None and _origin(origin) in own - {None}


def _origin(url: str) -> tuple[str, str, int | None] | None:
    try:
        parts = urlsplit(url)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    except ValueError:
        return None
    return (parts.scheme, parts.hostname, port) if parts.hostname else None
