"""Moments as programs write them: RFC 3339, the whole of it and nothing else."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone

_MICROSECONDS = 6
_LEAP = 60
# The grammar of section 5.6; what it leaves open in ranges, `datetime` refuses.
_WRITTEN = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?"
    r"(?:[Zz]|([+-])([01][0-9]|2[0-3]):([0-5][0-9]))"
)


def read_rfc3339(text: str) -> datetime:
    """Give the moment that an RFC 3339 date and time means, in UTC.

    A fraction finer than microseconds is rounded up to them, so that "from this moment on" and "before this moment"
    stay true of everything that is stored. A leap second may stand where UTC can have one, at the end of a month, and
    is taken as the first second of the next day. The years are 1 to 9999, in UTC.

    Errors: ValueError for everything else.

    >>> read_rfc3339("2024-05-01t12:30:00.000000001+02:00").isoformat()
    '2024-05-01T10:30:00.000001+00:00'
    """
    written = _WRITTEN.fullmatch(text)
    if written is None:
        raise ValueError("not RFC 3339")
    *whole, fraction, sign, hours, minutes = written.groups()
    year, month, day, hour, minute, second = map(int, whole)
    offset = timedelta(hours=int(hours or 0), minutes=int(minutes or 0))
    zone = timezone(-offset if sign == "-" else offset)
    leaps = second == _LEAP
    try:
        moment = datetime(year, month, day, hour, minute, second - leaps, tzinfo=zone).astimezone(UTC)
        if leaps:
            moment = _after_leap(moment)
        return moment + timedelta(microseconds=_whole_microseconds(fraction or ""))
    except OverflowError:
        raise ValueError("outside the years 1 to 9999") from None


def _after_leap(last_second: datetime) -> datetime:
    following = last_second + timedelta(seconds=1)
    if (following.day, following.hour, following.minute, following.second) != (1, 0, 0, 0):
        raise ValueError("no leap second can be there")
    return following


def _whole_microseconds(fraction: str) -> int:
    known, finer = fraction[:_MICROSECONDS], fraction[_MICROSECONDS:]
    return int(known.ljust(_MICROSECONDS, "0")) + bool(finer.strip("0"))
