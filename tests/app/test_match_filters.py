"""Filters of the list of matches, and what each item says of the listed player."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from urllib.parse import quote

import pytest
from flask import Flask
from sqlalchemy import select, update

from app.extensions import db, write_transaction
from app.models import MatchRow
from app.services import matches, times
from engine.state import Play
from tests.app.accounts import account
from tests.app.people import Caller, Table, guest, ok, refused

START = datetime.fromisoformat("2024-05-01T12:00:00Z")


def sit(people: list[Caller], **room: object) -> Table:
    """A running match of these people."""
    made = ok(people[0].post("/rooms", {"seats": len(people), "visibility": "public", **room}), 201)
    for seat, person in enumerate(people[1:], start=1):
        made = ok(person.post(f"/rooms/{made['code']}/joins", {"seat": seat}), 201)
    return Table(made, list(people))


def abandon(app: Flask, match_id: str) -> None:
    """Have the clock play every seat until nobody is thought to be there."""
    with app.app_context():
        while not (record := matches.load(match_id)).is_over:
            seat = record.match.to_act
            card = record.match.round.hands[seat][0]
            matches.act(match_id, Play(seat, card, None, record.match.turn, "clock"), expect_version=record.version)
            db.session.remove()
        assert record.match.result.reason == "abandoned"


@pytest.fixture(scope="module")
def played(app: Flask) -> tuple[list[Caller], dict[str, str]]:
    """Mona, Adel, Samia and Fouad, and the ids of Mona's matches by name."""
    mona, adel, samia, fouad = people = [account(app, name) for name in ("Mona", "Adel", "Samia", "Fouad")]
    tables = {
        "won": sit([mona, adel]),
        "lost": sit([adel, mona]),
        "unscored": sit([mona, samia]),
        "komi": sit([mona, adel], rules="komi"),
        "four": sit([mona, adel, samia, fouad]),
        "abandoned": sit([adel, mona, fouad, samia]),
        "running": sit([mona, fouad], rules="traditional", rated=True),
    }
    for name, table in tables.items():
        if name in ("won", "lost", "komi"):
            table.play_plays(4)
        if name in ("four", "abandoned"):
            table.play_plays(8)
    for name, seat in (("won", 1), ("lost", 1), ("unscored", 1), ("komi", 0), ("four", 3)):
        ok(tables[name].person(seat).post(f"{tables[name].path}/forfeits"), 201)
    abandon(app, tables["abandoned"].match_id)
    with app.app_context(), write_transaction() as session:
        for day, table in enumerate(tables.values()):
            moved = update(MatchRow).where(MatchRow.id == table.match_id)
            session.execute(moved.values(started_at=START + timedelta(days=day)))
    return people, {name: table.match_id for name, table in tables.items()}


def found(caller: Caller, played: tuple[list[Caller], dict[str, str]], query: str) -> list[str]:
    """The names of the matches that a query lists, oldest first."""
    names = {match_id: name for name, match_id in played[1].items()}
    return [names[item["id"]] for item in reversed(ok(caller.get(f"/matches?{query}"))["items"])]


ALL = ["won", "lost", "unscored", "komi", "four", "abandoned", "running"]
CASES = {
    "": ALL,
    "outcome=win": ["won", "unscored", "four"],
    "outcome=loss": ["lost", "komi"],
    "outcome=draw": ["abandoned"],
    "status=playing": ["running"],
    "status=playing&outcome=win": [],
    "status=finished&outcome=loss": ["lost", "komi"],
    "rated=true": ["won", "lost", "unscored", "running"],
    "rated=false": ["komi", "four", "abandoned"],
    "rules=komi": ["komi"],
    "rules=classic": ["won", "lost", "unscored", "four", "abandoned"],
    "rules=casual": [],
    "seats=2": ["won", "lost", "unscored", "komi", "running"],
    "seats=4": ["four", "abandoned"],
    "since=2024-05-05T12:00:00Z": ["four", "abandoned", "running"],
    "until=2024-05-05T12:00:00Z": ["won", "lost", "unscored", "komi"],
    "since=2024-05-02T12:00:00.000Z&until=2024-05-03T12:00:00.000001Z": ["lost", "unscored"],
    "since=2024-05-07T14:00:00%2B02:00": ["running"],
    "since=2025-01-01T00:00:00Z": [],
}


@pytest.mark.parametrize("query", CASES)
def test_matches_are_listed_by_what_they_have_in_common(
    played: tuple[list[Caller], dict[str, str]], query: str
) -> None:
    assert found(played[0][0], played, query) == CASES[query]


def test_an_opponent_sat_on_the_other_side(played: tuple[list[Caller], dict[str, str]]) -> None:
    mona, adel, samia, fouad = played[0]
    assert found(mona, played, f"opponent={adel.id}") == ["won", "lost", "komi", "four", "abandoned"]
    assert found(mona, played, f"opponent={samia.id}") == ["unscored"]
    assert found(mona, played, f"opponent={fouad.id}") == ["four", "abandoned", "running"]
    assert found(mona, played, f"opponent={adel.id}&outcome=win&seats=2") == ["won"]
    assert found(mona, played, "opponent=me") == []
    assert found(mona, played, f"opponent={mona.id}") == []
    assert found(mona, played, "opponent=nobody-of-this-id") == []
    assert found(adel, played, f"player={mona.id}&opponent=me") == ["won", "lost", "komi", "four", "abandoned"]


def test_the_outcome_is_the_listed_players_whoever_asks(played: tuple[list[Caller], dict[str, str]]) -> None:
    mona, adel, samia, fouad = played[0]
    assert found(adel, played, f"player={mona.id}&outcome=win") == ["won", "unscored", "four"]
    assert found(adel, played, "outcome=win") == ["lost", "komi"]
    assert found(samia, played, "outcome=win") == ["four"]
    assert found(fouad, played, f"player={samia.id}&outcome=loss") == ["unscored"]


def test_items_say_what_each_match_brought_the_listed_player(played: tuple[list[Caller], dict[str, str]]) -> None:
    mona, adel, *_ = played[0]
    names = {match_id: name for name, match_id in played[1].items()}
    for caller, query in ((mona, ""), (adel, f"?player={mona.id}")):
        items = {names[item["id"]]: item for item in ok(caller.get(f"/matches{query}"))["items"]}
        brought = {name: (item["outcome"], item["points"]) for name, item in items.items()}
        assert brought == {
            "won": ("win", 24), "lost": ("loss", 3), "unscored": ("win", None), "komi": ("loss", 3),
            "four": ("win", 24), "abandoned": ("draw", None), "running": (None, None),
        }  # fmt: skip
        changes = {name: item["rating_change"] for name, item in items.items()}
        assert {name for name, change in changes.items() if change is not None} == {"won", "lost"}
        assert changes["won"] > 0 > changes["lost"]
    items = {names[item["id"]]: item for item in ok(adel.get("/matches"))["items"]}
    assert (items["won"]["outcome"], items["won"]["points"]) == ("loss", 3)
    assert items["won"]["rating_change"] < 0 < items["lost"]["rating_change"]


def test_filters_hold_on_every_page(played: tuple[list[Caller], dict[str, str]]) -> None:
    mona = played[0][0]
    names, cursor = [], ""
    while cursor is not None:
        page = ok(mona.get(f"/matches?limit=1&outcome=win{cursor and f'&cursor={cursor}'}"))
        names += [item["id"] for item in page["items"]]
        cursor = page["next"]
    assert names == [played[1][name] for name in ("four", "unscored", "won")]


def test_any_filters_together_list_what_each_of_them_does(played: tuple[list[Caller], dict[str, str]]) -> None:
    rng = random.Random(3)
    mona = played[0][0]
    for _ in range(25):
        chosen = rng.sample([query for query in CASES if query and "&" not in query], 2)
        if chosen[0].split("=")[0] == chosen[1].split("=")[0]:
            continue
        expected = [name for name in CASES[chosen[0]] if name in CASES[chosen[1]]]
        assert found(mona, played, "&".join(chosen)) == expected, chosen


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("outcome", ["", "won", "WIN", "null", "win,loss"]),
        ("rated", ["", "1", "True", "yes", "null"]),
        ("rules", ["", "poker", "Classic"]),
        ("seats", ["", "3", "0", "-2", "2.0", "two", "9" * 400]),
        ("opponent", ["", "x", "%00", "a" * 33, "é" * 9, "a b c d e f"]),
        ("since", ["", "2024-05-01", "yesterday", "1714564800", "2024-05-01T12:00:00", "2024-05-01 12:00:00Z",
                   "2024-13-01T12:00:00Z", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00",
                   "2024-05-01T12:00:00+02:00", "２024-05-01T12:00:00Z", "2024-05-01T12:00:00Zx"]),
        ("until", ["", "now", "2024-02-30T00:00:00Z"]),
    ],
)  # fmt: skip
def test_filters_that_cannot_be_are_refused_by_name(app: Flask, field: str, values: list[str]) -> None:
    mona = guest(app)
    for value in values:
        # A plus sign as it stands is a space in a query; everything else is sent as it is meant.
        sent = quote(value, safe="+:") if "+02" in value else quote(value)
        problem = refused(mona.get(f"/matches?{field}={sent}"), 422, "request.invalid")
        assert list(problem["errors"]) == [field], value


def test_matches_of_before_are_found_by_their_moment_to_the_microsecond(app: Flask) -> None:
    people = [guest(app), guest(app)]
    table = sit(people)
    with app.app_context():
        started = db.session.scalar(select(MatchRow.started_at).where(MatchRow.id == table.match_id))
    at, later = started.isoformat(), (started + timedelta(microseconds=1)).isoformat()
    for query, count in ((f"since={at}", 1), (f"since={later}", 0), (f"until={at}", 0), (f"until={later}", 1)):
        assert len(ok(people[0].get(f"/matches?{query.replace('+', '%2B')}"))["items"]) == count
    assert times.rfc3339(started) == ok(people[0].get("/matches"))["items"][0]["started_at"]
