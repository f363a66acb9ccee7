"""The docs page: it is enough to write a bot from, in both languages, without a script; what it prints works."""

from __future__ import annotations

import html
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Browser

from app.api.assets import texts
from app.api.document import examples
from app.problems import KINDS
from app.schemas.channel import OF_A_PLAYER, OF_A_ROOM
from e2e.accessibility.axe import violations
from tests.live import LiveServer
from tests.runtime.people import Person

ROOT = Path(__file__).parents[2]
TEMPLATE = (ROOT / "app" / "api" / "templates" / "docs.html").read_text()
GUIDE = (ROOT / "app" / "api" / "guide.py").read_text()


def page(app: Flask, lang: str = "en") -> str:
    answer = app.test_client().get(f"/api/docs?lang={lang}")
    assert (answer.status_code, answer.headers["Content-Language"]) == (200, lang)
    return answer.text


def printed(text: str, test_id: str) -> str:
    """What stands in a block of code."""
    block = re.search(rf'data-testid="{test_id}"[^>]*><code>(.*?)</code>', text, re.DOTALL)
    assert block
    return html.unescape(block[1])


@pytest.mark.parametrize("lang", ["en", "ar"])
def test_it_tells_every_code_every_limit_and_every_message(app: Flask, lang: str) -> None:
    text = page(app, lang)
    for code, kind in KINDS.items():
        assert f'<tr id="{code}">' in text, "a refusal's `type` leads here"
        assert kind.detail in html.unescape(text)
    for view in app.view_functions.values():
        for pace, _ in getattr(view, "limits", ()):
            assert f'<code dir="ltr">{pace.name}</code>' in text
    for kind in {**OF_A_ROOM, **OF_A_PLAYER}:
        assert f'<th scope="row"><code dir="ltr">{kind}</code>' in text
    assert 'href="/api/v1/openapi.json"' in text and 'href="/api/v1/channel.schema.json"' in text
    assert "{" not in re.sub(r"<(code|pre).*?</\1>", "", text, flags=re.DOTALL), "a slot was left empty"


def test_what_it_shows_of_the_bots_are_the_bots(app: Flask) -> None:
    text = page(app)
    for name in ("bot.py", "bot.mjs"):
        block = re.search(rf'data-name="{name}"><code>(.*?)</code>', text, re.DOTALL)
        assert block and html.unescape(block[1]).strip() == (ROOT / "examples" / name).read_text().strip()


def test_every_text_of_it_is_used_and_there() -> None:
    words = texts("docs.en")
    asked = set(re.findall(r"say\('([^'~]+)'\)", TEMPLATE)) | {"docs.title"}
    made = ("part.", "step.", "field.", "close.", "versions.line.", "limits.by_", "channel.of_a_", "deal.step.")
    assert asked - words.keys() == set()
    assert {key for key in words if key not in asked and not key.startswith(made) and f'"{key}"' not in GUIDE} == set()


def test_its_policy_lets_nothing_in_from_elsewhere(app: Flask) -> None:
    answer = app.test_client().get("/api/docs")
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "script-src 'self';" in policy and "connect-src 'self';" in policy
    assert not re.search(r"(src|href)=\"(https?:)?//", answer.text)
    assert not re.findall(r"\sstyle=|<style|\son\w+=|<script(?![^>]*\ssrc=)", answer.text)


def test_the_quick_start_in_a_shell_works_as_printed(app: Flask, server: LiveServer) -> None:
    script = printed(page(app), "curl").replace("http://localhost", server.url)
    assert len(script.splitlines()) == 5
    run = subprocess.run(["bash", "-euo", "pipefail", "-c", script], capture_output=True, text=True, timeout=30)
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["you"]["plays"]


def test_the_quick_start_in_python_works_as_printed(app: Flask, server: LiveServer) -> None:
    script = printed(page(app), "python").replace("http://localhost", server.url)
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=30)
    assert run.returncode == 0, run.stderr
    assert "'captures'" in run.stdout


def test_the_check_of_the_deal_works_as_printed(app: Flask) -> None:
    names: dict[str, Any] = {}
    exec(printed(page(app), "deal"), names)
    transcript = examples()["getTranscript"]["answers"]["200"]
    fairness = transcript["fairness"]
    kept, bound, seeds = fairness["commitment"], fairness["client_commitments"], fairness["client_seeds"]
    names["check"](transcript, kept, bound, 1, seeds[1])
    for wrong in [("0" * 64, bound, 1, seeds[1]), (kept, bound[::-1], 1, seeds[1]), (kept, bound, 0, seeds[1])]:
        with pytest.raises(AssertionError):
            names["check"](transcript, *wrong)
    pack = transcript["rounds"][0]["shuffled"]
    moved = {**transcript, "rounds": [{**transcript["rounds"][0], "shuffled": [*pack[1:], pack[0]]}]}
    with pytest.raises(AssertionError):
        names["check"](moved, kept, bound, 1, seeds[1])


@pytest.mark.parametrize("lang", ["en", "ar"])
def test_it_lists_every_operation_with_its_scope(app: Flask, lang: str) -> None:
    table = re.search(r'data-testid="operations">.*?</table>', page(app, lang), re.DOTALL)
    assert table
    rows = dict(
        re.findall(r'<th scope="row"><code dir="ltr">(.*?)</code></th><td>.*?</td><td[^>]*>(.*?)</td>', table[0])
    )
    views = [view for view in app.view_functions.values() if hasattr(view, "operation")]
    assert len(rows) == len(views) > 40
    play, read = '<code dir="ltr">play</code>', '<code dir="ltr">read</code>'
    words = texts(f"docs.{lang}")
    assert rows["POST /matches/{match_id}/moves"] == play
    assert rows["GET /matches/{match_id}"] == f"{read} {words['operations.or_nobody']}"
    assert rows["POST /players"] == words["operations.anybody"]
    assert rows["POST /players/me/account"].endswith(words["operations.whole"])


# The reference, once it is there, asks as this player.
TRIES_AS = """(token) => document.getElementById('operations').resolvedSpec?.securitySchemes
    ?.some(({ finalKeyValue }) => finalKeyValue?.includes(token))"""


@pytest.mark.parametrize("lang", ["en", "ar"])
def test_one_press_makes_a_room_to_try_things_out_in(browser: Browser, server: LiveServer, lang: str) -> None:
    tab = browser.new_page(viewport={"width": 390, "height": 844})
    told: list[str] = []
    tab.on("console", lambda message: told.append(message.text) if message.type == "error" else None)
    tab.on("pageerror", lambda error: told.append(str(error)))
    tab.goto(f"{server.url}/api/docs?lang={lang}")
    tab.get_by_test_id("practice").click()
    tab.locator("#practice[data-state=made]").wait_for()
    made = {name: tab.get_by_test_id(f"practice-{name}").inner_text() for name in ("token", "room", "match")}
    tab.locator("a[href='#reference']").click()
    tab.wait_for_function(TRIES_AS, arg=made["token"])
    assert tab.evaluate("document.documentElement.scrollWidth") == 390
    assert told == []
    tab.close()
    program = Person.__new__(Person)
    program.server, program.token = server, made["token"]
    view = program.view(made["match"])
    assert (view["room"], view["seeded"], view["status"]) == (made["room"], True, "playing")


@pytest.mark.parametrize("lang", ["en", "ar"])
def test_the_guide_is_for_everybody_and_for_small_phones(browser: Browser, server: LiveServer, lang: str) -> None:
    """Without the reference below it, which is RapiDoc's own."""
    tab = browser.new_page(viewport={"width": 320, "height": 568})
    tab.route("**/rapidoc-min.js", lambda route: route.fulfill(content_type="text/javascript", body=""))
    tab.goto(f"{server.url}/api/docs?lang={lang}")
    tab.get_by_test_id("practice").wait_for()
    assert violations(tab) == []
    assert tab.evaluate("document.documentElement.scrollWidth") == 320
    tab.close()


def test_without_a_script_the_guide_is_whole_and_the_button_is_not_there(browser: Browser, server: LiveServer) -> None:
    tab = browser.new_page(java_script_enabled=False)
    tab.goto(f"{server.url}/api/docs?lang=en")
    for part in ("How to write a bot", "Errors", "Limits", "The channel", "What stays as it is"):
        assert tab.get_by_role("heading", name=part, exact=True).is_visible()
    assert tab.get_by_test_id("practice").is_hidden()
    assert tab.get_by_text("The reference is drawn by a script.").is_visible()
    tab.close()
