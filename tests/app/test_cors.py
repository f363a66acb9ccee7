"""Pages of other sites may call with a token, and never with the cookie."""

from __future__ import annotations

import pytest
from flask import Flask

from tests.app.people import API, guest

STRANGER = "https://cards.example"
PREFLIGHT = {
    "Origin": STRANGER,
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization,content-type",
}


@pytest.mark.parametrize("path", ["/rooms", "/rooms/ABCDEF", "/matches/none/moves", "/players/me", "/nothing/here"])
def test_a_browser_may_ask_for_every_address_alike(app: Flask, path: str) -> None:
    answer = app.test_client().options(API + path, headers=PREFLIGHT)
    assert (answer.status_code, answer.data) == (204, b"")
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert {"POST", "DELETE", "PUT", "PATCH"} <= set(answer.headers["Access-Control-Allow-Methods"].split(", "))
    allowed = answer.headers["Access-Control-Allow-Headers"].lower().split(", ")
    assert {"authorization", "content-type", "if-none-match"} == set(allowed)


@pytest.mark.parametrize("path", ["/rules", "/players/me", "/rooms/ABCDEF"])
def test_answers_and_refusals_are_readable_with_the_headers_that_programs_need(app: Flask, path: str) -> None:
    answer = app.test_client().get(API + path, headers={"Origin": STRANGER})
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    shown = set(answer.headers["Access-Control-Expose-Headers"].split(", "))
    assert {"ETag", "Location", "Retry-After", "RateLimit", "RateLimit-Policy"} <= shown


CORS = ("Access-Control-Allow-Origin", "Access-Control-Allow-Credentials", "Access-Control-Expose-Headers")


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("path", ["/rooms", "/players/me", "/nothing/here"])
def test_an_answer_to_the_cookie_says_nothing_of_other_sites(app: Flask, method: str, path: str) -> None:
    client = app.test_client()
    client.post(f"{API}/players", json={"session": True})
    for origin in (STRANGER, "http://localhost"):
        answer = client.open(
            API + path, method=method, headers={"Origin": origin}, json={} if method == "POST" else None
        )
        assert not set(CORS) & set(answer.headers.keys())
        assert "Cookie" in answer.headers["Vary"]


def test_no_answer_allows_credentials(app: Flask) -> None:
    client = app.test_client()
    for method in ("GET", "POST", "OPTIONS"):
        answer = client.open(f"{API}/rooms", method=method, headers={**PREFLIGHT, "Authorization": "Bearer bsr_none"})
        assert "Access-Control-Allow-Credentials" not in answer.headers


def test_a_token_goes_before_the_cookie(app: Flask) -> None:
    client, token = app.test_client(), guest(app).token
    client.post(f"{API}/players", json={"session": True})
    answer = client.get(f"{API}/players/me", headers={"Origin": STRANGER, "Authorization": f"Bearer {token}"})
    assert (answer.status_code, answer.headers["Access-Control-Allow-Origin"]) == (200, "*")


def test_the_cookie_still_does_nothing_for_a_page_of_another_site(app: Flask) -> None:
    client = app.test_client()
    client.post(f"{API}/players", json={"session": True})
    for method, path in (("POST", "/rooms"), ("PATCH", "/players/me"), ("DELETE", "/players/me"), ("POST", "/seeks")):
        answer = client.open(API + path, method=method, json={}, headers={"Origin": STRANGER})
        assert answer.status_code == 403, (method, path)


def test_a_token_does_from_everywhere(app: Flask) -> None:
    assert guest(app).post("/rooms", {}, headers={"Origin": STRANGER}).status_code == 201


def test_pages_are_nobody_elses(app: Flask) -> None:
    for path in ("/", "/api/docs"):
        assert "Access-Control-Allow-Origin" not in app.test_client().get(path).headers
