"""Admins: how a view is opened to them alone, so that nobody else learns that it is there."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from flask import g, request

from app import auth, limits
from app.api.blueprint import SAFE_METHODS
from app.auth import Caller
from app.services import bearers
from app.services.audit import Actor
from app.services.errors import Refusal


class AdminAccess:
    """Who may use what is for admins: an account made one on the command line, in a browser's session.

    A token opens nothing here, whatever its scopes: what a program needs, the command line does.
    """

    nameless = False

    def identify(self, *, unsafe: bool) -> Caller:
        """The calling admin.

        Errors: not_found for everybody else, as for an address where nothing is; then as `auth.identify`.
        """
        caller = auth.visitor()
        if caller is None or not is_admin(caller):
            raise Refusal("not_found")
        auth.identify(unsafe=unsafe)
        return caller

    def check(self, caller: Caller | None, view_args: dict[str, Any]) -> None:
        """There is no right beyond that of being an admin."""


ACCESS = AdminAccess()


def is_admin(caller: Caller) -> bool:
    """Whether it is an admin who calls, in a session of a browser."""
    whole = caller.scopes.issuperset(bearers.SCOPES) and caller.expires_at is None
    return caller.admin and not caller.guest and caller.by_cookie and caller.is_session and whole


def for_admins(limited: Callable[..., Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Open a view to admins; only they are told of its limit, too."""

    def decorate(view: Callable[..., Any]) -> Callable[..., Any]:
        within_limit = limited(view)

        @wraps(view)
        def answer(*args: Any, **view_args: Any) -> Any:
            g.calling = ACCESS.identify(unsafe=request.method not in SAFE_METHODS)
            return within_limit(*args, **view_args)

        answer.access = ACCESS  # type: ignore[attr-defined]
        # Flask's own answer to OPTIONS would tell everybody that there is something.
        answer.provide_automatic_options = False  # type: ignore[attr-defined]
        return answer

    return decorate


def reading(view: Callable[..., Any]) -> Callable[..., Any]:
    """Open a view that only looks."""
    return for_admins(limits.reads)(view)


def deciding(view: Callable[..., Any]) -> Callable[..., Any]:
    """Open a view that decides something."""
    return for_admins(limits.moves)(view)


def acting() -> Actor:
    """The admin who calls, as the audit trail names them."""
    caller: Caller = g.calling
    return Actor(player_id=caller.player_id)
