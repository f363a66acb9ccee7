"""Every code that the document promises of an operation is provoked, and nothing else comes back.

`tests/app/people.py` holds each answer to the document; here each word of the document is held to an answer.
"""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask

from app import create_app, limits
from app.api.blueprint import Access
from app.config import read_settings
from app.extensions import DatabaseBusy
from tests.app.people import API, Caller, refused
from tests.contract.provoking import Scene, in_general
from tests.contract.scenes import PLAYS

METHODS = ("get", "post", "put", "patch", "delete")
DOCUMENT: dict[str, Any] = create_app(read_settings({})).test_client().get(f"{API}/openapi.json").json
OPERATIONS: dict[str, tuple[str, str, dict[str, Any]]] = {
    operation["operationId"]: (method.upper(), path.removeprefix(API), operation)
    for path, operations in DOCUMENT["paths"].items()
    for method, operation in operations.items()
    if method in METHODS
}
# What any operation may answer at any time, whatever was asked.
AT_ANY_TIME = {"rate_limited", "internal", "unavailable"}


def promised(operation: dict[str, Any]) -> set[str]:
    told = [answer["description"] for status, answer in operation["responses"].items() if status[0] in "45"]
    return {code for text in told for code in re.findall(r"`([a-z_.]+)`", text)}


def scope_of(app: Flask, name: str) -> str | None:
    view: Any = next(view for view in app.view_functions.values() if getattr(view, "operation", None) == name)
    scope: str | None = view.access.scope
    return scope


@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_refuses_with_every_code_that_it_promises(app: Flask, name: str) -> None:
    method, path, operation = OPERATIONS[name]
    provoked: set[str] = set()
    for answer in in_general(Scene(app), method, path, scope_of(app, name), operation):
        if answer.status_code >= 400:
            provoked.add(answer.json["code"])  # type: ignore[index]
    for code, play in PLAYS.get(name, {}).items():
        assert (play(Scene(app)).json or {}).get("code") == code
        provoked.add(code)
    assert provoked == promised(operation) - AT_ANY_TIME


@pytest.mark.parametrize(
    ("failure", "status", "code"), [(DatabaseBusy(), 503, "unavailable"), (ZeroDivisionError(), 500, "internal")]
)
def test_every_operation_promises_what_can_happen_at_any_time(
    app: Flask, monkeypatch: pytest.MonkeyPatch, failure: Exception, status: int, code: str
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise failure

    monkeypatch.setattr(Access, "identify", fail)
    monkeypatch.setattr(app, "testing", False)
    for method, path, operation in OPERATIONS.values():
        assert code in promised(operation)
        refused(Caller(app).send(method, path_of(path)), status, code)


def test_every_operation_promises_its_limit(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "settings", lambda: SimpleNamespace(rate_limits=True))
    monkeypatch.setattr(limits, "spend", lambda *_: limits.refuse_for(3.0))
    for method, path, operation in OPERATIONS.values():
        assert "rate_limited" in promised(operation)
        answer = Caller(app).send(method, path_of(path))
        refused(answer, 429, "rate_limited")
        assert answer.headers["Retry-After"] == "3"


def path_of(path: str) -> str:
    written = {"seat": "1", "kind": "points"}
    return re.sub(r"\{(\w+)\}", lambda name: written.get(name[1], "ABCDEF"), path)
