"""axe-core finds nothing on the replay, the fair deal and the pages about players, in either language."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from e2e.accessibility.conftest import Look, Seat
from e2e.party import NAMES, gather_registered
from e2e.person import Person
from e2e.play import play_quickly, play_unseen

A_ROUND = 48
FOUR_TURNS = 8


@pytest.mark.parametrize("seats", [2, 4])
def test_the_replay(seated: Seat, look: Look, seats: int) -> None:
    people = seated(seats, seed="tea", target=None, seats=seats)
    match = people[0].api("/matches?player=me")["items"][0]["id"]
    play_unseen(people, A_ROUND)
    mona = people[0]
    replay = mona.replay
    replay.open(match, "9")
    look(mona, "a turn, from my seat")
    replay.press("all-open")
    look(mona, "all hands open")
    mona.page.get_by_text("⇧ B R").locator("xpath=ancestor::details").locator("summary").click()
    look(mona, "the keys of the replay")
    replay.press("round-next")
    expect(replay.sheet).to_be_visible()
    look(mona, "the end of a round")
    replay.key("End")
    expect(replay.end).to_be_visible()
    look(mona, "the end of the match")


def test_the_fair_deal(seated: Seat, look: Look) -> None:
    mona, karim = seated()
    mona.fair.chip.click()
    mona.fair.promise.wait_for()
    look(mona, "what the service is bound to")
    mona.fair.close()
    play_quickly([mona, karim], FOUR_TURNS)
    karim.table.leave()
    mona.result.root.wait_for()
    look(mona, "the result, with the ways on from it")
    mona.fair.check()
    expect(mona.fair.verdict).to_have_attribute("data-ok", "true")
    look(mona, "the deal, checked")


def test_the_pages_about_players(person: Callable[..., Person], look: Look, lang: str) -> None:
    mona, karim = (person(name, lang) for name in NAMES[lang][:2])
    gather_registered([mona, karim])
    play_quickly([mona, karim], FOUR_TURNS)
    karim.table.leave()
    mona.result.root.wait_for()
    mona.profile.open()
    look(mona, "my own page")
    mona.profile.curve.locator("summary").click()
    look(mona, "every change of my rating")
    mona.profile.open(karim.api("/players/me")["id"])
    mona.profile.block.click()
    expect(mona.profile.block).to_have_attribute("aria-pressed", "true")
    look(mona, "a player whom I have blocked")
    mona.page.get_by_test_id("report").click()
    look(mona, "a report")
    mona.history.open()
    mona.history.matches.first.wait_for()
    look(mona, "my matches")
    mona.history.narrow("outcome", "draw")
    mona.history.none.wait_for()
    look(mona, "no match fits")
    mona.leaderboard.open("points")
    look(mona, "the leaderboard")


def test_what_is_not_there(person: Callable[..., Person], look: Look, lang: str) -> None:
    salma = person("Salma", lang)
    for path, state in (
        ("/replay/nothing-here", "replay-missing"),
        ("/profile", "profile-empty"),
        ("/history", "no-matches"),
        ("/players/nothing-here", "profile-missing"),
    ):
        salma.page.goto(path)
        salma.page.get_by_test_id(state).wait_for()
        look(salma, path)
