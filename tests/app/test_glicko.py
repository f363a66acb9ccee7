"""Glicko-2 against Glickman's published example and against the `glicko2` package, and lichess's form of it."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

import glicko2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.services.glicko import (
    DEVIATION_LEAST,
    DEVIATION_MOST,
    DRAW,
    LOSS,
    VALUE_LEAST,
    VOLATILITY_MOST,
    WIN,
    Game,
    Rating,
    after_match,
    at,
    established_until,
    grow,
    is_provisional,
    rate,
)

often = settings(derandomize=True, deadline=None, max_examples=200)
NOW = datetime(2024, 5, 1, 12, 0, tzinfo=UTC)
ratings = st.builds(Rating, st.floats(400, 3000), st.floats(45, 500), st.floats(0.02, 0.1))
scores = st.sampled_from([WIN, DRAW, LOSS])
games = st.lists(st.builds(Game, st.builds(Rating, st.floats(400, 3000), st.floats(45, 500)), scores), max_size=8)


def test_glickmans_published_example() -> None:
    """His section "Example calculation": one period, a win and two losses; he rounds on the way."""
    played = [Game(Rating(1400, 30), WIN), Game(Rating(1550, 100), LOSS), Game(Rating(1700, 300), LOSS)]
    after = rate(Rating(1500, 200, 0.06), played, tau=0.5)
    assert after.value == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.005)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


class Oracle(glicko2.Player):
    """The package's player, with the one slip of its step 5 mended: it has the rating where the deviation belongs."""

    def _f(self, x: float, delta: float, v: float, a: float) -> float:
        power, phi = math.exp(x), self.rd / 173.7178
        above = power * (delta**2 - phi**2 - v - power)
        return above / (2 * (phi**2 + v + power) ** 2) - (x - a) / self._tau**2


def by(kind: type[glicko2.Player], rating: Rating, played: list[Game], tau: float) -> Rating:
    player = kind(rating.value, rating.deviation, rating.volatility)
    player._tau = tau
    if not played:
        player.did_not_compete()
    else:
        opponents = [game.opponent for game in played]
        player.update_player(
            [other.value for other in opponents],
            [other.deviation for other in opponents],
            [game.score for game in played],
        )
    return Rating(player.rating, player.rd, player.vol)


def same(mine: Rating, other: Rating) -> bool:
    return (
        mine.value == pytest.approx(other.value, rel=1e-5)
        and mine.deviation == pytest.approx(other.deviation, rel=1e-5)
        and mine.volatility == pytest.approx(other.volatility, rel=1e-5)
    )


@often
@given(ratings, games, st.floats(0.3, 1.2))
def test_it_agrees_with_the_package(rating: Rating, played: list[Game], tau: float) -> None:
    assert same(rate(rating, played, tau=tau), by(Oracle, rating, played, tau))


@often
@given(st.floats(45, 500), st.sampled_from([-1, 1]), st.floats(0.02, 0.1), games, st.floats(0.3, 1.2))
def test_it_agrees_with_the_package_as_it_is_where_its_slip_has_no_effect(
    deviation: float, sign: int, volatility: float, played: list[Game], tau: float
) -> None:
    """Where the rating is as far from 1500 as the deviation is wide, the two may be mistaken for one another."""
    rating = Rating(1500 + sign * deviation, deviation, volatility)
    assert same(rate(rating, played, tau=tau), by(glicko2.Player, rating, played, tau))


@often
@given(ratings, st.floats(0, 50), st.floats(0, 50))
def test_deviation_grows_with_time_in_fractions_of_a_period(rating: Rating, one: float, two: float) -> None:
    grown = grow(rating, one + two)
    assert grown.deviation == pytest.approx(grow(grow(rating, one), two).deviation)
    assert (grown.value, grown.volatility) == (rating.value, rating.volatility)
    assert grow(rating, 1).deviation == pytest.approx(rate(rating, []).deviation)


def test_a_typical_deviation_goes_from_60_to_110_in_a_year() -> None:
    rating = at(Rating(1500, 60, 0.06), NOW, NOW + timedelta(days=365))
    assert rating.deviation == pytest.approx(110, abs=1.5)


def test_without_a_rated_match_nothing_grows_and_a_clock_set_back_takes_nothing() -> None:
    fresh, known = Rating(), Rating(1600, 80, 0.06)
    assert at(fresh, None, NOW) == fresh
    assert at(known, NOW, NOW - timedelta(days=9)) == at(known, NOW, NOW) == known
    assert at(known, NOW, NOW + timedelta(days=100_000)).deviation == DEVIATION_MOST


@often
@given(ratings, ratings, scores)
def test_a_match_is_rated_within_the_limits_and_in_the_right_direction(
    own: Rating, other: Rating, score: float
) -> None:
    after = after_match(own, other, score)
    assert after.value >= VALUE_LEAST
    assert DEVIATION_LEAST <= after.deviation <= max(own.deviation, DEVIATION_LEAST)
    assert after.volatility <= VOLATILITY_MOST
    assert score != WIN or after.value > own.value
    assert score != LOSS or after.value < own.value or after.value == VALUE_LEAST


@often
@given(ratings, ratings)
def test_winner_and_loser_of_equal_standing_move_alike(own: Rating, other: Rating) -> None:
    equal = Rating(1500, other.deviation, other.volatility)
    won, lost = after_match(equal, equal, WIN), after_match(equal, equal, LOSS)
    assert won.value - 1500 == pytest.approx(1500 - lost.value)
    assert (won.deviation, won.volatility) == (pytest.approx(lost.deviation), pytest.approx(lost.volatility))
    assert after_match(equal, equal, DRAW).value == pytest.approx(1500)
    less, more = sorted([after_match(own, other, LOSS).value, after_match(own, other, DRAW).value])
    assert less <= more <= after_match(own, other, WIN).value


def test_the_limits_hold_where_they_are_met() -> None:
    low = after_match(Rating(405, 300, 0.06), Rating(400, 45, 0.06), LOSS)
    assert low.value == VALUE_LEAST
    sure = after_match(Rating(1500, 45, 0.02), Rating(1500, 45, 0.02), DRAW)
    assert sure.deviation == DEVIATION_LEAST
    upset = after_match(Rating(1500, 45, 0.1), Rating(3500, 45, 0.1), WIN)
    assert upset.volatility == VOLATILITY_MOST < rate(Rating(1500, 45, 0.1), [Game(Rating(3500, 45), WIN)]).volatility


@often
@given(ratings)
def test_established_ends_when_the_deviation_has_grown_past_the_limit(rating: Rating) -> None:
    until = established_until(rating, NOW)
    if until is None:
        assert is_provisional(rating)
        return
    assert not is_provisional(at(rating, NOW, until - timedelta(seconds=1)))
    assert is_provisional(at(rating, NOW, until + timedelta(seconds=1)))


def test_established_has_an_end_however_steady_a_player_is() -> None:
    until = established_until(Rating(1500, 50, 1e-9), NOW)
    assert until is not None and until > NOW + timedelta(days=36_000)
    assert established_until(Rating(1500, 110.0001, 0.09), NOW) is None
    assert established_until(Rating(1500, 110, 0.09), NOW) == NOW


def test_the_first_matches_move_a_rating_far_and_a_few_dozen_establish_it() -> None:
    mona, adel = Rating(), Rating()
    played = 0
    while is_provisional(mona):
        score = WIN if played % 2 else LOSS
        mona, adel = after_match(mona, adel, score), after_match(adel, mona, 1 - score)
        played += 1
        if played == 1:
            assert round(mona.value) == 1259
    assert 15 <= played <= 25
