"""Every route that there is, asked by every kind of caller: a new one needs a decision here about who may."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from app.realtime import publish
from app.services import networks, sanctions
from app.services.audit import Actor
from app.services.bearers import SCOPES
from app.services.times import utcnow
from tests.app.accounts import account, browser
from tests.app.people import API, Caller, Table, guest, ok

# Who may, each level with all to the right of it: nobody needs a name; a player; who sits at the table; its host or the
# owner of the thing. Those who run the service are asked for in tests/app/test_admin_api.py; nobody here is one.
KINDS = ("nobody", "stranger", "seat", "host")
ADMINS = "admin"
# The same for everybody, whoever they say they are.
DOCUMENTS = {"GET /channel.schema.json", "GET /openapi.json"}
# They may hear who one is after the handshake; tests/runtime/test_channel.py and test_own_channel.py have them.
CHANNELS = ["GET /channel", "GET /rooms/<code>/channel"]
# All other routes under the API that are no admin's.
RIGHTS = {
    "GET /phrases": "nobody",
    "GET /rooms": "nobody",
    "GET /rooms/<code>": "nobody",
    "GET /rules": "nobody",
    "POST /players": "nobody",
    "POST /sessions": "nobody",
    "POST /transfers": "nobody",
    "DELETE /players/me": "stranger",
    "GET /blocks": "stranger",
    "GET /leaderboards/<kind>": "stranger",
    "GET /matches": "stranger",
    "GET /players/<player_id>": "stranger",
    "GET /players/<player_id>/ratings": "stranger",
    "GET /players/me": "stranger",
    "GET /players/me/export": "stranger",
    "GET /sessions": "stranger",
    "GET /tokens": "stranger",
    "PATCH /players/me": "stranger",
    "POST /players/me/account": "stranger",
    "POST /players/me/bot": "stranger",
    "POST /players/me/transfers": "stranger",
    "POST /reports": "stranger",
    "POST /rooms": "stranger",
    "POST /rooms/<code>/joins": "stranger",
    "POST /seeks": "stranger",
    "POST /tokens": "stranger",
    "PUT /blocks/<player_id>": "stranger",
    "PUT /players/me/password": "stranger",
    "DELETE /rooms/<code>/joins/me": "seat",
    "DELETE /rooms/<code>/rematches/me": "seat",
    "GET /matches/<match_id>": "seat",
    "GET /matches/<match_id>/events": "seat",
    "GET /matches/<match_id>/transcript": "seat",
    "GET /rooms/<code>/messages": "seat",
    "POST /matches/<match_id>/cuts": "seat",
    "POST /matches/<match_id>/forfeits": "seat",
    "POST /matches/<match_id>/moves": "seat",
    "POST /rooms/<code>/messages": "seat",
    "POST /rooms/<code>/phrases": "seat",
    "POST /rooms/<code>/rematches": "seat",
    "POST /rooms/<code>/reveals": "seat",
    "DELETE /blocks/<player_id>": "host",
    "DELETE /rooms/<code>": "host",
    "DELETE /rooms/<code>/bots/<seat>": "host",
    "DELETE /rooms/<code>/joins/<seat>": "host",
    "DELETE /seeks/<seek_id>": "host",
    "DELETE /sessions/<session_id>": "host",
    "DELETE /tokens/<token_id>": "host",
    "GET /seeks/<seek_id>": "host",
    "POST /rooms/<code>/bots": "host",
}
# What is no API's: all of it may be read by anybody, and nothing is changed by it.
PAGES = {
    "/", "/account", "/api/docs", "/fair-deal", "/favicon.ico", "/healthz", "/history", "/how-to-play", "/leaderboard",
    "/manifest.webmanifest", "/move", "/offline", "/players/<player_id>", "/privacy", "/profile", "/r/<code>",
    "/r/<code>/qr.svg", "/readyz", "/replay/<match_id>", "/rules", "/static/<rev>/<path>", "/sw.js",
}  # fmt: skip
NAMED, BARE = re.compile(r"<(?:[^<>]+:)?(\w+)>"), r"<\1>"
# A field that nobody asks for: whoever has the right is told of it, and nothing is done.
WRONG_BODY = {"no_such_field": 1}
NOT_LET_IN = (401, 403, 404)


@dataclass
class World:
    """A table in the middle of a match, in a private room, and what its host has beside it."""

    app: Flask
    callers: dict[str, Caller]
    table: Table

    def ids(self, rule: str) -> dict[str, str]:
        """The names in an address; what a call might use up is made anew."""
        host = self.callers["host"]
        found = {"code": self.table.code, "match_id": self.table.match_id, "seat": "1", "kind": "points"}
        found["player_id"] = self.callers["seat"].id
        if "<token_id>" in rule:
            found["token_id"] = ok(host.post("/tokens", {"label": "x", "scopes": ["read"]}), 201)["id"]
        if "<session_id>" in rule:
            browser(self.app, host)
            found["session_id"] = ok(host.get("/sessions"))["items"][0]["id"]
        if "<seek_id>" in rule:
            found["seek_id"] = host.post("/seeks", {"seats": 4}).json["id"]
        if rule == "/rooms/<code>/bots/<seat>":
            found["code"] = ok(host.post("/rooms", {"seats": 4}), 201)["code"]
            ok(host.post(f"/rooms/{found['code']}/bots", {"seat": 1}), 201)
        if rule == "/blocks/<player_id>":
            ok(host.send("PUT", f"/blocks/{found['player_id']}", {"kind": "mute"}), 200)
        return found


@pytest.fixture(scope="module")
def world(app: Flask) -> World:
    host, seat = account(app, "Mona"), guest(app, "Adel")
    room = ok(host.post("/rooms", {"chat": True}), 201)
    room = ok(seat.post(f"/rooms/{room['code']}/joins", {}), 201)
    callers = {"nobody": Caller(app), "stranger": account(app, "Samia"), "seat": seat, "host": host}
    return World(app, callers, Table(room, [host, seat]))


def routes(app: Flask) -> dict[str, str]:
    """Every route as it is told of here, with the endpoint that answers it."""
    return {
        f"{method} {NAMED.sub(BARE, rule.rule)}": rule.endpoint
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }


def of_the_api(app: Flask) -> dict[str, str]:
    """The routes of the API that are no admin's, without its base path."""
    found = {route.replace(API, "", 1): endpoint for route, endpoint in routes(app).items() if f" {API}/" in route}
    return {route: endpoint for route, endpoint in found.items() if f" /{ADMINS}" not in route}


def ask(world: World, caller: Caller, route: str, **options: Any) -> TestResponse:
    """Ask a route, with a body that nobody takes where it takes one; nothing is changed by that."""
    method, rule = route.split(" ")
    path = rule
    for name, value in world.ids(rule).items():
        path = path.replace(f"<{name}>", value)
    body = None if method in ("GET", "DELETE") and rule != "/players/me" else WRONG_BODY
    return caller.send(method, path, None if method == "GET" else body, checked=False, **options)


def test_every_route_has_been_decided_on(app: Flask) -> None:
    assert set(of_the_api(app)) == set(RIGHTS) | DOCUMENTS | set(CHANNELS)
    pages = {route for route in routes(app) if f" {API}/" not in route and f" /{ADMINS}" not in route}
    assert pages <= {f"GET {page}" for page in PAGES}


@pytest.mark.parametrize("route", RIGHTS)
def test_who_may_and_nobody_else(world: World, route: str) -> None:
    least = KINDS.index(RIGHTS[route])
    for place, kind in enumerate(KINDS):
        status = ask(world, world.callers[kind], route).status_code
        assert status < 500
        assert (status in NOT_LET_IN) == (place < least), (kind, status)
        if kind == "nobody" and least:
            assert status == 401


@pytest.mark.parametrize("route", RIGHTS)
def test_what_names_nobody_opens_nothing(world: World, route: str) -> None:
    ended = guest(world.app)
    own = ok(ended.get("/tokens"))["items"][0]["id"]
    ended.delete(f"/tokens/{own}")
    for token in ("bsr_none", ended.token):
        assert ask(world, Caller(world.app, token), route).status_code == 401


@pytest.mark.parametrize("route", [*RIGHTS, *CHANNELS])
def test_who_is_banned_is_told_so_everywhere(world: World, route: str) -> None:
    shut_out, visiting, registered = guest(world.app), guest(world.app), world.callers["stranger"]
    until = utcnow() + timedelta(days=1)
    with world.app.app_context():
        sanctions.ban(Actor(user="root"), shut_out.id, until, "for a test")
        publish(networks.sanction(Actor(user="root"), networks.BAN, "198.51.100.0/24", until, "for a test")[1])
    there = {"environ_base": {"REMOTE_ADDR": "198.51.100.7"}}
    for answer in (ask(world, shut_out, route), ask(world, visiting, route, **there)):
        assert (answer.status_code, answer.json["code"]) == (403, "auth.banned")
        assert answer.json["until"]
    # Not the registered ones beside them, nor who names nobody; only nobody comes new.
    for caller in (registered, world.callers["nobody"]):
        answer = ask(world, caller, route, **there)
        assert answer.status_code < 500
        assert ((answer.json or {}).get("code") == "auth.banned") == (route == "POST /players")


@pytest.mark.parametrize("route", [route for route in RIGHTS if not route.startswith("GET ")])
def test_a_page_of_another_site_does_nothing_by_the_hosts_cookie(world: World, route: str) -> None:
    signed_in = browser(world.app, world.callers["host"])
    for origin in ("https://evil.example", "null"):
        answer = ask(world, signed_in, route, headers={"Origin": origin})
        assert (answer.status_code, answer.json["code"]) == (403, "auth.forbidden")


def test_a_token_does_nothing_that_it_was_not_made_for(world: World) -> None:
    host = world.callers["host"]
    narrow = {
        scope: Caller(world.app, ok(host.post("/tokens", {"label": "x", "scopes": [scope]}), 201)["token"])
        for scope in SCOPES
    }
    for route, endpoint in of_the_api(world.app).items():
        access = getattr(world.app.view_functions[endpoint], "access", None)
        if getattr(access, "scope", None) is None:
            continue
        for scope, caller in narrow.items():
            if scope == access.scope and not access.whole:
                continue
            answer = ask(world, caller, route)
            assert (answer.status_code, answer.json["code"]) == (403, "auth.scope_missing"), (route, scope)


def test_nobody_here_is_let_in_where_the_service_is_run(world: World) -> None:
    for route in routes(world.app):
        method, rule = route.split(" ")
        if not rule.removeprefix(API).startswith(f"/{ADMINS}"):
            continue
        path = re.sub(r"<\w+>", "x", rule)
        for caller in world.callers.values():
            answer = caller.app.test_client().open(
                path, method=method, json=WRONG_BODY, headers={"Authorization": f"Bearer {caller.token}"}
            )
            assert answer.status_code in NOT_LET_IN, (route, answer.status_code)


def test_pages_are_for_everybody_and_take_nothing(world: World) -> None:
    client = world.app.test_client()
    for page in PAGES & {route.removeprefix("GET ") for route in routes(world.app)}:
        path = re.sub(r"<\w+>", "x", page)
        assert client.get(path).status_code in (200, 404), page
        for method in ("POST", "PUT", "PATCH", "DELETE"):
            assert client.open(path, method=method).status_code == 405, (method, page)
