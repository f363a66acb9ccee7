"""The order of the checks: 401, 404 or 403, 405, 413, 415, 400, 422 of the request, 409, 422 of the match."""

from dataclasses import dataclass
from typing import Any

import pytest
from flask import Flask

from tests.app.people import Caller, guest, ok, refused, sit_down

HUGE = {"data": b"{" + b" " * 17_000 + b"}", "content_type": "application/json"}
TOO_LARGE_AND_NO_JSON = {"data": b"x" * 17_000, "content_type": "text/plain"}
NO_JSON_TYPE = {"data": b"{", "content_type": "text/plain"}
MALFORMED = {"data": b"{", "content_type": "application/json"}
INVALID = {"data": b'{"colour": 1}', "content_type": "application/json"}
BODIES = [
    (HUGE, 413, "request.too_large"),
    (TOO_LARGE_AND_NO_JSON, 413, "request.too_large"),
    (NO_JSON_TYPE, 415, "request.media_type"),
    (MALFORMED, 400, "request.malformed"),
    (INVALID, 422, "request.invalid"),
]


@dataclass
class World:
    """A running match and people around it."""

    app: Flask
    mona: Caller
    stranger: Caller
    nameless: Caller
    room: str
    match: str
    watched: str


@pytest.fixture(scope="module")
def world(app: Flask) -> World:
    table, watched = sit_down(app, chat=True), sit_down(app, spectators=True)
    return World(
        app, table.person(0), guest(app, "Samia"), Caller(app), f"/rooms/{table.code}", table.path, watched.path
    )


def commands(world: World) -> list[str]:
    return [
        "/rooms",
        "/seeks",
        f"{world.room}/joins",
        f"{world.room}/bots",
        f"{world.room}/rematches",
        f"{world.room}/phrases",
        f"{world.room}/messages",
        "/reports",
        f"{world.match}/moves",
        f"{world.match}/cuts",
        f"{world.match}/forfeits",
    ]


# What a player does about himself, by method and path.
OWN_AFFAIRS = [
    ("PATCH", "/players/me"),
    ("DELETE", "/players/me"),
    ("POST", "/players/me/account"),
    ("PUT", "/players/me/password"),
    ("POST", "/players/me/bot"),
    ("POST", "/players/me/transfers"),
    ("POST", "/tokens"),
]


@pytest.mark.parametrize(("body", "status", "code"), BODIES)
def test_what_is_wrong_with_a_body_about_oneself_is_told_after_who_is_calling_and_by_what_token(
    world: World, body: dict[str, Any], status: int, code: str
) -> None:
    made = ok(world.mona.post("/tokens", {"label": "bot", "scopes": ["read", "play"]}), 201)
    program = Caller(world.app, made["token"])
    for method, path in OWN_AFFAIRS:
        refused(world.nameless.send(method, path, **body), 401, "auth.required")
        refused(program.send(method, path, **body), 403, "auth.scope_missing")
        refused(world.mona.send(method, path, **body), status, code)


@pytest.mark.parametrize(("body", "status", "code"), BODIES)
def test_who_signs_in_needs_no_name_but_a_body_that_is_right(
    world: World, body: dict[str, Any], status: int, code: str
) -> None:
    for path in ("/sessions", "/transfers"):
        refused(world.nameless.post(path, **body), status, code)
        refused(Caller(world.app, "bsr_unknown").post(path, **body), 401, "auth.required")


@pytest.mark.parametrize("method", ["PUT", "PATCH"])
def test_a_wrong_method_about_oneself_is_told_after_who_is_calling(world: World, method: str) -> None:
    for path in ("/players/me/account", "/players/me/bot", "/players/me/transfers", "/players/me/export", "/tokens"):
        refused(world.nameless.send(method, path), 401, "auth.required")
        refused(world.mona.send(method, path), 405, "request.method")
    for path in ("/tokens/unknown-token", "/sessions/current"):
        refused(world.mona.send(method, path), 405, "request.method")
    for path in ("/sessions", "/transfers"):
        refused(world.nameless.send(method, path), 405, "request.method")
    assert "GET" in world.mona.send("PUT", "/players/me").headers["Allow"]


@pytest.mark.parametrize(("body", "status", "code"), BODIES)
def test_what_is_wrong_with_a_body_is_told_after_who_is_calling(
    world: World, body: dict[str, Any], status: int, code: str
) -> None:
    for path in commands(world):
        refused(world.nameless.post(path, **body), 401, "auth.required")
        refused(world.mona.post(path, **body), status, code)


@pytest.mark.parametrize(("body", "status", "code"), BODIES)
def test_what_is_wrong_with_a_body_is_told_after_what_is_not_there_or_not_allowed(
    world: World, body: dict[str, Any], status: int, code: str
) -> None:
    for end in ("joins", "bots", "rematches", "phrases", "messages"):
        refused(world.mona.post(f"/rooms/ABCDEF/{end}", **body), 404, "not_found")
    for end in ("bots", "rematches", "phrases", "messages"):
        refused(world.stranger.post(f"{world.room}/{end}", **body), 403, "auth.forbidden")
    for end in ("moves", "cuts", "forfeits"):
        refused(world.stranger.post(f"{world.match}/{end}", **body), 404, "not_found")
        refused(world.mona.post(f"/matches/unknown-match-id/{end}", **body), 404, "not_found")
        refused(world.stranger.post(f"{world.watched}/{end}", **body), 403, "auth.forbidden")


@pytest.mark.parametrize(("body", "status", "code"), BODIES)
def test_what_is_wrong_with_a_block_is_told_after_who_is_not_there(
    world: World, body: dict[str, Any], status: int, code: str
) -> None:
    refused(world.nameless.send("PUT", f"/blocks/{world.stranger.id}", **body), 401, "auth.required")
    refused(world.mona.send("PUT", "/blocks/unknown-player", **body), 404, "not_found")
    refused(world.mona.send("PUT", f"/blocks/{world.stranger.id}", **body), status, code)


@pytest.mark.parametrize(("body", "status", "code"), BODIES)
def test_new_players_need_no_name_but_a_body_that_is_right(
    world: World, body: dict[str, Any], status: int, code: str
) -> None:
    refused(world.nameless.post("/players", **body), status, code)


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
def test_a_wrong_method_is_told_after_who_is_calling_and_what_is_not_there(world: World, method: str) -> None:
    for path in commands(world)[2:]:
        refused(world.nameless.send(method, path), 401, "auth.required")
        response = world.mona.send(method, path, **HUGE)
        refused(response, 405, "request.method")
        assert "POST" in response.headers["Allow"]
    refused(world.stranger.send(method, f"{world.match}/moves"), 404, "not_found")
    refused(world.stranger.send(method, f"{world.watched}/moves"), 403, "auth.forbidden")
    refused(world.mona.send(method, "/rooms/ABCDEF/joins"), 404, "not_found")
    refused(world.nameless.send(method, world.match), 401, "auth.required")
    refused(world.stranger.send(method, world.match), 404, "not_found")
    refused(world.mona.send(method, world.match), 405, "request.method")
    refused(world.nameless.send(method, "/rules"), 405, "request.method")
    refused(world.nameless.send(method, "/openapi.json"), 405, "request.method")
    refused(world.nameless.send("PUT", "/rooms/ABCDEF"), 404, "not_found")
    refused(world.nameless.send("PUT", world.room), 405, "request.method")
    refused(Caller(world.app, "bsr_unknown").send(method, "/rules"), 401, "auth.required")


def test_unknown_addresses_are_not_found(world: World) -> None:
    for path in ("", "/", "/nothing", "/rooms/", "/matches/a/b/c", "/rooms/ABCDEF/joins/me/now", "/%00"):
        for method in ("GET", "POST", "DELETE"):
            refused(world.nameless.send(method, path), 404, "not_found")
    refused(world.nameless.get("/../nothing"), 404, "not_found")


def test_a_request_that_is_wrong_is_told_before_the_state_of_things(world: World) -> None:
    table = sit_down(world.app)
    ok(table.person(1).post(f"{table.path}/forfeits"), 201)
    person = table.person(0)
    refused(person.post(f"{table.path}/moves", {"turn": 0}), 422, "request.invalid")
    refused(person.post(f"{table.path}/moves", {"turn": 0, "card": "7D"}), 409, "match.over")
    refused(person.post(f"{table.path}/cuts", {"round": 0, "at": 99}), 422, "request.invalid")
    refused(person.post(f"/rooms/{table.code}/bots", {"seat": 7}), 422, "request.invalid")
    refused(person.post(f"/rooms/{table.code}/bots", {"seat": 0}), 409, "room.full")
    refused(person.post(f"/rooms/{table.code}/rematches", {"client_commitment": "x"}), 422, "request.invalid")
    assert person.delete(f"/rooms/{table.code}").status_code == 204
    refused(person.post(f"/rooms/{table.code}/bots", {"seat": 0}), 409, "room.closed")
    refused(person.post(f"/rooms/{table.code}/joins", {"seat": 3}), 422, "request.invalid")
