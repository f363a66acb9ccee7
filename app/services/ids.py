"""Names of things that cannot be guessed, and what such names look like."""

from __future__ import annotations

import re
import secrets

# No letter that is taken for another one or for a digit: I, L, O, Q, U and V are left out.
CODE_LETTERS = "ABCDEFGHJKMNPRSTWXYZ"
CODE_LENGTH = 6
_ID = re.compile(r"[A-Za-z0-9_-]{8,32}")


def new_id() -> str:
    """An id with 128 random bits."""
    return secrets.token_urlsafe(16)


def is_id(text: str) -> bool:
    """Whether the text can be an id at all; what cannot is not looked up."""
    return _ID.fullmatch(text) is not None


def new_code() -> str:
    """A room's code, drawn from a secure source."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def parse_code(text: str) -> str | None:
    """The code as it is stored, or None if the text can be no code.

    >>> parse_code("kmnpab")
    'KMNPAB'
    """
    code = text.upper()
    return (
        code if text.isascii() and len(code) == CODE_LENGTH and all(letter in CODE_LETTERS for letter in code) else None
    )
