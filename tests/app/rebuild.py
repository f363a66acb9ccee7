"""Everyone's points and ratings once more, from nothing but the stored results, and whether the players have them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

import pytest
from flask import Flask
from sqlalchemy import select

from app.extensions import db
from app.models import Encounter, MatchRow, MatchSeat, Player, PlayerResult
from app.services.glicko import Rating, after_match, at, established_until
from app.services.results import POINTS_DRAW, POINTS_LOSS, POINTS_WIN
from app.services.times import week_of

WORTH = {"win": (POINTS_WIN, 1.0), "draw": (POINTS_DRAW, 0.5), "loss": (POINTS_LOSS, 0.0)}
Seats = dict[str, list[MatchSeat]]


def check_standings(app: Flask) -> int:
    """Fail unless points, weeks, ratings and the results of every match agree; returns how many results there are."""
    with app.app_context():
        results = list(db.session.scalars(select(PlayerResult).order_by(PlayerResult.finished_at)))
        players = {player.id: player for player in db.session.scalars(select(Player))}
        scored = set(db.session.scalars(select(MatchRow.id).where(MatchRow.scored)))
        seats: Seats = defaultdict(list)
        for seat in db.session.scalars(select(MatchSeat).order_by(MatchSeat.seat)):
            seats[seat.match_id].append(seat)
        encounters = {(one.player_id, one.opponent_id): one for one in db.session.scalars(select(Encounter))}
    of_scored = {(one.match_id, one.seat, one.player_id) for one in results if one.match_id in scored}
    assert of_scored == {(seat.match_id, seat.seat, seat.player_id) for match in scored for seat in seats[match]}
    dodged = [one for one in results if one.match_id not in scored]
    assert {(one.outcome, one.forfeited, one.points) for one in dodged} <= {("loss", True, 0)}
    _check_points(results, players, seats)
    _check_ratings(results, players, seats)
    _check_encounters([one for one in results if one.match_id in scored], players, encounters)
    return len(results)


def _opponents(one: PlayerResult, results: Iterable[PlayerResult]) -> list[PlayerResult]:
    return [other for other in results if other.seat % 2 != one.seat % 2]


def _by_match(results: list[PlayerResult]) -> list[list[PlayerResult]]:
    matches: dict[str, list[PlayerResult]] = defaultdict(list)
    for result in results:
        matches[result.match_id].append(result)
    return list(matches.values())


def _check_points(results: list[PlayerResult], players: dict[str, Player], seats: Seats) -> None:
    points, board, weeks = Counter(), Counter(), Counter()
    met: Counter[tuple[object, str, str]] = Counter()
    last = {}
    for match in _by_match(results):
        week = week_of(match[0].finished_at)
        among_registered = all(seat.registered for seat in seats[match[0].match_id])
        pairs = {one.player_id: [(week, one.player_id, other.player_id) for other in _opponents(one, match)]
                 for one in match}  # fmt: skip
        counts = {one: among_registered and all(met[pair] < 10 for pair in pairs[one]) for one in pairs}
        for one in match:
            assert one.points in (0, WORTH[one.outcome][0])
            assert one.board_points == (one.points if counts[one.player_id] else 0)
            points[one.player_id] += one.points
            if one.board_points:
                met.update(pairs[one.player_id])
                board[one.player_id] += one.board_points
                last[one.player_id] = week
                weeks[one.player_id, week] += one.board_points
    for player in players.values():
        week = last.get(player.id)
        assert (player.points, player.board_points) == (points[player.id], board[player.id])
        # Of a week whose only matches were voided nothing is left.
        assert player.week_at == week or not player.week_points
        assert player.week_points == weeks[player.id, player.week_at]


def _check_ratings(results: list[PlayerResult], players: dict[str, Player], seats: Seats) -> None:
    ratings = defaultdict(Rating)
    rated_at = {}
    for match in _by_match([one for one in results if one.rating_after is not None]):
        now = match[0].finished_at
        people = [seat.player_id for seat in seats[match[0].match_id]]
        assert all(seat.registered for seat in seats[match[0].match_id])
        before = {one: at(ratings[one], rated_at.get(one), now) for one in people}
        assert sorted(WORTH[one.outcome][1] for one in match) in ([0.0, 1.0], [0.5, 0.5], [0.0])
        for one in match:
            own = before[one.player_id]
            (other,) = (before[person] for person in people if person != one.player_id)
            after = after_match(own, other, WORTH[one.outcome][1])
            assert (one.rating_before, one.deviation_before) == pytest.approx((own.value, own.deviation))
            assert (one.rating_after, one.deviation_after) == pytest.approx((after.value, after.deviation))
            assert one.volatility_before == pytest.approx(own.volatility)
            ratings[one.player_id], rated_at[one.player_id] = after, now
    for player in players.values():
        rating, when = ratings[player.id], rated_at.get(player.id)
        stored = (player.rating_value, player.rating_deviation, player.rating_volatility)
        assert stored == pytest.approx((rating.value, rating.deviation, rating.volatility))
        assert player.rated_at == when
        until = established_until(rating, when) if when and player.vouchers == 5 else None
        assert (player.established_until is None) == (until is None)
        assert until is None or abs((player.established_until - until).total_seconds()) < 1


def _check_encounters(
    results: list[PlayerResult], players: dict[str, Player], stored: dict[tuple[str, str], Encounter]
) -> None:
    scored, rated = Counter(), Counter()
    for match in _by_match(results):
        for one in match:
            for other in _opponents(one, match):
                scored[one.player_id, other.player_id] += 1
                rated[one.player_id, other.player_id] += one.rating_after is not None
    assert {pair: (one.scored, one.rated) for pair, one in stored.items()} == {
        pair: (count, rated[pair]) for pair, count in scored.items()
    }
    matches = Counter(one.player_id for one in results)
    people = Counter(player_id for player_id, _ in scored)
    for player in players.values():
        assert player.seasoned == (matches[player.id] >= 5 and people[player.id] >= 3)
        opponents = [other for (own, other), count in rated.items() if own == player.id and count]
        assert player.vouchers == min(5, sum(players[other].seasoned for other in opponents))
