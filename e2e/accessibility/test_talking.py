"""axe-core finds nothing while people talk, nor in what may be done about another player, in either language."""

from __future__ import annotations

from playwright.sync_api import Page, Route, expect

from e2e.accessibility.conftest import Look, Seat
from e2e.person import Person

PHONE, DESKTOP = {"width": 390, "height": 780}, {"width": 1280, "height": 800}


def refuse(route: Route) -> None:
    route.fulfill(status=429, json={"status": 429, "code": "rate_limited"}, headers={"Retry-After": "60"})


def test_phrases_and_messages(seated: Seat, look: Look) -> None:
    mona, karim = seated(chat=True)
    karim.talk.write("Good evening")
    expect(mona.talk.button).to_have_attribute("data-unread", "1")
    look(mona, "an unread message")
    mona.talk.open()
    look(mona, "the sheet with a message")
    mona.page.set_viewport_size(DESKTOP)
    look(mona, "beside the table")
    mona.page.set_viewport_size(PHONE)
    karim.talk.say("well_played")
    expect(mona.talk.bubble(1)).to_be_visible()
    look(mona, "a bubble")
    mona.page.route("**/phrases", refuse)
    mona.talk.say("thanks")
    expect(mona.talk.note).not_to_be_empty()
    look(mona, "too much at once")
    mona.page.route("**/messages", lambda route: route.abort())
    mona.talk.write("Hey")
    expect(mona.talk.messages.last).to_have_attribute("data-state", "failed")
    look(mona, "a message that was not sent")


def test_about_another_player(seated: Seat, look: Look) -> None:
    mona, karim = seated()
    mona.talk.about(karim.name).click()
    mona.talk.person.wait_for()
    look(mona, "about a player")
    mona.talk.person.get_by_test_id("mute").click()
    expect(mona.talk.person.get_by_test_id("mute")).to_have_attribute("aria-pressed", "true")
    look(mona, "muted")
    mona.talk.person.get_by_test_id("report").click()
    mona.page.get_by_test_id("report-window").wait_for()
    look(mona, "a report")
    mona.page.keyboard.press("Escape")
    expect(mona.talk.person).to_be_visible()
    mona.page.keyboard.press("Escape")
    expect(mona.talk.about(karim.name)).to_be_focused()
    blocked(mona, karim, look)


def blocked(mona: Person, karim: Person, look: Look) -> None:
    mona.talk.do("block", karim.name)
    link = f"/r/{mona.post('/rooms', {})['code']}"
    karim.room.open(link)
    karim.room.button("room.join", name=mona.name).click()
    expect(karim.room.error).to_have_attribute("data-error", "room_blocked")
    look(karim, "a table that is not open")


def test_by_the_keyboard_alone(seated: Seat) -> None:
    mona, karim = seated()
    mona.talk.button.focus()
    press(mona.page, "Enter")
    expect(mona.talk.phrase("laughter")).to_be_focused()
    press(mona.page, "Tab", "Enter")
    expect(karim.talk.bubble(0)).to_have_attribute("data-phrase", "applause")
    expect(mona.talk.button).to_be_focused()
    press(mona.page, "Enter", "Escape")
    expect(mona.talk.sheet).to_be_hidden()
    expect(mona.talk.button).to_be_focused()


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)
