"""Glicko-2 as pure functions: Glickman's algorithm, and the form in which lichess uses it, match by match.

Lichess rates every game on its own instead of a whole period's games together: both deviations first grow for the time
since each player's last rated game, in fractions of a rating period, and then the game is counted at once.

Source: Mark E. Glickman, "Example of the Glicko-2 system" (glicko.net/glicko/glicko2.pdf), whose steps are named below.
Source: lichess-org/lila, modules/rating/src/main/Glicko.scala, for the figures and the limits.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

WIN, DRAW, LOSS = 1.0, 0.5, 0.0

# How far the volatility may follow a surprise.
TAU = 0.75
VALUE, DEVIATION, VOLATILITY = 1500.0, 500.0, 0.09
VALUE_LEAST = 400.0
DEVIATION_LEAST, DEVIATION_MOST = 45.0, 500.0
# Past this it might never settle again.
VOLATILITY_MOST = 0.1
# Above this a rating says too little yet.
PROVISIONAL_DEVIATION = 110.0
# Such that the deviation of a player who stays away goes from 60 to 110 in about a year.
PERIODS_A_DAY = 0.21436
DAY = timedelta(days=1)

# One point of the algorithm's own scale, in points of the scale that people see.
SCALE = 173.7178
CLOSE_ENOUGH = 1e-9
# No rating is established for longer, however small its volatility: moments have an end, too.
FAR_AHEAD = timedelta(days=36_500)


@dataclass(frozen=True, slots=True)
class Rating:
    """What is known of a player's strength.

    Units: value and deviation on the scale that people see, where 1500 is where everyone begins.
    """

    value: float = VALUE
    deviation: float = DEVIATION
    volatility: float = VOLATILITY


@dataclass(frozen=True, slots=True)
class Game:
    """A game against somebody of a rating; the score is WIN, DRAW or LOSS."""

    opponent: Rating
    score: float


def rate(rating: Rating, games: Sequence[Game], *, tau: float = TAU, periods: float = 1.0) -> Rating:
    """The rating after some games that are counted together, a number of rating periods after the games before.

    >>> games = [Game(Rating(1400, 30), WIN), Game(Rating(1550, 100), LOSS), Game(Rating(1700, 300), LOSS)]
    >>> after = rate(Rating(1500, 200, 0.06), games, tau=0.5)
    >>> round(after.value, 2), round(after.deviation, 2), round(after.volatility, 4)
    (1464.05, 151.52, 0.06)
    """
    if not games:
        return grow(rating, periods)
    mu, phi = _inner(rating)
    # Steps 3 and 4: how much the games can tell, and what they say.
    certainty = surprise = 0.0
    for game in games:
        other_mu, other_phi = _inner(game.opponent)
        weight = 1 / math.sqrt(1 + 3 * other_phi**2 / math.pi**2)
        gap = weight * (mu - other_mu)
        # The chance of a win times that of a loss, written so that neither is rounded to nothing.
        certainty += weight**2 / (1 + math.exp(-gap)) / (1 + math.exp(gap))
        surprise += weight * (game.score - 1 / (1 + math.exp(-gap)))
    variance = 1 / certainty
    sigma = _volatility(phi, rating.volatility, variance, variance * surprise, tau)
    # Steps 6 and 7.
    before = phi**2 + periods * sigma**2
    after = 1 / (1 / before + certainty)
    return Rating(VALUE + SCALE * (mu + after * surprise), SCALE * math.sqrt(after), sigma)


def grow(rating: Rating, periods: float) -> Rating:
    """The rating after some rating periods without a game: as good as it was, and less certain (step 6)."""
    deviation = math.hypot(rating.deviation, SCALE * rating.volatility * math.sqrt(periods))
    return Rating(rating.value, deviation, rating.volatility)


def at(rating: Rating, rated_at: datetime | None, now: datetime) -> Rating:
    """The rating as it is now, after the last rated match some time ago or none."""
    if rated_at is None:
        return rating
    return _within_limits(grow(rating, max(0.0, (now - rated_at) / DAY) * PERIODS_A_DAY))


def after_match(own: Rating, opponent: Rating, score: float) -> Rating:
    """The rating after one match; both are ratings as they are now."""
    return _within_limits(rate(own, [Game(opponent, score)], periods=0.0))


def without(own: Rating, before: Rating, after: Rating) -> Rating:
    """A rating without the change that one of its matches made: as much lower or higher, and as much less certain.

    The volatility stays; what was surprising about one match cannot be told apart later.
    """
    told = 1 / after.deviation**2 - 1 / before.deviation**2
    certainty = max(1 / own.deviation**2 - told, 1 / DEVIATION_MOST**2)
    return _within_limits(Rating(own.value - (after.value - before.value), certainty**-0.5, own.volatility))


def is_provisional(rating: Rating) -> bool:
    """Whether a rating as it is now says too little yet."""
    return rating.deviation > PROVISIONAL_DEVIATION


def established_until(rating: Rating, rated_at: datetime) -> datetime | None:
    """The moment from which on a rating is provisional again unless its player plays; None if it is already."""
    if is_provisional(rating):
        return None
    room = PROVISIONAL_DEVIATION**2 - rating.deviation**2
    days = room / (SCALE * rating.volatility) ** 2 / PERIODS_A_DAY
    return rated_at + min(FAR_AHEAD, timedelta(days=min(days, FAR_AHEAD / DAY)))


def _inner(rating: Rating) -> tuple[float, float]:
    """Value and deviation on the algorithm's own scale (step 2)."""
    return (rating.value - VALUE) / SCALE, rating.deviation / SCALE


def _within_limits(rating: Rating) -> Rating:
    return Rating(
        max(VALUE_LEAST, rating.value),
        min(DEVIATION_MOST, max(DEVIATION_LEAST, rating.deviation)),
        min(VOLATILITY_MOST, rating.volatility),
    )


def _volatility(phi: float, sigma: float, variance: float, delta: float, tau: float) -> float:
    """The volatility after games (step 5): where a falling function crosses zero, by the Illinois algorithm."""
    start = math.log(sigma**2)
    known = phi**2 + variance

    def height(x: float) -> float:
        power = math.exp(x)
        return power * (delta**2 - known - power) / (2 * (known + power) ** 2) - (x - start) / tau**2

    a = start
    if delta**2 > known:
        b = math.log(delta**2 - known)
    else:
        # The first term is above -1/2 everywhere and the second k/tau, so that this ends soon.
        k = 1
        while height(start - k * tau) < 0:
            k += 1
        b = start - k * tau
    height_a, height_b = height(a), height(b)
    while abs(b - a) > CLOSE_ENOUGH and height_a != height_b:
        c = a + (a - b) * height_a / (height_b - height_a)
        height_c = height(c)
        if height_c * height_b <= 0:
            a, height_a = b, height_b
        else:
            height_a /= 2
        b, height_b = c, height_c
    return math.exp(a / 2)
