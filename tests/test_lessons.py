"""The page that teaches the game, in a real browser: playable by keyboard, readable without a script."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from app.api.how_to_play import lessons
from tests.live import LiveServer


@pytest.mark.parametrize("locale", ["en-GB", "ar-EG"])
def test_every_card_of_every_floor_does_what_it_should(browser: Browser, server: LiveServer, locale: str) -> None:
    page = browser.new_page(locale=locale, reduced_motion="reduce", viewport={"width": 320, "height": 568})
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.goto(f"{server.url}/how-to-play")
    for lesson in lessons():
        floor = page.locator(f"[data-lesson={lesson['lesson']}]")
        for one in lesson["hand"]:
            card = floor.locator(f"[data-testid=lesson-card][data-card='{one['card']}']")
            card.press("Enter")
            expect(card).to_have_attribute("aria-pressed", "true")
            expect(floor.locator("[data-taken=true]")).to_have_count(len(one["takes"]))
            card.press("Enter")
            expect(floor).to_have_attribute("data-state", "played")
            again = floor.locator(".lesson-again")
            expect(again).to_be_focused()
            again.press("Enter")
            expect(floor).to_have_attribute("data-state", "ready")
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    assert complaints == []
    page.close()


@pytest.mark.parametrize("path", ["/how-to-play", "/rules", "/"])
def test_it_reads_without_a_script(browser: Browser, server: LiveServer, path: str) -> None:
    context = browser.new_context(java_script_enabled=False, locale="en-GB")
    page = context.new_page()
    page.goto(server.url + path)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    if path != "/how-to-play":
        page.get_by_role("link", name="How to play").first.click()
    expect(page.get_by_role("heading", name="How to play Basra")).to_be_visible()
    expect(page.get_by_text("A jack takes the whole floor")).to_be_visible()
    page.get_by_role("link", name="العربية").click()
    expect(page.get_by_role("heading", name="البصرة بتتلعب إزاي")).to_be_visible()
    context.close()
