"""What counts on the boards, and what establishes a rating: different opponents, who play others, too."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from flask import Flask

from tests.app.accounts import account
from tests.app.ladder import beat, row
from tests.app.people import Caller, guest, ok
from tests.app.rebuild import check_standings
from tests.app.test_farms import places
from tests.app.test_standings import change

MONDAY = datetime.fromisoformat("2024-05-06T10:00:00Z")


def test_one_opponent_counts_ten_times_a_week_on_the_boards(app: Flask) -> None:
    mona, adel, samia = account(app), account(app), account(app)
    for number in range(12):
        beat(app, mona, adel, at=MONDAY + timedelta(days=number // 6, hours=number))
    beat(app, mona, samia, at=MONDAY + timedelta(days=3))
    assert (row(app, mona).points, row(app, mona).board_points) == (13 * 24, 11 * 24)
    assert (row(app, adel).points, row(app, adel).board_points) == (12 * 3, 10 * 3)
    beat(app, mona, adel, at=MONDAY + timedelta(days=7))
    assert (row(app, mona).board_points, row(app, mona).week_points) == (12 * 24, 24)
    check_standings(app)


def season(app: Flask, person: Caller, people: int = 3, matches: int = 5) -> None:
    """Have somebody play some scored matches against some people."""
    others = [guest(app) for _ in range(people)]
    for number in range(matches):
        beat(app, person, others[number % people])


@pytest.fixture
def settled(app: Flask) -> Caller:
    """A registered player whose deviation is small."""
    mona = account(app)
    change(app, mona.id, rating_deviation=80.0)
    return mona


def provisional(caller: Caller) -> bool:
    return bool(ok(caller.get("/players/me"))["rating"]["provisional"])


def test_five_different_opponents_who_play_others_too_establish_a_rating(app: Flask, settled: Caller) -> None:
    opponents = [account(app) for _ in range(5)]
    for opponent in opponents[:4]:
        season(app, opponent)
        beat(app, settled, opponent)
    beat(app, settled, opponents[0])
    # Registered and seasoned is what counts, not who wins.
    season(app, opponents[4], matches=4)
    assert provisional(settled)
    beat(app, opponents[4], settled)
    assert not provisional(settled)
    assert places(settled)["rating"] is None


@pytest.mark.parametrize(("people", "matches"), [(3, 3), (1, 7)])
def test_an_opponent_may_qualify_long_after_the_match(app: Flask, settled: Caller, people: int, matches: int) -> None:
    opponents = [account(app) for _ in range(5)]
    for opponent in opponents:
        beat(app, settled, opponent)
    for opponent in opponents[:4]:
        season(app, opponent)
    late = opponents[4]
    # One match and one person are there already, and still one of both is missing.
    season(app, late, people, matches)
    assert provisional(settled)
    assert places(settled)["rating"] == "provisional"
    beat(app, late, guest(app))
    assert not provisional(settled)
    assert places(settled)["rating"] is None


def test_guests_establish_nobody(app: Flask, settled: Caller) -> None:
    for _ in range(5):
        opponent = guest(app)
        season(app, opponent)
        beat(app, settled, opponent)
    assert provisional(settled)
    assert row(app, settled).vouchers == 0
