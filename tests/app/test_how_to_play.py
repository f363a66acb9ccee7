"""The page that teaches the game: it teaches no wrong rule, needs no script, and shows the asked rule set."""

from __future__ import annotations

import html
import re

import pytest
from flask.testing import FlaskClient

from app.api.assets import texts
from app.api.how_to_play import lessons
from app.api.language import Language
from app.api.rules_page import RulesWords, rules_page
from engine.capture import captures
from engine.rules import PROFILES, resolve_rules

ENGLISH = {"Accept-Language": "en"}
CARD = re.compile(r"(10|[2-9])([♠♥♦♣])")
SUITS = {"♠": "S", "♥": "H", "♦": "D", "♣": "C"}


def shown(client: FlaskClient, query: str = "", accept: str = "en") -> str:
    answer = client.get(f"/how-to-play{query}", headers={"Accept-Language": accept})
    assert answer.status_code == 200
    return html.unescape(answer.text)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson["lesson"])
def test_a_lesson_teaches_what_the_engine_plays(lesson: dict, profile: str) -> None:
    rules = resolve_rules(profile)
    for one in lesson["hand"]:
        found = captures(rules, tuple(lesson["floor"]), one["card"])
        taken, basra = (list(found[0].cards), found[0].basra) if found else ([], 0)
        assert (taken, basra) == (one["takes"], one["basra"])
        assert len(found) <= 1, "a lesson has one answer"


@pytest.mark.parametrize("lang", ["en", "ar"])
@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson["lesson"])
def test_the_words_of_a_lesson_speak_of_its_cards(lesson: dict, lang: str) -> None:
    words = RulesWords(texts(f"how.{lang}"), Language(lang, "latn"))
    cards = set(lesson["floor"]) | {one["card"] for one in lesson["hand"]}
    named = CARD.findall(words.say(f"lesson.{lesson['lesson']}.text").replace("\ufe0e", ""))
    assert named
    assert {("T" if rank == "10" else rank) + SUITS[suit] for rank, suit in named} <= cards


def test_there_are_five_floors_that_teach_the_whole_capture() -> None:
    assert [one["lesson"] for one in lessons()] == ["match", "sum", "both", "sweep", "basra"]
    assert {card["card"] for card in lessons()[3]["hand"]} >= {"JC", "7D"}


@pytest.mark.parametrize("lang", ["en", "ar"])
def test_every_text_is_on_the_page_and_needs_no_script(client: FlaskClient, lang: str) -> None:
    page = shown(client, accept=lang)
    language = Language(lang, "arab")
    words = RulesWords(texts(f"how.{lang}"), language)
    name = RulesWords(texts(f"rules.{lang}"), language).say("profile.classic")
    assert [key for key in texts(f"how.{lang}") if words.say(key, profile=name) not in page] == []
    assert page.count('data-testid="lesson"') == 5


@pytest.mark.parametrize("profile", PROFILES)
def test_the_page_shows_the_rules_of_the_very_rule_set(client: FlaskClient, profile: str) -> None:
    page = shown(client, f"?profile={profile}")
    table = page.split(f'data-profile="{profile}"')[1].split("</table>")[0]
    column = list(PROFILES).index(profile)
    for field in rules_page(texts("rules.en"), Language("en", "latn"))["fields"]:
        row = re.search(rf'<th scope="row">{re.escape(field["name"])} .*?<td>(.*?)</td>', table)
        assert row, field["name"]
        assert row[1] == field["values"][column]


def test_an_unknown_rule_set_is_the_classic_one(client: FlaskClient) -> None:
    assert 'data-profile="classic"' in shown(client, "?profile=poker")


def test_the_example_of_a_round_adds_up() -> None:
    for lang in ("en", "ar"):
        words = RulesWords(texts(f"how.{lang}"), Language(lang, "latn"))
        terms, total = re.search(r"(\d+(?: \+ \d+)+) = (\d+)", words.say("count.example")).groups()
        assert sum(map(int, terms.split(" + "))) == int(total)
