"""Bodies and queries that no client of ours would send: each is refused clearly, and none is our fault."""

import io
import json
import random
from typing import Any

import pytest
from flask import Flask

from tests.app.people import API, Caller, guest, ok, refused, sit_down

JSON = "application/json"
DEEP = b'{"overrides":' + b"[" * 400 + b"]" * 400 + b"}"

MALFORMED = [
    b"{",
    b"nul",
    b"{'a': 1}",
    b'{"a": NaN}',
    b'{"a": Infinity}',
    b'{"a": -Infinity}',
    b'{"a": 1, "a": 2}',
    b"\xff\xfe{}",
    b"\xef\xbb\xbf{}",
    b'{"name": "\xff"}',
    b"{} {}",
    b" ",
    b"\x00",
    b'{"a": 01}',
    b'{"a": "\n"}',
    b"[1,]",
]
INVALID = [
    b"[]",
    b"null",
    b"7",
    b'"text"',
    b"true",
    b"[[]]",
    b"[" * 3000 + b"]" * 3000,
    b'{"a":' * 2500 + b"1" + b"}" * 2500,
    DEEP,
    b'{"\\ud800": 1}',
    b'{"": 1}',
    b'{"__proto__": {}}',
    b'{"turn": 1e999}',
    b'{"turn": ' + b"9" * 5000 + b"}",
]


@pytest.fixture(scope="module")
def paths(app: Flask) -> dict[str, Caller]:
    table = sit_down(app)
    mona = table.person(0)
    room = ok(mona.post("/rooms"), 201)["code"]
    ends = [f"{table.path}/{end}" for end in ("moves", "cuts", "forfeits")]
    ends += [f"/rooms/{room}/{end}" for end in ("joins", "bots", "rematches")]
    return dict.fromkeys(["/players", "/rooms", "/seeks", *ends], mona)


@pytest.mark.parametrize("body", MALFORMED)
def test_what_is_no_json_is_malformed(paths: dict[str, Caller], body: bytes) -> None:
    for path, caller in paths.items():
        refused(caller.post(path, data=body, content_type=JSON), 400, "request.malformed")


@pytest.mark.parametrize("body", INVALID)
def test_json_of_another_shape_is_invalid(paths: dict[str, Caller], body: bytes) -> None:
    for path, caller in paths.items():
        problem = refused(caller.post(path, data=body, content_type=JSON), 422, "request.invalid")
        assert problem["errors"]
        assert all(isinstance(text, str) for texts in problem["errors"].values() for text in texts)


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", "application/jsonx", "x"])
def test_other_media_types_are_refused(paths: dict[str, Caller], content_type: str) -> None:
    for path, caller in paths.items():
        refused(caller.post(path, data=b"{}", content_type=content_type), 415, "request.media_type")
        refused(caller.post(path, data=b"", content_type=content_type), 415, "request.media_type")


def test_a_body_without_a_media_type_is_refused(paths: dict[str, Caller]) -> None:
    for path, caller in paths.items():
        refused(caller.post(path, data=b"{}"), 415, "request.media_type")


def test_the_media_type_may_have_parameters_and_any_case(app: Flask) -> None:
    for content_type in ("application/json; charset=utf-8", "Application/JSON"):
        ok(Caller(app).post("/players", data=b"{}", content_type=content_type), 201)


def test_an_empty_body_counts_only_where_every_field_is_optional(app: Flask, paths: dict[str, Caller]) -> None:
    table = sit_down(app)
    for path in (f"{table.path}/moves", f"{table.path}/cuts"):
        for options in ({}, {"data": b"", "content_type": JSON}):
            refused(table.person(0).post(path, **options), 400, "request.malformed")
    ok(table.person(0).post("/rooms", data=b"", content_type=JSON), 201)
    ok(table.person(0).post(f"{table.path}/forfeits", data=b"", content_type=JSON), 201)


@pytest.mark.parametrize("size", [16 * 1024, 16 * 1024 + 1])
def test_a_body_has_16_kib_at_most(app: Flask, size: int) -> None:
    body = b'{"name": "Mona"' + b" " * (size - 16) + b"}"
    assert len(body) == size
    response = Caller(app).post("/players", data=body, content_type=JSON)
    if size > 16 * 1024:
        refused(response, 413, "request.too_large")
    else:
        ok(response, 201)


def test_a_body_of_untold_length_has_16_kib_at_most_too(app: Flask) -> None:
    options = {
        "input_stream": io.BytesIO(b'{"name": "' + b"x" * 20_000 + b'"}'),
        "content_type": JSON,
        "headers": {"Transfer-Encoding": "chunked"},
        "environ_overrides": {"wsgi.input_terminated": True},
    }
    refused(Caller(app).post("/players", **options), 413, "request.too_large")


def test_values_from_the_request_do_not_come_back_as_headers_or_markup(app: Flask) -> None:
    body = json.dumps({"rules": "<script>alert(1)</script>\r\nX: y"}).encode()
    response = guest(app).post("/rooms", data=body, content_type=JSON)
    refused(response, 422, "request.invalid")
    assert response.headers["X-Content-Type-Options"] == "nosniff"


VALUES: list[Any] = [
    None,
    True,
    False,
    0,
    1,
    -1,
    3,
    2**31,
    2**63,
    -(2**63) - 1,
    10**30,
    0.5,
    1e308,
    "",
    "x",
    "7D",
    "me",
    "\0",
    "\u202e",
    "0" * 64,
    "ß" * 200,
    "classic",
    "casual",
    "public",
    [],
    ["7D"],
    ["7D", "7D"],
    [[]],
    [None],
    {},
    {"cut": "neighbour"},
    {"carry": None},
    {"jack_on_jack": [1]},
    {"": ""},
    {"target": {"a": []}},
    121,
    5,
    600,
]
FIELDS = [
    "name",
    "session",
    "seats",
    "rules",
    "target",
    "overrides",
    "turn_seconds",
    "visibility",
    "rated",
    "join",
    "spectators",
    "seed",
    "seat",
    "client_seed",
    "client_commitment",
    "level",
    "turn",
    "card",
    "capture",
    "round",
    "at",
    "after",
    "chat",
    "phrase",
    "text",
    "kind",
    "reason",
    "player",
    "room",
    "x",
]
TEXTS = [
    "",
    "0",
    "-1",
    "x",
    "%00",
    "me",
    "9" * 30,
    "1.5",
    "%F0%9F%83%8F",
    "%ff",
    "a/b",
    "[]",
    "None",
    "1&limit=2",
    "'--",
]


@pytest.mark.parametrize("seed", range(8))
def test_whatever_is_sent_is_answered_and_documented(app: Flask, seed: int) -> None:
    rng = random.Random(seed)
    table = sit_down(app, spectators=True, chat=True)
    people = [table.person(0), table.person(1), guest(app), Caller(app), Caller(app, "bsr_x")]
    rooms = [table.code, "ABCDEF", ok(people[0].post("/rooms"), 201)["code"], *TEXTS]
    matches = [table.match_id, "unknown-match", *TEXTS]
    operations = [
        (method.upper(), path.removeprefix(API))
        for path, methods in app.extensions["document"].spec["paths"].items()
        for method in methods
        if method in ("get", "post", "put", "patch", "delete")
    ]
    for _ in range(150):
        method, path = rng.choice(operations)
        path = path.replace("{code}", rng.choice(rooms)).replace("{match_id}", rng.choice(matches))
        path = path.replace("{seat}", rng.choice(["0", "1", "9", *TEXTS])).replace("{player_id}", rng.choice(TEXTS))
        if method == "GET" and rng.random() < 0.7:
            names = rng.choices(["limit", "cursor", "after", "player", "status", "x"], k=rng.randint(1, 2))
            path += "?" + "&".join(f"{name}={rng.choice(TEXTS)}" for name in names)
        body = {name: rng.choice(VALUES) for name in rng.sample(FIELDS, rng.randint(0, 4))}
        response = rng.choice(people).send(method, path, body if method in ("POST", "PUT", "PATCH") else None)
        assert response.status_code < 500
        if response.status_code >= 400:
            refused(response, response.status_code, response.json["code"])
