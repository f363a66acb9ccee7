"""What eyes need: a focus that is seen, text that may be spaced out, half the room, the system's own colours."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from e2e.accessibility.conftest import Seat
from e2e.party import NAMES, make_room
from e2e.person import Person
from e2e.play import in_turn

MOST_STOPS = 60
RING_PX = 2
# A stop of the Tab key: what it is, and whether a ring is around it or what is drawn for it, in sight and not covered.
STOP = """async (ring) => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const node = document.activeElement;
    if (node === document.body) return null;
    const drawn = node.matches('input') && getComputedStyle(node).opacity === '0' ? node.nextElementSibling : node;
    const rings = [node, drawn, node.closest('label')].filter(Boolean).map((one) => getComputedStyle(one));
    const ringed = rings.some(({ outlineStyle, outlineWidth, boxShadow }) => (
        (outlineStyle !== 'none' && parseFloat(outlineWidth) >= ring) || boxShadow.includes('inset')));
    const { x, y, width, height } = drawn.getBoundingClientRect();
    const points = [[.5, .5], [.1, .5], [.9, .5], [.5, .1], [.5, .9]];
    const seen = points.some(([left, top]) => {
        const found = document.elementFromPoint(x + width * left, y + height * top);
        return found && (drawn.contains(found) || found === node);
    });
    const inside = (y >= -1 && y + height <= innerHeight + 1) || height > innerHeight;
    const faults = [!ringed && 'no ring', !seen && 'covered', !inside && 'out of sight'].filter(Boolean);
    return { name: node.dataset.testid || node.outerHTML.slice(0, 80), faults };
}"""
SPACED = """(letters) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`* { line-height: 1.5 !important; word-spacing: .16em !important; ${letters} }
        p { margin-block-end: 2em !important; }`);
    document.adoptedStyleSheets = [sheet];
}"""
# Text that is cut off: where more is hidden than shown. What a link or a seat is called in full stands in its label.
CUT_OFF = """() => [...document.querySelectorAll('main *')]
    .filter((node) => node.getClientRects().length)
    .filter((node) => [...node.childNodes].some((one) => one.nodeType === 3 && one.data.trim()))
    .filter((node) => !node.closest('.hidden, .skip, .card, [aria-hidden=true], a[aria-label], [data-testid=opponent]'))
    .filter((node) => getComputedStyle(node).overflowX !== 'visible'
        && (node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 2))
    .map((node) => `${node.className || node.tagName}: ${node.textContent}`)"""
# What sticks out of a page that scrolls sideways, once the page has been drawn at its new size.
TOO_WIDE = """async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const { clientWidth, scrollWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    return [...document.querySelectorAll('body *')]
        .map((node) => [node, node.getBoundingClientRect()])
        .filter(([, { left, right }]) => left < -.5 || right > clientWidth + .5)
        .map(([node, { left, right }]) => `${node.tagName} ${node.className}: ${left} to ${right}`);
}"""
PAGES = ("/rules", "/how-to-play", "/fair-deal", "/leaderboard", "/nothing-here")

Check = Callable[[Person, str], None]


def walk(page: Page) -> dict[str, list[str]]:
    """Press Tab through the whole page; give the stops that are not as they should be."""
    wrong: dict[str, list[str]] = {}
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        stop = page.evaluate(STOP, RING_PX)
        if stop is None:
            break
        if stop["faults"]:
            wrong[stop["name"]] = stop["faults"]
    return wrong


def through_the_screens(person: Callable[..., Person], check: Check) -> None:
    """Go from home to the result with one person in either language, and look at each screen on the way."""
    mona, karim = person(NAMES["en"][0], "en"), person(NAMES["ar"][1], "ar")
    for each in (mona, karim):
        each.home.open()
        check(each, "home")
    link = make_room(mona, seats=4, seed="tea")
    check(mona, "a room of four")
    link = make_room(mona, seed="tea")
    karim.room.open(link)
    karim.page.get_by_test_id("invite").wait_for()
    check(karim, "invited")
    karim.room.join(karim.name, mona.name)
    for each in (mona, karim):
        each.table.wait_ready()
        check(each, "the table")
        each.table.lift(each.table.best_card())
        each.page.evaluate("() => document.activeElement.blur()")
        check(each, "a lifted card")
    mona.table.leave()
    for each in (mona, karim):
        each.result.root.wait_for()
        check(each, "the result")


def test_the_focus_is_seen_at_every_stop(person: Callable[..., Person]) -> None:
    wrong: dict[str, dict[str, list[str]]] = {}

    def check(one: Person, screen: str) -> None:
        for width, height in ((320, 568), (640, 400)):
            one.page.set_viewport_size({"width": width, "height": height})
            if faults := walk(one.page):
                wrong[f"{screen}, {one.lang}, {width} by {height}"] = faults

    through_the_screens(person, check)
    reader = person("Salma", "ar")
    for path in PAGES:
        reader.page.goto(path)
        check(reader, path)
    assert wrong == {}


def test_with_less_motion_nothing_is_on_its_way(seated: Seat) -> None:
    """A transition of a moment is one, too: it begins with the next picture, and until then all is where it was."""
    first, _ = in_turn(*seated())
    focus = """() => {
        const link = document.querySelector('.skip');
        const before = link.getBoundingClientRect().top;
        link.focus();
        return [before, link.getBoundingClientRect().top];
    }"""
    assert first.page.evaluate(focus) == [-100, 8]


def test_the_focus_stays_in_a_window_and_is_seen(seated: Seat) -> None:
    first, _ = in_turn(*seated())
    first.page.get_by_test_id("open-settings").click()
    window = first.page.get_by_test_id("settings")
    window.wait_for()
    for _ in range(20):
        first.page.keyboard.press("Tab")
        assert window.evaluate("(node) => node.contains(document.activeElement)")
        stop = first.page.evaluate(STOP, RING_PX)
        assert stop["faults"] == [], stop


def test_text_may_be_spaced_out_and_the_page_be_narrow(person: Callable[..., Person]) -> None:
    """WCAG 1.4.12 and 1.4.10: nothing is cut off, and nothing scrolls sideways."""
    wrong: dict[str, object] = {}

    def check(one: Person, screen: str) -> None:
        for width, height in ((320, 568), (640, 400), (390, 780)):
            one.page.set_viewport_size({"width": width, "height": height})
            if beside := one.page.evaluate(TOO_WIDE):
                wrong[f"{screen}, {one.lang}, {width} by {height}"] = beside
        # Arabic letters are joined, so nobody spaces them out.
        one.page.evaluate(SPACED, "letter-spacing: .12em !important;" if one.lang == "en" else "")
        if cut := one.page.evaluate(CUT_OFF):
            wrong[f"{screen}, {one.lang}, spaced out"] = cut
        one.page.evaluate("() => { document.adoptedStyleSheets = []; }")

    through_the_screens(person, check)
    assert wrong == {}


def test_in_the_systems_own_colours_what_is_chosen_is_seen(person: Callable[..., Person]) -> None:
    mona = person("Mona")
    mona.page.emulate_media(forced_colors="active")
    mona.home.open()
    colours = mona.page.locator(".segment-row").first.evaluate(
        "(row) => [...row.querySelectorAll('span')].map((one) => getComputedStyle(one).backgroundColor)"
    )
    assert len(set(colours)) == 2
    make_room(mona, seed="tea")
    mona.room.add_bot(1)
    mona.table.wait_ready()
    mona.table.my_turn.wait_for()
    mona.table.lift(mona.table.best_card())
    outline = "(node) => getComputedStyle(node).outlineStyle"
    assert mona.page.locator(".hand-card[aria-pressed=true] .card").evaluate(outline) == "solid"
    assert set(mona.table.caught.locator(".card").evaluate_all(f"all => all.map({outline})")) == {"solid"}
    assert mona.table.play_button.evaluate("(node) => getComputedStyle(node).borderTopStyle") == "solid"
    assert walk(mona.page) == {}


def test_who_wants_more_contrast_gets_it(person: Callable[..., Person]) -> None:
    mona = person("Mona")
    make_room(mona, seed="tea")
    mona.room.add_bot(1)
    mona.table.wait_ready()
    place = mona.page.locator(".place").first
    expect(place).to_have_css("border-top-color", "rgba(185, 201, 198, 0.28)")
    mona.page.emulate_media(contrast="more")
    expect(place).to_have_css("border-top-color", "rgb(230, 239, 236)")  # 9:1 on the felt
    expect(mona.page.locator(".felt-star")).not_to_be_visible()
