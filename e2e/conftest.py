"""Fixtures of the journeys: a server (or the URL that was given), and people at browsers of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, ConsoleMessage, expect

from e2e.browser import browser_type_launch_args
from e2e.party import NAMES, gather, make_room, make_room_by_hand
from e2e.person import Person

__all__ = ["browser_type_launch_args"]

PHONE = {"width": 390, "height": 780}
# As long for what is expected as for what is done: on a busy machine what takes moments may take seconds.
WAIT_MS = 15_000
expect.set_options(timeout=WAIT_MS)
# What the page's policy forbids is told as an event, too, and some of it in no other way.
POLICY = "Content Security Policy"
TELL_VIOLATIONS = f"""addEventListener('securitypolicyviolation', ({{ violatedDirective, blockedURI }}) => (
    console.error(`{POLICY}: ${{violatedDirective}} ${{blockedURI}}`)), true);"""


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "webkit: needs WebKitGTK on this machine")


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
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    # What `--device` says wins. Without motion there is nothing to wait for but the match itself.
    return {"locale": "en-GB", "viewport": PHONE, "reduced_motion": "reduce", **browser_context_args}


@pytest.fixture
def person(new_context: Callable[..., BrowserContext], base_url: str) -> Iterator[Callable[..., Person]]:
    """Seat a person at a browser context of his own; at the end nobody's page may have complained."""
    people: list[Person] = []

    def arrive(name: str, lang: str = "en") -> Person:
        context = new_context()
        context.add_cookies([{"name": "basra_lang", "value": lang, "url": base_url}])
        context.set_default_timeout(WAIT_MS)
        context.add_init_script(TELL_VIOLATIONS)
        newcomer = Person(name, context.new_page(), lang)
        newcomer.page.on("pageerror", lambda error: newcomer.complaints.append(str(error)))
        newcomer.page.on("console", lambda message: _note(newcomer, message))
        people.append(newcomer)
        return newcomer

    yield arrive
    assert {each.name: each.complaints for each in people if each.complaints} == {}


def _note(person: Person, message: ConsoleMessage) -> None:
    # A refused request or a lost line is reported by the browser itself; what the page's policy blocks is a fault.
    if message.type == "error" and POLICY in message.text:
        person.complaints.append(message.text)


@pytest.fixture
def party(person: Callable[..., Person]) -> Callable[..., list[Person]]:
    """Bring people to one table: the first makes the room, the others come by its link, seat by seat."""

    def sit_down(count: int = 2, *, bots: Sequence[int] = (), **room: Any) -> list[Person]:
        people = [person(name) for name in NAMES["en"][:count]]
        gather(people, make_room(people[0], **room) if room else make_room_by_hand(people[0]), bots=bots)
        return people

    return sit_down


@pytest.fixture
def pair(party: Callable[..., list[Person]]) -> Callable[..., tuple[Person, Person]]:
    """Bring two people to one table."""

    def sit_down(**room: Any) -> tuple[Person, Person]:
        first, second = party(2, **room)
        return first, second

    return sit_down
