"""What admins may do by HTTP and on their page, and that nobody else learns that there is such a thing."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from app.api.assets import texts
from app.auth import COOKIE_NAME
from app.services import oversight
from app.services.audit import Actor
from tests.app.accounts import OWN, Browser, account, browser, guest_browser
from tests.app.people import Caller, guest, ok, refused, sit_down

WHY = {"reason": "Was asked to stop."}
UNTIL = "2031-05-01T12:00:00Z"


@pytest.fixture
def admin(app: Flask) -> Browser:
    """An admin at our own page."""
    person = account(app, "Zeinab")
    there = browser(app, person)
    with app.app_context():
        oversight.set_admin(Actor(user="root"), person.id, "for a test", admin=True)
    there.token_of_a_program = ok(person.post("/tokens", {"label": "x", "scopes": ["read", "play", "account"]}), 201)
    return there


def asked(caller: Caller, method: str, path: str, body: Any = None, **options: Any) -> TestResponse:
    """An answer that no document promises."""
    return caller.send(method, f"/admin{path}", body, checked=False, **options)


def reported(app: Flask) -> tuple[Caller, str]:
    """Somebody of whom somebody has complained, and the report."""
    table = sit_down(app, chat=True)
    mona, adel = table.person(0), table.person(1)
    ok(adel.post(f"/rooms/{table.code}/messages", {"text": "<b>rude</b>"}), 201)
    body = {"player": adel.id, "room": table.code, "reason": "insult", "text": "Was <i>rude</i>.\nTwice."}
    return adel, ok(mona.post("/reports", body), 201)["id"]


ADDRESSES = [
    ("GET", "/reports"), ("GET", "/reports/x"), ("POST", "/reports/x/handled"), ("GET", "/players?text=x"),
    ("GET", "/players/x"), ("PATCH", "/players/x"), ("PUT", "/players/x/ban"), ("DELETE", "/players/x/ban"),
    ("PUT", "/players/x/mute"), ("DELETE", "/players/x/mute"), ("DELETE", "/players/x/tokens"), ("GET", "/addresses"),
    ("POST", "/addresses"), ("DELETE", "/addresses"), ("DELETE", "/rooms/ABCDEF"), ("GET", "/audit"),
    ("POST", "/matches/x/void"), ("GET", "/crowds"),
    # Wrong methods, and what Flask would answer by itself.
    ("PUT", "/reports"), ("OPTIONS", "/reports"), ("HEAD", "/reports"),
]  # fmt: skip


def test_to_everybody_else_an_address_of_admins_is_one_where_nothing_is(app: Flask, admin: Browser) -> None:
    others = [
        Caller(app),
        guest(app),
        account(app),
        guest_browser(app),
        browser(app, account(app)),
        Caller(app, "bsr_unknown"),
        # An admin's own tokens open nothing, in the header or as a cookie.
        Caller(app, admin.token_of_a_program["token"]),
        Browser(app, admin.token_of_a_program["token"], admin.player),
    ]
    for caller in others:
        for method, path in ADDRESSES:
            for body in (None, {"colour": 1}):
                told = asked(caller, method, path, body)
                unknown = asked(caller, method, f"x{path}", body)
                assert (told.status_code, told.data) == (unknown.status_code, unknown.data), (method, path)
                assert telling(told) == telling(unknown), (method, path)


def telling(answer: TestResponse) -> dict[str, str]:
    return {name: value for name, value in answer.headers.items() if name not in ("X-Request-ID", "Date")}


def test_no_document_tells_of_it(app: Flask) -> None:
    client = app.test_client()
    for path in ("/api/v1/openapi.json", "/api/docs", "/", "/rules"):
        assert "/admin" not in client.get(path).text


def test_another_sites_page_decides_nothing(app: Flask, admin: Browser) -> None:
    adel, _ = reported(app)
    foreign = {"Origin": "https://elsewhere.example"}
    path = f"/players/{adel.id}/ban"
    refused(asked(admin, "PUT", path, {**WHY, "until": UNTIL}, headers=foreign), 403, "auth.forbidden")
    ok(adel.get("/players/me"))


def test_an_admin_reads_and_handles_reports(app: Flask, admin: Browser) -> None:
    adel, made = reported(app)
    _, newer = reported(app)
    page = ok(asked(admin, "GET", "/reports?limit=1"))
    assert page["items"][0]["id"] == newer
    assert ok(asked(admin, "GET", f"/reports?limit=1&cursor={page['next']}"))["items"][0]["id"] == made
    assert ok(asked(admin, "GET", f"/reports/{made}"))["reported"] == {"id": adel.id, "name": "Adel"}
    refused(asked(admin, "POST", f"/reports/{made}/handled", {}), 422, "request.invalid")
    assert ok(asked(admin, "POST", f"/reports/{made}/handled", WHY))["handled_at"]
    (entry,) = ok(asked(admin, "GET", f"/audit?subject={made}"))["items"]
    assert entry["by"] == {"player": {"id": admin.id, "name": "Zeinab"}, "user": None}
    assert (entry["action"], entry["reason"]) == ("handle_report", WHY["reason"])
    refused(asked(admin, "GET", "/reports/no-such-report"), 404, "not_found")
    refused(asked(admin, "PUT", f"/reports/{made}"), 405, "request.method")


def test_an_admin_bans_mutes_renames_and_signs_out(app: Flask, admin: Browser) -> None:
    adel, _ = reported(app)
    me = f"/players/{adel.id}"
    assert ok(asked(admin, "PUT", f"{me}/mute", {**WHY, "until": UNTIL}))["muted_until"] == "2031-05-01T12:00:00.000Z"
    assert asked(admin, "DELETE", f"{me}/mute", WHY).status_code == 204
    assert ok(asked(admin, "PUT", f"{me}/ban", {**WHY, "until": UNTIL}))["banned_until"] == "2031-05-01T12:00:00.000Z"
    refused(adel.get("/players/me"), 403, "auth.banned")
    assert ok(asked(admin, "GET", me))["reports"]["open"] == 1
    assert asked(admin, "DELETE", f"{me}/ban", WHY).status_code == 204
    assert ok(asked(admin, "PATCH", me, {**WHY, "name": "Fouad"}))["name"] == "Fouad"
    assert [one["id"] for one in ok(asked(admin, "GET", f"/players?text={adel.id}"))["items"]] == [adel.id]
    assert asked(admin, "DELETE", f"{me}/tokens", WHY).status_code == 204
    refused(adel.get("/players/me"), 401, "auth.required")
    refused(asked(admin, "PUT", f"{me}/ban", {**WHY, "until": "2020-01-01T00:00:00Z"}), 422, "request.invalid")
    refused(asked(admin, "PUT", "/players/nobody-here/ban", {**WHY, "until": UNTIL}), 404, "not_found")
    told = ok(asked(admin, "GET", f"/audit?subject={adel.id}&limit=2"))
    more = ok(asked(admin, "GET", f"/audit?subject={adel.id}&cursor={told['next']}"))
    actions = [entry["action"] for entry in told["items"] + more["items"]]
    assert actions == ["end_tokens", "rename", "unban", "ban", "unmute", "mute"]


def test_an_admin_decides_about_addresses_and_rooms(app: Flask, admin: Browser) -> None:
    body = {**WHY, "network": "203.0.113.77", "kind": "ban", "until": UNTIL}
    made = ok(asked(admin, "POST", "/addresses", body), 201)
    assert made in ok(asked(admin, "GET", "/addresses"))["items"]
    there = {"REMOTE_ADDR": "203.0.113.77"}
    refused(Caller(app).post("/players", {}, environ_base=there), 403, "auth.banned")
    assert ok(asked(admin, "GET", "/crowds?least=100000"))["items"] == []
    refused(asked(admin, "GET", "/crowds?days=8"), 422, "request.invalid")
    del body["until"]
    assert asked(admin, "DELETE", "/addresses", body).status_code == 204
    ok(Caller(app).post("/players", {}, environ_base=there), 201)
    table = sit_down(app)
    assert asked(admin, "DELETE", f"/rooms/{table.code}", WHY).status_code == 204
    assert table.view(0)["result"]["reason"] == "abandoned"
    assert ok(asked(admin, "POST", f"/matches/{table.match_id}/void", WHY), 201)["match"] == table.match_id
    refused(asked(admin, "POST", "/matches/no-such-match/void", WHY), 404, "not_found")


def test_an_admin_decides_nothing_about_another_admin(app: Flask, admin: Browser) -> None:
    other = account(app)
    with app.app_context():
        oversight.set_admin(Actor(user="root"), other.id, "for a test", admin=True)
    for whom in (other.id, admin.id):
        refused(asked(admin, "PUT", f"/players/{whom}/ban", {**WHY, "until": UNTIL}), 403, "auth.forbidden")
        refused(asked(admin, "PATCH", f"/players/{whom}", {**WHY, "name": "X"}), 403, "auth.forbidden")
        refused(asked(admin, "DELETE", f"/players/{whom}/tokens", WHY), 403, "auth.forbidden")


def test_who_is_an_admin_no_more_finds_nothing(app: Flask, admin: Browser) -> None:
    ok(asked(admin, "GET", "/reports"))
    with app.app_context():
        oversight.set_admin(Actor(user="root"), admin.id, "for a test", admin=False)
    refused(asked(admin, "GET", "/reports"), 404, "not_found")


def visit(
    app: Flask, caller: Caller, method: str = "GET", query: str = "", path: str = "/admin", **options: Any
) -> TestResponse:
    """A request for the page of the reports."""
    cookie = {"Cookie": f"{COOKIE_NAME}={caller.cookie}"} if isinstance(caller, Browser) else {}
    headers = {"Accept-Language": "en", **cookie, **options.pop("headers", {})}
    return app.test_client(use_cookies=False).open(path + query, method=method, headers=headers, **options)


def test_the_page_is_missing_for_everybody_else(app: Flask) -> None:
    for caller in (Caller(app), guest_browser(app), browser(app, account(app))):
        for method in ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PROPFIND"):
            unknown = visit(app, caller, method, path="/nimda")
            for path in ("/admin", "/admin/", "/Admin", "/admin."):
                told = visit(app, caller, method, path=path)
                assert (told.status_code, told.data) == (unknown.status_code, unknown.data), (method, path)
                assert telling(told) == telling(unknown), (method, path)


@pytest.mark.parametrize("lang", ["en", "ar"])
def test_the_page_shows_the_reports_as_text(app: Flask, admin: Browser, lang: str) -> None:
    _, made = reported(app)
    answer = visit(app, admin, query=f"?lang={lang}")
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-store")
    assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
    assert f'data-report="{made}"' in answer.text
    assert "&lt;i&gt;rude&lt;/i&gt;" in answer.text and "&lt;b&gt;rude&lt;/b&gt;" in answer.text
    assert "<script" not in answer.text
    words = texts(f"admin.{lang}")
    shown = html.unescape(answer.text)
    hidden = {"none.", "trouble.", "report.banned", "report.muted", "report.handled", "reason.", "admin.next"}
    assert [key for key, text in words.items() if not key.startswith(tuple(hidden)) and str(text) not in shown] == []


def test_what_a_player_wrote_turns_nothing_round_on_the_page(app: Flask, admin: Browser) -> None:
    mona, adel = guest(app), guest(app)
    text = "first\nsecond \u202edrow\u2069"
    ok(mona.post("/reports", {"player": adel.id, "reason": "other", "text": text}), 201)
    shown = html.unescape(visit(app, admin).text)
    assert "first\nsecond \\u202edrow\\u2069" in shown
    assert not set(shown) & set("\u202e\u2069")


def decide(app: Flask, admin: Browser, **form: str) -> TestResponse:
    return visit(app, admin, "POST", "?status=open", data=form, headers=OWN)


def test_a_decision_of_the_page_is_carried_out_and_the_report_handled(app: Flask, admin: Browser) -> None:
    adel, made = reported(app)
    wrong = {"report": made, "decision": "ban", "span": "day", "reason": "Rude."}
    for field, value in (("decision", "hang"), ("span", "ever"), ("reason", "  "), ("reason", "x" * 501)):
        answer = decide(app, admin, **{**wrong, field: value})
        assert (answer.status_code, 'data-code="request.invalid"' in answer.text) == (422, True)
    assert 'data-code="not_found"' in decide(app, admin, **{**wrong, "report": "no-such-report"}).text
    foreign = visit(app, admin, "POST", data=wrong, headers={"Origin": "https://elsewhere.example"})
    assert 'data-code="auth.forbidden"' in foreign.text
    ok(adel.get("/players/me"))
    done = decide(app, admin, **wrong)
    assert (done.status_code, done.headers["Location"]) == (303, "/admin?status=open")
    refused(adel.get("/players/me"), 403, "auth.banned")
    assert f'data-report="{made}"' not in visit(app, admin).text
    handled = visit(app, admin, query="?status=handled").text
    assert f'data-report="{made}"' in handled and "Banned until" in handled
    actions = [one["action"] for one in ok(asked(admin, "GET", f"/audit?subject={adel.id}"))["items"]]
    assert actions == ["ban"]


def test_a_mute_of_the_page_and_a_report_that_is_only_handled(app: Flask, admin: Browser) -> None:
    adel, made = reported(app)
    assert decide(app, admin, report=made, decision="mute", span="hour", reason="Rude.").status_code == 303
    refused(adel.send("PATCH", "/players/me", {"name": "X"}), 403, "chat.muted")
    samia, other = reported(app)
    assert decide(app, admin, report=other, decision="handle", span="week", reason="A joke.").status_code == 303
    ok(samia.send("PATCH", "/players/me", {"name": "X"}))


def test_the_page_goes_on_with_older_reports(app: Flask, admin: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.api.admin_page.ROWS", 1)
    made = [reported(app)[1] for _ in range(2)]
    first = visit(app, admin).text
    assert re.findall(r'data-report="([^"]+)"', first) == [made[1]]
    link = html.unescape(re.search(r'href="([^"]+)" data-testid="next"', first)[1])  # type: ignore[index]
    assert re.findall(r'data-report="([^"]+)"', visit(app, admin, query=link).text) == [made[0]]
    assert re.findall(r'data-report="([^"]+)"', visit(app, admin, query="?after=x&status=x").text) == [made[1]]
