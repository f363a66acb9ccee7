"""The service's one clock, and how moments are written; beside it one that only tells how much time has passed."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

from flask import current_app, has_app_context

# Where the system has it, the one that goes on while the machine sleeps.
_RUNNING = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


# While this process is the clock of its database: by how many seconds its moments are ahead of the time that passed.
_AHEAD = "moments_ahead_s"
# Two looks at one clock that are further apart do not tell when the other one was read between them.
_AT_ONCE_S = 0.05


def utcnow() -> datetime:
    """The moment now, aware and in UTC.

    It goes on as time passes. Where the system's clock is set, `steps.follow` sets this one, with all deadlines.
    """
    ahead_s = current_app.extensions.get(_AHEAD) if has_app_context() else None
    return system_now() if ahead_s is None else datetime.fromtimestamp(ahead_s + running_s(), UTC)


def system_now() -> datetime:
    """The moment now by the system's clock, which may be set forward or back at any time."""
    return datetime.now(UTC)


def follow_what_passes() -> None:
    """Let `utcnow` go on as time passes, from the system's moment now."""
    current_app.extensions[_AHEAD] = system_now().timestamp() - running_s()


def follow_the_system() -> None:
    """Let `utcnow` be the system's moment, whatever it is set to."""
    current_app.extensions.pop(_AHEAD, None)


def gap_s() -> float:
    """By how much the system's clock is ahead of `utcnow`; 0 if that cannot be told at this moment."""
    ahead_s = current_app.extensions.get(_AHEAD)
    before_s, moment, after_s = running_s(), system_now(), running_s()
    if ahead_s is None or after_s - before_s > _AT_ONCE_S:
        return 0.0
    return moment.timestamp() - before_s - float(ahead_s)


def set_ahead(seconds: float) -> None:
    """Set `utcnow` forward, or back; whoever does it moves the deadlines with it."""
    current_app.extensions[_AHEAD] += seconds


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


def whole_second(moment: datetime) -> datetime:
    """The second that a moment lies in: what is told of it is then neither earlier nor later than what is stored."""
    return moment.replace(microsecond=0)


def week_of(moment: datetime) -> datetime:
    """The moment at which the week of a moment began: Monday 00:00 in UTC, the same for players everywhere.

    >>> rfc3339(week_of(datetime(2024, 5, 5, 23, 59, tzinfo=UTC)))
    '2024-04-29T00:00:00.000Z'
    """
    day = moment.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return day - timedelta(days=day.weekday())
