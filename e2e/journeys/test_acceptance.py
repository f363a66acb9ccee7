"""The acceptance checks, each by its number; `pytest -k acceptance` runs them all.

Those that need a page or a server of their own lie in `tests/`: 1 (small screens) and 10 (less motion) in
`test_table_layout.py`, 8 (weight) in `test_weight.py`, 12 (a replay shows what happened) in `test_replay_frames.py`.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Request, Response, Route, WebSocket, expect

from e2e.conftest import POLICY
from e2e.party import NAMES, gather, make_room
from e2e.person import Person
from e2e.play import in_turn, play_a_turn
from e2e.texts import text

OFFLINE_MS = 10_000
TURNS_OF_A_ROUND = 48
# Everything that the polite region says from now on, also what is said over at once.
LISTEN = """() => {
    window.said = [];
    const region = document.getElementById('live-polite');
    new MutationObserver((changes) => {
        for (const { addedNodes } of changes) for (const node of addedNodes) window.said.push(node.data);
    }).observe(region, { childList: true });
}"""
FOCUSED = "() => document.activeElement.dataset.testid || document.activeElement.tagName"
STORED = "() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])"
# A card as a value; as a key it is one of the rules' card points, which everybody knows.
CARD = re.compile(r'"([A23456789TJQK][CDHS])"(?!:)')
# What lay open at the deal and went back into the pack has been seen by everybody.
BURIED = re.compile(r'"buried":\[[^]]*\]')


def test_acceptance_02_a_whole_match_by_keyboard_alone(person: Callable[..., Person]) -> None:
    """Nothing is looked at but where the focus is, and nothing is heard twice or not at all."""
    mona = person("Mona")
    make_room(mona, target=None)
    tab_to(mona.page, text("room.add_bot"))
    mona.page.evaluate(LISTEN)
    mona.page.keyboard.press("Enter")
    mona.table.wait_ready()
    match = mona.api("/matches?player=me")["items"][0]["id"]
    played: list[str] = []
    while (turn := due_turn(mona)) is not None:
        card = mona.page.evaluate("() => document.activeElement.dataset.card")
        mona.page.keyboard.press("Enter")
        expect(mona.table.card(card)).to_have_attribute("aria-pressed", "true")
        mona.page.keyboard.press("Enter")
        expect(mona.page.locator(f'#table[data-turn="{turn}"]')).to_have_count(0)
        played.append(card)
    assert len(played) == TURNS_OF_A_ROUND / 2
    mona.page.keyboard.press("Enter")  # the score sheet has the focus
    expect(mona.result.result).to_have_attribute("data-reason", "round")
    assert mona.page.evaluate(FOCUSED) == "H1"
    tab_to(mona.page, text("rematch.ask"))
    said = "\n".join(mona.page.evaluate("() => window.said"))
    events = [one for one in mona.api(f"/matches/{match}/events")["items"] if one["type"] == "played"]
    assert len(events) == TURNS_OF_A_ROUND
    heard = {event["card"]: said.count(f"played {spoken(event['card'])} and took") for event in events}
    assert set(heard.values()) == {1}, heard


def due_turn(one: Person) -> int | None:
    """Wait until it is my turn with the focus on a card, and give its number; None at the end of the round."""
    one.page.locator('#table[data-my-turn="true"][data-busy="false"], [data-testid="sheet"]').first.wait_for()
    if one.sheet.root.count():
        expect(one.sheet.root.get_by_role("button")).to_be_focused()
        return None
    if one.page.evaluate(FOCUSED) != "hand-card":
        assert one.table.turn() == 0, "the focus was lost"
        tab_to(one.page, None)
    return one.table.turn()


def tab_to(page: Page, name: str | None) -> None:
    """Press Tab until the focus is on what has this name; on a card of the hand if none is given."""
    for _ in range(40):
        page.keyboard.press("Tab")
        found = page.evaluate(
            """() => {
                const { dataset, ariaLabel, textContent } = document.activeElement;
                return [dataset.testid, ariaLabel, textContent];
            }"""
        )
        if found[0] == "hand-card" if name is None else any(one and one.startswith(name) for one in found[1:]):
            return
    raise AssertionError(f"Tab does not lead to {name or 'the hand'}")


def spoken(card: str) -> str:
    """A card as the page says it in English."""
    rank = {"A": "ace", "T": "10", "J": "jack", "Q": "queen", "K": "king"}.get(card[0], card[0])
    suit = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}[card[1]]
    return text("card.name", rank=text(f"card.rank.{rank}"), suit=text(f"card.suit.{suit}"))


def places(person: Person) -> list[tuple[str, str, int]]:
    """Give each floor card with its slot and where it lies from the left, in whole pixels."""
    cards = person.table.floor_cards.evaluate_all(
        "all => all.map(one => [one.dataset.card, one.dataset.slot, Math.round(one.getBoundingClientRect().x)])"
    )
    return [(card, slot, x) for card, slot, x in cards]


def in_two_languages(person: Callable[..., Person], **room: Any) -> tuple[Person, Person]:
    mona, karim = person(NAMES["ar"][0], lang="ar"), person(NAMES["en"][1])
    gather([mona, karim], make_room(mona, **room))
    return mona, karim


def test_acceptance_03_the_floor_lies_the_same_way_in_both_languages(person: Callable[..., Person]) -> None:
    mona, karim = in_two_languages(person, seed="tea", target=30)
    for _ in range(6):
        due, other = in_turn(mona, karim)
        due.table.my_turn.wait_for()
        play_a_turn(due)
        expect(other.table.table).to_have_attribute("data-turn", str(due.table.turn()))
        assert places(mona) == places(karim)


@pytest.mark.parametrize("lost", ["the move", "the answer"])
def test_acceptance_04_a_move_without_a_network_lands_once(
    pair: Callable[..., tuple[Person, Person]], lost: str
) -> None:
    due, other = in_turn(*pair(seed="tea", target=30))
    due.page.clock.install()
    due.page.reload()
    due.table.wait_ready()
    sent: list[str] = []

    def swallow(route: Route) -> None:
        sent.append(route.request.post_data or "")
        if lost == "the answer":
            route.fetch()
        due.page.context.set_offline(True)
        route.abort()

    due.page.route("**/moves", swallow, times=1)
    card = due.table.best_card()
    due.table.play(card)
    expect(due.table.table).to_have_attribute("data-conn", "offline")
    due.page.clock.fast_forward(OFFLINE_MS)
    due.page.context.set_offline(False)
    other.table.my_turn.wait_for()
    due.table.wait_ready()
    expect(due.table.table).to_have_attribute("data-turn", "1")
    match = other.api("/matches?player=me")["items"][0]["id"]
    played = [one for one in other.api(f"/matches/{match}/events")["items"] if one["type"] == "played"]
    assert [(one["turn"], one["card"]) for one in played] == [(0, card)]
    assert len(sent) == 1
    expect(due.table.hand).to_have_count(3)


def test_acceptance_05_who_comes_back_has_the_same_seat_and_hand(
    pair: Callable[..., tuple[Person, Person]],
) -> None:
    people = pair()
    first, second = in_turn(*people)
    play_a_turn(first)
    hands = [(each.table.my_seat(), each.table.cards()) for each in people]
    link = first.page.url
    for each in people:
        each.leave_the_browser()
    for each in people:
        began = time.monotonic()
        each.come_back(link)
        each.table.wait_ready()
        print(f"{each.name} was back after {time.monotonic() - began:.2f} s")  # 2 s are wanted, on a quiet machine
    assert [(each.table.my_seat(), each.table.cards()) for each in people] == hands
    second.table.my_turn.wait_for()
    play_a_turn(second)
    expect(first.table.last_play).to_have_attribute("data-turn", "1")


def test_acceptance_06_nothing_that_reaches_one_seat_tells_a_card_of_the_other(person: Callable[..., Person]) -> None:
    mona, karim = person("Mona"), person("Karim")
    told: list[str] = []
    mona.page.on("websocket", lambda line: overhear(line, told))
    mona.page.on("response", lambda answer: keep(answer, told))
    gather([mona, karim], make_room(mona, seed="tea"))
    for _ in range(10):
        held = set(karim.table.cards())
        everything = [*told, mona.page.content(), mona.page.evaluate(STORED)]
        assert held
        assert not held & {card for one in everything for card in CARD.findall(BURIED.sub("", one))}
        shown = mona.page.locator("body").inner_text() + mona.page.content()
        assert not [card for card in held if spoken(card) in shown]
        play_a_turn(in_turn(mona, karim)[0])
        for each in (mona, karim):
            each.page.locator('#table[data-busy="false"]').wait_for()
    assert {card for one in told for card in CARD.findall(one)} >= set(mona.table.cards())


def overhear(line: WebSocket, told: list[str]) -> None:
    line.on("framereceived", lambda frame: told.append(str(frame)))


def keep(answer: Response, told: list[str]) -> None:
    if "/api/v1/" in answer.url and "json" in answer.headers.get("content-type", ""):
        told.append(answer.text())


def test_acceptance_07_what_the_policy_forbids_fails_a_journey(person: Callable[..., Person]) -> None:
    """Every journey ends with the question whether a page has complained; this one sees that it would be answered."""
    mona = person("Mona")
    mona.home.open()
    assert mona.complaints == []
    mona.page.evaluate("() => document.body.setAttribute('style', 'color: red')")
    mona.page.wait_for_function("() => getComputedStyle(document.body).color !== 'rgb(255, 0, 0)'")
    assert [one for one in mona.complaints if POLICY in one]
    mona.complaints.clear()


def test_acceptance_09_lifting_shows_what_would_be_taken_without_asking_anyone(
    pair: Callable[..., tuple[Person, Person]],
) -> None:
    leader, _ = in_turn(*pair(seed="tea", target=10))
    requests: list[Request] = []
    # Its own files the page fetches when it has time; what counts is whom it asks about the match.
    leader.page.on("request", lambda request: "/static/" in request.url or requests.append(request))
    for card in leader.table.cards():
        takes = (leader.table.card(card).get_attribute("data-takes") or "").split()
        leader.table.lift(card)
        expect(leader.table.card(card)).to_have_attribute("aria-pressed", "true")
        expect(leader.table.caught).to_have_count(len(takes))
        expect(leader.table.play_button).to_have_attribute("data-kind", "take" if takes else "trail")
    leader.page.mouse.move(1, 1)  # a card under the mouse shows its catch without being lifted, too
    leader.page.keyboard.press("Escape")
    expect(leader.table.caught).to_have_count(0)
    assert requests == []


def test_acceptance_11_two_languages_at_one_table(person: Callable[..., Person]) -> None:
    mona, karim = in_two_languages(person, seed="tea", target=30)
    for each, lang, direction in ((mona, "ar", "rtl"), (karim, "en", "ltr")):
        html = each.page.locator("html")
        expect(html).to_have_attribute("lang", lang)
        expect(html).to_have_attribute("dir", direction)
    due, other = in_turn(mona, karim)
    due.table.lift(due.table.cards()[0])
    due.page.evaluate("() => { window.isTheSamePage = true; }")
    due.page.get_by_test_id("open-settings").click()
    due.page.locator(f"#language-{other.lang}").check()
    due.page.keyboard.press("Escape")
    for each in (due, other):
        expect(each.page.locator("html")).to_have_attribute("lang", other.lang)
        assert each.table.hand.first.get_attribute("aria-label")
    assert due.page.evaluate("() => window.isTheSamePage")
    expect(due.table.play_button).to_be_visible()  # still lifted
    due.page.keyboard.press("Escape")
    play_a_turn(due)
    other.table.my_turn.wait_for()
    assert places(mona) == places(karim)
