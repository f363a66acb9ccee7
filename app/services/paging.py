"""Pages of lists: where one ends, the next begins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from sqlalchemy import String, Tuple, tuple_

from app.models.base import UtcDateTime

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Cursor:
    """The last item of a page, by the moment and the key that the list is sorted by."""

    at: datetime
    key: str


def key_of(cursor: Cursor) -> Tuple:
    """The cursor as a value that rows can be compared with."""
    return tuple_(cursor.at, cursor.key, types=[UtcDateTime(), String()])


def page_of(
    found: Sequence[Item], limit: int, shown: Callable[[Item], dict[str, Any]], cursor_of: Callable[[Item], Cursor]
) -> tuple[list[dict[str, Any]], Cursor | None]:
    """Of `limit + 1` items that were asked for: those of the page, and the cursor of the next page if there is one."""
    page = found[:limit]
    return [shown(item) for item in page], cursor_of(page[-1]) if len(found) > limit else None
