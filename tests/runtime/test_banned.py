"""A command line beside a running server: what it decides is felt there within a second, on every open channel."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
import websocket
from playwright.sync_api import Browser

from app.auth import COOKIE_NAME
from tests.live import LiveServer, live_server, wait_until
from tests.runtime.people import Channel, Person, begin, new_room

WHY = ("--reason", "Was asked to stop.", "--json")
NOT_ALLOWED = 1008


@pytest.fixture(scope="module")
def server() -> Iterator[LiveServer]:
    """A server of the file's own: it bans the address that everybody here comes from."""
    with live_server() as running:
        yield running


def closed(channel: Channel) -> tuple[int, str]:
    """The code and the reason that a channel is closed with; messages before them are passed over."""
    channel.connection.settimeout(10)
    opcode, data = 0, b""
    while opcode != websocket.ABNF.OPCODE_CLOSE:
        opcode, data = channel.connection.recv_data()
    return int.from_bytes(data[:2], "big"), data[2:].decode()


def opened(channel: Channel) -> Channel:
    """The channel, once it has said something: then everyone knows of it."""
    channel.next()
    return channel


def test_a_ban_ends_open_channels_and_the_match_at_once(server: LiveServer, mona: Person, karim: Person) -> None:
    code, _ = begin(mona, karim)
    ends = [opened(mona.channel(code)), opened(mona.own_channel())]
    kept = opened(karim.channel(code))
    until = json.loads(server.command("admin", "ban", mona.id, "--for", "2h", *WHY))["banned_until"]
    assert [closed(channel) for channel in ends] == [(NOT_ALLOWED, f"banned until {until}")] * 2
    moved = kept.until(lambda message: message["type"] == "events")[-1]
    assert moved["view"]["result"]["reason"] == "forfeit"
    status, problem = mona.call("GET", "/players/me")
    assert (status, problem["code"], problem["until"]) == (403, "auth.banned", until)
    with pytest.raises(websocket.WebSocketBadStatusException) as refused:
        mona.channel(code)
    assert refused.value.status_code == 403
    hello = mona.own_channel(known=False)
    hello.connection.send(json.dumps({"type": "hello", "token": mona.token}))
    assert closed(hello) == (NOT_ALLOWED, f"banned until {until}")


def test_a_closed_room_and_ended_tokens_are_told(server: LiveServer, mona: Person, karim: Person) -> None:
    code, _ = begin(mona, karim)
    channel, own = opened(mona.channel(code)), opened(karim.own_channel())
    server.command("admin", "close-room", code, *WHY)
    told = channel.until(lambda message: message["type"] == "room" and message["room"]["status"] == "closed")
    assert [message["view"]["result"]["reason"] for message in told if message["type"] == "events"] == ["abandoned"]
    server.command("admin", "end-tokens", karim.id, *WHY)
    assert closed(own) == (NOT_ALLOWED, "signed out")


def test_a_banned_address_ends_the_channels_of_its_guests_only(server: LiveServer, mona: Person, karim: Person) -> None:
    mona.register("mona", "three cups of tea")
    code = new_room(mona, visibility="public")
    kept, ends = opened(mona.channel(code)), opened(karim.own_channel())
    until = json.loads(server.command("admin", "ban-address", "127.0.0.0/8", "--for", "2h", *WHY))["until"]
    assert closed(ends) == (NOT_ALLOWED, f"banned until {until}")
    assert karim.call("GET", "/players/me")[0] == 403
    mona.ask("DELETE", f"/rooms/{code}")
    kept.until(lambda message: message["type"] == "room" and message["room"]["status"] == "closed")
    server.command("admin", "unban-address", "127.0.0.0/8", *WHY)
    wait_until(lambda: karim.call("GET", "/players/me")[0] == 200, "the server to hear that the ban is lifted")


@pytest.mark.parametrize(
    ("lang", "words"), [("en", "You can't play here for now"), ("ar", "اللعب هنا مقفول عليك دلوقتي")]
)
def test_the_page_says_that_one_is_banned_and_until_when(
    server: LiveServer, browser: Browser, lang: str, words: str
) -> None:
    page = browser.new_page(locale=lang, base_url=server.url)
    page.set_default_timeout(20_000)
    page.goto(f"/?lang={lang}")
    made = page.request.post("/api/v1/players", data={"session": True}, headers={"Origin": server.url}).json()
    page.goto(f"/?lang={lang}")
    page.locator("main[data-screen=home]").wait_for()
    server.command("admin", "ban", made["player"]["id"], "--until", "2031-05-01T12:00:00Z", *WHY)
    page.locator("main[data-screen=error][data-error=banned]").wait_for()
    assert page.get_by_role("heading", name=words).is_visible()
    assert ("2031" if lang == "en" else "٢٠٣١") in page.locator("main").inner_text()
    page.goto("/r/ABCDEF")
    page.get_by_role("heading", name=words).wait_for()
    assert COOKIE_NAME in [cookie["name"] for cookie in page.context.cookies()]
    page.close()
