"""How commands print: nothing that players wrote may move a terminal's cursor, turn its text or hide in it."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable
from typing import Any

# Invisible, but what scripts and emoji are joined by.
JOINERS = "\u200c\u200d"
_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def plain(text: str) -> str:
    """A text with what is invisible in it spelled out.

    >>> plain("a" + chr(27) + "[2Jb" + chr(8238) + "c")
    'a\\\\x1b[2Jb\\\\u202ec'
    """
    return "".join(_spelled(letter) if _is_unseen(letter) else letter for letter in text)


def as_json(value: Any) -> str:
    """A value as one line of JSON, in which everything invisible is escaped."""
    text = json.dumps(value, ensure_ascii=False)
    return "".join(_in_json(letter) if _is_unseen(letter) else letter for letter in text)


def table(rows: Iterable[Iterable[object]], nothing: str) -> str:
    """Rows for people, a line each."""
    lines = ["  ".join(plain("-" if each is None else str(each)) for each in row) for row in rows]
    return "\n".join(lines) or nothing


def _is_unseen(letter: str) -> bool:
    return letter not in JOINERS and unicodedata.category(letter) in _UNSEEN


def _in_json(letter: str) -> str:
    """As JSON escapes it: DEL it would not, and what is beyond four digits it does by halves."""
    return "\\u007f" if letter == "\x7f" else json.dumps(letter)[1:-1]


def _spelled(letter: str) -> str:
    if letter in "\n\r\t":
        return repr(letter)[1:-1]
    number = ord(letter)
    if number <= 0xFF:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number <= 0xFFFF else f"\\U{number:08x}"
