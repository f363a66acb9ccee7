"""The deal is bound before the first card, and checked after the last by the browser itself."""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from e2e.person import Person
from e2e.play import in_turn, play_a_turn


def left_match(pair: Callable[..., tuple[Person, Person]]) -> tuple[Person, Person]:
    """Let two people play some turns of a match without a seed, until one leaves."""
    mona, karim = pair()
    for _ in range(3):
        due = in_turn(mona, karim)[0]
        due.table.my_turn.wait_for()
        play_a_turn(due)
    karim.table.leave()
    for each in (mona, karim):
        each.result.root.wait_for()
    return mona, karim


def test_the_commitment_is_there_before_anybody_sits_down(
    pair: Callable[..., tuple[Person, Person]], person: Callable[..., Person]
) -> None:
    mona = person("Mona")
    mona.home.open()
    mona.home.play_with_a_friend("Mona")
    mona.fair.chip.click()
    code = mona.room.code.inner_text()
    expect(mona.fair.commitment).to_have_text(mona.api(f"/rooms/{code}")["fairness"]["commitment"])
    mona.fair.close()
    expect(mona.fair.promise).to_have_count(0)
    first, _ = pair()
    first.fair.chip.click()
    match = first.api("/matches?player=me")["items"][0]["id"]
    expect(first.fair.commitment).to_have_text(first.api(f"/matches/{match}")["fairness"]["commitment"])


def test_one_tap_checks_the_deal_and_knows_what_this_browser_saw(pair: Callable[..., tuple[Person, Person]]) -> None:
    mona, _ = left_match(pair)
    mona.fair.check()
    expect(mona.fair.verdict).to_have_attribute("data-ok", "true")
    for step in ("commitment", "shown", "mine", "dealer", "shuffle", "cut", "hands", "floor", "plays"):
        expect(mona.fair.step(step)).to_have_attribute("data-ok", "true")
    mona.fair.close()
    mona.page.get_by_test_id("replay-link").click()
    mona.fair.check()
    expect(mona.fair.verdict).to_have_attribute("data-ok", "true")


@pytest.mark.parametrize("lang", ["en", "ar"])
def test_a_stranger_checks_it_too_and_finds_what_was_changed(
    pair: Callable[..., tuple[Person, Person]], person: Callable[..., Person], lang: str
) -> None:
    mona, _ = left_match(pair)
    match = mona.api("/matches?player=me")["items"][0]["id"]

    def tampered(route: Route) -> None:
        transcript = route.fetch().json()
        shuffled = transcript["rounds"][0]["shuffled"]
        shuffled[0], shuffled[1] = shuffled[1], shuffled[0]
        route.fulfill(body=json.dumps(transcript), content_type="application/json")

    salma = person("Salma", lang=lang)
    salma.replay.open(match)
    salma.fair.check()
    expect(salma.fair.verdict).to_have_attribute("data-ok", "true")
    expect(salma.fair.step("shown")).to_have_count(0)
    salma.page.route("**/transcript", tampered)
    salma.page.reload()
    salma.replay.stage.wait_for()
    salma.fair.check()
    expect(salma.fair.verdict).to_have_attribute("data-ok", "false")
    expect(salma.fair.failed).to_have_attribute("data-step", "shuffle")


def test_a_commitment_other_than_the_one_that_was_shown_is_found(pair: Callable[..., tuple[Person, Person]]) -> None:
    mona, _ = left_match(pair)
    spoil = """() => {
        const deals = JSON.parse(localStorage.getItem('basra.deals'));
        localStorage.setItem('basra.deals', JSON.stringify(deals.map((deal) => ({ ...deal, commitment: '0' }))));
    }"""
    mona.page.evaluate(spoil)
    mona.fair.check()
    expect(mona.fair.verdict).to_have_attribute("data-ok", "false")
    expect(mona.fair.failed).to_have_attribute("data-step", "shown")


def test_the_page_says_how_it_works_without_a_script(person: Callable[..., Person]) -> None:
    salma = person("Salma")
    salma.page.goto("/fair-deal")
    expect(salma.page.get_by_role("heading", level=1)).to_be_visible()
    assert salma.page.locator("script").count() == 0
