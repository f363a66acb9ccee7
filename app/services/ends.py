"""When a ban or a mute ends: it always does."""

from __future__ import annotations

from datetime import datetime, timedelta

from app.services.errors import refuse_field
from app.services.times import utcnow, whole_second

LONGEST = timedelta(days=3650)


def end_of(until: datetime) -> datetime:
    """A moment as an end: to the second, so that what is told of it is what is stored.

    Errors: request.invalid for one that has passed or is too far ahead.
    """
    end = whole_second(until)
    if not timedelta(0) < end - utcnow() <= LONGEST:
        refuse_field("until", "Must lie ahead, within ten years.")
    return end
