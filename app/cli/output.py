"""How commands print: nothing that players wrote may move a terminal's cursor, turn its text or hide in it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from app.unseen import is_unseen, plain


def as_json(value: Any) -> str:
    """A value as one line of JSON, in which everything invisible is escaped."""
    text = json.dumps(value, ensure_ascii=False)
    return "".join(_in_json(letter) if is_unseen(letter) else letter for letter in text)


def table(rows: Iterable[Iterable[object]], nothing: str) -> str:
    """Rows for people, a line each."""
    lines = ["  ".join(plain("-" if each is None else str(each)) for each in row) for row in rows]
    return "\n".join(lines) or nothing


def _in_json(letter: str) -> str:
    """As JSON escapes it: DEL it would not, and what is beyond four digits it does by halves."""
    return "\\u007f" if letter == "\x7f" else json.dumps(letter)[1:-1]
