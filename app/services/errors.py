"""How a use case says no."""

from __future__ import annotations

from typing import Any, NoReturn


class Refusal(Exception):
    """A refused command: nothing was changed, and the sender is told why by one of the contract's codes."""

    def __init__(self, code: str, detail: str | None = None, **extra: Any) -> None:
        super().__init__(code)
        self.code = code
        self.detail = detail
        self.extra = extra


def refuse_field(field: str, message: str) -> NoReturn:
    """Refuse a request because of one of its fields."""
    raise Refusal("request.invalid", errors={field: [message]})
