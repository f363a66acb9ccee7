"""Basra as an installed program: manifest, icons, service worker, the page for the time without a network."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Iterator
from dataclasses import replace

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.api.assets import STATIC, revision, texts

LONGEST_WORKER = 120


@pytest.mark.parametrize(("lang", "way"), [("ar", "rtl"), ("en", "ltr")])
def test_the_manifest_speaks_the_language_of_the_cookie(client: FlaskClient, lang: str, way: str) -> None:
    answer = client.get("/manifest.webmanifest", headers={"Cookie": f"basra_lang={lang}", "Accept-Language": "fr"})
    assert answer.mimetype == "application/manifest+json"
    assert answer.headers["Cache-Control"] == "no-cache"
    assert "Cookie" in answer.headers["Vary"]
    described = json.loads(answer.data)
    assert (described["lang"], described["dir"], described["short_name"]) == (lang, way, texts(lang)["home.title"])
    assert (described["id"], described["start_url"], described["scope"], described["display"]) == (
        "/",
        "/",
        "/",
        "standalone",
    )
    page = client.get("/").text
    assert f'content="{described["theme_color"]}"' in page
    assert '<link rel="manifest" href="/manifest.webmanifest" crossorigin="use-credentials">' in page


def test_every_icon_of_the_manifest_is_as_large_as_it_says(client: FlaskClient) -> None:
    icons = json.loads(client.get("/manifest.webmanifest").data)["icons"]
    assert [(icon["sizes"], icon["purpose"]) for icon in icons] == [
        ("192x192", "any"),
        ("512x512", "any"),
        ("512x512", "maskable"),
    ]
    for icon in icons:
        answer = client.get(icon["src"])
        assert answer.mimetype == icon["type"]
        width, height = struct.unpack(">II", answer.data[16:24])  # of PNG's first block
        assert f"{width}x{height}" == icon["sizes"]
        assert answer.headers["Cache-Control"].endswith("immutable")


def test_the_worker_has_the_revision_and_is_asked_for_each_time(client: FlaskClient) -> None:
    answer = client.get("/sw.js")
    assert answer.mimetype == "text/javascript"
    assert answer.headers["Cache-Control"] == "no-cache"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.text.startswith(f'self.REVISION = "{revision()}";\n')
    assert len(answer.text.splitlines()) < LONGEST_WORKER
    again = client.get("/sw.js", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304


def test_what_the_worker_keeps_from_the_start_is_there(client: FlaskClient) -> None:
    needed = re.search(r"NEEDED = \[(.*?)\]", (STATIC / "sw.js").read_text())[1]
    paths = re.findall(r"'([^']+)'", needed)
    assert len(paths) == 5
    page = client.get("/offline").text
    for path in paths:
        assert client.get(f"/static/{revision()}/{path}").status_code == 200
    loaded = re.findall(rf'(?:href|src)="/static/{revision()}/([^"]+)"', page)
    assert set(loaded) == set(paths), "the page without a network needs what is not kept"


@pytest.fixture
def switched_off(app: Flask) -> Iterator[FlaskClient]:
    before = app.extensions["settings"]
    app.extensions["settings"] = replace(before, service_worker=False)
    yield app.test_client()
    app.extensions["settings"] = before


def test_a_worker_that_is_switched_off_has_no_revision(switched_off: FlaskClient) -> None:
    assert switched_off.get("/sw.js").text.startswith('self.REVISION = "";\n')


def test_the_page_without_a_network_speaks_both_languages(client: FlaskClient) -> None:
    answer = client.get("/offline")
    assert answer.status_code == 200
    assert re.findall(r'<section[^>]* lang="(\w+)" dir="(\w+)"', answer.text) == [("ar", "rtl"), ("en", "ltr")]
    for lang in ("ar", "en"):
        assert str(texts(lang)["offline.title"]) in answer.text
    assert answer.text.count('href=""') == 2  # the same address once more


def test_answers_of_the_interface_say_the_revision(client: FlaskClient) -> None:
    assert client.get("/api/v1/rules").headers["Basra-Revision"] == revision()
    assert client.get("/api/v1/nothing").headers["Basra-Revision"] == revision()
    assert "Basra-Revision" not in client.get("/").headers
