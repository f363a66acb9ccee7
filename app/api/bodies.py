"""Reading request bodies as strictly as the contract says, and telling what is wrong with them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NoReturn

from flask import Request, request
from marshmallow import Schema, ValidationError
from webargs.flaskparser import FlaskParser
from werkzeug.exceptions import HTTPException

from app.config import BODY_MOST_BYTES
from app.services.errors import Refusal

DEPTH_MOST = 16
# Python refuses to read longer numbers, and no field wants one.
DIGITS_MOST = 300


class StrictParser(FlaskParser):
    """Gives webargs our reading of bodies, and our refusals."""

    # Unknown fields are refused everywhere, in queries too.
    DEFAULT_UNKNOWN_BY_LOCATION: dict[str, str | None] = {"json": None, "query": None}  # noqa: RUF012 (webargs has it so)

    def load_json(self, req: Request, schema: Schema) -> Any:
        return read_json(optional=not any(field.required for field in schema.fields.values()))

    def handle_error(
        self, error: ValidationError, req: Request, schema: Schema, *, error_status_code: Any, error_headers: Any
    ) -> NoReturn:
        messages = error.normalized_messages()  # type: ignore[no-untyped-call]
        # webargs files the messages under the place they come from.
        fields = next(iter(messages.values())) if isinstance(messages, Mapping) and messages else messages
        raise Refusal("request.invalid", errors=_flat(fields)) from None


def read_json(*, optional: bool) -> dict[str, Any]:
    """The body of the current request as an object; where every field is optional an empty one counts as `{}`.

    Errors: request.too_large, request.media_type, request.malformed, request.invalid, in this order.
    """
    body = _read()
    if len(body) > BODY_MOST_BYTES:
        raise Refusal("request.too_large")
    if request.mimetype != "application/json" and (body or "Content-Type" in request.headers):
        raise Refusal("request.media_type")
    if len(body) < (request.content_length or 0):
        # Else a connection that broke after the head would do what an empty body does: give a match up, for instance.
        raise Refusal("request.malformed", "The body has not come completely.")
    if not body:
        if optional:
            return {}
        raise Refusal("request.malformed", "The body is empty.")
    value = _parse(body)
    if not isinstance(value, dict):
        raise Refusal("request.invalid", errors={"body": ["Must be a JSON object."]})
    if _is_too_deep(value):
        raise Refusal("request.invalid", errors={"body": ["Is nested too deeply."]})
    return value


def _read() -> bytes:
    # One more than allowed: a body of untold length is cut off at the limit without a word.
    request.max_content_length = BODY_MOST_BYTES + 1
    try:
        return request.get_data(cache=True)
    except HTTPException:
        raise
    except Exception:
        # Whatever the server's reader says of chunks that are none, or of a line that broke.
        raise Refusal("request.malformed", "The body cannot be read.") from None


def _parse(body: bytes) -> Any:
    try:
        return json.loads(
            body.decode("utf-8"), parse_constant=_no_constant, parse_int=_whole, object_pairs_hook=_object
        )
    except RecursionError:
        raise Refusal("request.invalid", errors={"body": ["Is nested too deeply."]}) from None
    except ValueError:
        raise Refusal("request.malformed") from None


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _whole(digits: str) -> int | float:
    return int(digits) if len(digits) <= DIGITS_MOST else float(digits)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return found


def _is_too_deep(value: Any) -> bool:
    level = [value]
    for _ in range(DEPTH_MOST):
        level = [
            inner
            for outer in level
            if isinstance(outer, dict | list)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
        if not level:
            return False
    return True


def _flat(messages: Any) -> dict[str, list[str]]:
    """Messages by field; what is wrong inside a field is told of the field."""
    if not isinstance(messages, Mapping):
        return {"body": _texts(messages)}
    return {"body" if field == "_schema" else str(field): _texts(found) for field, found in messages.items()}


def _texts(messages: Any) -> list[str]:
    if isinstance(messages, Mapping):
        found = [text for inner in messages.values() for text in _texts(inner)]
    elif isinstance(messages, list):
        found = [text for inner in messages for text in _texts(inner)]
    else:
        found = [str(messages)]
    return list(dict.fromkeys(found))
