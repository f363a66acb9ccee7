"""The pages: documents, versioned files, and the headers that keep them safe."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from app.api import pages


@pytest.mark.parametrize("path", ["/", "/r/KTRMSA", "/r/ktrmsa", "/r/nothing-here"])
def test_every_document_is_guarded(client: FlaskClient, path: str) -> None:
    answer = client.get(path, headers={"Host": "basra.example:8000"})
    policy = dict(part.split(" ", 1) for part in answer.headers["Content-Security-Policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["img-src"] == "'self'"
    assert policy["connect-src"] == "'self' ws://basra.example:8000 wss://basra.example:8000"
    assert policy["require-trusted-types-for"] == "'script'"
    assert policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "same-origin"
    assert "camera=(self)" in answer.headers["Permissions-Policy"]
    assert answer.headers["Cache-Control"] == "no-cache"


def test_a_crooked_host_does_not_get_into_the_policy() -> None:
    assert "evil" not in pages._policy("evil; script-src *")


def test_the_room_page_names_its_room_and_sets_no_cookie(client: FlaskClient) -> None:
    answer = client.get("/r/ktrmsa")
    assert answer.status_code == 200
    assert "<title>Room KTRMSA" in answer.text
    assert "Set-Cookie" not in answer.headers


def test_the_page_says_whether_the_browser_has_a_session(client: FlaskClient) -> None:
    assert 'data-known="false"' in client.get("/").text
    assert 'data-known="true"' in client.get("/", headers={"Cookie": f"{pages.COOKIE_NAME}=x"}).text


def test_every_file_of_the_page_is_there_and_kept_for_ever(client: FlaskClient) -> None:
    addresses = set(re.findall(r'(?:href|src)="(/static/[^"]+)"', client.get("/").text))
    assert len(addresses) >= 6
    for address in addresses:
        answer = client.get(address)
        assert answer.status_code == 200, address
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_a_module_is_sent_as_one_and_packed_for_those_who_unpack(client: FlaskClient) -> None:
    path = f"/static/{pages.revision()}/js/boot.js"
    plain = client.get(path)
    packed = client.get(path, headers={"Accept-Encoding": "gzip"})
    assert plain.mimetype == "text/javascript"
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert plain.headers["Vary"] == packed.headers["Vary"] == "Accept-Encoding"


def test_a_file_of_another_revision_is_served_but_not_kept(client: FlaskClient) -> None:
    answer = client.get("/static/0123456789ab/js/boot.js")
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("path", ["index.html", "../wsgi.py", "%2e%2e/wsgi.py", "js", "none.js"])
def test_nothing_but_the_client_is_served(client: FlaskClient, path: str) -> None:
    answer = client.get(f"/static/{pages.revision()}/{path}")
    assert answer.status_code == 404


@pytest.mark.parametrize("path", ["/r/nothing-here", "/nothing-here"])
def test_an_unknown_address_gets_a_page(client: FlaskClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert "<h1" in answer.text


def test_an_unknown_address_of_the_interface_gets_a_problem(client: FlaskClient) -> None:
    answer = client.get("/api/v1/nothing-here")
    assert answer.status_code == 404
    assert answer.json["code"] == "not_found"


def test_the_icon_is_found_where_browsers_guess(client: FlaskClient) -> None:
    assert client.get("/favicon.ico").mimetype == "image/svg+xml"
