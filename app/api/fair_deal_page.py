"""The page of the fair deal: how chance is drawn, in plain words, and where each step can be checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.api.assets import Text
from app.api.language import Language
from app.api.rules_page import RulesWords
from engine.shuffle import SCHEME_1, SCHEME_2

PARTS = ("short", "check", "exactly", "limits", "seeded", "questions")
# What each step of the scheme is as a formula, beside its words; the same in every language.
FORMULAS = {
    "commitment": "commitment = hex(SHA-256(server_seed))",
    "bound": "client_commitment = hex(SHA-256(client_seed))",
    "seeds": "seeds = seed0,seed1   |   seed0,seed1,seed2,seed3",
    "words": f'HMAC-SHA256(key = server_seed, "{SCHEME_1}:{{round}}:{{seeds}}:{{block}}") = 8 x uint32, big-endian',
    "draw": "w < (2^32 // n) * n  ->  w % n",
    "dealer": "draw(seats)",
    "shuffle": "for i = 51 … 1: swap(i, draw(i + 1))",
    "cut": "1 + draw(51)",
    "buried": "1 + draw(n)",
}


def fair_deal_page(words: Mapping[str, Text], language: Language) -> dict[str, Any]:
    """Give what the template shows, in one language."""
    page = RulesWords(words, language)
    steps = [key for key in words if key.startswith("exact.")]
    return {
        "say": page.say,
        "parts": PARTS,
        "scheme": SCHEME_2,
        "scheme_before": SCHEME_1,
        "short": page.series("short"),
        "limits": page.series("limits"),
        "checks": page.series("check"),
        "steps": [(page.say(key), FORMULAS.get(key.removeprefix("exact."), "")) for key in steps],
        "questions": page.pairs("question"),
    }
