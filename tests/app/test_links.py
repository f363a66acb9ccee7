"""Decorated links open what is meant; addresses of the API stay what they are."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import quote

import pytest
from flask.testing import FlaskClient

from app.api.links import read_code

CODES = Path(__file__).parents[1] / "js" / "codes.json"
ID = "AbCd-efGH_12-"
# What chat programs, keyboards and people leave at the end of an address.
TAILS = [
    "/", "//", ".", "...", ",", "\u060c", "\u061f", "\u06d4", ")", ").", "]", "\u00bb", "\u201d", "'", "!", "*",
    "\u2026", "\u200e", "\u200f", "\u061c", "\u2069", "\u200b", "\ufeff", "\u00a0", " ", "\n", "\0", "\ufffd", "\uff0f",
    "\U0001f44d",
]  # fmt: skip
PAGES = [
    "/", "/r/KTRMSA", "/history", "/profile", "/account", "/move", f"/replay/{ID}", f"/players/{ID}", "/rules",
    "/how-to-play", "/fair-deal", "/leaderboard", "/offline", "/api/docs",
]  # fmt: skip


def leads(client: FlaskClient, address: str) -> str | None:
    answer = client.get(address)
    assert answer.status_code in (200, 301, 404)
    return answer.headers.get("Location")


@pytest.mark.parametrize(("text", "code"), json.loads(CODES.read_text()))
def test_a_code_is_read_out_of_what_people_send(text: str, code: str | None) -> None:
    assert read_code(text) == code


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_found_whatever_its_link_ends_with(client: FlaskClient, page: str) -> None:
    assert leads(client, page) is None
    for tail in TAILS if page != "/" else [tail for tail in TAILS if tail.strip("/")]:
        assert leads(client, page + quote(tail)) == page, tail
        assert leads(client, f"{page}{quote(quote(tail))}?lang=en&x=%D8%8C") == f"{page}?lang=en&x=%D8%8C", tail


def test_a_page_opens_where_its_link_leads(client: FlaskClient) -> None:
    answer = client.get("/r/ktrmsa%E2%80%8F/?lang=en", follow_redirects=True)
    assert (answer.status_code, answer.request.full_path) == (200, "/r/KTRMSA?lang=en")
    assert answer.history[0].headers["Cache-Control"] == "no-cache"


@pytest.mark.parametrize(
    ("address", "page"),
    [
        ("/r/\uff2b\uff34\uff32\uff2d\uff33\uff21", "/r/KTRMSA"),
        ("/r/KTR-MSA", "/r/KTRMSA"),
        ("/r/KTRMSA\u0645\u0633\u062a\u0646\u064a\u0643", "/r/KTRMSA"),
        ("/R/KTRMSA", "/r/KTRMSA"),
        ("/r/https://basra.example/r/KTRMSA", "/r/KTRMSA"),
        ("/Rules", "/rules"),
        ("/HISTORY/", "/history"),
        ("/\u200frules", "/rules"),
    ],
)
def test_other_spellings_of_an_address(client: FlaskClient, address: str, page: str) -> None:
    assert leads(client, quote(address, safe="/:")) == page


@pytest.mark.parametrize(
    "address",
    [
        "/nothing-here", "/nothing-here/", "/r/", "/r/nothing-here", "/r/KTRMSAK.", "/players/short.", "/replay/",
        "/rules/x", "//history/x", "/healthz/", "/readyz.", "/static/0123456789ab/js/none.js", "/api/v1/rules/",
        "/api/v1/rooms/KTRMSA.", "/api/v1/", "/api/", "/api/docs/x",
    ],
)  # fmt: skip
def test_what_means_no_page_is_not_found(client: FlaskClient, address: str) -> None:
    answer = client.get(address)
    assert (answer.status_code, answer.headers.get("Location")) == (404, None)
    assert answer.is_json == address.startswith("/api/")


def test_nobody_is_led_away(client: FlaskClient) -> None:
    for address in ("//evil.example/", "//evil.example/rules/", "/\\evil.example/", "/%2F%2Fevil.example/."):
        assert (leads(client, address) or "/")[:2].rstrip("rh") == "/"


def test_only_who_looks_is_led_on(client: FlaskClient) -> None:
    assert client.head("/history/").status_code == 301
    assert client.post("/history/").status_code == 404
