"""Everyone's points and ratings once more, from nothing but the stored results, and whether the players have them."""

from __future__ import annotations

from collections import defaultdict

import pytest
from flask import Flask
from sqlalchemy import select

from app.extensions import db
from app.models import MatchRow, MatchSeat, Player, PlayerResult
from app.services.glicko import Rating, after_match, at, established_until
from app.services.results import POINTS_DRAW, POINTS_LOSS, POINTS_WIN
from app.services.times import week_of

WORTH = {"win": (POINTS_WIN, 1.0), "draw": (POINTS_DRAW, 0.5), "loss": (POINTS_LOSS, 0.0)}


def check_standings(app: Flask) -> int:
    """Fail unless points, weeks, ratings and the results of every match agree; returns how many results there are."""
    with app.app_context():
        results = list(db.session.scalars(select(PlayerResult).order_by(PlayerResult.finished_at)))
        players = {player.id: player for player in db.session.scalars(select(Player))}
        scored = set(db.session.scalars(select(MatchRow.id).where(MatchRow.scored)))
        seats = {tuple(row) for row in db.session.execute(select(MatchSeat.match_id, MatchSeat.player_id))}
    assert {result.match_id for result in results} == scored
    assert {(result.match_id, result.player_id) for result in results} == {pair for pair in seats if pair[0] in scored}
    _check_points(results, players)
    _check_ratings(results, players)
    return len(results)


def _check_points(results: list[PlayerResult], players: dict[str, Player]) -> None:
    points, weeks = defaultdict(int), defaultdict(int)
    last = {}
    for result in results:
        assert result.points == WORTH[result.outcome][0]
        points[result.player_id] += result.points
        last[result.player_id] = week_of(result.finished_at)
        weeks[result.player_id, last[result.player_id]] += result.points
    for player in players.values():
        week = last.get(player.id)
        assert (player.points, player.week_at) == (points[player.id], week)
        assert player.week_points == (weeks[player.id, week] if week else 0)


def _check_ratings(results: list[PlayerResult], players: dict[str, Player]) -> None:
    matches: dict[str, list[PlayerResult]] = defaultdict(list)
    for result in results:
        if result.rating_after is not None:
            matches[result.match_id].append(result)
    ratings = defaultdict(Rating)
    rated_at = {}
    for pair in matches.values():
        now = pair[0].finished_at
        before = [at(ratings[one.player_id], rated_at.get(one.player_id), now) for one in pair]
        assert sorted(WORTH[one.outcome][1] for one in pair) in ([0.0, 1.0], [0.5, 0.5])
        for one, own, other in zip(pair, before, before[::-1], strict=True):
            after = after_match(own, other, WORTH[one.outcome][1])
            assert (one.rating_before, one.deviation_before) == pytest.approx((own.value, own.deviation))
            assert (one.rating_after, one.deviation_after) == pytest.approx((after.value, after.deviation))
            ratings[one.player_id], rated_at[one.player_id] = after, now
    for player in players.values():
        rating, when = ratings[player.id], rated_at.get(player.id)
        stored = (player.rating_value, player.rating_deviation, player.rating_volatility)
        assert stored == pytest.approx((rating.value, rating.deviation, rating.volatility))
        assert player.rated_at == when
        until = established_until(rating, when) if when else None
        assert (player.established_until is None) == (until is None)
        assert until is None or abs((player.established_until - until).total_seconds()) < 1
