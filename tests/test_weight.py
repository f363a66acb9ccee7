"""What a visit costs: bytes and requests of the first page, as a real server sends them to a real browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from e2e.party import make_room
from e2e.person import Person
from tests.live import LiveServer

FIRST_KB = 115
REQUESTS = 30
REPEAT_KB = 5
# The picture of the tab is fetched by a browser that somebody looks at, and by this one only sometimes.
ICON = "icon.svg"


class Visit:
    """Counts what comes over the wire, headers included."""

    def __init__(self, page: Page) -> None:
        self.requests: dict[str, str] = {}
        self.bytes = 0
        self._page = page
        wire = page.context.new_cdp_session(page)
        wire.send("Network.enable")
        wire.on("Network.requestWillBeSent", lambda event: self._sent(event))
        wire.on("Network.loadingFinished", lambda event: self._received(event))

    def _sent(self, event: dict) -> None:
        if ICON not in event["request"]["url"]:
            self.requests[event["requestId"]] = event["request"]["url"]

    def _received(self, event: dict) -> None:
        if event["requestId"] in self.requests:
            self.bytes += int(event["encodedDataLength"])

    def to(self, url: str) -> Visit:
        self._page.goto(url)
        self._page.locator("main[data-screen=home]").wait_for()
        self._page.wait_for_load_state("networkidle")
        return self


def visitor(browser: Browser, lang: str) -> BrowserContext:
    return browser.new_context(locale="ar-EG" if lang == "ar" else "en-GB")


@pytest.mark.parametrize("lang", ["ar", "en"])
def test_acceptance_08_the_first_page_is_light(browser: Browser, server: LiveServer, lang: str) -> None:
    context = visitor(browser, lang)
    first = Visit(context.new_page()).to(server.url)
    assert first.bytes <= FIRST_KB * 1024, f"{first.bytes} bytes"
    assert len(first.requests) <= REQUESTS, sorted(first.requests.values())
    assert [url for url in first.requests.values() if "/fonts/" in url], "the fonts are counted"
    again = Visit(page := context.new_page()).to(server.url)
    assert again.bytes < REPEAT_KB * 1024, f"{again.bytes} bytes"
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    by_worker = Visit(page).to(server.url)
    assert page.evaluate("Boolean(navigator.serviceWorker.controller)")
    assert by_worker.bytes < REPEAT_KB * 1024, f"{by_worker.bytes} bytes"
    context.close()


@pytest.mark.parametrize("lang", ["ar", "en"])
def test_one_language_does_not_pay_for_the_other(browser: Browser, server: LiveServer, lang: str) -> None:
    context = visitor(browser, lang)
    visit = Visit(context.new_page()).to(server.url)
    other = "en" if lang == "ar" else "ar"
    assert not [url for url in visit.requests.values() if url.endswith(f"/i18n/{other}.json")]
    context.close()


# Every address that the scripts ask for; what was asked for beforehand makes no second request.
ASKED = """
window.asked = [];
const ask = window.fetch;
window.fetch = (address, options) => {
  if (!options?.method || options.method === 'GET') window.asked.push(new URL(address, location).href);
  return ask(address, options);
};
"""
BEFOREHAND = "() => [...document.querySelectorAll('link[rel=preload][as=fetch]')].map((link) => link.href)"


@pytest.mark.parametrize("known", [False, True], ids=["a stranger", "a guest"])
def test_what_a_document_asks_for_beforehand_is_needed_and_asked_for_once(
    browser: Browser, server: LiveServer, known: bool
) -> None:
    host, stranger = (browser.new_context(locale="en-GB", base_url=server.url) for _ in range(2))
    mona = Person("Mona", host.new_page())
    link = make_room(mona)
    page = mona.page if known else stranger.new_page()
    page.add_init_script(ASKED)
    for path in ("/", link, "/history", "/profile", "/account", "/move"):
        sent: list[str] = []
        page.on("request", note := lambda request, sent=sent: sent.append(request.url))
        page.goto(path)
        page.locator("main:not([data-screen=loading])").wait_for()
        page.wait_for_load_state("networkidle")
        page.remove_listener("request", note)
        beforehand = page.evaluate(BEFOREHAND)
        asked = page.evaluate("window.asked")
        assert beforehand
        assert set(beforehand) <= set(asked), path
        assert {url: sent.count(url) for url in beforehand} == {url: asked.count(url) for url in beforehand}, path
    host.close()
    stranger.close()
