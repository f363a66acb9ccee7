"""The language and the digits of a page: the visitor's choice, else the browser's wish, else Arabic."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Request

LANGUAGE_COOKIE = "basra_lang"
DIGITS_COOKIE = "basra_digits"
DIRECTIONS = {"ar": "rtl", "en": "ltr"}
DIGITS = ("arab", "latn")
# Where Arabic is written with 0-9.
MAGHREB = {"dz", "eh", "ly", "ma", "tn"}
TO_ARABIC = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")


@dataclass(frozen=True)
class Language:
    """A language, its direction, and how its numbers are written."""

    code: str
    digits: str

    @property
    def direction(self) -> str:
        """Give the direction of writing, "rtl" or "ltr"."""
        return DIRECTIONS[self.code]

    def written(self, text: str) -> str:
        """Give a text with the digits of this language."""
        if self.code != "ar":
            return text
        if self.digits == "arab":
            return text.translate(TO_ARABIC)
        return text.translate({ord(arabic): latin for latin, arabic in zip("0123456789", "٠١٢٣٤٥٦٧٨٩", strict=True)})


def language_of(request: Request) -> Language:
    """Choose the language of a page for who asks for it."""
    wished = [tag.lower().split("-") for tag, quality in request.accept_languages if quality > 0]
    code = request.cookies.get(LANGUAGE_COOKIE, "")
    if code not in DIRECTIONS:
        code = next((tag[0] for tag in wished if tag[0] in DIRECTIONS), "ar")
    digits = request.cookies.get(DIGITS_COOKIE, "")
    if digits not in DIGITS:
        arabic = next((tag for tag in wished if tag[0] == "ar"), [])
        digits = "latn" if MAGHREB & set(arabic[1:]) else "arab"
    return Language(code, digits)
