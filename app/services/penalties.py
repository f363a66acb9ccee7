"""Penalties: who lets people down that quick match has found, more than once, has to wait before looking for more."""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import cast

from sqlalchemy import Connection, Table, bindparam, case, update

from app.models import Player
from app.models.base import UtcDateTime
from app.services.errors import Refusal
from app.services.times import rfc3339

# Once is forgiven: a phone rings, a network goes. Who stays away again within this long has to wait.
SPAN = timedelta(hours=1)
PAUSE = timedelta(minutes=2)

_players = cast(Table, Player.__table__)
_NOTE = (
    update(_players)
    .where(_players.c.id == bindparam("player_id"))
    .values(
        no_show_at=bindparam("now"),
        no_seek_until=case(
            (_players.c.no_show_at > bindparam("since"), bindparam("until", type_=UtcDateTime())),
            else_=_players.c.no_seek_until,
        ),
    )
)


def note_no_shows(connection: Connection, player_ids: Iterable[str], now: datetime) -> None:
    """Note who never made a play in the quick match that was found for them."""
    for player_id in player_ids:
        moments = {"now": now, "since": now - SPAN, "until": now + PAUSE}
        connection.execute(_NOTE, {"player_id": player_id, **moments})


def require_may_seek(player: Player, now: datetime) -> None:
    """Refuse who has to wait before looking for a match again.

    Errors: rate_limited, with how long to wait.
    """
    if player.no_seek_until is not None and player.no_seek_until > now:
        # Never longer than the pause: a clock that was set back does not make it longer.
        wait = min(PAUSE, player.no_seek_until - now)
        raise Refusal(
            "rate_limited",
            "You stayed away from two quick matches. Wait before you look for another.",
            retry_after_s=math.ceil(wait.total_seconds()),
            until=rfc3339(now + wait),
        )
