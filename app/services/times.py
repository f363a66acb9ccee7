"""The service's one clock, and how moments are written."""

from __future__ import annotations

from datetime import UTC, datetime


def utcnow() -> datetime:
    """The moment now, aware and in UTC."""
    return datetime.now(UTC)


def rfc3339(moment: datetime) -> str:
    """Write a moment as RFC 3339 in UTC with milliseconds.

    >>> rfc3339(datetime(2024, 5, 1, 12, 30, tzinfo=UTC))
    '2024-05-01T12:30:00.000Z'
    """
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
