"""Usernames: what an account signs in with; two spellings of one name are one."""

from __future__ import annotations

import unicodedata

from app.services.errors import refuse_field

LEAST, MOST = 3, 24
# Letters by their category, but nothing is to be seen of them.
_BLANK = frozenset("\u115f\u1160\u3164\uffa0")


def fold(text: str) -> str:
    """The one spelling of a username that is stored and looked up.

    >>> fold("Ｍona"), fold("STRASSE") == fold("straße")
    ('mona', True)
    """
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def parse(text: str) -> str:
    """The folded username of a text that can be one: letters and digits of any script, and `_`.

    Errors: request.invalid.
    """
    name = fold(text)
    if not LEAST <= len(name) <= MOST:
        refuse_field("username", f"Must have {LEAST} to {MOST} characters.")
    if not all(_is_of_a_name(letter) for letter in name) or unicodedata.category(name[0])[0] == "M":
        refuse_field("username", "Only letters, digits and _ may be in a username.")
    return name


def _is_of_a_name(letter: str) -> bool:
    # Marks belong to the letters of many scripts: vowels of Hindi, what Arabic writes above and below.
    category = unicodedata.category(letter)
    return letter == "_" or ((category[0] in "LM" or category == "Nd") and letter not in _BLANK)
