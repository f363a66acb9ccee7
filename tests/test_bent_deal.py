"""The page's own check against a service that cheats: it is found, said in plain words, and by the engine as well."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from e2e.party import make_room_by_hand
from e2e.person import Person
from e2e.texts import text
from tests.live import LiveServer, live_server, wait_until

# What each way to cheat is called by the page.
FOUND = {
    "redrawn": "shown",
    "puppet": "bound",
    "dropped": "mine",
    "downgraded": "kept",
    "seeded": "kept",
    "dealt twice": "only",
    "retold": "table",
}
Visitor = Callable[[LiveServer, str], Person]


@pytest.fixture
def visitor(browser: Browser) -> Iterator[Visitor]:
    """Give people at browsers of their own, on any server."""
    pages: list[Page] = []

    def arrive(server: LiveServer, name: str) -> Person:
        context = browser.new_context(base_url=server.url, locale="en-GB", reduced_motion="reduce")
        pages.append(context.new_page())
        return Person(name, pages[-1])

    yield arrive
    for page in pages:
        page.context.close()


def part_of(mona: Person, room: str) -> str:
    """What she has committed to for the room's next match."""
    shown: str = mona.api(room)["fairness"]["client_commitments"][0]
    return shown


def deal(visitor: Visitor, server: LiveServer, *, again: bool) -> Person:
    """Have an honest player sit down by the page, an accomplice take the last seat, and leave; give the honest one."""
    mona, accomplice = visitor(server, "Mona"), visitor(server, "Fouad")
    link = make_room_by_hand(mona)
    room = f"/rooms/{link[-6:]}"
    bound = part_of(mona, room)
    accomplice.page.goto("/")
    accomplice.post("/players", {"name": "Fouad", "session": True})
    accomplice.post(f"{room}/joins", {})
    if again:
        wait_until(lambda: part_of(mona, room) not in ("", bound), "her part in the second dealing")
        accomplice.post(f"{room}/joins", {})
    mona.table.wait_ready()
    match = mona.api("/matches?player=me")["items"][0]["id"]
    accomplice.post(f"/matches/{match}/forfeits", {})
    mona.result.root.wait_for()
    mona.fair.check()
    return mona


def engine_says(mona: Person, folder: Path) -> subprocess.CompletedProcess[str]:
    """Check the match with the notes that the page lets one download."""
    match = mona.api("/matches?player=me")["items"][0]["id"]
    transcript, notes = folder / "match.json", folder / "notes.json"
    transcript.write_text(json.dumps(mona.api(f"/matches/{match}/transcript")))
    with mona.page.expect_download() as download:
        mona.fair.notes.click()
    download.value.save_as(notes)
    command = [sys.executable, "-m", "engine", "verify", str(transcript), "--notes", str(notes)]
    return subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)


def test_an_honest_deal_is_right_for_the_page_and_for_the_engine(
    visitor: Visitor, server: LiveServer, tmp_path: Path
) -> None:
    mona = deal(visitor, server, again=False)
    expect(mona.fair.verdict).to_have_text(text("deal.right"))
    told = engine_says(mona, tmp_path)
    assert told.returncode == 0, told.stdout
    assert "nothing was arranged" in told.stdout


@pytest.mark.parametrize("how", FOUND)
def test_a_service_that_cheats_is_found(visitor: Visitor, tmp_path: Path, how: str) -> None:
    with live_server(wsgi=f"tests.runtime.bent_server:serve('{how}')") as bent:
        mona = deal(visitor, bent, again=how == "dealt twice")
        expect(mona.fair.verdict).to_have_text(text("deal.wrong"))
        expect(mona.fair.wrong.filter(has_text=text(f"deal.{FOUND[how]}.wrong"))).to_have_count(1)
        expect(mona.fair.window).not_to_contain_text(text("deal.right"))
        assert engine_says(mona, tmp_path).returncode == 1
