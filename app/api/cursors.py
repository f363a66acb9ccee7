"""Cursors as clients carry them: opaque texts."""

from __future__ import annotations

import base64
import binascii
import json
from datetime import UTC, datetime
from typing import Any

from app.services.errors import refuse_field
from app.services.paging import Cursor


def slice_of(found: list[dict[str, Any]], query: dict[str, Any]) -> dict[str, Any]:
    """A page of a list that is short and always the same.

    Errors: request.invalid for a cursor that we never gave.
    """
    first = decode_value(query["cursor"]) if "cursor" in query else 0
    if type(first) is not int or first < 0:
        refuse_field("cursor", "Not a cursor of this list.")
    last = first + query["limit"]
    return {"items": found[first:last], "next": encode_value(last) if last < len(found) else None}


def encode(cursor: Cursor | None) -> str | None:
    """The text of a cursor; None stays None, the end of a list."""
    return None if cursor is None else encode_value([cursor.at.astimezone(UTC).isoformat(), cursor.key])


def decode(text: str | None) -> Cursor | None:
    """The cursor of a text; None stays None, the start of a list.

    Errors: request.invalid for a text that we never gave.
    """
    if text is None:
        return None
    value = decode_value(text)
    try:
        at, key = value
        moment = datetime.fromisoformat(at)
        if not isinstance(key, str) or not key.isascii() or "\0" in key or moment.tzinfo is None:
            raise ValueError
        return Cursor(moment.astimezone(UTC), key)
    except (TypeError, ValueError, OverflowError):
        refuse_field("cursor", "Not a cursor of this list.")


def decode_number(text: str, least: int) -> int:
    """The whole number of a text, from `least` on; no database is asked for one that it cannot hold.

    Errors: request.invalid for a text that we never gave.
    """
    value = decode_value(text)
    if type(value) is not int or not least <= value < 10**15:
        refuse_field("cursor", "Not a cursor of this list.")
    return value


def encode_value(value: Any) -> str:
    """Any JSON value as an opaque text."""
    return base64.urlsafe_b64encode(json.dumps(value, separators=(",", ":")).encode()).decode().rstrip("=")


def decode_value(text: str) -> Any:
    """The value of an opaque text.

    Errors: request.invalid for a text that holds none.
    """
    try:
        return json.loads(base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True))
    except (binascii.Error, ValueError, RecursionError):
        refuse_field("cursor", "Not a cursor of this list.")
