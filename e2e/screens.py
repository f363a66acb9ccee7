"""Makes the pictures of `docs/screens/` from the real page: `make screens`."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from e2e.browser import launch_options
from e2e.person import Person
from e2e.play import play_out
from tests.live import live_server

FOLDER = Path(__file__).parent.parent / "docs" / "screens"
SIZES = {"phone": (390, 780), "small": (320, 568), "desktop": (1280, 800)}
TURNS_BEFORE_THE_PICTURE = 5


def arrive(browser: Browser, url: str, name: str) -> Person:
    context = browser.new_context(base_url=url, locale="en-GB", reduced_motion="reduce")
    return Person(name, context.new_page())


def shoot(person: Person, name: str) -> None:
    person.page.screenshot(path=FOLDER / f"{name}.png")


def shoot_in_all_sizes(person: Person, name: str) -> None:
    for size, (width, height) in SIZES.items():
        person.page.set_viewport_size({"width": width, "height": height})
        shoot(person, f"{name}-{size}")


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with live_server(BOT_PAUSE_S="0") as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options())
        mona, karim = (arrive(browser, server.url, name) for name in ("Mona", "Karim"))
        mona.home.open()
        shoot_in_all_sizes(mona, "home")
        mona.post("/players", {"name": "Mona", "session": True})
        room = mona.post("/rooms", {"seed": "ahwa", "target": 30})
        mona.room.open(f"/r/{room['code']}")
        mona.room.code.wait_for()
        shoot_in_all_sizes(mona, "room")
        karim.room.open(f"/r/{room['code']}")
        karim.page.get_by_test_id("invite").wait_for()
        shoot_in_all_sizes(karim, "invite")
        karim.room.join("Karim", "Mona")
        play_out([mona, karim], turns=TURNS_BEFORE_THE_PICTURE)
        turn_of = mona if mona.table.table.get_attribute("data-my-turn") == "true" else karim
        turn_of.table.my_turn.wait_for()
        turn_of.table.lift(turn_of.table.best_card())
        shoot_in_all_sizes(turn_of, "table")
        turn_of.page.keyboard.press("Escape")
        play_out([mona, karim], turns=48 - TURNS_BEFORE_THE_PICTURE)
        mona.sheet.root.wait_for()
        shoot_in_all_sizes(mona, "sheet")
        play_out([mona, karim])
        shoot_in_all_sizes(mona, "result")
        browser.close()


if __name__ == "__main__":
    main()
