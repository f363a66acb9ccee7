"""The bots of `examples/` play a whole match as they are printed, in every place where they say that they run."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.live import LiveServer, live_server
from tests.runtime.people import Person

FOLDER = Path(__file__).parents[2] / "examples"
WAIT_S = 60
PAGE = b"<!doctype html><title>A page of somebody else</title>"
# Waits a twentieth of the time, so that polling is soon done.
IN_A_HURRY = "const slow = setTimeout; globalThis.setTimeout = (call, ms) => slow(call, ms / 20);"


class Stranger(BaseHTTPRequestHandler):
    """A page of another site, and the bot as a module of it."""

    def do_GET(self) -> None:
        is_bot = self.path == "/bot.mjs"
        body = (FOLDER / "bot.mjs").read_bytes() if is_bot else PAGE
        self.send_response(200)
        self.send_header("Content-Type", "text/javascript" if is_bot else "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def server() -> Iterator[LiveServer]:
    with live_server(RATE_LIMITS="on", BOT_PAUSE_S="0.1-0.1") as running:
        yield running


@pytest.fixture
def stranger(browser: Browser) -> Iterator[Page]:
    """A page of another site than the service's."""
    site = ThreadingHTTPServer(("127.0.0.1", 0), Stranger)
    thread = threading.Thread(target=site.serve_forever)
    thread.start()
    page = browser.new_page()
    page.goto(f"http://127.0.0.1:{site.server_port}/")
    yield page
    page.close()
    site.shutdown()
    thread.join()
    site.server_close()


def play_in(page: Page, server: LiveServer, rules: str = "classic") -> Any:
    play = "async ([url, rules]) => (await import('/bot.mjs')).playOneRound(url, { rules })"
    return page.evaluate(play, [server.url, rules])


def run(*command: str, **env: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(command, capture_output=True, text=True, timeout=WAIT_S, env={**os.environ, **env})
    assert done.returncode == 0, done.stderr
    return done


def is_whole(result: dict[str, Any]) -> None:
    assert result["reason"] == "round"
    assert result["winner"] in (0, 1, None)
    assert sum(result["scores"]) > 0


def test_the_python_bot_plays_a_whole_match_and_is_a_bot(server: LiveServer) -> None:
    done = run(sys.executable, str(FOLDER / "bot.py"), server.url)
    is_whole(json.loads(done.stdout))
    bot = Person.__new__(Person)
    bot.server, bot.token = server, done.stderr.strip()
    assert bot.ask("GET", "/players/me")["bot"] is True


@pytest.mark.parametrize("rules", ["classic", "traditional"])
def test_the_python_bot_comes_back_as_the_same_player(server: LiveServer, rules: str) -> None:
    person = Person(server, "Tea bot")
    done = run(sys.executable, str(FOLDER / "bot.py"), server.url, rules, BASRA_TOKEN=person.token)
    is_whole(json.loads(done.stdout))
    played = [(match["status"], match["rules"]["profile"]) for match in person.ask("GET", "/matches")["items"]]
    assert played == [("finished", rules)]


def test_the_javascript_bot_plays_a_whole_match_in_a_browser_from_a_page_of_another_site(
    server: LiveServer, stranger: Page
) -> None:
    sockets: list[str] = []
    stranger.on("websocket", lambda socket: sockets.append(socket.url))
    is_whole(play_in(stranger, server))
    assert len(sockets) == 1 and sockets[0].endswith("/channel")


def test_the_javascript_bot_plays_a_whole_match_where_there_is_no_websocket(server: LiveServer, stranger: Page) -> None:
    answers: list[int] = []
    stranger.on("response", lambda response: answers.append(response.status))
    stranger.evaluate(f"delete globalThis.WebSocket; {IN_A_HURRY}")
    is_whole(play_in(stranger, server, "traditional"))
    assert 304 in answers
    assert not [status for status in answers if status >= 400]


def test_the_javascript_bot_plays_a_whole_match_in_node_where_that_is(server: LiveServer) -> None:
    node = shutil.which("node")
    if node is None:  # the browser has run the same file
        assert "node bot.mjs" in (FOLDER / "bot.mjs").read_text()
        return
    is_whole(json.loads(run(node, str(FOLDER / "bot.mjs"), server.url).stdout))
