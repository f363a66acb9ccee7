"""The ladder cannot be farmed: identities are free, so results among them must be worth nothing, or little."""

from __future__ import annotations

from flask import Flask

from app.services import leaderboards
from app.services.glicko import PROVISIONAL_DEVIATION
from tests.app.accounts import account
from tests.app.ladder import beat, row
from tests.app.people import Caller, guest, ok
from tests.app.rebuild import check_standings
from tests.app.test_standings import whole_board

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
