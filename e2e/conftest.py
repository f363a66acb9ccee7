"""Fixtures of the journeys: a server (or the URL that was given), and people at browsers of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, ConsoleMessage

from e2e.browser import launch_options
from e2e.person import Person

PHONE = {"width": 390, "height": 780}
WAIT_MS = 15_000


@pytest.fixture(scope="session")
def base_url(pytestconfig: pytest.Config) -> Iterator[str]:
    given = pytestconfig.getoption("base_url", default=None)
    if given:
        yield given
        return
    from tests.live import live_server  # only here: against a URL of yours e2e/ stands alone

    with live_server(BOT_PAUSE_S="0") as server:
        yield server.url


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_type_launch_args, **launch_options()}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    # What `--device` says wins. Without motion there is nothing to wait for but the match itself.
    return {"locale": "en-GB", "viewport": PHONE, "reduced_motion": "reduce", **browser_context_args}


@pytest.fixture
def person(new_context: Callable[..., BrowserContext]) -> Iterator[Callable[..., Person]]:
    """Seat a person at a browser context of his own; at the end nobody's page may have complained."""
    people: list[Person] = []

    def arrive(name: str) -> Person:
        context = new_context()
        context.set_default_timeout(WAIT_MS)
        newcomer = Person(name, context.new_page())
        newcomer.page.on("pageerror", lambda error: newcomer.complaints.append(str(error)))
        newcomer.page.on("console", lambda message: _note(newcomer, message))
        people.append(newcomer)
        return newcomer

    yield arrive
    assert {each.name: each.complaints for each in people if each.complaints} == {}


def _note(person: Person, message: ConsoleMessage) -> None:
    # A refused request or a lost line is reported by the browser itself; what the page's policy blocks is a fault.
    if message.type == "error" and "Content Security Policy" in message.text:
        person.complaints.append(message.text)


@pytest.fixture
def pair(person: Callable[..., Person]) -> Callable[..., tuple[Person, Person]]:
    """Bring two people to one table: the first makes the room, the second comes by its link."""

    def sit_down(**room: Any) -> tuple[Person, Person]:
        mona, karim = person("Mona"), person("Karim")
        if room:
            mona.home.open()
            mona.post("/players", {"name": "Mona", "session": True})
            link = f"/r/{mona.post('/rooms', room)['code']}"
            mona.room.open(link)
        else:
            mona.home.open()
            mona.home.play_with_a_friend("Mona")
            link = mona.room.link_to_share()
        karim.room.open(link)
        karim.room.join("Karim", "Mona")
        mona.table.wait_ready()
        karim.table.wait_ready()
        return mona, karim

    return sit_down
