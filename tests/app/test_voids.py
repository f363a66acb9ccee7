"""Voids: what a match brought is taken back, once and no more, and whoever looks at it is told."""

from __future__ import annotations

import pytest
from flask import Flask

from app.services import voids
from app.services.errors import Refusal
from app.services.news import MatchMoved
from tests.app.accounts import account
from tests.app.ladder import beat, results_of, row
from tests.app.people import Caller, guest, ok, sit_down
from tests.app.test_at_once import at_once
from tests.app.test_establishing import provisional, season
from tests.app.test_standings import change, whole_board


def void(app: Flask, match_id: str) -> voids.Voided:
    with app.app_context():
        return voids.void_match(match_id)[0]


def standing(app: Flask, person: Caller) -> tuple[object, ...]:
    """All that a match may move of a player."""
    stored = row(app, person)
    return (
        stored.points, stored.board_points, stored.week_points, stored.rating_value, stored.rating_deviation,
        stored.rating_volatility, stored.rated_at, stored.established_until, stored.seasoned, stored.vouchers,
    )  # fmt: skip


@pytest.mark.parametrize("before", [0, 1, 3])
def test_the_last_match_is_taken_back_exactly(app: Flask, before: int) -> None:
    mona, adel, samia = account(app), account(app), account(app)
    for number in range(before):
        beat(app, mona, (adel, samia)[number % 2])
    was = [standing(app, person) for person in (mona, adel)]
    match_id = beat(app, mona, adel)
    voided = void(app, match_id)
    assert [standing(app, person) for person in (mona, adel)] == was
    assert voided.fresh is True
    assert [(one["player"], one["points"], one["board_points"]) for one in voided.changes] == [
        (mona.id, -24, -24), (adel.id, -3, -3),
    ]  # fmt: skip
    assert voided.changes[0]["rating"] < 0 < voided.changes[1]["rating"]
    assert ok(mona.get("/players/me"))["stats"]["matches"] == before


def test_later_matches_stay(app: Flask) -> None:
    mona, adel, samia = account(app), account(app), account(app)
    first, later = beat(app, mona, adel), beat(app, samia, mona)
    change_of_first = results_of(app, first)[mona.id]
    kept = results_of(app, later)
    was = row(app, mona)
    void(app, first)
    now = row(app, mona)
    assert (now.points, now.board_points, now.week_points) == (3, 3, 3)
    gained = change_of_first.rating_after - change_of_first.rating_before
    assert now.rating_value == pytest.approx(was.rating_value - gained)
    assert was.rating_deviation < now.rating_deviation <= 500
    assert now.rated_at == was.rated_at
    assert results_of(app, later)[mona.id].rating_after == kept[mona.id].rating_after
    assert row(app, samia).rating_value == kept[samia.id].rating_after
    # With both taken back nothing is left of either, in whatever order.
    void(app, later)
    assert (row(app, mona).rating_value, row(app, mona).rating_deviation) == pytest.approx((1500, 500))
    assert row(app, mona).points == 0


def test_a_match_is_voided_once_also_by_several_at_the_same_moment(app: Flask) -> None:
    mona, adel = account(app), account(app)
    kept, match_id = beat(app, mona, adel), beat(app, mona, adel)
    answers = at_once([lambda: void(app, match_id)] * 4)
    assert sorted(answer.fresh for answer in answers) == [False, False, False, True]
    assert len({answer.voided_at for answer in answers}) == 1
    assert row(app, mona).points == 24
    again = void(app, match_id)
    assert (again.fresh, again.changes, results_of(app, kept).keys()) == (False, [], {mona.id, adel.id})
    assert row(app, mona).points == 24


def test_history_and_match_say_so_and_who_looks_on_is_told(app: Flask) -> None:
    mona, adel = account(app), account(app)
    match_id = beat(app, mona, adel)
    path = f"/matches/{match_id}"
    mark = mona.get(path).headers["ETag"]
    with app.app_context():
        voided, news = voids.void_match(match_id)
    [told] = news
    assert isinstance(told, MatchMoved)
    assert (told.match_id, told.events, told.record.voided_at) == (match_id, (), voided.voided_at)
    response = mona.get(path, headers={"If-None-Match": mark})
    result = ok(response)["result"]
    assert (result["winner"], result["scored"]) == (0, False)
    assert result["voided_at"].endswith("Z")
    item = ok(adel.get("/matches"))["items"][0]
    assert item["result"] == result
    assert (item["outcome"], item["points"], item["rating_change"]) == ("loss", None, None)
    assert ok(mona.get("/players/me/ratings"))["items"] == []
    events = ok(mona.get(f"{path}/events"))["items"]
    assert events[-1]["result"] == result
    other = beat(app, mona, adel)
    assert "voided_at" not in ok(mona.get(f"/matches/{other}"))["result"]


def test_boards_and_what_establishes_a_rating_follow(app: Flask) -> None:
    mona = account(app)
    change(app, mona.id, rating_deviation=80.0)
    opponents = [account(app) for _ in range(5)]
    for opponent in opponents:
        season(app, opponent)
        match_id = beat(app, mona, opponent)
    assert not provisional(mona)
    void(app, match_id)
    assert provisional(mona)
    again = beat(app, mona, opponents[4])
    assert not provisional(mona)
    void(app, again)
    # One who vouches for others has one match too few of their own, once that is taken back.
    late = account(app)
    last = [beat(app, late, guest(app)) for _ in range(4)][-1]
    assert provisional(mona)
    beat(app, mona, late)
    assert not provisional(mona)
    void(app, last)
    assert provisional(mona)
    assert [line["value"] for line in whole_board(mona, "points", 50) if line["player"]["id"] == mona.id] == [5 * 24]


def test_a_loss_of_who_left_early_is_taken_back_too(app: Flask) -> None:
    mona, adel = account(app), account(app)
    was = standing(app, adel)
    void(app, beat(app, mona, adel, plays=1))
    assert standing(app, adel) == was
    assert ok(adel.get("/players/me"))["stats"]["losses"] == 0


def test_a_match_that_counted_for_nothing_can_be_voided(app: Flask) -> None:
    table = sit_down(app, seed="x")
    ok(table.person(0).post(f"{table.path}/forfeits"), 201)
    assert void(app, table.match_id).changes == []
    assert "voided_at" in table.view(0)["result"]


def test_only_finished_matches_are_voided(app: Flask) -> None:
    running = sit_down(app).match_id
    for match_id, code in ((running, "match.running"), ("unknown-match-id", "not_found"), ("x", "not_found")):
        with pytest.raises(Refusal) as refusal:
            void(app, match_id)
        assert refusal.value.code == code
