"""The table on real pages of several sizes, in both languages: all that one plays with is there and can be hit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.test_js import ORIGIN, answer

STATIC = Path(__file__).resolve().parents[1] / "static"
STYLES = ("base", "screens", "cards", "table", "moments", "sheet", "wide", "four", "window", "needs", "talk")
SIZES = {
    "small": (320, 480),
    "phone": (390, 780),
    "on its side": (667, 375),
    "zoomed": (640, 400),
    "desktop": (1280, 800),
}
TARGET_PX = 44
CARD_PX = 56
SHORT_MS = 100
LOOK = """() => {
    const box = (node) => {
        const { x, y, width, height } = node.getBoundingClientRect();
        return { x, y, width, height };
    };
    const all = (selector) => [...document.querySelectorAll(selector)].filter((node) => node.getClientRects().length);
    const slots = all('[data-testid=floor-card]').map((node) => [Number(node.dataset.slot), box(node)]);
    return {
        wide: document.documentElement.scrollWidth, high: document.documentElement.scrollHeight,
        hand: all('[data-testid=hand-card]').map(box), floor: box(document.querySelector('[data-testid=floor]')),
        slots: slots.sort(([one], [other]) => one - other), buttons: all('button').map(box),
        cut: all('.play, .hint, .whose, .clock, .score b, .pile b')
            .filter((node) => node.scrollWidth > node.clientWidth + 1).map((node) => node.className),
    };
}"""


# What names a player; where a name is cut off with dots on purpose, its box still stays within the page.
NAMED = (
    ".hint, .play, .last-catch p, .last-catch .said, .sheet, .chip, .progress-row, .opponent, .plays li, .plays .name"
)
STICKS_OUT = """(named) => {
    const page = document.documentElement; // the arrow of a seat juts out of it
    const out = [...document.querySelectorAll(named)].filter((node) => node.getClientRects().length).filter((node) => {
        const { left, right } = node.getBoundingClientRect();
        const inner = !node.matches('.opponent') && node.scrollWidth > node.clientWidth + 1;
        return inner || left < -1 || right > innerWidth + 1;
    });
    return [...out.map((node) => node.className), ...(page.scrollWidth > innerWidth ? ['page'] : [])];
}"""


def page_of_the_table() -> str:
    links = "".join(f'<link rel="stylesheet" href="/static/css/{style}.css">' for style in STYLES)
    sprite = (STATIC / "sprite.html").read_text()
    view = '<meta name="viewport" content="width=device-width, initial-scale=1">'
    head = f'<meta charset="utf-8">{view}<link rel="icon" href="/static/img/icon.svg">{links}'
    body = f'{sprite}<main id="app" data-screen="table"></main>'
    return f"<!doctype html><html><head>{head}</head><body>{body}</body></html>"


@pytest.fixture
def lay(browser: Browser) -> Iterator[Callable[..., Page]]:
    pages: list[Page] = []

    def open_page(lang: str, seats: int, size: tuple[int, int], name: str | None = None, **context: Any) -> Page:
        page = browser.new_page(viewport={"width": size[0], "height": size[1]}, **context)
        pages.append(page)
        page.route("**/*", answer)
        page.route(f"{ORIGIN}/", lambda route: route.fulfill(content_type="text/html", body=page_of_the_table()))
        page.goto(f"{ORIGIN}/")
        page.evaluate(
            "async (given) => { window.laid = await (await import('/tests/laid.js')).lay(...given); }",
            [lang, seats, name],
        )
        return page

    yield open_page
    for page in pages:
        page.close()


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_acceptance_01_all_is_in_its_place(lay: Callable[..., Page], size: tuple[int, int], seats: int) -> None:
    seen = {lang: lay(lang, seats, size, reduced_motion="reduce").evaluate(LOOK) for lang in ("en", "ar")}
    for look in seen.values():
        assert (look["wide"] <= size[0], look["high"] <= size[1]) == (True, True)
        assert len(look["hand"]) == 4
        assert all(card["width"] >= CARD_PX and card["x"] >= 0 for card in look["hand"])
        edges = sorted((card["y"], card["x"], card["x"] + card["width"]) for card in look["hand"])
        rows = [(one, other) for one, other in pairwise(edges) if abs(one[0] - other[0]) < CARD_PX / 2]
        assert all(one[2] <= other[1] for one, other in rows), "cards of the hand overlap"
        floor = look["floor"]
        for _, card in look["slots"]:
            assert floor["x"] <= card["x"] and card["x"] + card["width"] <= floor["x"] + floor["width"]
            assert floor["y"] <= card["y"] + 4 and card["y"] + card["height"] <= floor["y"] + floor["height"]
        assert look["cut"] == []
    places = {
        lang: [(slot, card["x"] - look["floor"]["x"]) for slot, card in look["slots"]] for lang, look in seen.items()
    }
    assert [slot for slot, _ in places["en"]] == list(range(15))
    assert places["en"] == places["ar"]


def test_every_button_is_large_enough_for_a_thumb(lay: Callable[..., Page]) -> None:
    for size in (SIZES["small"], SIZES["phone"], SIZES["on its side"]):
        buttons = lay("en", 2, size).evaluate(LOOK)["buttons"]
        small = [one for one in buttons if one["height"] < TARGET_PX - 0.5 or one["width"] < TARGET_PX - 0.5]
        assert small == []


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("size", ["small", "on its side", "desktop"])
def test_a_name_of_wide_letters_leaves_everything_in_its_place(lay: Callable[..., Page], size: str, seats: int) -> None:
    for lang, name in (("en", 24 * "W"), ("ar", 24 * "W"), ("en", 24 * "\u0635")):
        page = lay(lang, seats, SIZES[size], name, reduced_motion="reduce")
        assert page.evaluate("async () => (await import('/tests/laid.js')).endRound(window.laid)")
        assert page.evaluate(STICKS_OUT, NAMED) == []


def test_acceptance_10_with_less_motion_nothing_moves_for_long(lay: Callable[..., Page]) -> None:
    happen = "async () => (await import('/tests/laid.js')).happen(window.laid)"
    still = lay("en", 2, SIZES["phone"], reduced_motion="reduce").evaluate(happen)
    moving = lay("en", 2, SIZES["phone"], reduced_motion="no-preference").evaluate(happen)
    assert all(length <= SHORT_MS for length in still)
    assert max(moving) > SHORT_MS
