"""Nothing moves by itself while one reads: the layout shifts of whole loads and of a match, as browsers count them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from e2e.party import make_room
from e2e.person import Person
from e2e.play import play_a_turn, play_out

CLS = 0.02
SIZES = {"phone": {"width": 390, "height": 780}, "desktop": {"width": 1280, "height": 800}}
# What somebody does himself may move things; browsers leave that out, and so do we.
WATCH = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput, sources } of list.getEntries()) {
    const moved = sources.map(({ node }) => node?.className || node?.nodeName).join(', ');
    if (!hadRecentInput) window.shifts.push([value, moved]);
  }
}).observe({ type: 'layout-shift', buffered: true });
"""


def watched(who: Person, size: str = "phone") -> Person:
    """Make somebody see all motion there is, and note what shifts."""
    who.page.set_viewport_size(SIZES[size])
    who.page.emulate_media(reduced_motion="no-preference")
    who.page.add_init_script(WATCH)
    return who


def shifts(who: Person) -> list[tuple[float, str]]:
    """Give the shifts since the page was loaded, once nothing is left that could make one."""
    who.page.wait_for_load_state("networkidle")
    who.page.evaluate(
        "document.fonts.ready.then(() => new Promise((d) => requestAnimationFrame(() => requestAnimationFrame(d))))"
    )
    found: list[tuple[float, str]] = who.page.evaluate("window.shifts")
    return found


def assert_steady(who: Person) -> None:
    found = shifts(who)
    assert sum(value for value, _ in found) <= CLS, found


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lang", ["en", "ar"])
def test_home_and_a_match_stand_still(person: Callable[..., Person], lang: str, size: str) -> None:
    reader = watched(person("Mona", lang=lang), size)
    reader.home.open()
    assert_steady(reader)
    reader.home.practice()
    reader.table.wait_ready()
    play_out([reader], turns=3)
    assert_steady(reader)
    reader.page.reload()
    reader.table.wait_ready()
    reader.table.my_turn.wait_for()
    play_a_turn(reader)
    assert_steady(reader)


@pytest.mark.parametrize("lang", ["en", "ar"])
def test_a_room_stands_still_for_who_comes_by_its_link(person: Callable[..., Person], lang: str) -> None:
    host, reader = person("Karim"), watched(person("Mona", lang=lang))
    link = make_room(host)
    reader.room.open(link)
    reader.page.get_by_test_id("invite").wait_for()
    assert_steady(reader)
    reader.room.join(reader.name, host.name)
    reader.table.wait_ready()
    assert_steady(reader)


@pytest.mark.parametrize("lang", ["en", "ar"])
def test_the_lessons_stand_still_when_their_script_comes_late(person: Callable[..., Person], lang: str) -> None:
    reader = watched(person("Mona", lang=lang))
    held: list[Route] = []
    reader.page.route("**/lessons.js", lambda route: held.append(route))
    reader.page.goto("/how-to-play", wait_until="commit")
    reader.page.wait_for_function("() => performance.getEntriesByName('first-contentful-paint').length > 0")
    reader.page.wait_for_function("() => document.readyState === 'interactive'")
    held[0].continue_()
    expect(reader.page.get_by_test_id("lesson-card").first).to_be_enabled()
    assert_steady(reader)


def test_a_shift_would_be_seen(person: Callable[..., Person]) -> None:
    reader = watched(person("Mona"))
    reader.home.open()
    reader.page.evaluate("document.body.prepend(Object.assign(document.createElement('p'), { textContent: 'late' }))")
    reader.page.evaluate("document.querySelector('p').style.blockSize = '200px'")
    assert sum(value for value, _ in shifts(reader)) > CLS
