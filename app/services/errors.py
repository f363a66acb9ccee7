"""How a use case says no."""

from __future__ import annotations

from typing import Any, NoReturn

from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from app.extensions import DatabaseBusy

# The database cannot be had at this moment: nothing was changed, and the same may be tried again.
DATABASE_AWAY = (DatabaseBusy, InterfaceError, OperationalError, PoolTimeout)


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
