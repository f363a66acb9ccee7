"""The walk through the screens: axe-core looks at each state, and at the end it has found nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from e2e.accessibility.axe import violations
from e2e.party import NAMES, gather, make_room
from e2e.person import Person

Look = Callable[[Person, str], None]
Seat = Callable[..., list[Person]]


@pytest.fixture(params=["en", "ar"])
def lang(request: pytest.FixtureRequest) -> str:
    """The language that everybody speaks."""
    return str(request.param)


@pytest.fixture
def look() -> Iterator[Look]:
    """Have axe-core look at a state; the test goes on, and at its end all that was found is told together."""
    found: dict[str, list[str]] = {}

    def at(one: Person, state: str) -> None:
        if faults := violations(one.page):
            found[state] = faults

    yield at
    assert found == {}


@pytest.fixture
def seated(person: Callable[..., Person], lang: str) -> Seat:
    """Bring people of the language to one table."""

    def sit_down(count: int = 2, **room: object) -> list[Person]:
        people = [person(name, lang) for name in NAMES[lang][:count]]
        gather(people, make_room(people[0], **room))
        return people

    return sit_down
