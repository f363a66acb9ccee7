"""Two languages at one table."""

from collections.abc import Callable

from playwright.sync_api import expect

from e2e.conftest import make_room
from e2e.person import Person
from e2e.play import in_turn, play_a_turn


def places(person: Person) -> list[tuple[str, str, int]]:
    """Give each floor card with its slot and where it lies from the left, in whole pixels."""
    cards = person.table.floor_cards.evaluate_all(
        "all => all.map(one => [one.dataset.card, one.dataset.slot, Math.round(one.getBoundingClientRect().x)])"
    )
    return [(card, slot, x) for card, slot, x in cards]


def test_arabic_and_english_see_the_same_table(person: Callable[..., Person]) -> None:
    mona, karim = person("منى", lang="ar"), person("Karim")
    karim.room.open(make_room(mona, seed="tea", target=30))
    karim.room.join("Karim", "منى")
    for each, lang, direction in ((mona, "ar", "rtl"), (karim, "en", "ltr")):
        each.table.wait_ready()
        html = each.page.locator("html")
        expect(html).to_have_attribute("lang", lang)
        expect(html).to_have_attribute("dir", direction)
    for _ in range(6):
        due = in_turn(mona, karim)[0]
        due.table.my_turn.wait_for()
        play_a_turn(due)
        other = karim if due is mona else mona
        expect(other.table.table).to_have_attribute("data-turn", str(due.table.turn()))
        assert places(mona) == places(karim)


def test_home_speaks_arabic_to_who_asks_for_nothing_else(person: Callable[..., Person]) -> None:
    salma = person("سلمى", lang="ar")
    salma.home.open()
    salma.home.play_with_a_friend("سلمى")
    assert salma.room.link_to_share()
