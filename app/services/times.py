"""The service's one clock, and how moments are written; beside it one that only tells how much time has passed."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

# Where the system has it, the one that goes on while the machine sleeps.
_RUNNING = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


def utcnow() -> datetime:
    """The moment now, aware and in UTC."""
    return datetime.now(UTC)


def running_s() -> float:
    """A count of seconds that nobody sets back or forward; only differences mean anything."""
    return time.clock_gettime(_RUNNING)


def rfc3339(moment: datetime) -> str:
    """Write a moment as RFC 3339 in UTC with milliseconds.

    >>> rfc3339(datetime(2024, 5, 1, 12, 30, tzinfo=UTC))
    '2024-05-01T12:30:00.000Z'
    """
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def maybe_rfc3339(moment: datetime | None) -> str | None:
    """As `rfc3339`; None, a moment that has not come, stays None."""
    return None if moment is None else rfc3339(moment)


def week_of(moment: datetime) -> datetime:
    """The moment at which the week of a moment began: Monday 00:00 in UTC, the same for players everywhere.

    >>> rfc3339(week_of(datetime(2024, 5, 5, 23, 59, tzinfo=UTC)))
    '2024-04-29T00:00:00.000Z'
    """
    day = moment.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return day - timedelta(days=day.weekday())
