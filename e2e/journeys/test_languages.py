"""The language that one comes in."""

from collections.abc import Callable

from e2e.person import Person


def test_home_speaks_arabic_to_who_asks_for_nothing_else(person: Callable[..., Person]) -> None:
    salma = person("سلمى", lang="ar")
    salma.home.open()
    salma.home.play_with_a_friend("سلمى")
    assert salma.room.link_to_share()
