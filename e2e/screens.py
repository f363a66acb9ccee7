"""Makes the pictures of `docs/screens/` from the real page, in both languages: `make screens`."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from e2e.browser import launch_options
from e2e.party import NAMES, gather, make_room
from e2e.person import Person
from e2e.play import in_turn, play_out, play_quickly
from tests.live import live_server

FOLDER = Path(__file__).parent.parent / "docs" / "screens"
SIZES = {"phone": (390, 780), "desktop": (1280, 800)}
TALK = {"en": ("Good evening, Karim", "Ahlan! A glass of tea?"), "ar": ("مساء الخير يا كريم", "أهلا! كباية شاي؟")}
TURNS_BEFORE_THE_PICTURE = 9
TURNS_A_ROUND = 48


def arrive(browser: Browser, url: str, name: str, lang: str) -> Person:
    context = browser.new_context(base_url=url, locale="en-GB", reduced_motion="reduce")
    context.add_cookies([{"name": "basra_lang", "value": lang, "url": url}])
    return Person(name, context.new_page(), lang)


def shoot(person: Person, name: str) -> None:
    for size, (width, height) in SIZES.items():
        person.page.set_viewport_size({"width": width, "height": height})
        person.page.screenshot(path=FOLDER / f"{name}-{person.lang}-{size}.png")


def lift_and_shoot(people: list[Person], name: str) -> None:
    due = in_turn(*people)[0]
    due.table.my_turn.wait_for()
    due.table.lift(due.table.best_card())
    shoot(due, name)
    due.page.keyboard.press("Escape")


def talk_and_shoot(host: Person, guest: Person) -> None:
    greeting, answer = TALK[host.lang]
    host.talk.write(greeting)
    guest.talk.write(answer)
    guest.talk.close()
    host.talk.messages.nth(1).wait_for()
    guest.talk.say("well_played")
    host.talk.bubble(1).wait_for()
    shoot(host, "talk")
    host.talk.close()


def two_seats(browser: Browser, url: str, lang: str) -> None:
    host, guest = (arrive(browser, url, name, lang) for name in NAMES[lang][:2])
    host.home.open()
    shoot(host, "home")
    host.post("/players", {"name": host.name, "session": True})
    room = host.post("/rooms", {"seed": "ahwa", "target": 30, "chat": True})
    host.room.open(f"/r/{room['code']}")
    host.room.link_to_share()
    shoot(host, "room")
    guest.room.open(f"/r/{room['code']}")
    guest.page.get_by_test_id("invite").wait_for()
    shoot(guest, "invite")
    guest.room.join(guest.name, host.name)
    play_out([host, guest], turns=TURNS_BEFORE_THE_PICTURE)
    talk_and_shoot(host, guest)
    lift_and_shoot([host, guest], "table")
    play_out([host, guest], turns=TURNS_A_ROUND - TURNS_BEFORE_THE_PICTURE)
    host.sheet.root.wait_for()
    shoot(host, "sheet")
    play_out([host, guest])
    shoot(host, "result")
    look_back(host)


def look_back(host: Person) -> None:
    """Show the ways to look back on the match that has just ended."""
    host.fair.check()
    host.fair.verdict.wait_for()
    shoot(host, "check")
    host.fair.close()
    match = host.api("/matches?player=me")["items"][0]["id"]
    host.replay.open(match, str(TURNS_BEFORE_THE_PICTURE))
    host.replay.press("all-open")
    shoot(host, "replay")


def players(browser: Browser, url: str, lang: str) -> None:
    """Show what some rated matches make of a player."""
    host, guest = (arrive(browser, url, name, lang) for name in NAMES[lang][:2])
    for number, each in enumerate((host, guest)):
        each.home.open()
        each.post("/players", {"name": each.name, "session": True})
        each.post("/players/me/account", {"username": f"{lang}{number}", "password": "a long enough one"})
    for loser in (guest, host, guest, guest):
        code = host.post("/rooms", {"visibility": "public"})["code"]
        match = guest.post(f"/rooms/{code}/joins", {})["match_id"]
        play_quickly([host, guest], TURNS_BEFORE_THE_PICTURE)
        loser.post(f"/matches/{match}/forfeits", {})
    host.profile.open()
    shoot(host, "profile")
    host.history.open()
    host.history.matches.first.wait_for()
    shoot(host, "history")
    host.leaderboard.open("points")
    shoot(host, "leaderboard")
    host.account.open()
    host.account.devices.first.wait_for()
    shoot(host, "account")
    host.move.open("/move#ABCD-EFGH-JKLM")
    shoot(host, "move")


def to_read(browser: Browser, url: str, lang: str) -> None:
    """Show the pages that need no script, and the guide for those who program."""
    reader = arrive(browser, url, NAMES[lang][0], lang)
    for name, path in {"how": "/how-to-play", "rules": "/rules", "fair": "/fair-deal", "docs": "/api/docs"}.items():
        reader.page.goto(path)
        reader.page.get_by_role("heading", level=1).first.wait_for()
        shoot(reader, name)


def four_seats(browser: Browser, url: str, lang: str) -> None:
    people = [arrive(browser, url, name, lang) for name in NAMES[lang]]
    gather(people, make_room(people[0], seats=4, seed="ahwa"))
    play_out(people, turns=TURNS_BEFORE_THE_PICTURE)
    lift_and_shoot(people, "four")


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with live_server() as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options())
        for lang in NAMES:
            two_seats(browser, server.url, lang)
            four_seats(browser, server.url, lang)
            players(browser, server.url, lang)
            to_read(browser, server.url, lang)
        browser.close()


if __name__ == "__main__":
    main()
