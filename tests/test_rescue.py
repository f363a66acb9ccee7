"""Files of the page that come wrong, or not at all: nothing wrong is kept, and the page helps itself, once."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from app.api.assets import revision
from e2e.texts import text
from tests.cafe import LOGIN, Cafe, cafe_before
from tests.live import LiveServer

KEPT = """async () => {
    const texts = [];
    for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys()) texts.push(await (await cache.match(request)).text());
    }
    return texts;
}"""
ANIMATIONS_END = "() => document.getAnimations().forEach((one) => one.finish())"
WORKER_IS_THERE = "navigator.serviceWorker.ready.then(() => true)"
REGISTERED = """async () => {
    const policy = window.trustedTypes.createPolicy('basra', { createScriptURL: () => '/sw.js' });
    const { installing } = await navigator.serviceWorker.register(policy.createScriptURL(''));
    const isDecided = () => ['activated', 'redundant'].includes(installing.state);
    while (!isDecided()) await new Promise((done) => { installing.onstatechange = done; });
    return installing.state;
}"""
LATE_MS = 6000


@pytest.fixture
def cafe(server: LiveServer) -> Iterator[Cafe]:
    with cafe_before(server.port) as between:
        yield between


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    made = browser.new_context(locale="en-GB")
    yield made
    made.close()


def home_of(page: Page, cafe: Cafe) -> None:
    page.goto(cafe.url)
    page.locator("main[data-screen=home]").wait_for()


def with_worker(page: Page, cafe: Cafe) -> None:
    home_of(page, cafe)
    page.evaluate(WORKER_IS_THERE)
    page.reload()
    assert page.evaluate("Boolean(navigator.serviceWorker.controller)")


def script(name: str) -> str:
    return f"/static/{revision()}/js/{name}.js"


def quick_match(page: Page) -> None:
    page.get_by_role("button", name=text("home.quick")).click()


def stop_looking(page: Page) -> None:
    """See that a quick match is looked for, and end it, or the next test would meet its player."""
    expect(page.locator("main[data-screen=seek]")).to_be_visible()
    with page.expect_response(lambda answer: answer.request.method == "DELETE"):
        page.get_by_role("button", name=text("seek.cancel")).click()


def test_the_worker_keeps_nothing_that_is_not_the_servers(context: BrowserContext, cafe: Cafe) -> None:
    page = context.new_page()
    with_worker(page, cafe)
    cafe.takes = lambda path: path == script("code")
    page.get_by_label(text("field.code")).fill("Code: KTRMSA")
    enter = page.get_by_role("button", name=text("home.enter"))
    enter.click()
    expect(page.get_by_role("alert").filter(has_text=text("refusal.no_answer"))).to_be_visible()
    assert not [kept for kept in page.evaluate(KEPT) if LOGIN.decode() in kept]
    cafe.takes = lambda path: False
    enter.click()
    expect(page).to_have_url(f"{cafe.url}/r/KTRMSA")


def test_the_worker_asks_the_line_where_the_browsers_own_cache_is_wrong(context: BrowserContext, cafe: Cafe) -> None:
    page = context.new_page()
    with_worker(page, cafe)
    wrong = script("screens/seek")
    cafe.takes = lambda path: path == wrong and cafe.asked[path] == 1
    quick_match(page)
    stop_looking(page)
    assert cafe.asked[wrong] == 2


def test_the_page_without_a_network_is_never_somebody_elses(context: BrowserContext, cafe: Cafe) -> None:
    page = context.new_page()
    cafe.takes = lambda path: path == "/offline"
    home_of(page, cafe)
    assert page.evaluate(REGISTERED) == "redundant"
    assert not [kept for kept in page.evaluate(KEPT) if LOGIN.decode() in kept]
    cafe.takes = lambda path: False
    with_worker(page, cafe)


@pytest.mark.parametrize("wrong", ["js/boot.js", "js/dom.js", "css/base.css", "i18n/en.json"])
def test_a_first_visit_that_went_wrong_helps_itself(context: BrowserContext, cafe: Cafe, wrong: str) -> None:
    page = context.new_page()
    address = f"/static/{revision()}/{wrong}"
    cafe.takes = lambda path: path == address and cafe.asked[path] == 1
    page.goto(f"{cafe.url}/?x=1")
    page.locator("main[data-screen=home]").wait_for()
    expect(page).to_have_url(f"{cafe.url}/?x=1")
    assert (cafe.asked["/"], cafe.asked[address]) == (2, 1)
    # What the browser kept is forgotten, too: a visit by the usual address is whole at once.
    another = context.new_page()
    home_of(another, cafe)
    assert another.evaluate("document.documentElement.dataset.anew") == "false"
    assert cafe.asked["/"] == 3


def test_help_is_tried_once_and_then_left_to_the_visitor(context: BrowserContext, cafe: Cafe) -> None:
    page = context.new_page()
    cafe.takes = lambda path: path.endswith("/js/boot.js")
    page.goto(cafe.url)
    page.wait_for_function("() => document.documentElement.dataset.anew === 'true'")
    page.wait_for_load_state("load")
    page.evaluate(ANIMATIONS_END)
    again = page.get_by_test_id("late").get_by_role("link", name=text("error.again"))
    expect(again).to_be_visible()
    assert cafe.asked["/"] == 2
    cafe.takes = lambda path: False
    again.click()
    page.locator("main[data-screen=home]").wait_for()
    assert cafe.asked["/"] == 3


@pytest.mark.parametrize("lost", ["js/dom.js", "css/home.css"])
def test_what_does_not_come_at_all_is_no_reason_to_begin_anew(context: BrowserContext, cafe: Cafe, lost: str) -> None:
    page = context.new_page()
    errors: list[object] = []
    page.on("pageerror", lambda error: errors.append(error))
    page.route(f"**/{lost}", lambda route: route.abort())
    page.goto(cafe.url)
    page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    assert (cafe.asked["/"], urlsplit(page.url).query, errors) == (1, "", [])


@pytest.mark.parametrize("name", ["boot", "dom", "screens/home", "rescue"])
def test_a_first_module_that_hangs_gets_the_late_page(context: BrowserContext, cafe: Cafe, name: str) -> None:
    page = context.new_page()
    cafe.holds = lambda path: path == script(name)
    page.goto(cafe.url, wait_until="commit")
    page.get_by_test_id("late").wait_for(state="attached")
    page.evaluate(ANIMATIONS_END)
    expect(page.get_by_test_id("late").get_by_role("link", name=text("error.again"))).to_be_visible()
    cafe.let_go.set()
    page.locator("main[data-screen=home]").wait_for()


def test_a_later_module_that_hangs_gets_the_late_page_until_it_comes(context: BrowserContext, cafe: Cafe) -> None:
    page = context.new_page()
    page.clock.install()
    home_of(page, cafe)
    cafe.holds = lambda path: path == script("screens/seek")
    with page.expect_response("**/api/v1/seeks"):
        quick_match(page)
    page.clock.run_for(LATE_MS + 1000)
    late = page.get_by_test_id("late")
    expect(late).to_contain_text(text("page.late.text"))
    expect(late).to_be_visible()
    cafe.let_go.set()
    stop_looking(page)
    expect(late).to_have_count(0)
