"""Encounters: who has played against whom, and whose rating is established by that.

A rating is worth something when it was won from different people who play others, too. So a rating is established, as
soon as its deviation is small enough, by rated matches against five different opponents each of whom is *seasoned*:
five scored matches of their own, against three people. An opponent may become so long afterwards. That is noticed in
the very transaction in which it happens: it touches those whom the opponent has met so far, who are a handful, because
nobody has more than a few opponents before that.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations
from typing import Any, cast

from sqlalchemy import Connection, Select, Table, and_, bindparam, delete, func, insert, select, update

from app.models import Encounter, Player, PlayerResult
from app.services import glicko
from app.services.glicko import Rating

MATCHES_TO_SEASON = 5
PEOPLE_TO_SEASON = 3
VOUCHERS_NEEDED = 5

_encounters = cast(Table, Encounter.__table__)
_players = cast(Table, Player.__table__)
_results = cast(Table, PlayerResult.__table__)

_OF_PLAYER = _encounters.c.player_id == bindparam("of_player")
_OF_PAIR = and_(_OF_PLAYER, _encounters.c.opponent_id == bindparam("of_opponent"))
_ADD = (
    update(_encounters)
    .where(_OF_PAIR)
    .values(scored=_encounters.c.scored + bindparam("more"), rated=_encounters.c.rated + bindparam("more_rated"))
)
_AMONG = and_(
    _encounters.c.player_id.in_(bindparam("people", expanding=True)),
    _encounters.c.opponent_id.in_(bindparam("people", expanding=True)),
)
_KNOWN = select(_encounters.c.player_id, _encounters.c.opponent_id).where(_AMONG)
_FORGET = delete(_encounters).where(_AMONG, _encounters.c.scored <= 0)


def _up_to(most: int, query: Select[Any]) -> Select[int]:
    """How many rows a query has, without counting on."""
    return select(func.count()).select_from(query.limit(most).subquery())


_MATCHES = _up_to(
    MATCHES_TO_SEASON,
    select(_results.c.match_id).where(_results.c.player_id == bindparam("of_player"), _results.c.points > 0),
)
_PEOPLE = _up_to(PEOPLE_TO_SEASON, select(_encounters.c.opponent_id).where(_OF_PLAYER))
_VOUCHERS = _up_to(
    VOUCHERS_NEEDED,
    select(_encounters.c.opponent_id)
    .join(_players, _players.c.id == _encounters.c.opponent_id)
    .where(_OF_PLAYER, _encounters.c.rated > 0, _players.c.seasoned),
)
_RATED_OPPONENTS = select(_encounters.c.opponent_id).where(_OF_PLAYER, _encounters.c.rated > 0)
_SET_SEASONED = (
    update(_players).where(_players.c.id == bindparam("of_player")).values(seasoned=bindparam("is_seasoned"))
)
_SET_ESTABLISHED = (
    update(_players)
    .where(_players.c.id == bindparam("of_player"))
    .values(vouchers=bindparam("count"), established_until=bindparam("until"))
)


def note(connection: Connection, rows: Iterable[dict[str, Any]]) -> None:
    """Note the encounters of a scored match, from its results."""
    _change(connection, rows, 1)


def take_back(connection: Connection, rows: Iterable[dict[str, Any]]) -> None:
    """Take back what `note` noted."""
    _change(connection, rows, -1)


def refresh(connection: Connection, player_ids: Iterable[str], *, again: bool = False) -> None:
    """See whether the players are seasoned now, and whose ratings are established by that.

    With `again` also whether those who were are so still, as after a match that was taken back.
    """
    touched = set(player_ids)
    for player_id, was_seasoned in _seasoned_among(connection, touched).items():
        if was_seasoned and not again:
            continue
        of_player = {"of_player": player_id}
        is_seasoned = (
            connection.scalar(_MATCHES, of_player) == MATCHES_TO_SEASON
            and connection.scalar(_PEOPLE, of_player) == PEOPLE_TO_SEASON
        )
        if is_seasoned != was_seasoned:
            connection.execute(_SET_SEASONED, {**of_player, "is_seasoned": is_seasoned})
            touched = touched | set(connection.scalars(_RATED_OPPONENTS, of_player))
    _establish(connection, touched, again=again)


def _change(connection: Connection, rows: Iterable[dict[str, Any]], by: int) -> None:
    pairs = {}
    for one, other in permutations(rows, 2):
        if one["seat"] % 2 != other["seat"] % 2:
            rated = by if one["rating_after"] is not None else 0
            pairs[one["player_id"], other["player_id"]] = {"more": by, "more_rated": rated}
    if not pairs:
        return
    people = sorted({player_id for player_id, _ in pairs})
    known = {(row.player_id, row.opponent_id) for row in connection.execute(_KNOWN, {"people": people})}
    changes = [{"of_player": one, "of_opponent": other, **pairs[one, other]} for one, other in known & pairs.keys()]
    first = [
        {
            "player_id": one,
            "opponent_id": other,
            "scored": pairs[one, other]["more"],
            "rated": pairs[one, other]["more_rated"],
        }
        for one, other in pairs.keys() - known
    ]
    if changes:
        connection.execute(_ADD, changes)
    if first:
        connection.execute(insert(_encounters), first)
    if by < 0:
        connection.execute(_FORGET, {"people": people})


def _seasoned_among(connection: Connection, player_ids: set[str]) -> dict[str, bool]:
    query = select(_players.c.id, _players.c.seasoned).where(_players.c.id.in_(sorted(player_ids)))
    return {row.id: bool(row.seasoned) for row in connection.execute(query)}


def _establish(connection: Connection, player_ids: set[str], *, again: bool) -> None:
    """Write down how many vouch for each of the players, and until when their ratings are established."""
    rows = connection.execute(select(_players).where(_players.c.id.in_(sorted(player_ids)))).all()
    for row in rows:
        count = row.vouchers
        if again or count < VOUCHERS_NEEDED:
            count = connection.scalar(_VOUCHERS, {"of_player": row.id}) or 0
        until = None
        if count >= VOUCHERS_NEEDED and row.rated_at is not None:
            rating = Rating(row.rating_value, row.rating_deviation, row.rating_volatility)
            until = glicko.established_until(rating, row.rated_at)
        if (count, until) != (row.vouchers, row.established_until):
            connection.execute(_SET_ESTABLISHED, {"of_player": row.id, "count": count, "until": until})
