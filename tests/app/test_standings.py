"""Profiles, leaderboards and the history of ratings."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import pairwise

import pytest
from flask import Flask
from sqlalchemy import select, update

from app.api import cursors
from app.extensions import write_transaction
from app.models import Player, PlayerResult
from app.services import leaderboards
from app.services.ids import new_id
from app.services.times import utcnow, week_of
from tests.app.accounts import account
from tests.app.people import Caller, guest, ok, refused, sit_down
from tests.app.test_settling import give_up, played


def change(app: Flask, player_id: str, **values: object) -> None:
    """Make a player what the test needs."""
    with app.app_context(), write_transaction() as session:
        session.execute(update(Player).where(Player.id == player_id).values(**values))


def established(value: float, **values: object) -> dict[str, object]:
    """The columns of a registered player whose rating is established."""
    now = utcnow()
    return {
        "guest": False, "rating_value": value, "rating_deviation": 60.0, "rating_volatility": 0.06,
        "rated_at": now, "established_until": now + timedelta(days=300), "vouchers": 5, **values,
    }  # fmt: skip


@pytest.fixture
def nobody(app: Flask) -> None:
    """Boards on which nobody stands yet, though the players of the tests before have stayed."""
    with app.app_context(), write_transaction() as session:
        session.execute(update(Player).values(guest=True))


def whole_board(caller: Caller, kind: str, limit: int = 2) -> list[dict]:
    """All rows of a board, page by page."""
    rows, cursor = [], ""
    while cursor is not None:
        page = ok(caller.get(f"/leaderboards/{kind}?limit={limit}{cursor and f'&cursor={cursor}'}"))
        assert len(page["items"]) <= limit
        rows += page["items"]
        cursor = page["next"]
    return rows


def test_a_profile_adds_up_what_a_player_did(app: Flask) -> None:
    mona, adel = account(app, "Mona"), account(app, "Adel")
    assert give_up(app, [mona, adel])
    assert give_up(app, [mona, adel])
    assert give_up(app, [adel, mona])
    assert give_up(app, [mona, adel])
    mine, his = ok(mona.get("/players/me")), ok(mona.get(f"/players/{adel.id}"))
    assert (mine["points"], his["points"]) == (75, 33)
    stats = {"matches": 4, "wins": 3, "draws": 0, "losses": 1, "forfeits": 1, "streak": 1, "best_streak": 2}
    assert mine["stats"].items() >= stats.items()
    stats = {"matches": 4, "wins": 1, "draws": 0, "losses": 3, "forfeits": 3, "streak": 0, "best_streak": 1}
    assert his["stats"].items() >= stats.items()
    assert mine["rating"]["value"] > 1500 > his["rating"]["value"]
    assert mine["rating"]["provisional"] is True


def test_a_profile_counts_basras_and_the_best_round_of_what_was_played(app: Flask) -> None:
    table = sit_down(app)
    last = table.play_out()
    basras = [0, 0]
    for event_ in ok(table.person(0).get(f"{table.path}/events"))["items"]:
        if event_["type"] == "played" and event_["basra"]:
            basras[event_["seat"]] += 1
    for seat, person in enumerate(table.people):
        stats = ok(person.get("/players/me"))["stats"]
        assert stats["basras_per_match"] == basras[seat]
        assert stats["best_round"] == max(sheet["points"][seat] for sheet in last["rounds"])


def test_draws_are_counted_and_end_a_streak(app: Flask) -> None:
    mona = guest(app)
    outcomes = ["win", "win", "loss", "win", "win", "win", "draw", "win"]
    for _ in outcomes:
        assert give_up(app, [mona, guest(app)])
    with app.app_context(), write_transaction() as session:
        query = select(PlayerResult).where(PlayerResult.player_id == mona.id).order_by(PlayerResult.finished_at)
        for number, (result, outcome) in enumerate(zip(session.scalars(query), outcomes, strict=True)):
            result.outcome, result.basras, result.best_round = outcome, number % 2, number
    assert ok(mona.get("/players/me"))["stats"] == {
        "matches": 8, "wins": 6, "draws": 1, "losses": 1, "forfeits": 0, "basras_per_match": 0.5, "best_round": 7,
        "streak": 1, "best_streak": 3,
    }  # fmt: skip


def test_a_deviation_that_is_shown_has_grown_since_the_last_match(app: Flask) -> None:
    mona = guest(app)
    change(app, mona.id, rating_deviation=60.0, rating_volatility=0.06, rated_at=utcnow() - timedelta(days=200))
    change(app, mona.id, vouchers=5)
    assert ok(mona.get("/players/me"))["rating"] == {"value": 1500, "deviation": 91, "provisional": False}
    change(app, mona.id, rated_at=utcnow() - timedelta(days=400))
    assert ok(mona.get("/players/me"))["rating"] == {"value": 1500, "deviation": 114, "provisional": True}


def test_the_rating_board_has_the_established_registered_living_people(app: Flask, nobody: None) -> None:
    people = [guest(app, f"P{number}") for number in range(8)]
    for number, person in enumerate(people):
        change(app, person.id, **established(1500 + 100 * number))
    change(app, people[0].id, guest=True)
    change(app, people[1].id, bot=True)
    change(app, people[2].id, deleted_at=utcnow())
    change(app, people[3].id, established_until=None)
    change(app, people[4].id, established_until=utcnow() - timedelta(seconds=1))
    rows = whole_board(people[5], "rating")
    assert [(row["rank"], row["player"]["id"], row["value"]) for row in rows] == [
        (1, people[7].id, 2200), (2, people[6].id, 2100), (3, people[5].id, 2000),
    ]  # fmt: skip
    assert rows[0]["player"] == {"id": people[7].id, "name": "P7", "guest": False, "bot": False}
    assert {row["deviation"] for row in rows} == {60}
    reasons = {0: "guest", 1: "bot", 3: "provisional", 4: "provisional"}
    for number, reason in reasons.items():
        page = ok(people[number].get("/leaderboards/rating?limit=1"))
        assert (page["me"], page["unranked"], len(page["items"])) == (None, reason, 1)


def test_the_deviation_on_the_board_has_grown_to_now(app: Flask, nobody: None) -> None:
    mona = guest(app)
    change(app, mona.id, **established(1700, rated_at=utcnow() - timedelta(days=200)))
    [row] = ok(mona.get("/leaderboards/rating"))["items"]
    assert (row["value"], row["deviation"]) == (1700, 91)


@pytest.mark.parametrize("limit", [1, 2, 3, 50])
def test_those_who_are_shown_with_the_same_value_have_the_same_rank(app: Flask, nobody: None, limit: int) -> None:
    values = [1800.2, 1699.6, 1700.4, 1700.49, 1700.5, 1500, 1500, 1500, 1400]
    people = [guest(app) for _ in values]
    for person, value in zip(people, values, strict=True):
        change(app, person.id, **established(value))
    rows = whole_board(people[0], "rating", limit)
    assert [(row["rank"], row["value"]) for row in rows] == [
        (1, 1800), (2, 1701), (3, 1700), (3, 1700), (3, 1700), (6, 1500), (6, 1500), (6, 1500), (9, 1400),
    ]  # fmt: skip
    assert sorted(row["player"]["id"] for row in rows) == sorted(person.id for person in people)
    assert rows == whole_board(people[0], "rating", limit)
    for person in people:
        own = next(row for row in rows if row["player"]["id"] == person.id)
        assert ok(person.get("/leaderboards/rating?limit=1"))["me"] == own


@pytest.mark.parametrize("kind", ["points", "week"])
def test_boards_of_points_share_ranks_too(app: Flask, nobody: None, kind: str) -> None:
    points = [96, 48, 48, 24, 24, 24, 3, 0]
    people = [guest(app) for _ in points]
    for person, value in zip(people, points, strict=True):
        change(app, person.id, guest=False, board_points=value, week_points=value, week_at=week_of(utcnow()))
    for limit in (1, 2, 50):
        rows = whole_board(people[0], kind, limit)
        assert [(row["rank"], row["value"]) for row in rows] == [
            (1, 96), (2, 48), (2, 48), (4, 24), (4, 24), (4, 24), (7, 3),
        ]  # fmt: skip
    assert "deviation" not in rows[0]
    for person in people[:-1]:
        own = next(row for row in rows if row["player"]["id"] == person.id)
        page = ok(person.get(f"/leaderboards/{kind}?limit=1"))
        assert (page["me"], page["unranked"]) == (own, None)
    page = ok(people[-1].get(f"/leaderboards/{kind}"))
    assert (page["me"], page["unranked"]) == (None, "no_points")


def test_the_week_board_forgets_last_week(app: Flask, nobody: None) -> None:
    mona, adel = guest(app), guest(app)
    this = week_of(utcnow())
    change(app, mona.id, guest=False, board_points=90, week_points=90, week_at=this - timedelta(days=7))
    change(app, adel.id, guest=False, board_points=3, week_points=3, week_at=this)
    page = ok(mona.get("/leaderboards/week"))
    assert [row["player"]["id"] for row in page["items"]] == [adel.id]
    assert (page["me"], page["unranked"]) == (None, "no_points")
    assert [row["value"] for row in ok(mona.get("/leaderboards/points"))["items"]] == [90, 3]


def test_a_page_of_nobody_is_empty(app: Flask, nobody: None) -> None:
    for kind in leaderboards.KINDS:
        page = ok(guest(app).get(f"/leaderboards/{kind}"))
        assert page == {"items": [], "next": None, "me": None, "unranked": "guest"}


def test_people_climb_the_boards_by_playing(app: Flask, nobody: None) -> None:
    mona, adel = account(app, "Mona"), account(app, "Adel")
    for number in range(3):
        assert give_up(app, [mona, adel] if number else [adel, mona])
    for kind in ("points", "week"):
        rows = whole_board(adel, kind)
        assert [(row["rank"], row["player"]["name"], row["value"]) for row in rows] == [
            (1, "Mona", 51),
            (2, "Adel", 30),
        ]
    assert ok(mona.get("/leaderboards/rating"))["unranked"] == "provisional"
    for person in (mona, adel):
        change(app, person.id, rating_deviation=109.0, rating_volatility=0.06, rated_at=utcnow(), vouchers=5)
    assert give_up(app, [mona, adel])
    assert [row["player"]["name"] for row in whole_board(mona, "rating")] == ["Mona", "Adel"]


def test_boards_are_for_callers_and_of_known_kinds(app: Flask) -> None:
    refused(Caller(app).get("/leaderboards/rating"), 401, "auth.required")
    mona = guest(app)
    for kind in ("elo", "RATING", "%00", "rating%2F"):
        refused(mona.get(f"/leaderboards/{kind}?limit=0"), 404, "not_found")
    refused(mona.get("/leaderboards/rating/"), 404, "not_found")
    for query in ("limit=0", "limit=501", "since=1", "cursor=", "cursor=x"):
        refused(mona.get(f"/leaderboards/rating?{query}"), 422, "request.invalid")


@pytest.mark.parametrize(
    "place",
    [[], {}, None, 7, ["x", "player-id"], [True, "player-id"], [1.5, "player-id"], [1, 7], [1, "\0" * 9],
     [2**40, "player-id"], [float("nan"), "player-id"], [1, "é" * 9], [1, "player-id", 3]],
)  # fmt: skip
def test_forged_places_on_a_board_are_refused(app: Flask, place: object) -> None:
    query = f"cursor={cursors.encode_value(place)}"
    refused(guest(app).get(f"/leaderboards/points?{query}"), 422, "request.invalid")


def test_a_place_behind_everyone_is_an_empty_page_with_the_own_row(app: Flask, nobody: None) -> None:
    mona = guest(app)
    change(app, mona.id, guest=False, board_points=5)
    page = ok(mona.get(f"/leaderboards/points?cursor={cursors.encode_value([0, 'player-id'])}"))
    assert (page["items"], page["next"], page["me"]["rank"]) == ([], None, 1)


def test_the_history_of_a_rating_tells_every_change(app: Flask) -> None:
    mona, adel = account(app), account(app)
    for number in range(3):
        assert give_up(app, [mona, adel] if number else [adel, mona])
    items = ok(mona.get("/players/me/ratings"))["items"]
    assert [item["delta"] > 0 for item in items] == [True, True, False]
    assert items[0]["value"] == ok(mona.get("/players/me"))["rating"]["value"]
    assert items[0]["deviation"] == ok(mona.get("/players/me"))["rating"]["deviation"]
    for newer, older in pairwise(items):
        assert (newer["value"], newer["at"] > older["at"]) == (older["value"] + newer["delta"], True)
    assert items[-1]["value"] == 1500 + items[-1]["delta"]
    played_ones = [item["id"] for item in ok(mona.get("/matches"))["items"]]
    assert [item["match"] for item in items] == played_ones
    assert [item["rating_change"] for item in ok(mona.get("/matches"))["items"]] == [item["delta"] for item in items]


def test_anothers_matches_in_private_rooms_are_not_named(app: Flask) -> None:
    private, public = played(app), None
    ok(private.person(1).post(f"{private.path}/forfeits"), 201)
    mona, adel = private.people
    code = ok(mona.post("/rooms", {"visibility": "public"}), 201)["code"]
    public = ok(adel.post(f"/rooms/{code}/joins"), 201)["match_id"]
    for turn in range(4):
        view = mona.view(public)
        due = (mona, adel)[view["to_act"]]
        ok(due.post(f"/matches/{public}/moves", {"turn": turn, "card": due.view(public)["you"]["hand"][0]}), 201)
    ok(adel.post(f"/matches/{public}/forfeits"), 201)
    curious = guest(app)
    page = ok(curious.get(f"/players/{mona.id}/ratings?limit=1"))
    assert [item["match"] for item in page["items"]] == [public]
    assert private.match_id not in str(cursors.decode_value(page["next"]))
    rest = ok(curious.get(f"/players/{mona.id}/ratings?limit=1&cursor={page['next']}"))
    assert [item["match"] for item in rest["items"]] == [None]
    assert rest["next"] is None
    # He who played there too may know; he is told in his own list.
    assert [item["match"] for item in ok(adel.get("/players/me/ratings"))["items"]] == [public, private.match_id]


def test_changes_of_one_moment_are_all_shown_page_by_page(app: Flask) -> None:
    mona = account(app)
    others = [account(app) for _ in range(5)]
    for other in others:
        assert give_up(app, [mona, other])
    with app.app_context(), write_transaction() as session:
        session.execute(
            update(PlayerResult)
            .where(PlayerResult.player_id == mona.id)
            .values(finished_at=datetime.fromisoformat("2024-05-01T12:00:00Z"))
        )
    found, cursor = [], ""
    while cursor is not None:
        page = ok(mona.get(f"/players/me/ratings?limit=2{cursor and f'&cursor={cursor}'}"))
        found += [item["match"] for item in page["items"]]
        cursor = page["next"]
    assert sorted(found) == sorted(item["id"] for item in ok(mona.get("/matches"))["items"])


def test_the_history_of_a_rating_is_asked_for_rightly(app: Flask) -> None:
    mona = guest(app)
    assert ok(mona.get(f"/players/{mona.id}/ratings")) == {"items": [], "next": None}
    refused(Caller(app).get("/players/me/ratings"), 401, "auth.required")
    for unknown in (new_id(), "x", "%00", "me%20"):
        refused(mona.get(f"/players/{unknown}/ratings?limit=0"), 404, "not_found")
    now = utcnow().isoformat()
    forged = [
        [now, 0],
        [now, True],
        [now, -1],
        [now, 2**40],
        [now[:19], 1],
        ["9999-12-31T23:59:59-10:00", 1],
        [7, 1],
        [now],
        now,
    ]
    for query in ["limit=0", "cursor=x", "player=me", *(f"cursor={cursors.encode_value(place)}" for place in forged)]:
        refused(mona.get(f"/players/me/ratings?{query}"), 422, "request.invalid")
