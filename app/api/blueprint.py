"""What every operation of the API has: a caller, rights, refusals in the contract's order, and its documentation."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

import flask_smorest  # type: ignore[import-untyped]
from flask import Response, current_app, g, request
from marshmallow import Schema
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from app import auth
from app.api.bodies import StrictParser
from app.auth import Caller
from app.problems import API_PREFIX, KINDS, MEDIA_TYPE
from app.services import bearers
from app.services.errors import Refusal

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
# What is found out about a body before anyone's rights to the resource, but is to be told after them.
BODY = ("request.malformed", "request.media_type", "request.too_large", "request.invalid")

Guard = Callable[..., object]


@dataclass(frozen=True, slots=True)
class Access:
    """Who may use an operation: the scope that a token needs (None: any token), and the rights to its resource."""

    scope: str | None
    guard: Guard | None
    # Nobody need be named; who is, needs the scope nevertheless.
    nameless: bool
    # Of the scope account: what makes another one who may do everything for good, and so needs as much.
    whole: bool

    def check(self, caller: Caller | None, view_args: dict[str, Any]) -> None:
        """Refuse a caller who has no right to the resource, by asking for it as the operation would."""
        if self.guard is not None:
            self.guard(caller, **view_args)

    def needed(self) -> list[str]:
        """The scopes that a token needs."""
        if self.whole:
            return list(bearers.SCOPES)
        return [] if self.scope is None else [self.scope]

    def identify(self, *, unsafe: bool) -> Caller | None:
        """The caller; None only where nobody need be named."""
        caller = auth.identify(unsafe=unsafe)
        if caller is None and not self.nameless:
            raise Refusal("auth.required")
        if caller is not None and self.scope is not None:
            auth.require_scope(caller, self.scope)
        if caller is not None and self.whole:
            auth.require_all(caller)
        return caller


class Blueprint(flask_smorest.Blueprint):  # type: ignore[misc]
    """A resource of the API."""

    ARGUMENTS_PARSER = StrictParser()

    def arguments(self, schema: type[Schema], **options: Any) -> Callable[..., Any]:
        """As flask-smorest has it, but the schema is made once and not for every request."""
        decorate: Callable[..., Any] = super().arguments(schema(), **options)
        return decorate

    def operation(
        self,
        name: str,
        *,
        scope: str | None,
        nameless: bool = False,
        whole: bool = False,
        guard: Guard | None = None,
        refusals: tuple[str, ...] = (),
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Declare a view as an operation: who may call it, and the codes that it refuses with.

        Without a scope anyone may; what `nameless` and `whole` mean, `Access` says. The guard costs nothing on the good
        path, where the use case itself refuses; it is asked only when the body is wrong too, because a right that is
        missing must be told first.
        """
        access = Access(scope, guard, nameless=nameless or scope is None, whole=whole)

        def decorate(view: Callable[..., Any]) -> Callable[..., Any]:
            @wraps(view)
            def answer(*args: Any, **view_args: Any) -> Any:
                g.calling = access.identify(unsafe=request.method not in SAFE_METHODS)
                try:
                    return view(*args, **view_args)
                except (Refusal, HTTPException) as refused:
                    if _is_about_the_body(refused):
                        access.check(g.calling, view_args)
                    raise

            answer.access = access  # type: ignore[attr-defined]
            answer.operation = name  # type: ignore[attr-defined]
            return self._documented(answer, name, access, refusals)

        return decorate

    def _documented(
        self, view: Callable[..., Any], name: str, access: Access, refusals: tuple[str, ...]
    ) -> Callable[..., Any]:
        named = ("auth.required", "auth.banned", *(() if access.scope is None else ("auth.scope_missing",)), *refusals)
        by_status: dict[int, list[str]] = defaultdict(list)
        for code in (*named, "rate_limited", "internal", "unavailable"):
            by_status[KINDS[code].status].append(code)
        content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
        responses = {
            status: {"description": ", ".join(f"`{code}`" for code in codes), "content": content}
            for status, codes in by_status.items()
        }
        security: list[dict[str, list[str]]] = [{"token": access.needed()}, {"cookie": []}]
        if access.nameless:
            security.append({})
        documented: Callable[..., Any] = self.doc(operationId=name, security=security, responses=responses)(view)
        return documented


def calling() -> Caller:
    """The caller of an operation that nobody may use unnamed."""
    caller: Caller = g.calling
    return caller


def maybe_calling() -> str | None:
    """The id of the calling player, or None where nobody is named."""
    return None if g.calling is None else g.calling.player_id


def reply(body: dict[str, Any], status: int = 200, mark: str | None = None) -> Response:
    """An answer of the API; to a GET with a mark of what it is, and without a body where the caller has it already."""
    response = Response(current_app.json.dumps(body, separators=(",", ":")), status=status, mimetype="application/json")
    if request.method in ("GET", "HEAD"):
        response.set_etag(mark or hashlib.sha256(response.get_data()).hexdigest()[:32], weak=True)
        response.make_conditional(request)
    return response


def document_answer(document: dict[str, Any]) -> Response:
    """A document about the API, which is the same for everyone until the next release."""
    response = reply(document)
    response.headers["Cache-Control"] = "public, no-cache"
    return response


def unchanged(mark: str | None) -> Response | None:
    """The answer to a caller who has what is marked so already, else None."""
    if mark is None or not request.if_none_match.contains_weak(mark):
        return None
    response = Response(status=304)
    response.set_etag(mark, weak=True)
    return response


def check_rights_before_method() -> None:
    """Where a method is wrong, tell first who may not know of the resource at all."""
    wrong = request.routing_exception
    if not isinstance(wrong, MethodNotAllowed) or not request.path.startswith(API_PREFIX):
        return
    adapter = current_app.create_url_adapter(request)
    if adapter is None:
        return
    found = []
    for method in sorted(wrong.valid_methods or ()):
        endpoint, view_args = adapter.match(method=method)
        access = getattr(current_app.view_functions[endpoint], "access", None)
        if access is not None:
            found.append((access, view_args))
    if found:
        # The operation that asks least of its caller: what even that one refuses, the address refuses.
        access, view_args = min(found, key=lambda pair: not pair[0].nameless)
        access.check(access.identify(unsafe=request.method not in SAFE_METHODS), dict(view_args))


def _is_about_the_body(refused: Refusal | HTTPException) -> bool:
    if isinstance(refused, Refusal):
        return refused.code in BODY
    return refused.code == 413
