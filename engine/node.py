"""Values of untrusted JSON that know their place, so that what is wrong with one can be said with where it stands."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from engine.cards import Card, parse_card
from engine.errors import TranscriptError


@dataclass(frozen=True, slots=True)
class Node:
    """One value of a transcript and its path, like `rounds[1].plays[17].basra`.

    Errors: each reading method raises TranscriptError where the value is not of its kind.
    """

    path: str
    value: Any

    def error(self, message: str) -> TranscriptError:
        """Make the error that says what is wrong here."""
        shown = repr(self.value)
        if len(shown) > 60:
            shown = f"{shown[:57]}..."
        return TranscriptError(f"{self.path or 'transcript'}: {message} (it says {shown})")

    def __getitem__(self, name: str) -> "Node":
        """Give the value of a field of this object."""
        if not isinstance(self.value, Mapping):
            raise self.error("not an object")
        path = f"{self.path}.{name}" if self.path else name
        if name not in self.value:
            raise TranscriptError(f"{path}: missing")
        return Node(path, self.value[name])

    def as_list(self) -> "list[Node]":
        """Give the values of this list."""
        if not isinstance(self.value, list):
            raise self.error("not a list")
        return [Node(f"{self.path}[{i}]", value) for i, value in enumerate(self.value)]

    def as_number(self) -> int:
        """Give this whole number."""
        if type(self.value) is not int:
            raise self.error("not a whole number")
        return self.value

    def as_text(self) -> str:
        """Give this text."""
        if not isinstance(self.value, str):
            raise self.error("not a text")
        return self.value

    def as_flag(self) -> bool:
        """Give this true or false."""
        if not isinstance(self.value, bool):
            raise self.error("neither true nor false")
        return self.value

    def as_card(self) -> Card:
        """Give this card."""
        try:
            return parse_card(self.value)
        except ValueError as error:
            raise self.error("not a card") from error

    def as_time(self) -> datetime:
        """Give this UTC time, written as RFC 3339 with a Z."""
        text = self.as_text()
        try:
            time = datetime.fromisoformat(text)
        except ValueError as error:
            raise self.error("not a time") from error
        if not text.endswith("Z") or "T" not in text:
            raise self.error("not a time in UTC")
        return time

    def compare(self, due: Any) -> None:
        """Check that this is what it should be; fields that nothing is known of are let be.

        Errors: TranscriptError that names the first place that differs.
        """
        if isinstance(due, dict):
            for name, value in due.items():
                self[name].compare(value)
        elif isinstance(due, list):
            items = self.as_list()
            for item, value in zip(items, due, strict=False):
                item.compare(value)
            if len(items) != len(due):
                raise self.error(f"{len(due)} entries are due, not {len(items)}")
        elif type(self.value) is not type(due) or self.value != due:
            raise self.error(f"{due!r} is due")
