"""Guests, their tokens, and looking players up."""

import pytest
from flask import Flask

from tests.app.people import Caller, guest, ok, refused


def test_a_guest_gets_a_token_that_stands_for_him(app: Flask) -> None:
    made = ok(Caller(app).post("/players", {"name": "Mona"}), 201)
    assert made.keys() == {"player", "token"}
    assert made["player"].keys() == {"id", "name", "guest", "bot"}
    assert (made["player"]["name"], made["player"]["guest"], made["player"]["bot"]) == ("Mona", True, False)
    assert made["token"].startswith("bsr_")
    me = ok(Caller(app, made["token"]).get("/players/me"))
    assert me == {
        **made["player"],
        "points": 0,
        "rating": {"value": 1500, "deviation": 500, "provisional": True},
        "username": None,
        "stats": {
            "matches": 0, "wins": 0, "draws": 0, "losses": 0, "forfeits": 0, "basras_per_match": 0, "best_round": 0,
            "streak": 0, "best_streak": 0,
        },
    }  # fmt: skip


def test_an_empty_request_makes_a_guest_with_a_neutral_name(app: Flask) -> None:
    made = ok(Caller(app).post("/players"), 201)
    assert made["player"]["name"].startswith("Guest ")


def test_a_player_is_shown_to_others_by_id(app: Flask) -> None:
    mona, adel = guest(app, "Mona"), guest(app, "Adel")
    assert ok(mona.get(f"/players/{adel.id}"))["name"] == "Adel"


@pytest.mark.parametrize("player_id", ["nobody-of-this-id", "x", "%00", "a" * 200, "%F0%9F%83%8F", "%ff"])
def test_an_unknown_player_is_not_found(app: Flask, player_id: str) -> None:
    refused(guest(app).get(f"/players/{player_id}"), 404, "not_found")


def test_players_are_not_shown_to_the_nameless(app: Flask) -> None:
    refused(Caller(app).get("/players/me"), 401, "auth.required")
    refused(Caller(app).get("/players/nobody-of-this-id"), 401, "auth.required")


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ("م", "م"),
        ("e\u0301", "\u00e9"),
        ("a" * 24, "a" * 24),
        ("e\u0301" * 24, "\u00e9" * 24),
        (" x ", " x "),
    ],
)
def test_names_are_normalised(app: Flask, given: str, stored: str) -> None:
    assert ok(Caller(app).post("/players", {"name": given}), 201)["player"]["name"] == stored


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "\u00a0\u2003",
        "\u2800",
        "\u3164 \u115f",
        "\u1160\uffa0",
        "a" * 25,
        "a\nb",
        "a\0b",
        "a\u202eb",
        "a\u2066b",
        "\u200b",
        "\x7f",
        "a\u2028b",
        7,
        True,
        [],
        {},
    ],
)
def test_names_that_cannot_be_shown_are_refused(app: Flask, name: object) -> None:
    problem = refused(Caller(app).post("/players", {"name": name}), 422, "request.invalid")
    assert list(problem["errors"]) == ["name"]


def test_a_lone_surrogate_is_no_name(app: Flask) -> None:
    body = {"data": b'{"name": "\\ud800"}', "content_type": "application/json"}
    refused(Caller(app).post("/players", **body), 422, "request.invalid")
