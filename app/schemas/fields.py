"""Fields that take a JSON value of exactly their type, and the texts that players write."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from marshmallow import ValidationError, fields, validate

from app import names
from app.moments import read_rfc3339
from engine.cards import PACK

NAME_MOST = 24
LINE_MOST = 200
# Characters that turn the direction of all that follows them, also outside the name.
_BIDI = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# Letters and symbols by their category, but nothing is to be seen of them: fillers of Hangul, the empty braille cell.
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cs", "Zl", "Zp"})
# For clients: what the checks below ask of a line, as far as a pattern can say it.
SHOWN = r"^[^\u0000-\u001F\u007F-\u009F\u2028-\u202E\u2066-\u2069]+$"
_DIGITS = re.compile(r"[0-9]{1,15}")


class Int(fields.Integer):
    """A whole number; neither a text nor true or false."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> int:
        if type(value) is not int:
            raise ValidationError("Not a whole number.")
        return value


class QueryInt(fields.Integer):
    """A whole number from zero, written in a query."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> int:
        if not isinstance(value, str) or not _DIGITS.fullmatch(value):
            raise ValidationError("Not a whole number from 0.")
        return int(value)


class Bool(fields.Boolean):
    """True or false; no number or text stands for them."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> bool:
        if type(value) is not bool:
            raise ValidationError("Neither true nor false.")
        return value


class Moment(fields.String):
    """A moment in RFC 3339, in a body or in a query."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(metadata={"format": "date-time", **kwargs.pop("metadata", {})}, **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:
        try:
            return read_rfc3339(super()._deserialize(value, attr, data, **kwargs))
        except ValueError:
            # A plus sign stands for a space in a query, and such an offset comes here broken.
            raise ValidationError("Not a moment like 2024-05-01T12:30:00Z.") from None


class Text(fields.String):
    """Any text that can be stored and sent on."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> str:
        text = str(super()._deserialize(value, attr, data, **kwargs))
        if "\0" in text or any(unicodedata.category(letter) == "Cs" for letter in text):
            raise ValidationError("Has a character that is none.")
        return text


class Line(Text):
    """A line that people are shown: not too long, at least one character visible, none that hides or turns text."""

    most = LINE_MOST

    def __init__(self, **kwargs: Any) -> None:
        told = {"minLength": 1, "maxLength": self.most, "pattern": SHOWN, **kwargs.pop("metadata", {})}
        super().__init__(metadata=told, **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> str:
        line = self.cleaned(super()._deserialize(value, attr, data, **kwargs))
        if not 1 <= len(line) <= self.most:
            raise ValidationError(f"Must have 1 to {self.most} characters.")
        if any(letter in _BIDI or unicodedata.category(letter) in _HIDDEN_CATEGORIES for letter in line):
            raise ValidationError("Contains an invalid character.")
        if not any(unicodedata.category(letter)[0] in "LNPS" for letter in line if letter not in _BLANK):
            raise ValidationError("Has no visible character.")
        return line

    def cleaned(self, text: str) -> str:
        """The text as it is kept."""
        return unicodedata.normalize("NFC", text)


class Name(Line):
    """A name that people are shown: without what nobody sees, and not one that pretends to be somebody else's."""

    most = NAME_MOST

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> str:
        name = super()._deserialize(value, attr, data, **kwargs)
        fault = names.fault(name)
        if fault is not None:
            raise ValidationError(fault)
        return name

    def cleaned(self, text: str) -> str:
        return names.cleaned(text)


class CardField(fields.String):
    """A card's code."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(validate=validate.OneOf(PACK, error="Not a card."), **kwargs)


def client_commitment() -> fields.String:
    """What a player commits to for the deal, or null for nothing."""
    return _hex(
        64,
        64,
        allow_none=True,
        load_default=None,
        metadata={
            "description": "Takes part in the deal: the hex SHA-256 of the ASCII text of a seed of yours, which you "
            "open when the room is `dealing`.",
        },
    )


def client_seed() -> fields.String:
    """A client seed that is opened."""
    return _hex(1, 64, required=True, metadata={"description": "The seed that you committed to, in lower-case hex."})


def _hex(least: int, most: int, *, metadata: dict[str, Any], **kwargs: Any) -> fields.String:
    digits = str(most) if least == most else f"{least} to {most}"
    span = f"{{{most}}}" if least == most else f"{{{least},{most}}}"
    return fields.String(
        validate=validate.Regexp(rf"\A[0-9a-f]{span}\Z", error=f"Must be {digits} lower-case hex digits."),
        metadata={"pattern": f"^[0-9a-f]{span}$", **metadata},  # as JSON Schema writes it
        **kwargs,
    )


def seat(**kwargs: Any) -> Int:
    """A seat's number; whether the room has it, the room knows."""
    return Int(validate=validate.Range(0, 3), **kwargs)
