"""axe-core finds nothing on any screen but the table, in any state, in either language."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Route, expect

from e2e.accessibility.conftest import Look, Seat
from e2e.party import NAMES, make_room
from e2e.person import Person
from e2e.texts import text

LONGER_THAN_A_BOT_IS_OFFERED_MS = 21_000


def test_home_in_all_its_states(person: Callable[..., Person], look: Look, lang: str) -> None:
    host, guest = (person(name, lang) for name in NAMES[lang][:2])
    guest.page.route("**/api/v1/rooms?*", nothing)
    guest.home.open()
    expect(guest.page.get_by_test_id("no-tables")).to_be_visible()
    look(guest, "home, nobody waits")
    guest.page.get_by_test_id("options").locator("summary").click()
    look(guest, "home, more choices")
    guest.home.enter("12")
    look(guest, "home, a wrong code")
    guest.page.unroute("**/api/v1/rooms?*")
    make_room(host, visibility="public")
    guest.home.open()
    expect(guest.home.open_table(host.room.code.inner_text())).to_be_visible()
    look(guest, "home, open tables")
    guest.home.practice()
    guest.table.wait_ready()
    guest.home.open()
    expect(guest.page.get_by_test_id("resume")).to_be_visible()
    look(guest, "home, a match to go back to")


def nothing(route: Route) -> None:
    route.fulfill(json={"items": [], "next": None})


def test_looking_for_a_stranger(person: Callable[..., Person], look: Look, lang: str) -> None:
    salma = person("Salma", lang)
    salma.page.clock.install()
    salma.home.open()
    salma.home.quick_match("Salma")
    salma.page.locator('main[data-screen="seek"]').wait_for()
    look(salma, "a quick match sought")
    salma.page.clock.fast_forward(LONGER_THAN_A_BOT_IS_OFFERED_MS)
    expect(salma.page.get_by_test_id("bot-offer")).to_be_visible()
    look(salma, "a bot offered")
    salma.home.button("seek.cancel").click()
    salma.home.root.wait_for()


def test_a_room_that_waits(person: Callable[..., Person], look: Look, lang: str) -> None:
    host, guest = (person(name, lang) for name in NAMES[lang][:2])
    link = make_room(host)
    look(host, "a room of two, waiting")
    host.room.button("room.close").click()
    look(host, "close the room?")
    host.room.button("leave.no").click()
    guest.room.open(link)
    guest.page.get_by_test_id("invite").wait_for()
    look(guest, "invited by a link")
    link = make_room(host, seats=4)
    host.room.add_bot(3)
    guest.room.open(link)
    guest.room.join(guest.name, host.name)
    expect(host.room.seat(1)).to_contain_text(guest.name)
    look(host, "a room of four, waiting")
    look(guest, "a guest in a room of four")
    host.room.seat(1).get_by_role("button").last.click()
    host.page.get_by_role("dialog").wait_for()
    look(host, "remove somebody?")
    host.page.route("**/reveals", lambda route: route.abort())  # the others wait for the host's part of the deal
    guest.room.open(make_room(host))
    guest.room.button("room.join", name=host.name).click()
    expect(guest.page.get_by_role("heading", level=1)).to_have_text(text("room.dealing", lang))
    look(guest, "the cards are dealt")


def test_the_end_of_a_match(seated: Seat, look: Look) -> None:
    first, second = seated()
    first.table.leave()
    second.result.root.wait_for()
    look(first, "lost")
    look(second, "won")
    second.result.button("rematch.ask").click()
    expect(first.result.rematch).to_have_attribute("data-state", "invited")
    look(second, "a rematch asked")
    look(first, "invited to a rematch")
    first.result.button("rematch.decline").click()
    expect(second.result.rematch).to_have_attribute("data-state", "declined")
    look(second, "a rematch declined")


def test_a_draw(seated: Seat, look: Look) -> None:
    first, _ = seated()

    def drawn(route: Route) -> None:
        view = route.fetch().json()
        result = {"winner": None, "reason": "round", "seat": None, "scores": [13, 13]}
        route.fulfill(json={**view, "status": "finished", "to_act": None, "scores": [13, 13], "result": result})

    first.page.route("**/api/v1/matches/*", drawn)
    first.page.reload()
    expect(first.result.result).to_have_attribute("data-outcome", "draw")
    look(first, "a draw")
