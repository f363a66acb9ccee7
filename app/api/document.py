"""Completes the OpenAPI document: what limits each operation, its headers, and examples that are real answers.

`examples.json` is written by `python -m tests.examples` from the answers of a server with a fixed clock and fixed
chance; a test makes them anew and compares.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from flask import Flask

from app import limits
from app.paces import Bucket, Pace
from app.problems import KINDS, body_of

EXAMPLES = Path(__file__).parents[1] / "schemas" / "examples.json"
# By what the requests of an operation are counted.
COUNTED_BY = {
    limits.BY_PLAYER: "by the player, whatever number of tokens and devices they have",
    limits.BY_GUESTS: "by the address, for all its guests and those who name nobody together",
    limits.BY_NOBODY: "by the address, for those who name nobody",
    limits.BY_ADDRESS: "by the address",
    limits.BY_DEVICE: "by the device, if it has signed in to the account before",
    limits.BY_ACCOUNT: "by the account",
    limits.BY_ACCOUNT_HERE: "by the account and the address",
}
PARAMETERS = {
    "code": "A room's code, in either case.",
    "kind": "By what it ranks.",
    "match_id": "A match's id, as a room's `match_id` has it.",
    "player_id": "A player's id.",
    "seat": "A seat's number, from 0.",
    "seek_id": "A seek's id.",
    "session_id": "A session's id, or `current`.",
    "token_id": "A token's id; not the token itself.",
}
HEADERS: dict[str, dict[str, Any]] = {
    "RateLimit-Policy": {
        "description": 'What limits the operation: `"move";q=120;w=12` is 120 at once, and as many again in 12 s.',
        "schema": {"type": "string"},
    },
    "RateLimit": {
        "description": 'What is left: `"move";r=119;t=1` is 119 at once, and more in 1 s.',
        "schema": {"type": "string"},
    },
    "Retry-After": {
        "description": "Seconds to wait before the same request again.",
        "schema": {"type": "integer", "minimum": 0},
    },
    "WWW-Authenticate": {"description": "How to say who you are.", "schema": {"type": "string"}},
    "ETag": {
        "description": "What the answer is now: sent as `If-None-Match` it makes the answer 304 while that is so.",
        "schema": {"type": "string"},
    },
}
IF_NONE_MATCH: dict[str, Any] = {
    "name": "If-None-Match",
    "in": "header",
    "description": "The `ETag` of an answer that you have.",
    "schema": {"type": "string"},
}
NOT_MODIFIED = "It is still what the `If-None-Match` that was sent names."
METHODS = ("get", "post", "put", "patch", "delete")
_OF_A_STATUS = {"429": ["Retry-After"], "503": ["Retry-After"], "401": ["WWW-Authenticate"]}
_CODE = re.compile(r"`([a-z_.]+)`")


def completed(app: Flask, spec: dict[str, Any]) -> dict[str, Any]:
    """The document with what the views do not say themselves."""
    views = {view.operation: view for view in app.view_functions.values() if hasattr(view, "operation")}
    components = spec["components"]
    for unused in ("Error", "PaginationMetadata"):
        components["schemas"].pop(unused, None)
    components["headers"] = HEADERS
    components["parameters"] = {"IfNoneMatch": IF_NONE_MATCH}
    components["examples"] = {code: {"summary": kind.title, "value": body_of(code)} for code, kind in KINDS.items()}
    for operations in spec["paths"].values():
        _describe(operations.get("parameters", ()))
        for method in METHODS:
            if method in operations:
                _complete(operations[method], views[operations[method]["operationId"]])
        if "get" in operations:
            _make_conditional(operations["get"])
    return spec


def in_words(pace: Pace) -> str:
    """A pace as people read it."""
    if isinstance(pace, Bucket):
        return f"{pace.per_s:g} a second, {pace.burst} at once"
    return f"{pace.quota} in {pace.span_s:g} s"


def scope_in_words(access: Any) -> str:
    """What a token must be made for, as people read it."""
    if access.whole:
        return ", ".join(f"`{scope}`" for scope in access.needed()) + ", of a token without an end"
    if access.scope is None:
        return "none, and nobody need be named"
    return f"`{access.scope}`" + (", where somebody is named at all" if access.nameless else "")


def _describe(parameters: Any) -> None:
    for parameter in parameters:
        parameter.setdefault("description", PARAMETERS.get(parameter["name"], ""))


def _complete(operation: dict[str, Any], view: Any) -> None:
    limited = [f"`{pace.name}` ({in_words(pace)}), {COUNTED_BY[key]}" for pace, key in view.limits]
    told = operation.get("description", "")
    scope = f"Scope: {scope_in_words(view.access)}."
    operation["description"] = "\n\n".join(filter(None, [told, scope, f"Limit: {'; '.join(limited)}."]))
    example = examples().get(operation["operationId"], {})
    responses = operation["responses"] = dict(sorted(operation["responses"].items()))
    for status, response in responses.items():
        names = ["RateLimit-Policy", "RateLimit", *_OF_A_STATUS.get(status, ())]
        headers = response.setdefault("headers", {})
        headers.update({name: {"$ref": f"#/components/headers/{name}"} for name in names})
        for content in response.get("content", {}).values():
            codes = _CODE.findall(response["description"])
            if status[0] in "45":
                content["examples"] = {code: {"$ref": f"#/components/examples/{code}"} for code in codes}
            elif status in example.get("answers", {}):
                content["example"] = example["answers"][status]
    for content in operation.get("requestBody", {}).get("content", {}).values():
        if "body" in example:
            content["example"] = example["body"]


def _make_conditional(operation: dict[str, Any]) -> None:
    answer = operation["responses"]["200"]
    answer["headers"]["ETag"] = {"$ref": "#/components/headers/ETag"}
    same = {"description": NOT_MODIFIED, "headers": {**answer["headers"]}}
    operation["responses"] = dict(sorted([*operation["responses"].items(), ("304", same)]))
    operation.setdefault("parameters", []).append({"$ref": "#/components/parameters/IfNoneMatch"})


@cache
def examples() -> dict[str, Any]:
    """Real requests and their answers, by operation."""
    found: dict[str, Any] = json.loads(EXAMPLES.read_text()) if EXAMPLES.exists() else {}
    return found
