"""The pages: documents, versioned files, and the headers that keep them safe."""

from __future__ import annotations

import gzip
import html
import io
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import segno
from flask import Flask
from flask.testing import FlaskClient

from app.api import documents, pages, reading
from app.api.assets import assets, modules, revision, texts
from app.api.language import Language
from app.api.rules_page import SLOW_AND_GONE, rules_page
from engine.rules import PROFILES

ROOT = Path(__file__).resolve().parents[2]
ENGLISH = {"Accept-Language": "en-GB"}
IN_ENGLISH = Language("en", "arab")


@pytest.mark.parametrize("path", ["/", "/r/KTRMSA", "/r/ktrmsa", "/r/nothing-here", "/rules", "/offline"])
def test_every_document_is_guarded(client: FlaskClient, path: str) -> None:
    answer = client.get(path, headers={"Host": "basra.example:8000"})
    policy = dict(part.split(" ", 1) for part in answer.headers["Content-Security-Policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["img-src"] == "'self'"
    assert policy["connect-src"] == "'self' ws://basra.example:8000 wss://basra.example:8000"
    assert policy["require-trusted-types-for"] == "'script'"
    assert policy["trusted-types"] == "basra"
    assert policy["worker-src"] == policy["manifest-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "same-origin"
    assert "camera=(self)" in answer.headers["Permissions-Policy"]
    assert answer.headers["Cache-Control"] == "no-cache"


def test_a_crooked_host_does_not_get_into_the_policy() -> None:
    assert "evil" not in documents.policy("evil; script-src *")


def test_the_room_page_names_its_room_and_sets_no_cookie(client: FlaskClient) -> None:
    answer = client.get("/r/ktrmsa", headers=ENGLISH)
    assert answer.status_code == 200
    assert "<title>Room KTRMSA" in answer.text
    assert "Set-Cookie" not in answer.headers


def test_the_page_says_whether_the_browser_has_a_session(client: FlaskClient) -> None:
    assert 'data-known="false"' in client.get("/").text
    assert 'data-known="true"' in client.get("/", headers={"Cookie": f"{pages.COOKIE_NAME}=x"}).text


def test_every_file_of_the_page_is_there_and_kept_for_ever(client: FlaskClient) -> None:
    for document in ("/", "/r/KTRMSA", "/rules", "/how-to-play", "/fair-deal", "/leaderboard", "/replay/nothing-here"):
        addresses = set(re.findall(r'(?:href|src)="(/static/[^"]+)"', client.get(document).text))
        assert len(addresses) >= 5
        check_files(client, addresses)


def check_files(client: FlaskClient, addresses: set[str]) -> None:
    for address in addresses:
        answer = client.get(address)
        assert answer.status_code == 200, address
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_a_module_is_sent_as_one_and_packed_for_those_who_unpack(client: FlaskClient) -> None:
    path = f"/static/{revision()}/js/boot.js"
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
    answer = client.get(f"/static/{revision()}/{path}")
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


def test_the_first_page_does_not_wait_for_the_table(client: FlaskClient) -> None:
    scripted = re.sub(r"<noscript>.*?</noscript>", "", client.get("/").text, flags=re.DOTALL)
    needed = re.findall(r'(?:href|src)="(/static/[^"]+)"', scripted)
    assert not [address for address in needed if "/table/view.js" in address or "/css/table.css" in address]
    # And the document, the rooms or the matches and the player, and the channel. Icons are for those who keep the page.
    assert len({address for address in needed if "/img/icon-" not in address}) + 5 <= 32
    assert "js/table/view.js" in modules("js/table/view.js")


def test_the_modules_of_a_screen_are_all_that_it_imports() -> None:
    assert modules("js/table/places.js") == ["js/table/places.js"]
    found = modules("js/boot.js")
    assert {"js/router.js", "js/net/channel.js", "js/table/slots.js"} <= set(found)
    assert "js/dialog.js" not in found  # imported when it is needed


def test_the_page_says_which_rule_sets_there_are(client: FlaskClient) -> None:
    text = html.unescape(client.get("/").text)
    listed = json.loads(re.search(r'data-profiles="(\[.*?\])"', text)[1])
    assert [one["profile"] for one in listed] == list(PROFILES)
    assert {tuple(one["seats"]) for one in listed} == {(2, 4), (2,)}


def test_the_rules_can_be_read_without_a_script(client: FlaskClient) -> None:
    answer = client.get("/rules")
    assert answer.status_code == 200
    assert "<script" not in answer.text
    for name in PROFILES:
        assert f'data-profile="{name}"' in answer.text


def test_the_rules_are_those_of_the_engine() -> None:
    page = rules_page(texts("rules.en"), IN_ENGLISH)
    rows = {row["name"]: row["values"] for row in page["fields"]}
    assert rows["Target"] == ["121", "101", "121", "121"]
    assert rows["Players"] == ["2 or 4", "2 or 4", "2 or 4", "2"]
    assert rows["A tie carries over"] == ["yes", "yes", "no", "yes"]
    assert rows["Card points"][0] == "A 1, J 1, 2\u2663\ufe0e 2, 10\u2666\ufe0e 3"
    assert rows["Card points"][2] == "none"
    assert ("27 cards or more", "30, and what is carried over") in page["points"]


def test_the_rules_page_has_the_rows_of_the_document_on_slow_players() -> None:
    document = (ROOT / "docs" / "rules.md").read_text().split("## Slow and gone")[1]
    rows = [
        line for line in document.splitlines() if line.startswith("| ") and not line.startswith(("| what", "| ---"))
    ]
    assert len(rows) == len(SLOW_AND_GONE)


def test_every_text_of_the_rules_page_is_shown(client: FlaskClient) -> None:
    shown = html.unescape(client.get("/rules", headers=ENGLISH).text)
    page = rules_page(texts("rules.en"), IN_ENGLISH)
    assert [key for key in texts("rules.en") if page["say"](key) not in shown] == []


def test_a_file_is_known_by_its_kind() -> None:
    kinds = {path.rsplit(".", 1)[1]: asset.mimetype for path, asset in assets().items()}
    assert kinds["woff2"] == "font/woff2"
    assert kinds["css"] == "text/css"


@pytest.mark.parametrize(
    ("accept", "title"), [("en", "You are invited to a match of Basra"), ("ar", "عزومة على ماتش بصرة")]
)
def test_a_link_in_a_chat_shows_what_it_is(client: FlaskClient, accept: str, title: str) -> None:
    page = client.get("/r/ktrmsa", headers={"Accept-Language": accept}, base_url="https://basra.example").text
    told = dict(re.findall(r'<meta property="og:([\w:]+)" content="([^"]*)">', page))
    assert told["title"] == title
    assert told["url"] == "https://basra.example/r/KTRMSA"
    assert told["image"] == f"https://basra.example/static/{revision()}/img/invitation-{accept}.png"
    picture = assets()[f"img/invitation-{accept}.png"]
    assert picture.mimetype == "image/png"
    assert (int.from_bytes(picture.body[16:20]), int.from_bytes(picture.body[20:24])) == (1200, 630)
    assert len(picture.body) <= 100_000  # chat programs give up on large ones


@pytest.mark.parametrize("path", ["/", "/r/ktrmsa?lang=ar", "/history", "/rules?lang=en", "/leaderboard"])
def test_in_production_no_link_follows_the_host_that_a_request_names(make_app: Callable[..., Flask], path: str) -> None:
    public = "https://basra.example"
    client = make_app(PUBLIC_URL=public, RATE_LIMITS="on", TRUSTED_PROXIES="1").test_client()
    crooked = {"Host": "evil.example", "X-Forwarded-Host": "evil.example", "X-Forwarded-For": "192.0.2.1"}
    answer = client.get(path, headers=crooked)
    assert f'<link rel="canonical" href="{public}{path.split("?")[0].replace("ktrmsa", "KTRMSA")}">' in answer.text
    assert "evil" not in answer.text
    drawn = [client.get("/r/KTRMSA/qr.svg", headers=headers).data for headers in (crooked, {"Host": "basra.example"})]
    assert drawn[0] == drawn[1] == qr_of(f"{public}/r/KTRMSA")
    assert ('data-origin="https://basra.example"' in answer.text) == ("/js/boot.js" in answer.text)


def qr_of(link: str) -> bytes:
    drawn = io.BytesIO()
    segno.make(link, micro=False).save(drawn, kind="svg", border=2, xmldecl=False, omitsize=True, light="#fff")
    return drawn.getvalue()


def test_a_room_has_a_code_for_cameras(client: FlaskClient) -> None:
    answer = client.get("/r/ktrmsa/qr.svg", base_url="https://basra.example")
    assert answer.mimetype == "image/svg+xml"
    assert answer.data == qr_of("https://basra.example/r/KTRMSA")
    assert b"style" not in answer.data
    assert "Set-Cookie" not in answer.headers
    assert client.get("/r/nothing-here/qr.svg").status_code == 404


def test_looking_at_a_room_seats_nobody(client: FlaskClient) -> None:
    host = client.post("/api/v1/players", json={"name": "Mona"}).json
    room = client.post("/api/v1/rooms", json={}, headers={"Authorization": f"Bearer {host['token']}"}).json
    for path in (f"/r/{room['code']}", f"/r/{room['code']}/qr.svg", f"/api/v1/rooms/{room['code']}"):
        assert client.get(path).status_code == 200
    after = client.get(f"/api/v1/rooms/{room['code']}").json
    assert [bool(seat["player"]) for seat in after["seating"]] == [True, False]


def test_a_document_that_one_has_is_not_sent_again(client: FlaskClient) -> None:
    first = client.get("/", headers={**ENGLISH, "Accept-Encoding": "gzip"})
    assert first.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(first.data).startswith(b"<!doctype html>")
    seen = {"If-None-Match": first.headers["ETag"], "Accept-Encoding": "gzip"}
    again = client.get("/", headers={**ENGLISH, **seen})
    assert (again.status_code, again.data) == (304, b"")
    assert client.get("/", headers={"Accept-Language": "ar", **seen}).status_code == 200
    assert client.get("/nothing-here", headers={**ENGLISH, **seen}).status_code == 404


def test_what_breaks_behind_a_page_is_told_as_a_page(
    make_app: Callable[..., Flask], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app()
    app.testing = False
    monkeypatch.setattr(reading, "rules_page", lambda *_: 1 / 0)
    for lang, word in (("en", "pack"), ("ar", "الكوتشينة")):
        answer = app.test_client().get("/rules", headers={"Accept-Language": lang})
        assert (answer.status_code, answer.mimetype) == (500, "text/html")
        assert word in answer.text
        assert 'href=""' in answer.text
        assert "ZeroDivision" not in answer.text
    assert app.test_client().post("/rules").status_code == 405


def test_the_document_itself_begins_the_first_screen(client: FlaskClient) -> None:
    home, room = client.get("/?lang=en").text, client.get("/r/ABCDEF?lang=en").text
    assert '<h1 class="display shout">Basra</h1>' in home and 'hreflang="ar" href="?lang=ar"' in home
    assert '<h1 class="display moment">One moment…</h1>' in room and "shout" not in room


def test_a_stranger_at_the_door_does_not_wait_for_the_table(client: FlaskClient) -> None:
    assert "/table/view.js" not in client.get("/r/ABCDEF").text
    assert "/table/view.js" in client.get("/r/ABCDEF", headers={"Cookie": "basra_session=whoever"}).text
