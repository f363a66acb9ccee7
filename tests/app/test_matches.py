"""Playing: moves, repeats and refusals, cuts and forfeits."""

import random
from datetime import datetime

import pytest
from flask import Flask

from app.services.times import utcnow
from tests.app.people import Caller, Table, guest, ok, refused, sit_down

VIEW = {
    "id",
    "room",
    "rules",
    "status",
    "version",
    "rated",
    "seeded",
    "fairness",
    "seats",
    "you",
    "round",
    "turn",
    "to_act",
    "deadline",
    "now",
    "scores",
    "rounds",
    "last_play",
    "result",
}
ROUND = {
    "number",
    "dealer",
    "leader",
    "phase",
    "deal",
    "deals",
    "undealt",
    "floor",
    "piles",
    "basras",
    "last_capture",
    "majority",
    "carried",
}
EVENTS = {
    "match_started": {"dealer", "seats", "rules", "fairness"},
    "cut": {"round", "seat", "cut", "by"},
    "dealt": {"round", "deal", "counts", "hand", "undealt"},
    "played": {"turn", "seat", "card", "captured", "groups", "basra", "by"},
    "round_scored": {"sheet", "scores"},
    "match_finished": {"result"},
}


def choice_table(app: Flask, seed: str = "choice") -> Table:
    """A table without a neighbour's cut on which allocations are chosen."""
    return sit_down(app, rules="traditional", overrides={"cut": "automatic"}, seed=seed)


def test_the_view_has_the_fields_of_the_contract(app: Flask) -> None:
    table = sit_down(app)
    view = table.view(0)
    assert view.keys() == VIEW
    assert view["round"].keys() == ROUND
    assert view["you"].keys() == {"seat", "side", "hand", "plays"}
    assert [place.keys() for place in view["seats"]] == [{"seat", "side", "player", "bot", "cards", "connected"}] * 2
    assert (view["room"], view["id"], view["version"]) == (table.code, table.match_id, 3)
    first = (datetime.fromisoformat(view["deadline"]) - utcnow()).total_seconds()
    assert 175 < first <= 181


def test_a_move_answers_with_its_events_and_the_view(app: Flask) -> None:
    table = sit_down(app)
    person, view = table.due()
    card = view["you"]["hand"][0]
    answer = ok(person.post(f"{table.path}/moves", {"turn": 0, "card": card}), 201)
    assert answer.keys() == {"events", "view"}
    assert [event["type"] for event in answer["events"]] == ["played"]
    played = answer["events"][0]
    assert (played["card"], played["seat"], played["turn"], played["by"]) == (card, view["to_act"], 0, "player")
    assert answer["view"]["turn"] == 1
    assert answer["view"]["last_play"] == played
    assert answer["view"]["version"] == played["version"] == view["version"] + 1
    assert card not in answer["view"]["you"]["hand"]
    assert 115 < (datetime.fromisoformat(answer["view"]["deadline"]) - utcnow()).total_seconds() <= 121


def test_every_event_of_a_match_has_the_fields_of_the_contract(app: Flask) -> None:
    table = sit_down(app, target=None)
    table.play_out()
    events = ok(table.person(1).get(f"{table.path}/events"))["items"]
    assert [event["version"] for event in events] == list(range(1, len(events) + 1))
    assert {event["type"] for event in events} == EVENTS.keys()
    for event in events:
        extra = event.keys() - EVENTS[event["type"]] - {"version", "type", "at"}
        if event["type"] == "dealt" and event["deal"] == 1:
            extra -= {"floor", "buried"}
        assert EVENTS[event["type"]] <= event.keys()
        assert extra <= {"rated", "seeded"}
    assert events[0]["seats"][0] == {"seat": 0, "side": 0, "bot": None, "player": table.person(0).player}
    assert events[-1]["result"].keys() == {"winner", "reason", "seat", "scores", "scored"}


@pytest.mark.parametrize(("people", "rules"), [(2, "casual"), (2, "traditional"), (4, "classic"), (4, "komi")])
def test_whole_matches_are_played(app: Flask, people: int, rules: str) -> None:
    table = sit_down(app, people, rules=rules, target=40)
    view = table.play_out(random.Random(rules))
    assert (view["status"], view["to_act"], view["deadline"]) == ("finished", None, None)
    assert view["result"]["reason"] == "target"
    assert view["result"]["scored"] is True
    assert view["you"]["hand"] == []
    assert max(view["scores"]) >= 40
    assert all(sheet["points"] for sheet in view["rounds"])
    tally = [1, 0] if view["result"]["winner"] == 0 else [0, 1]
    assert ok(Caller(app).get(f"/rooms/{table.code}"))["tally"] == tally


def test_a_repeat_answers_the_same_and_changes_nothing(app: Flask) -> None:
    table = sit_down(app)
    person, view = table.due()
    body = {"turn": 0, "card": view["you"]["hand"][0]}
    first = ok(person.post(f"{table.path}/moves", body), 201)
    captured = first["events"][0]["captured"]
    for named in (body, {**body, "capture": captured}, {**body, "capture": captured[::-1]}, {**body, "capture": None}):
        again = ok(person.post(f"{table.path}/moves", named), 200)
        assert again["events"] == first["events"]
        assert again["view"]["version"] == first["view"]["version"]
    table.play()
    later = ok(person.post(f"{table.path}/moves", body), 200)
    assert later["events"] == first["events"]
    assert later["view"]["turn"] == 2


def test_a_repeat_brings_all_events_of_its_command_also_after_the_end(app: Flask) -> None:
    table = sit_down(app, target=None)
    table.play_plays(47)
    person, view = table.due()
    body = {"turn": 47, "card": view["you"]["hand"][0]}
    first = ok(person.post(f"{table.path}/moves", body), 201)
    assert [event["type"] for event in first["events"]] == ["played", "round_scored", "match_finished"]
    again = ok(person.post(f"{table.path}/moves", body), 200)
    assert again["events"] == first["events"]
    assert again["view"]["result"] == first["view"]["result"] is not None


def test_what_is_no_repeat_is_stale(app: Flask) -> None:
    table = sit_down(app)
    person, view = table.due()
    other = table.person(1 - view["to_act"])
    card, second = view["you"]["hand"][:2]
    ok(person.post(f"{table.path}/moves", {"turn": 0, "card": card}), 201)
    for caller, body in (
        (person, {"turn": 0, "card": second}),
        (other, {"turn": 0, "card": card}),
        (person, {"turn": 0, "card": card, "capture": ["AC", "AD"]}),
        (person, {"turn": 7, "card": second}),
        (person, {"turn": -1, "card": second}),
        (person, {"turn": 10**60, "card": second}),
    ):
        problem = refused(caller.post(f"{table.path}/moves", body), 409, "match.stale_turn")
        assert problem["view"]["turn"] == 1
        assert problem["view"]["you"]["seat"] == (view["to_act"] if caller is person else 1 - view["to_act"])


def test_refusals_of_the_match_come_in_the_contracts_order(app: Flask) -> None:
    table = choice_table(app)
    person, view = table.due()
    seat = view["to_act"]
    other, hand = table.person(1 - seat), view["you"]["hand"]
    foreign = next(card for card in ("AC", "2C", "3C", "4C", "5C", "6C", "8C", "9C", "TC") if card not in hand)
    # Each of these is wrong in more ways than one; the first in the order is told.
    refused(other.post(f"{table.path}/moves", {"turn": 5, "card": foreign}), 409, "match.stale_turn")
    refused(
        other.post(f"{table.path}/moves", {"turn": 0, "card": foreign, "capture": ["AD"]}), 409, "match.not_your_turn"
    )
    refused(
        person.post(f"{table.path}/moves", {"turn": 0, "card": foreign, "capture": ["AD"]}),
        422,
        "match.card_not_in_hand",
    )
    problem = refused(
        person.post(f"{table.path}/moves", {"turn": 0, "card": hand[0], "capture": [hand[1]]}),
        422,
        "match.illegal_capture",
    )
    assert problem["legal"] == [capture["cards"] for capture in view["you"]["plays"][0]["captures"]]
    assert table.view(seat)["version"] == view["version"]


def test_a_play_while_the_cut_is_due_is_in_the_wrong_phase(app: Flask) -> None:
    table = sit_down(app, rules="traditional")
    view = table.view(0)
    assert (view["round"]["phase"], view["round"]["deal"], view["round"]["undealt"]) == ("cut", 0, 52)
    cutter, other = table.person(view["to_act"]), table.person(1 - view["to_act"])
    refused(cutter.post(f"{table.path}/moves", {"turn": 0, "card": "AC"}), 409, "match.wrong_phase")
    refused(other.post(f"{table.path}/moves", {"turn": 1, "card": "AC"}), 409, "match.stale_turn")
    refused(other.post(f"{table.path}/cuts", {"round": 2, "at": 5}), 409, "match.stale_turn")
    refused(other.post(f"{table.path}/cuts", {"round": 1, "at": 5}), 409, "match.not_your_turn")
    answer = ok(cutter.post(f"{table.path}/cuts", {"round": 1, "at": 5}), 201)
    assert [event["type"] for event in answer["events"]] == ["cut", "dealt"]
    assert (answer["events"][0]["cut"], answer["events"][0]["by"]) == (5, "player")
    again = ok(cutter.post(f"{table.path}/cuts", {"round": 1, "at": 5}), 200)
    assert again["events"] == answer["events"]
    refused(cutter.post(f"{table.path}/cuts", {"round": 1, "at": 6}), 409, "match.wrong_phase")
    refused(cutter.post(f"{table.path}/cuts", {"round": 7, "at": 5}), 409, "match.stale_turn")
    seconds = (datetime.fromisoformat(answer["view"]["deadline"]) - utcnow()).total_seconds()
    assert 175 < seconds <= 181


def test_a_cut_has_ten_seconds(app: Flask) -> None:
    view = sit_down(app, rules="traditional").view(0)
    assert 5 < (datetime.fromisoformat(view["deadline"]) - utcnow()).total_seconds() <= 10


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"round": 1, "at": 0}, "at"),
        ({"round": 1, "at": 52}, "at"),
        ({"round": 1, "at": 2.5}, "at"),
        ({"round": 1}, "at"),
        ({"at": 1}, "round"),
        ({"round": "1", "at": 1}, "round"),
        ({"round": 1, "at": 1, "seat": 0}, "seat"),
    ],
)
def test_bad_cuts_are_refused_by_field(app: Flask, body: dict[str, object], field: str) -> None:
    table = sit_down(app, rules="traditional")
    problem = refused(table.person(0).post(f"{table.path}/cuts", body), 422, "request.invalid")
    assert list(problem["errors"]) == [field]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"card": "7D"}, "turn"),
        ({"turn": 0}, "card"),
        ({"turn": "0", "card": "7D"}, "turn"),
        ({"turn": True, "card": "7D"}, "turn"),
        ({"turn": 0.0, "card": "7D"}, "turn"),
        ({"turn": None, "card": "7D"}, "turn"),
        ({"turn": 0, "card": "1D"}, "card"),
        ({"turn": 0, "card": "10D"}, "card"),
        ({"turn": 0, "card": "7d"}, "card"),
        ({"turn": 0, "card": ["7D"]}, "card"),
        ({"turn": 0, "card": None}, "card"),
        ({"turn": 0, "card": "7D", "capture": "2C"}, "capture"),
        ({"turn": 0, "card": "7D", "capture": ["2C", "2C"]}, "capture"),
        ({"turn": 0, "card": "7D", "capture": ["2C", 3]}, "capture"),
        ({"turn": 0, "card": "7D", "capture": [["2C"]]}, "capture"),
        ({"turn": 0, "card": "7D", "capture": [None]}, "capture"),
        ({"turn": 0, "card": "7D", "capture": {"2C": 1}}, "capture"),
        ({"turn": 0, "card": "7D", "capture": ["2C"] * 53}, "capture"),
        ({"turn": 0, "card": "7D", "seat": 0}, "seat"),
    ],
)
def test_bad_moves_are_refused_by_field(app: Flask, body: dict[str, object], field: str) -> None:
    table = sit_down(app)
    problem = refused(table.person(0).post(f"{table.path}/moves", body), 422, "request.invalid")
    assert list(problem["errors"]) == [field]


def test_an_empty_capture_is_illegal_for_a_card_that_takes(app: Flask) -> None:
    table = choice_table(app, "takes")
    while True:
        person, view = table.due()
        taking = next((play for play in view["you"]["plays"] if play["captures"][0]["cards"]), None)
        if taking:
            break
        table.play()
    body = {"turn": view["turn"], "card": taking["card"], "capture": []}
    refused(person.post(f"{table.path}/moves", body), 422, "match.illegal_capture")
    ok(person.post(f"{table.path}/moves", {**body, "capture": taking["captures"][0]["cards"][::-1]}), 201)


def test_strangers_and_spectators(app: Flask) -> None:
    stranger = guest(app, "Samia")
    table, watched = sit_down(app), sit_down(app, spectators=True)
    move = {"turn": 0, "card": "7D"}
    for path, body in (("moves", move), ("cuts", {"round": 1, "at": 5}), ("forfeits", {})):
        refused(Caller(app).post(f"{table.path}/{path}", body), 401, "auth.required")
        refused(stranger.post(f"{table.path}/{path}", body), 404, "not_found")
        refused(stranger.post(f"{watched.path}/{path}", body), 403, "auth.forbidden")
    for end in ("", "/events"):
        refused(stranger.get(f"{table.path}{end}"), 404, "not_found")
        refused(Caller(app).get(f"{table.path}{end}"), 401, "auth.required")
        refused(Caller(app).get(f"{watched.path}{end}"), 401, "auth.required")
        ok(stranger.get(f"{watched.path}{end}"))
    assert ok(stranger.get(watched.path))["you"] is None
    for unknown in ("unknown-match-id", "x", "%00", "a" * 300):
        refused(stranger.get(f"/matches/{unknown}"), 404, "not_found")
        refused(stranger.post(f"/matches/{unknown}/moves", move), 404, "not_found")
        refused(Caller(app).get(f"/matches/{unknown}"), 401, "auth.required")


def test_a_finished_match_is_shown_to_whoever_knows_its_id(app: Flask) -> None:
    table = sit_down(app)
    ok(table.person(0).post(f"{table.path}/forfeits"), 201)
    for caller in (Caller(app), guest(app)):
        for end in ("", "/events", "/transcript"):
            ok(caller.get(f"{table.path}{end}"))
    refused(guest(app).post(f"{table.path}/forfeits"), 403, "auth.forbidden")


def test_a_forfeit_ends_the_match_once(app: Flask) -> None:
    table = sit_down(app)
    person, other = table.person(0), table.person(1)
    answer = ok(person.post(f"{table.path}/forfeits"), 201)
    assert [event["type"] for event in answer["events"]] == ["match_finished"]
    result = {"winner": 1, "reason": "forfeit", "seat": 0, "scores": [0, 0], "scored": False}
    assert answer["events"][0]["result"] == answer["view"]["result"] == result
    assert ok(person.post(f"{table.path}/forfeits", {}), 200)["events"] == answer["events"]
    refused(other.post(f"{table.path}/forfeits", {}), 409, "match.over")
    refused(other.post(f"{table.path}/moves", {"turn": 9, "card": "7D"}), 409, "match.over")
    refused(other.post(f"{table.path}/cuts", {"round": 1, "at": 9}), 409, "match.over")
