"""Basra as an installed program: without a network, called back by a notification, and when there is a newer one."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, Worker, expect

from e2e.person import Person
from e2e.play import in_turn, play_a_turn
from e2e.texts import text


def bring_worker(page: Page) -> Worker:
    """Wait until the service worker is there, and let it serve the page."""
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()
    assert page.evaluate("Boolean(navigator.serviceWorker.controller)")
    return page.context.service_workers[0]


@pytest.mark.parametrize("lang", ["ar", "en"])
def test_without_a_network_there_is_a_page_and_a_way_back(person: Callable[..., Person], lang: str) -> None:
    someone = person("Mona", lang=lang)
    someone.home.open()
    bring_worker(someone.page)
    someone.page.context.set_offline(True)
    someone.page.goto("/r/KTRMSA")
    shown = someone.page.locator('[data-testid="offline"]:visible')
    expect(shown).to_have_count(1)
    expect(shown.get_by_role("heading", name=text("offline.title", lang))).to_be_visible()
    expect(someone.page.locator("html")).to_have_attribute("lang", lang)
    shown.get_by_role("link", name=text("error.again", lang)).click()
    expect(shown).to_have_count(1)
    someone.page.context.set_offline(False)
    expect(someone.page.locator('main[data-screen="error"]')).to_be_visible()  # there is no such room


def test_a_match_goes_on_where_it_was_when_the_network_is_back(pair: Callable[..., tuple[Person, Person]]) -> None:
    first, second = in_turn(*pair(seed="tea", target=10))
    link = second.page.url
    bring_worker(second.page)
    second.page.context.set_offline(True)
    second.page.goto(link)
    expect(second.page.locator('[data-testid="offline"]:visible')).to_have_count(1)
    play_a_turn(first)
    second.page.context.set_offline(False)
    second.table.wait_ready()
    second.table.my_turn.wait_for()
    expect(second.table.table).to_have_attribute("data-turn", "1")


def test_the_worker_keeps_files_and_nothing_else(pair: Callable[..., tuple[Person, Person]]) -> None:
    first, _ = in_turn(*pair(seed="tea", target=10))
    bring_worker(first.page)
    first.table.wait_ready()
    first.table.my_turn.wait_for()
    play_a_turn(first)
    expect(first.table.table).to_have_attribute("data-turn", "1")
    kept = first.page.evaluate(
        """async () => {
            const names = await caches.keys();
            const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
            return { names, paths: requests.flat().map(({ url }) => new URL(url).pathname) };
        }"""
    )
    assert len(kept["names"]) == 1
    files = f"/static/{kept['names'][0].removeprefix('basra-')}/"
    assert "/offline" in kept["paths"]
    assert [path for path in kept["paths"] if path != "/offline" and not path.startswith(files)] == []


def test_a_notification_leads_to_the_room_that_waits(person: Callable[..., Person]) -> None:
    someone = person("Mona")
    someone.home.open()
    worker = bring_worker(someone.page)
    someone.page.context.grant_permissions(["notifications"])
    # Where a click came from a notification itself a window may be opened; here its effect is looked at.
    went = worker.evaluate(
        """async () => {
            const went = [];
            self.clients.openWindow = async (path) => { went.push(path); };
            const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
            const here = new URL(windows[0].url).pathname;
            windows[0].constructor.prototype.focus = async () => { went.push('focus'); };
            for (const path of [here, '/r/KTRMSA']) {
                const closed = [];
                const notification = { close: () => closed.push(true), data: { path } };
                const work = [];
                const event = new Event('notificationclick');
                Object.assign(event, { notification });
                event.waitUntil = (promise) => work.push(promise);
                self.dispatchEvent(event);
                await Promise.all(work);
                went.push(closed.length);
            }
            return went;
        }"""
    )
    assert went == ["focus", 1, "/r/KTRMSA", 1]


def test_a_page_that_may_not_notify_lets_the_worker_do_it(pair: Callable[..., tuple[Person, Person]]) -> None:
    first, second = in_turn(*pair(seed="tea", target=10))
    waits = second.page
    waits.context.grant_permissions(["notifications"])
    bring_worker(waits)
    waits.evaluate("localStorage.setItem('basra.settings', JSON.stringify({ notify: true }))")
    # A phone: the page's own notifications throw. And nobody looks at it. What the worker is to show is written down,
    # for a browser without a screen shows nothing.
    waits.add_init_script(
        """
        window.Notification = class { constructor() { throw new TypeError('Illegal constructor.'); } };
        window.Notification.permission = 'granted';
        Object.defineProperty(document, 'hidden', { configurable: true, get: () => window.away === true });
        window.shown = [];
        ServiceWorkerRegistration.prototype.showNotification = async (title, { tag, data }) => {
            window.shown.push({ title, tag, path: data.path });
        };
        """
    )
    waits.reload()
    second.table.wait_ready()
    waits.evaluate("() => { window.away = true; }")
    play_a_turn(first)
    expect(waits).to_have_title(text("away.title", title=waits_title(second)))
    waits.wait_for_function("() => window.shown.length > 0")
    code = waits.url.rsplit("/", 1)[1]
    note = {"title": text("away.note_title"), "tag": f"basra-{code}", "path": f"/r/{code}"}
    assert waits.evaluate("window.shown") == [note]


def waits_title(person: Person) -> str:
    return text("page.room_title", person.lang, code=person.page.url.rsplit("/", 1)[1])


def test_a_newer_page_is_offered_outside_matches(person: Callable[..., Person]) -> None:
    someone = person("Mona")

    def answer(route: Route) -> None:
        response = route.fetch()
        route.fulfill(response=response, headers={**response.headers, "basra-revision": "0123456789ab"})

    someone.page.route("**/api/v1/rooms?*", answer)
    someone.home.open()
    offer = someone.page.get_by_test_id("new-version")
    expect(offer).to_contain_text(text("version.new"))
    with someone.page.expect_navigation():
        offer.get_by_role("button", name=text("version.reload")).click()
    expect(offer).to_be_visible()
    someone.page.evaluate("document.querySelector('main').dataset.screen = 'table'")
    expect(offer).to_be_hidden()
