"""People talk: each in his own language, in their own words where the host lets them, and not with everybody."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Route, expect

from e2e.party import NAMES, gather, make_room
from e2e.person import Person
from e2e.texts import text

Someone = Callable[..., Person]
BOLD = "<b>bold</b> & <img src=x onerror=alert(1)>"
WAIT_S = 2
# What a bubble must leave in sight: cards, the action row, the clocks and the buttons of the sheet's own place.
COVERED = """() => {
    const boxes = (selector) => [...document.querySelectorAll(selector)].filter((node) => node.getClientRects().length)
        .map((node) => [node.dataset.testid || node.className, node.getBoundingClientRect()]);
    const meet = (one, other) => one.left < other.right - 1 && other.left < one.right - 1
        && one.top < other.bottom - 1 && other.top < one.bottom - 1;
    const kept = boxes('[data-testid=hand-card], [data-testid=floor-card], .place, .actions, [data-testid=clock]');
    return boxes('[data-testid=bubble]').flatMap(([, bubble]) => (
        kept.filter(([, box]) => meet(bubble, box)).map(([name]) => name)));
}"""


def table(person: Someone, langs: tuple[str, ...] = ("en", "ar"), **room: Any) -> list[Person]:
    people = [person(NAMES[lang][seat], lang) for seat, lang in enumerate(langs)]
    gather(people, make_room(people[0], **room))
    return people


def test_a_phrase_is_heard_in_the_language_of_each(person: Someone) -> None:
    mona, karim = table(person)
    mona.talk.say("well_played")
    expect(karim.talk.bubble(0)).to_have_text(text("phrase.well_played", "ar"))
    expect(karim.page.locator("#live-polite")).to_have_text(
        text("talk.said", "ar", name="Mona", words=text("phrase.well_played", "ar"))
    )
    expect(mona.talk.bubble(0)).to_have_text(text("phrase.well_played", "en"))
    expect(mona.talk.sheet).to_be_hidden()
    expect(mona.talk.button).to_be_focused()
    karim.talk.say("laughter")
    expect(mona.talk.bubble(1)).to_have_attribute("data-kind", "emote")
    expect(mona.page.locator("#live-polite")).to_contain_text(text("phrase.laughter", "en"))
    expect(mona.talk.bubble(0)).to_have_count(0)  # it goes by itself


def test_a_bubble_covers_nothing_that_one_plays_with(person: Someone) -> None:
    sizes = ((320, 480), (390, 780), (667, 375), (1280, 800))
    phrases = ("one_moment", "what_a_basra", "ya_mallem", "applause")
    for langs in (("en", "ar"), ("ar", "en", "ar", "en")):
        people = table(person, langs, seats=len(langs))
        code = people[0].page.url.rsplit("/", 1)[1]
        for step, (width, height) in enumerate(sizes):
            people[0].page.set_viewport_size({"width": width, "height": height})
            for seat in range(len(people)):
                phrase = phrases[(seat + step) % len(phrases)]  # another one takes the place of the last
                people[seat].post(f"/rooms/{code}/phrases", {"phrase": phrase})
                expect(people[0].talk.bubble(seat)).to_have_attribute("data-phrase", phrase)
            assert people[0].page.evaluate(COVERED) == [], (width, height, len(langs))


def test_free_words_are_words_only_and_wait_to_be_read(person: Someone) -> None:
    mona, karim = table(person, chat=True)
    mona.talk.write(BOLD)
    expect(mona.talk.messages).to_have_attribute("data-state", "there")
    expect(karim.talk.button).to_have_attribute("data-unread", "1")
    karim.talk.open()
    expect(karim.talk.messages.locator("p")).to_have_text(BOLD)
    assert karim.talk.sheet.locator("b, img").count() == 0
    expect(karim.talk.button).to_have_attribute("data-unread", "0")
    karim.talk.write("مساء الخير")
    expect(mona.talk.messages).to_have_count(2)
    karim.page.reload()
    karim.table.wait_ready()
    expect(karim.talk.button).to_have_attribute("data-unread", "0")
    karim.talk.open()
    expect(karim.talk.messages.locator("p")).to_have_text([BOLD, "مساء الخير"])


def test_what_was_written_meanwhile_is_there_when_the_line_is(person: Someone) -> None:
    mona, karim = table(person, chat=True)
    karim.page.context.set_offline(True)
    expect(karim.table.table).to_have_attribute("data-conn", "offline")
    mona.talk.write("Still there?")
    expect(mona.talk.messages).to_have_attribute("data-state", "there")
    karim.talk.write("One moment")
    expect(karim.talk.messages).to_have_attribute("data-state", "failed")
    karim.page.context.set_offline(False)
    karim.table.wait_ready()
    expect(karim.talk.messages.locator("p")).to_have_text(["Still there?", "One moment"])
    karim.talk.messages.last.get_by_role("button", name=text("talk.again", "ar"), exact=True).click()
    expect(mona.talk.messages).to_have_count(2)


def test_who_watches_reads_nothing_and_has_nothing_to_say(person: Someone) -> None:
    mona, karim = table(person, spectators=True, chat=True)
    salma = person("Salma")
    salma.room.open(mona.page.url)
    expect(salma.page.get_by_test_id("watching")).to_be_visible()
    mona.talk.write("Between us")
    expect(karim.talk.button).to_have_attribute("data-unread", "1")
    mona.talk.say("yalla")
    expect(salma.talk.bubble(0)).to_have_text(text("phrase.yalla"))
    expect(salma.talk.button).to_be_hidden()
    assert salma.talk.messages.count() == 0


def test_a_muted_player_is_silent(person: Someone) -> None:
    mona, karim = table(person, chat=True)
    karim.talk.write("Before")
    expect(mona.talk.button).to_have_attribute("data-unread", "1")
    mona.talk.do("mute", karim.name)
    expect(mona.talk.button).to_have_attribute("data-unread", "0")  # what he wrote is gone, too
    karim.talk.write("After")
    karim.talk.say("yalla")
    expect(karim.talk.bubble(1)).to_be_visible()
    mona.talk.say("thanks")
    expect(mona.talk.bubble(0)).to_be_visible()
    assert mona.talk.bubble(1).count() == 0
    mona.talk.open()
    assert mona.talk.messages.count() == 0


def test_who_is_blocked_finds_the_table_closed(person: Someone) -> None:
    mona, karim = table(person)
    mona.table.leave()
    mona.result.root.wait_for()
    mona.talk.do("block", karim.name)
    link = make_room_again(mona)
    karim.room.open(link)
    karim.room.button("room.join", name=mona.name).click()
    expect(karim.room.error).to_have_attribute("data-error", "room_blocked")
    expect(karim.page.get_by_role("heading", level=1)).to_have_text(text("error.room_blocked.title", "ar"))


def make_room_again(host: Person) -> str:
    return f"/r/{host.post('/rooms', {})['code']}"


def test_too_much_at_once_is_told_calmly(person: Someone) -> None:
    mona, karim = table(person)
    asked: list[str] = []

    def refuse(route: Route) -> None:
        asked.append(route.request.url)
        body = {"type": "about:blank", "title": "Slow down", "status": 429, "code": "rate_limited"}
        route.fulfill(status=429, json=body, headers={"Retry-After": str(WAIT_S)})

    mona.page.route("**/phrases", refuse)
    mona.talk.open()
    mona.talk.phrase("yalla").click()
    expect(mona.talk.note).to_contain_text(str(WAIT_S))
    expect(mona.talk.phrase("thanks")).to_have_attribute("aria-disabled", "true")
    mona.talk.phrase("thanks").click(force=True)
    assert len(asked) == 1
    mona.page.unroute("**/phrases")
    expect(mona.talk.note).to_be_empty()
    mona.talk.phrase("thanks").click()
    expect(karim.talk.bubble(0)).to_be_visible()


def test_in_a_waiting_room_and_after_the_match(person: Someone) -> None:
    mona, karim = person("Mona"), person("كريم", "ar")
    link = make_room(mona, seats=4)
    expect(mona.talk.button).to_be_hidden()  # nobody is there to hear it
    karim.room.open(link)
    karim.room.join(karim.name, mona.name)
    karim.talk.say("hello")
    expect(mona.room.seat(1).get_by_test_id("bubble")).to_have_text(text("phrase.hello"))
    for seat in (2, 3):
        mona.room.add_bot(seat)
    karim.table.wait_ready()
    karim.table.leave()
    mona.result.root.wait_for()
    mona.talk.say("thanks")
    expect(karim.talk.bubble(0)).to_contain_text(text("phrase.thanks", "ar"))


def test_the_host_lets_people_write_only_where_strangers_do_not_come(person: Someone) -> None:
    mona = person("Mona")
    mona.home.open()
    mona.page.get_by_test_id("options").locator("summary").click()
    chat = mona.page.get_by_label(text("setup.chat"))
    chat.check()
    mona.page.get_by_label(text("setup.public")).check()
    expect(chat).to_be_disabled()
    expect(chat).not_to_be_checked()
    expect(chat).to_have_accessible_description(text("setup.no_chat"))
    mona.page.get_by_label(text("setup.public")).uncheck()
    expect(chat).to_be_checked()
    mona.home.play_with_a_friend("Mona")
    link = mona.room.link_to_share()
    assert mona.api(f"/rooms/{link.rsplit('/', 1)[1]}")["chat"] is True
