"""The deal is bound before the first card, and checked after the last by the browser itself."""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Route, expect

from e2e.party import make_room_by_hand
from e2e.person import Person
from e2e.play import in_turn, play_a_turn
from e2e.texts import text


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
    witnessed = ("kept", "only", "shown", "bound", "mine", "secret")
    for step in ("commitment", "opened", *witnessed, "dealer", "shuffle", "cut", "hands", "floor", "plays"):
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
    expect(salma.fair.verdict).to_have_text(text("deal.public", lang))
    salma.page.route("**/transcript", tampered)
    salma.page.reload()
    salma.replay.stage.wait_for()
    salma.fair.check()
    expect(salma.fair.verdict).to_have_attribute("data-ok", "false")
    expect(salma.fair.failed).to_have_attribute("data-step", "shuffle")


def test_a_commitment_other_than_the_one_that_was_shown_is_found(pair: Callable[..., tuple[Person, Person]]) -> None:
    mona, _ = left_match(pair)
    mona.fair.check()
    expect(mona.fair.verdict).to_have_attribute("data-part", "whole")
    expect(mona.fair.notes).to_be_visible()
    mona.fair.close()
    spoil = """() => {
        for (const name of Object.keys(localStorage).filter((one) => one.startsWith('basra.dealing.'))) {
            localStorage.setItem(name, JSON.stringify({ ...JSON.parse(localStorage[name]), commitment: '0' }));
        }
    }"""
    mona.page.evaluate(spoil)
    mona.fair.check()
    expect(mona.fair.verdict).to_have_attribute("data-ok", "false")
    expect(mona.fair.failed).to_have_attribute("data-step", "shown")
    expect(mona.fair.wrong).to_have_text(text("deal.shown.wrong"))
    expect(mona.fair.verdict).not_to_have_text(text("deal.right"))


def test_who_was_away_is_told_so_and_the_other_saw_the_cards_being_dealt(person: Callable[..., Person]) -> None:
    lang = "ar"
    mona, karim = person("Mona", lang=lang), person("Karim", lang=lang)
    link = make_room_by_hand(mona)
    mona.page.goto("/how-to-play")
    karim.room.open(link)
    karim.room.join("Karim", "Mona")
    expect(karim.page.get_by_role("heading", level=1)).to_have_text(text("room.dealing", lang))
    expect(karim.room.seats).to_have_count(2)
    expect(karim.page.locator('[data-screen="room"] section button:visible')).to_have_count(0)
    karim.table.wait_ready()
    karim.table.leave()
    karim.result.root.wait_for()
    mona.page.goto(link)
    mona.result.root.wait_for()
    mona.fair.check()
    expect(mona.fair.verdict).to_have_attribute("data-part", "away")
    expect(mona.fair.verdict).to_contain_text("Karim")
    karim.fair.check()
    expect(karim.fair.verdict).to_have_text(text("deal.right", lang))


def test_a_second_device_keeps_out_of_the_deal_and_says_so(
    person: Callable[..., Person], new_context: Callable[..., BrowserContext], base_url: str
) -> None:
    mona = person("Mona")
    link = make_room_by_hand(mona)
    tablet = new_context()
    tablet.add_cookies(mona.page.context.cookies(base_url))  # the same player; what was noted lies on the other device
    there = Person("Mona", tablet.new_page())
    there.room.open(link)
    expect(there.fair.part).to_have_text(text("fair.elsewhere"))
    karim = person("Karim")
    karim.room.open(link)
    karim.room.join("Karim", "Mona")
    for each in (karim, there):
        each.table.wait_ready()
    there.table.leave()
    for each in (karim, there):
        each.result.root.wait_for()
    there.fair.check()
    expect(there.fair.verdict).to_have_text(text("deal.public_elsewhere"))
    # The page that lost its place to the tablet has opened its part nevertheless.
    mona.page.reload()
    mona.result.root.wait_for()
    mona.fair.check()
    expect(mona.fair.verdict).to_have_text(text("deal.right"))


def test_a_rematch_is_dealt_from_new_seeds_and_practice_too(
    pair: Callable[..., tuple[Person, Person]], person: Callable[..., Person]
) -> None:
    mona, karim = pair()
    seen = set()
    for _ in range(2):
        match = mona.api("/matches?player=me&status=playing")["items"][0]["id"]
        seen.update(mona.api(f"/matches/{match}")["fairness"]["client_seeds"])
        karim.table.leave()
        for each in (mona, karim):
            each.result.root.wait_for()
            each.fair.check()
            expect(each.fair.verdict).to_have_text(text("deal.right"))
            each.fair.close()
        mona.result.button("rematch.ask").click()
        karim.result.button("rematch.agree").click()
        for each in (mona, karim):
            each.table.wait_ready()
    assert len(seen - {""}) == 4
    salma = person("Salma")
    salma.home.open()
    salma.home.button("home.practice").click()
    salma.table.wait_ready()
    salma.table.leave()
    salma.result.root.wait_for()
    salma.fair.check()
    expect(salma.fair.verdict).to_have_attribute("data-part", "whole")


def test_the_page_says_how_it_works_without_a_script(person: Callable[..., Person]) -> None:
    salma = person("Salma")
    salma.page.goto("/fair-deal")
    expect(salma.page.get_by_role("heading", level=1)).to_be_visible()
    assert salma.page.locator("script").count() == 0
