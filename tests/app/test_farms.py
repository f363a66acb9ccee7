"""The ladder cannot be farmed: identities are free, so results among them must be worth nothing, or little."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from flask import Flask

from app.services import leaderboards
from app.services.glicko import PROVISIONAL_DEVIATION
from tests.app.accounts import account
from tests.app.ladder import beat, row
from tests.app.people import Caller, guest, ok
from tests.app.rebuild import check_standings
from tests.app.test_standings import change, whole_board

MONDAY = datetime.fromisoformat("2024-05-06T10:00:00Z")
PUPPETS, EACH = 15, 10


def places(caller: Caller) -> dict[str, str | None]:
    """On which boards a player has no place, and why; None where there is one."""
    return {kind: ok(caller.get(f"/leaderboards/{kind}?limit=1"))["unranked"] for kind in leaderboards.KINDS}


def test_who_beats_fresh_guests_has_points_but_no_place_and_no_rating(app: Flask) -> None:
    farmer = account(app)
    for _ in range(PUPPETS):
        puppet = guest(app)
        for _ in range(EACH):
            beat(app, farmer, puppet)
    assert places(farmer) == {"rating": "provisional", "week": "no_points", "points": "no_points"}
    mine = ok(farmer.get("/players/me"))
    assert (mine["points"], mine["stats"]["wins"]) == (24 * PUPPETS * EACH, PUPPETS * EACH)
    assert mine["rating"] == {"value": 1500, "deviation": 500, "provisional": True}
    check_standings(app)


def test_who_beats_fresh_accounts_that_play_nobody_else_has_no_established_rating(app: Flask) -> None:
    farmer = account(app)
    for _ in range(PUPPETS):
        puppet = account(app)
        for _ in range(EACH):
            beat(app, farmer, puppet)
    assert row(app, farmer).rating_deviation < PROVISIONAL_DEVIATION
    assert ok(farmer.get("/players/me"))["rating"]["provisional"] is True
    assert places(farmer)["rating"] == "provisional"
    assert farmer.id not in [line["player"]["id"] for line in whole_board(farmer, "rating", 50)]
    check_standings(app)


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
