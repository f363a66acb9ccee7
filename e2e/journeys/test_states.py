"""Every state that a screen can be in besides going well: it says what is the matter, and what to do about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from e2e.accessibility.axe import violations
from e2e.network import RESTARTING, cut_off
from e2e.party import make_room
from e2e.person import Person
from e2e.play import in_turn
from e2e.texts import text

# The very function that the page's own switch calls; here on screens that have the switch in a window, too.
SWITCH = """async (lang) => {
    const boot = document.querySelector('script[src$="boot.js"]').src;
    await (await import(boot.replace('boot.js', 'i18n.js'))).changeLanguage(lang);
}"""
NO_CODE = "/r/KTRMSA"


@dataclass
class Guests:
    """Whom a state needs: people at browsers of their own, or at a table already."""

    person: Callable[..., Person]
    party: Callable[..., list[Person]]

    def at_a_link(self, answer: Callable[[Route], None], path: str = "**/api/v1/rooms/*") -> Person:
        """Open a room's link where the service answers as this state needs it."""
        visitor = self.person("Tarek")
        visitor.page.route(path, answer)
        visitor.room.open(NO_CODE)
        return visitor

    def at_a_table_of_others(self, **room: Any) -> tuple[Person, list[Person]]:
        people = self.party(2, **room)
        stranger = self.person("Tarek")
        stranger.home.open()
        stranger.post("/players", {"name": stranger.name, "session": True})
        return stranger, people


@dataclass
class State:
    """Who sees it, the keys of what is said, and the button or link by which one goes on, where there is one."""

    seen_by: Person
    says: list[str]
    way: str | None = None


def refused(status: int, code: str) -> Callable[[Route], None]:
    return lambda route: route.fulfill(status=status, json={"title": code, "status": status, "code": code})


def altered(**changes: Any) -> Callable[[Route], None]:
    """Let the service answer, and change some of it."""

    def answer(route: Route) -> None:
        route.fulfill(json={**route.fetch().json(), **changes})

    return answer


def no_open_tables(guests: Guests) -> State:
    visitor = guests.person("Tarek")
    visitor.page.route("**/api/v1/rooms?*", lambda route: route.fulfill(json={"items": [], "next": None}))
    visitor.home.open()
    return State(visitor, ["lobby.none"], "home.quick")


def open_tables_out_of_reach(guests: Guests) -> State:
    visitor = guests.person("Tarek")
    visitor.page.route("**/api/v1/rooms?*", lambda route: route.abort())
    visitor.home.open()
    return State(visitor, ["lobby.lost"])


def waiting_alone(guests: Guests) -> State:
    host = guests.person("Mona")
    make_room(host)
    return State(host, ["room.share_hint", "room.waiting"], "room.copy")


def room_not_found(guests: Guests) -> State:
    visitor = guests.person("Tarek")
    visitor.room.open(NO_CODE)
    return State(visitor, ["error.room_missing.title", "error.room_missing.text"], "result.home")


def shut_out(guests: Guests) -> State:
    problem = {"title": "Banned", "status": 403, "code": "auth.banned", "until": "2031-05-01T12:00:00.000Z"}
    visitor = guests.at_a_link(lambda route: route.fulfill(status=403, json=problem))
    return State(visitor, ["error.banned.title"], "error.again")


def room_full(guests: Guests) -> State:
    stranger, people = guests.at_a_table_of_others()
    stranger.page.route("**/api/v1/rooms/*", altered(status="waiting"))
    stranger.room.open(people[0].page.url)
    return State(stranger, ["error.room_full.title", "error.room_full.text"], "result.home")


def room_that_plays(guests: Guests) -> State:
    stranger, people = guests.at_a_table_of_others()
    stranger.room.open(people[0].page.url)
    return State(stranger, ["error.room_playing.title", "error.room_playing.text"], "result.home")


def link_for_a_finished_match(guests: Guests) -> State:
    stranger, (mona, karim) = guests.at_a_table_of_others()
    mona.table.leave()
    karim.result.root.wait_for()
    stranger.room.open(mona.page.url)
    return State(stranger, ["error.room_finished.title", "error.room_finished.text"], "result.home")


def room_closed(guests: Guests) -> State:
    stranger, people = guests.at_a_table_of_others()
    stranger.page.route("**/api/v1/rooms/*", altered(status="closed"))
    stranger.room.open(people[0].page.url)
    return State(stranger, ["error.room_closed.title", "error.room_closed.text"], "result.home")


def no_place_to_watch_from(guests: Guests) -> State:
    stranger, people = guests.at_a_table_of_others(spectators=True)
    stranger.page.route_web_socket("**/channel**", lambda line: line.close(code=4001))
    stranger.room.open(people[0].page.url)
    return State(stranger, ["error.room_crowded.title", "error.room_crowded.text"], "error.again")


def seat_taken_away(guests: Guests) -> State:
    host, guest = guests.person("Mona"), guests.person("Karim")
    guest.room.open(make_room(host, seats=4))
    guest.room.join(guest.name, host.name)
    guest.here.wait_for()
    host.room.button("room.remove_who", name=guest.name).click()
    host.room.button("room.remove", host.page.get_by_role("dialog")).click()
    return State(guest, ["error.room_removed.title", "error.room_removed.text"], "error.back_to_room")


def table_of_somebody_who_blocked(guests: Guests) -> State:
    host, guest = guests.person("Mona"), guests.person("Karim")
    guest.room.open(make_room(host))
    guest.page.route("**/joins", refused(403, "room.blocked"))
    guest.room.join(guest.name, host.name)
    return State(guest, ["error.room_blocked.title", "error.room_blocked.text"], "result.home")


def too_many_requests(guests: Guests) -> State:
    visitor = guests.at_a_link(refused(429, "rate_limited"))
    return State(visitor, ["error.rate_limited.title", "error.rate_limited.text"], "error.again")


def our_fault(guests: Guests) -> State:
    visitor = guests.at_a_link(refused(500, "internal"))
    return State(visitor, ["error.failed.title", "error.failed.text"], "error.again")


def module_that_fails(guests: Guests) -> State:
    host = guests.person("Mona")
    host.page.route("**/screens/seek.js", lambda route: route.abort())
    host.home.open()
    host.home.quick_match("Mona")
    return State(host, ["error.failed.title", "error.failed.text"], "error.again")


def opponent_away(guests: Guests) -> State:
    due, other = in_turn(*guests.party(2))
    due.leave_the_browser()
    return State(other, ["table.doing.away"])


def offline(guests: Guests) -> State:
    mona, _ = guests.party(2)
    for lang in ("ar", "en"):  # without a network no other language can be fetched
        mona.page.evaluate(SWITCH, lang)
    mona.page.context.set_offline(True)
    return State(mona, ["conn.offline"])


def reconnecting(guests: Guests) -> State:
    mona, _ = guests.party(2)
    cut_off(mona)
    return State(mona, ["conn.reconnecting"])


def server_restarting(guests: Guests) -> State:
    mona, _ = guests.party(2)
    cut_off(mona, RESTARTING)
    return State(mona, ["conn.restarting"])


def moved_to_another_tab(guests: Guests) -> State:
    mona, _ = guests.party(2)
    newer = mona.another_tab()
    newer.room.open(mona.page.url)
    newer.table.wait_ready()
    return State(mona, ["replaced.title", "replaced.text"], "replaced.take_back")


def move_refused(guests: Guests) -> State:
    due, _ = in_turn(*guests.party(2))
    due.page.route("**/moves", refused(422, "match.card_not_in_hand"))
    due.table.play(due.table.cards()[0])
    return State(due, ["refusal.card_not_in_hand"])


def lost_by_the_clock(guests: Guests) -> State:
    mona, _ = guests.party(2)
    result = {"winner": 1, "reason": "timeout", "seat": 0, "scores": [0, 0]}
    mona.page.route("**/api/v1/matches/*", altered(status="finished", to_act=None, result=result))
    mona.page.reload()
    return State(mona, ["result.reason.timeout_you"], "rematch.ask")


def bot_plays_for_the_slow(guests: Guests) -> State:
    mona, _ = guests.party(2)
    played = {"turn": 0, "seat": 0, "card": "7D", "captured": [], "basra": 0, "by": "clock"}
    mona.page.route("**/api/v1/matches/*", altered(last_play=played))
    mona.page.reload()
    return State(mona, ["table.clock_for_you"])


STATES: dict[str, Callable[[Guests], State]] = {
    make.__name__: make
    for make in (
        no_open_tables,
        open_tables_out_of_reach,
        waiting_alone,
        room_not_found,
        shut_out,
        room_full,
        room_that_plays,
        link_for_a_finished_match,
        room_closed,
        no_place_to_watch_from,
        seat_taken_away,
        table_of_somebody_who_blocked,
        too_many_requests,
        our_fault,
        module_that_fails,
        opponent_away,
        offline,
        reconnecting,
        server_restarting,
        moved_to_another_tab,
        move_refused,
        lost_by_the_clock,
        bot_plays_for_the_slow,
    )
}


@pytest.fixture
def guests(person: Callable[..., Person], party: Callable[..., list[Person]]) -> Guests:
    return Guests(person, party)


@pytest.mark.parametrize("name", STATES)
def test_a_state_says_what_it_is_and_what_to_do(guests: Guests, name: str) -> None:
    state = STATES[name](guests)
    page = state.seen_by.page
    for lang in ("en", "ar"):
        if lang != "en":
            page.evaluate(SWITCH, lang)
        for key in state.says:
            expect(page.get_by_text(text(key, lang)).filter(visible=True).first).to_be_visible()
        if state.way:
            expect(way_on(page, text(state.way, lang))).to_be_visible()
        assert violations(page) == [], lang


def way_on(page: Page, name: str) -> Any:
    return page.get_by_role("button", name=name).or_(page.get_by_role("link", name=name)).first


def test_a_refusal_on_the_first_page_says_why(person: Callable[..., Person]) -> None:
    visitor = person("Tarek")
    visitor.page.route("**/api/v1/players", refused(503, "unavailable"))
    visitor.home.open()
    visitor.home.practice()
    expect(visitor.page.get_by_role("alert").filter(has_text=text("refusal.unavailable"))).to_be_visible()
    visitor.page.unroute("**/api/v1/players")
    visitor.page.context.set_offline(True)
    visitor.home.practice()
    expect(visitor.page.get_by_role("alert").filter(has_text=text("refusal.no_answer"))).to_be_visible()


@pytest.mark.parametrize("lang", ["en", "ar"])
def test_a_page_whose_script_does_not_come_says_so_by_itself(person: Callable[..., Person], lang: str) -> None:
    visitor = person("Tarek", lang)
    visitor.page.route("**/js/boot.js", lambda route: route.abort())
    visitor.page.goto("/")
    late = visitor.page.get_by_test_id("late")
    expect(late).not_to_be_visible()
    visitor.page.evaluate("() => document.getAnimations().forEach((one) => one.finish())")
    expect(late).to_contain_text(text("page.late.text", lang))
    expect(late).to_be_visible()
    assert violations(visitor.page) == []
    visitor.page.unroute("**/js/boot.js")
    visitor.page.get_by_role("link", name=text("error.again", lang)).click()
    visitor.home.root.wait_for()


@pytest.mark.parametrize("lang", ["en", "ar"])
def test_an_address_where_nothing_is(person: Callable[..., Person], lang: str) -> None:
    visitor = person("Tarek", lang)
    visitor.page.goto("/nothing-here")
    expect(visitor.page.get_by_role("heading", name=text("page.missing.title", lang))).to_be_visible()
    visitor.page.get_by_role("link", name=text("page.missing.home", lang)).click()
    visitor.home.root.wait_for()


@pytest.mark.parametrize("lang", ["en", "ar"])
def test_a_browser_that_neither_copies_nor_shares(person: Callable[..., Person], lang: str) -> None:
    host = person("Mona", lang)
    host.page.add_init_script(
        """Object.defineProperty(navigator, 'clipboard', { value: undefined });
        Object.defineProperty(navigator, 'share', { value: undefined });
        document.execCommand = () => false;"""
    )
    make_room(host)
    expect(host.page.get_by_role("button", name=text("room.share", lang))).to_have_count(0)
    host.room.button("room.copy").click()
    expect(host.page.get_by_text(text("room.copy_yourself", lang))).to_be_visible()
    expect(host.room.link).to_be_focused()
    assert host.page.evaluate("() => getSelection().toString()") == host.room.link.input_value()
    assert violations(host.page) == []
