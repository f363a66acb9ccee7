"""The service worker in a real browser, where the server itself changes: it goes when it is told to."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.live import LiveServer, live_server

LEFT = """async () => {
    const workers = await navigator.serviceWorker.getRegistrations();
    return [workers.length, (await caches.keys()).length];
}"""
# Not a fixed time: as long as the browser needs to look for a newer worker and to let it act.
UNTIL_NOTHING_IS_LEFT = f"""async () => {{
    const left = {LEFT};
    for (let n = 0; n < 400; n += 1) {{
        if ((await left()).every((count) => count === 0)) return true;
        await new Promise((done) => setTimeout(done, 25));
    }}
    return false;
}}"""


@pytest.fixture
def server() -> Iterator[LiveServer]:
    with live_server() as running:
        yield running


def test_a_worker_that_is_switched_off_takes_everything_with_it(browser: Browser, server: LiveServer) -> None:
    context = browser.new_context(locale="en-GB")
    page = context.new_page()
    page.goto(server.url)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()
    assert page.evaluate(LEFT) == [1, 1]
    # A worker that still waits for a file of the server that goes would keep its successor waiting.
    page.wait_for_load_state("networkidle")
    server.stop()
    server.change(SERVICE_WORKER="off")
    server.start()
    page.goto(server.url)
    assert page.evaluate(UNTIL_NOTHING_IS_LEFT)
    page.goto(server.url)
    assert page.locator("main[data-screen=home]").get_attribute("data-screen") == "home"
    context.close()
