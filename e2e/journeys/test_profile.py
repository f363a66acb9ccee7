"""Who has played looks at what came of it: profile, history, leaderboard; and keeps somebody away."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from e2e.party import gather_registered
from e2e.person import Person
from e2e.play import play_quickly

ENOUGH_TO_COUNT = 4  # turns


@pytest.fixture
def won(person: Callable[..., Person]) -> tuple[Person, Person]:
    """Let Mona win a rated match, because Karim leaves it."""
    mona, karim = person("Mona"), person("Karim")
    gather_registered([mona, karim])
    play_quickly([mona, karim], ENOUGH_TO_COUNT)
    karim.table.leave()
    for each in (mona, karim):
        each.result.root.wait_for()
    return mona, karim


def test_a_match_moves_points_and_rating_and_stands_in_both_histories(won: tuple[Person, Person]) -> None:
    mona, karim = won
    mona.home.open()
    mona.page.get_by_test_id("my-page").click()
    expect(mona.profile.figure("points")).to_have_attribute("data-value", "24")
    expect(mona.profile.figure("wins")).to_have_attribute("data-value", "1")
    expect(mona.profile.rating).to_have_attribute("data-provisional", "true")
    expect(mona.profile.curve).to_be_visible()
    karim.history.open()
    line = karim.history.matches
    expect(line).to_have_attribute("data-outcome", "loss")
    assert int(line.get_by_test_id("rating-change").get_attribute("data-value") or 0) < 0
    line.get_by_test_id("open-match").click()
    karim.replay.stage.wait_for()


def test_a_history_is_narrowed_and_its_address_keeps_that(won: tuple[Person, Person]) -> None:
    mona, karim = won
    code = mona.post("/rooms", {"seed": "tea"})["code"]
    practice = mona.post(f"/rooms/{code}/bots", {"seat": 1, "level": "easy"})["match_id"]
    mona.post(f"/matches/{practice}/forfeits", {})
    history = mona.history
    history.open()
    expect(history.matches).to_have_count(2)
    history.narrow("outcome", "win")
    expect(history.matches).to_have_count(1)
    mona.page.reload()
    expect(history.matches).to_have_count(1)
    history.narrow("outcome", "draw")
    expect(history.none).to_be_visible()
    karim_id = karim.api("/players/me")["id"]
    history.open(f"?opponent={karim_id}&rated=true&rules=classic&seats=2")
    expect(history.matches).to_have_count(1)
    history.narrow("seats", "4")
    expect(history.none).to_be_visible()


@pytest.mark.parametrize("lang", ["en", "ar"])
def test_who_has_not_played_is_invited(person: Callable[..., Person], lang: str) -> None:
    salma = person("Salma", lang=lang)
    salma.history.open()
    salma.history.none.get_by_role("link").click()
    salma.home.root.wait_for()
    salma.page.goto("/profile")
    expect(salma.page.get_by_test_id("profile-empty")).to_be_visible()
    salma.page.goto("/players/nothing-here")
    expect(salma.page.get_by_test_id("profile-missing")).to_be_visible()


def test_a_player_is_muted_blocked_and_reported_from_his_page(won: tuple[Person, Person]) -> None:
    mona, karim = won
    karim_id = karim.api("/players/me")["id"]
    profile = mona.profile
    mona.history.open()
    mona.page.get_by_role("link", name="Karim", exact=True).click()
    profile.block.click()
    expect(profile.block).to_have_attribute("aria-pressed", "true")
    assert [(one["player"]["id"], one["kind"]) for one in mona.api("/blocks")["items"]] == [(karim_id, "block")]
    mona.page.reload()
    expect(profile.block).to_have_attribute("aria-pressed", "true")
    profile.mute.click()
    expect(profile.mute).to_have_attribute("aria-pressed", "true")
    expect(profile.block).to_have_attribute("aria-pressed", "false")
    profile.mute.click()
    expect(profile.mute).to_have_attribute("aria-pressed", "false")
    assert mona.api("/blocks")["items"] == []
    profile.report("He left.")
    expect(mona.page.get_by_test_id("reported")).to_be_visible()


def test_the_leaderboard_reads_without_a_script_and_leads_to_players(won: tuple[Person, Person]) -> None:
    mona, _ = won
    board = mona.leaderboard
    board.open("week")
    expect(board.mine).to_have_attribute("data-value", "24")
    assert mona.page.locator("script").count() == 0
    board.mine.get_by_role("link").click()
    expect(mona.profile.figure("points")).to_have_attribute("data-value", "24")


def test_a_guest_is_told_before_and_after_that_a_match_is_not_rated(person: Callable[..., Person]) -> None:
    mona, karim = person("Mona"), person("Karim")
    mona.register()
    link = f"/r/{mona.post('/rooms', {})['code']}"
    mona.room.open(link)
    karim.room.open(link)
    expect(karim.room.unrated).to_be_visible()
    karim.room.join(karim.name, mona.name)
    for each in (mona, karim):
        each.table.wait_ready()
    play_quickly([mona, karim], ENOUGH_TO_COUNT)
    karim.table.leave()
    for each in (mona, karim):
        each.result.root.wait_for()
    expect(mona.result.register).to_be_hidden()
    karim.leaderboard.open("points")
    expect(karim.leaderboard.unranked).to_have_attribute("data-why", "guest")
    karim.page.go_back()
    karim.result.register.click()
    karim.account.root.wait_for()
