"""Looking back: lists of matches, events, transcripts."""

from copy import deepcopy

import pytest
from flask import Flask

from app.extensions import db
from app.services import match_store, matches
from engine.transcript import verify
from tests.app.people import Caller, guest, ok, refused, sit_down


def test_ones_own_matches_are_listed_newest_first(app: Flask) -> None:
    old, new = sit_down(app), sit_down(app)
    mona = old.person(0)
    ok(mona.post(f"{old.path}/forfeits"), 201)
    room = ok(mona.post("/rooms", {"name": "again"}), 201)
    running = ok(new.person(1).post(f"/rooms/{room['code']}/joins"), 201)["match_id"]
    items = ok(mona.get("/matches"))["items"]
    assert [item["id"] for item in items] == [running, old.match_id]
    assert items[0].keys() == {
        "id", "room", "status", "rules", "seats", "scores", "result", "started_at", "finished_at", "your_turn",
        "outcome", "points", "rating_change",
    }  # fmt: skip
    assert (items[0]["status"], items[0]["result"], items[0]["scores"]) == ("playing", None, [0, 0])
    assert items[0]["finished_at"] is None
    assert items[1]["your_turn"] is False
    assert items[1]["result"]["reason"] == "forfeit"
    assert items[1]["finished_at"] >= items[1]["started_at"]
    assert items[1]["seats"][0] == {"seat": 0, "side": 0, "player": mona.player, "bot": None}
    assert [item["id"] for item in ok(mona.get("/matches?status=finished"))["items"]] == [old.match_id]
    assert [item["id"] for item in ok(mona.get(f"/matches?player={mona.id}&status=playing"))["items"]] == [running]


@pytest.mark.parametrize("people", [2, 4])
def test_a_running_match_says_whether_it_waits_for_the_caller(app: Flask, people: int) -> None:
    table = sit_down(app, people, visibility="public")
    curious = guest(app)
    for _ in range(people + 1):
        due = table.view(0)["to_act"]
        for seat, person in enumerate(table.people):
            [item] = ok(person.get("/matches?player=me&status=playing"))["items"]
            assert (item["id"], item["your_turn"]) == (table.match_id, seat == due)
            [item] = ok(curious.get(f"/matches?player={person.id}&status=playing"))["items"]
            assert item["your_turn"] is False
            [item] = ok(table.person(0).get(f"/matches?player={person.id}&status=playing"))["items"]
            assert item["your_turn"] is (due == 0)
        table.play()
    ok(table.person(1).post(f"{table.path}/forfeits"), 201)
    assert ok(table.person(0).get("/matches?player=me&status=playing"))["items"] == []


def test_a_match_that_waits_for_a_cut_waits_for_the_cutter(app: Flask) -> None:
    table = sit_down(app, rules="traditional")
    cutter = table.view(0)["to_act"]
    assert [ok(person.get("/matches"))["items"][0]["your_turn"] for person in table.people] == [
        seat == cutter for seat in (0, 1)
    ]


def test_history_comes_in_pages(app: Flask) -> None:
    mona, adel = guest(app, "Mona"), guest(app, "Adel")
    played = []
    for _ in range(3):
        code = ok(mona.post("/rooms"), 201)["code"]
        played.append(ok(adel.post(f"/rooms/{code}/joins"), 201)["match_id"])
    found, cursor = [], ""
    while cursor is not None:
        page = ok(mona.get(f"/matches?limit=2{cursor and f'&cursor={cursor}'}"))
        found += [item["id"] for item in page["items"]]
        cursor = page["next"]
    assert found == played[::-1]


def test_of_others_only_matches_of_public_rooms_are_listed(app: Flask) -> None:
    private, public = sit_down(app), sit_down(app, visibility="public")
    curious = guest(app)
    assert ok(curious.get(f"/matches?player={private.person(0).id}"))["items"] == []
    listed = ok(curious.get(f"/matches?player={public.person(0).id}"))["items"]
    assert [item["id"] for item in listed] == [public.match_id]
    refused(curious.get("/matches?player=unknown-player"), 404, "not_found")
    refused(curious.get("/matches?player=%00"), 404, "not_found")
    refused(Caller(app).get(f"/matches?player={public.person(0).id}"), 401, "auth.required")


@pytest.mark.parametrize("query", ["status=over", "status=", "colour=red", "limit=0"])
def test_bad_filters_are_refused(app: Flask, query: str) -> None:
    refused(guest(app).get(f"/matches?{query}"), 422, "request.invalid")


def test_events_after_a_version_and_in_pages(app: Flask) -> None:
    table = sit_down(app)
    table.play_plays(5)
    mona = table.person(0)
    everything = ok(mona.get(f"{table.path}/events"))
    assert [event["version"] for event in everything["items"]] == list(range(1, 9))
    assert everything["next"] is None
    assert ok(mona.get(f"{table.path}/events?after=6"))["items"] == everything["items"][6:]
    found, query = [], "after=1&limit=3"
    while query:
        page = ok(mona.get(f"{table.path}/events?{query}"))
        found += page["items"]
        query = page["next"] and f"limit=3&cursor={page['next']}"
    assert found == everything["items"][1:]


@pytest.mark.parametrize(
    "place", ["after=8", "after=2147483648", "after=999999999999999", "cursor=MTAwMDAwMDAwMDAwMDAw"]
)
def test_after_the_last_event_there_is_nothing_however_far_one_asks(app: Flask, place: str) -> None:
    table = sit_down(app)
    table.play_plays(5)
    assert ok(table.person(0).get(f"{table.path}/events?{place}")) == {"items": [], "next": None}


def test_showing_events_leaves_them_as_they_were(app: Flask) -> None:
    table = sit_down(app)
    ok(table.person(0).post(f"{table.path}/forfeits"), 201)
    with app.app_context():
        record = matches.load(table.match_id)
        assert record is not None
        stored = match_store.events_after(db.session.connection(), record.id, 0, 100)
        before = deepcopy(stored)
        shown = matches.events_for(record, stored, 0)
    assert stored == before
    assert "player" in shown[0]["seats"][0]
    assert "scored" in shown[-1]["result"]


@pytest.mark.parametrize(
    "query",
    ["after=-1", "after=x", "after=1.5", "after=", "after=" + "9" * 400, "after=1&cursor=Mg", "cursor=x", "cursor=LTE",
     "cursor=IjEi", "cursor=dHJ1ZQ", "cursor=MTAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDA", "limit=501"],
)  # fmt: skip
def test_bad_places_in_the_events_are_refused(app: Flask, query: str) -> None:
    table = sit_down(app)
    refused(table.person(0).get(f"{table.path}/events?{query}"), 422, "request.invalid")


@pytest.mark.parametrize("people", [2, 4])
def test_the_transcript_of_a_played_match_verifies(app: Flask, people: int) -> None:
    table = sit_down(app, people, rules="traditional", target=40)
    refused(table.person(0).get(f"{table.path}/transcript"), 409, "match.running")
    refused(Caller(app).get(f"{table.path}/transcript"), 401, "auth.required")
    last = table.play_out()
    transcript = ok(Caller(app).get(f"{table.path}/transcript"))
    verify(transcript)
    assert transcript["scores"] == last["scores"]
    assert [player["name"] for player in transcript["players"]] == ["Mona", "Adel", "Samia", "Fouad"][:people]


@pytest.mark.parametrize("rules", ["classic", "traditional"])
def test_the_transcript_of_a_forfeited_match_verifies(app: Flask, rules: str) -> None:
    table = sit_down(app, rules=rules)
    if rules == "classic":
        table.play_plays(11)
    ok(table.person(1).post(f"{table.path}/forfeits"), 201)
    verify(ok(Caller(app).get(f"{table.path}/transcript")))
