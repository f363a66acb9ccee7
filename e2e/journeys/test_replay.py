"""A finished match is looked at again."""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from e2e.person import Person
from e2e.play import play_unseen

A_ROUND = 48


def finished(pair: Callable[..., tuple[Person, Person]]) -> tuple[Person, Person, str]:
    """Let two people play a match of one round; give them and the match."""
    mona, karim = pair(seed="tea", target=None)
    link = mona.page.url
    match = mona.api("/matches?player=me")["items"][0]["id"]
    play_unseen([mona, karim], A_ROUND)
    mona.room.open(link)
    mona.result.root.wait_for()
    return mona, karim, match


def floor_after(events: list[dict], turn: int) -> list[str]:
    """Fold the match's own events into the floor after so many turns."""
    floor: list[str] = []
    for event in events:
        if event["type"] == "dealt" and event.get("floor"):
            floor = list(event["floor"])
        if event["type"] == "played":
            floor = [card for card in floor if card not in event["captured"]]
            floor += [] if event["captured"] else [event["card"]]
            if event["turn"] + 1 == turn:
                break
    return sorted(floor)


def test_the_replay_follows_the_match_turn_by_turn(pair: Callable[..., tuple[Person, Person]]) -> None:
    mona, _, match = finished(pair)
    events = mona.api(f"/matches/{match}/events?limit=500")["items"]
    replay = mona.replay
    mona.page.get_by_test_id("replay-link").click()
    expect(replay.stage).to_have_attribute("data-turn", "0")
    assert len(replay.shown_cards.all()) == 4, "from my own seat"
    for turn in (1, 7, 8, 23, 40):
        replay.open(match, str(turn))
        assert sorted(replay.floor_cards.evaluate_all("all => all.map(one => one.dataset.card)")) == floor_after(
            events, turn
        )
    replay.press("round-next")
    sheet = next(event["sheet"] for event in events if event["type"] == "round_scored")
    for side in (0, 1):
        expect(replay.sheet.locator(f'[data-row="points"] [data-side="{side}"]')).to_have_attribute(
            "data-value", str(sheet["points"][side])
        )
    replay.press("forward")
    outcome = mona.api(f"/matches/{match}")["result"]["winner"]
    expect(replay.end).to_have_attribute("data-outcome", {0: "won", 1: "lost", None: "draw"}[outcome])
    played = [event for event in events if event["type"] == "played"]
    assert replay.links.count() == len(events) - 1
    assert replay.page.locator('[data-testid="story-link"][data-type="played"]').count() == len(played)


@pytest.mark.parametrize("lang", ["en", "ar"])
def test_it_goes_by_keys_and_its_links_lead_to_the_turn(
    pair: Callable[..., tuple[Person, Person]], person: Callable[..., Person], lang: str
) -> None:
    _, _, match = finished(pair)
    stranger = person("Salma", lang=lang)
    replay = stranger.replay
    replay.open(match, "12")
    expect(replay.stage).to_have_attribute("data-open", "true")
    ahead, back = ("ArrowRight", "ArrowLeft") if lang == "en" else ("ArrowLeft", "ArrowRight")
    for _ in range(3):
        replay.key(ahead)
    expect(replay.stage).to_have_attribute("data-turn", "15")
    replay.key(back)
    expect(replay.stage).to_have_attribute("data-turn", "14")
    assert stranger.page.url.endswith("#t=14")
    replay.key("End")
    expect(replay.end).to_be_visible()
    replay.key("Home")
    expect(replay.stage).to_have_attribute("data-event", "cut")
    replay.key("r")
    expect(replay.sheet).to_be_visible()
    replay.key("Space")
    expect(replay.stage).to_have_attribute("data-playing", "true")
    expect(replay.end).to_be_visible()
    expect(replay.stage).to_have_attribute("data-playing", "false")
    link = replay.links.nth(20)
    link.click()
    expect(link).to_have_attribute("aria-current", "step")
    turn = replay.turn()
    stranger.page.reload()
    expect(replay.stage).to_have_attribute("data-turn", str(turn))
    stranger.page.go_back()
    expect(replay.stage).to_be_visible()


SMALL = {"width": 320, "height": 568}
LOOK = """() => {
    const box = (node) => node.getBoundingClientRect();
    const controls = [...document.querySelectorAll('.stage button, .stage a.button')].map(box);
    return {
        wide: document.documentElement.scrollWidth,
        small: controls.filter(({ width, height }) => width < 43.5 || height < 43.5).length,
        below: Math.round(Math.max(...controls.map(({ bottom }) => bottom))),
        floor: Math.round(Math.min(...[...document.querySelectorAll('.floor-card')].map((card) => box(card).width))),
    };
}"""


@pytest.mark.parametrize("lang", ["en", "ar"])
def test_a_small_phone_has_all_of_it_in_sight(
    pair: Callable[..., tuple[Person, Person]], person: Callable[..., Person], lang: str
) -> None:
    _, _, match = finished(pair)
    salma = person("Salma", lang=lang)
    salma.page.set_viewport_size(SMALL)
    salma.replay.open(match, "11")
    look = salma.page.evaluate(LOOK)
    assert (look["wide"], look["small"]) == (SMALL["width"], 0)
    assert look["below"] <= SMALL["height"]
    assert look["floor"] >= 40


def test_hands_lie_open_or_are_seen_from_one_seat(pair: Callable[..., tuple[Person, Person]]) -> None:
    mona, _, match = finished(pair)
    replay = mona.replay
    replay.open(match, "0")
    expect(replay.cards_of(0)).to_have_count(4)
    expect(replay.cards_of(1)).to_have_count(0)
    replay.press("all-open")
    expect(replay.cards_of(1)).to_have_count(4)
    replay.see_from("1")
    expect(replay.cards_of(0)).to_have_count(0)
    expect(replay.cards_of(1)).to_have_count(4)
    hands = mona.api(f"/matches/{match}/transcript")["rounds"][0]["hands"][0]
    assert replay.cards_of(1).evaluate_all("all => all.map(one => one.dataset.card)") == hands[1]


def test_the_language_changes_without_losing_the_place(pair: Callable[..., tuple[Person, Person]]) -> None:
    mona, _, match = finished(pair)
    replay = mona.replay
    replay.open(match, "9")
    before = replay.floor_cards.evaluate_all("all => all.map(one => [one.dataset.card, one.dataset.slot])")
    mona.page.get_by_test_id("open-settings").click()
    mona.page.get_by_label("العربية").check()
    expect(mona.page.locator("html")).to_have_attribute("dir", "rtl")
    expect(replay.stage).to_have_attribute("data-turn", "9")
    assert replay.floor_cards.evaluate_all("all => all.map(one => [one.dataset.card, one.dataset.slot])") == before


def test_the_transcript_is_taken_along(pair: Callable[..., tuple[Person, Person]]) -> None:
    mona, _, match = finished(pair)
    mona.replay.open(match)
    with mona.page.expect_download() as waited:
        mona.replay.download.click()
    assert waited.value.suggested_filename == f"basra-{match}.json"
    assert json.loads(waited.value.path().read_text()) == mona.api(f"/matches/{match}/transcript")


def test_a_match_that_runs_or_is_unknown_says_so(pair: Callable[..., tuple[Person, Person]]) -> None:
    mona, _ = pair()
    match = mona.api("/matches?player=me")["items"][0]["id"]
    mona.page.goto(f"/replay/{match}")
    running = mona.page.get_by_test_id("replay-running")
    running.get_by_role("link").first.click()
    mona.table.wait_ready()
    mona.page.goto("/replay/nothing-here")
    expect(mona.page.get_by_test_id("replay-missing")).to_be_visible()


def test_a_stranger_at_the_link_of_a_finished_match_is_led_to_its_replay(
    pair: Callable[..., tuple[Person, Person]], person: Callable[..., Person]
) -> None:
    mona, _, match = finished(pair)
    salma = person("Salma")
    salma.page.goto(mona.page.url)
    salma.page.locator('main[data-screen="error"]').get_by_role("link").first.click()
    salma.replay.stage.wait_for()
    assert f"/replay/{match}" in salma.page.url
