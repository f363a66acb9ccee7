"""How to play: small floors to try, the words around them, and the rules of one rule set."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from app.api.assets import Text, assets, texts
from app.api.language import Language
from app.api.rules_page import RulesWords
from engine.rules import PROFILES

PARTS = ("try", "turn", "count", "profile", "tips", "questions", "origin")
RANKS = {"A": "ace", "T": "10", "J": "jack", "Q": "queen", "K": "king"}
SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
COURTS = {"J": "walad", "Q": "bint", "K": "shayeb"}


@cache
def lessons() -> list[dict[str, Any]]:
    """Give the small floors: what lies there, what the hand has, and what each card of it takes."""
    found: list[dict[str, Any]] = json.loads(assets()["lessons.json"].body)
    return found


def how_to_play(language: Language, profile: str) -> dict[str, Any]:
    """Give what the template shows, in one language and with the rules of one rule set."""
    words = RulesWords(texts(f"how.{language.code}"), language)
    rules = RulesWords(texts(f"rules.{language.code}"), language)
    names = {name: rules.say(f"profile.{name}") for name in PROFILES}
    column = list(PROFILES).index(profile)
    return {
        "say": words.say,
        "parts": PARTS,
        "lessons": [_drawn(lesson, texts(language.code)) for lesson in lessons()],
        "turns": words.series("turn"),
        "points": words.pairs("count"),
        "profile": profile,
        "profile_lead": words.say("profile.lead", profile=names[profile]),
        "fields": [{**field, "value": field["values"][column]} for field in rules.fields()],
        "others": [(name, names[name]) for name in PROFILES if name != profile],
        "tips": words.series("tip"),
        "questions": words.pairs("question"),
        "question_links": {
            words.say("question.fixed.what"): ("/fair-deal", texts(f"fair.{language.code}")["fair.title"])
        },
        "origins": words.series("origin"),
    }


def _drawn(lesson: dict[str, Any], words: Mapping[str, Text]) -> dict[str, Any]:
    hand = [{**_face(one["card"], words), "takes": one["takes"], "basra": one["basra"]} for one in lesson["hand"]]
    return {"lesson": lesson["lesson"], "floor": [_face(card, words) for card in lesson["floor"]], "hand": hand}


def _face(card: str, words: Mapping[str, Text]) -> dict[str, str]:
    """Give what a card is drawn and named by."""
    rank = str(words[f"card.rank.{RANKS.get(card[0], card[0])}"])
    name = str(words["card.name"]).format(rank=rank, suit=words[f"card.suit.{SUITS[card[1]]}"])
    shown = "10" if card[0] == "T" else card[0]
    return {"card": card, "rank": shown, "suit": card[1].lower(), "court": COURTS.get(card[0], ""), "name": name}
