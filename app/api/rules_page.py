"""The rules page: the words of a language file around the numbers of the rule sets and of the clock.

No number of the game stands in the texts; each is the one that the engine or the service goes by.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from app.api.assets import Text
from app.api.language import Language
from app.services import clock, deadlines, results
from app.services.rooms import KEPT
from engine.capture import BASRA_POINTS, TOTAL_LIMIT
from engine.rules import OVERRIDES, PROFILES, TARGET_MAX, TARGET_MIN, Rules
from engine.scoring import MAJORITY_CARDS

# The fields of a rule set, as the page lists them; the last column of a row says what the field means.
FIELDS = (
    "target",
    "seats",
    "allocation",
    "cut",
    "komi_basra",
    "jack_on_jack",
    "burned_komi",
    "majority",
    "carry",
    "card_points",
)
# What happens, what follows with two seats, what follows with four; by the keys of the texts.
SLOW_AND_GONE = (
    ("late", "late.two", "late.four"),
    ("late_twice", "none", "late_twice.four"),
    ("late_cut", "late_cut.both", "late_cut.both"),
    ("lost", "lost.both", "lost.both"),
    ("left", "left.two", "left.four"),
    ("host", "host.both", "host.both"),
    ("everyone", "everyone.two", "everyone.four"),
    ("restart", "restart.both", "restart.both"),
    ("hour", "hour.both", "hour.both"),
    ("unused", "unused.both", "unused.both"),
)
SUITS = {"C": "\u2663", "D": "\u2666", "H": "\u2665", "S": "\u2660"}
# Without a sign that says so, phones draw the suits as little pictures.
SUIT = re.compile("([\u2660\u2663\u2665\u2666])(?!\ufe0e)")
AS_TEXT = "\ufe0e"


def rules_page(words: Mapping[str, Text], language: Language) -> dict[str, Any]:
    """Give what the template of the rules shows, in one language."""
    page = RulesWords(words, language)
    return {
        "say": page.say,
        "profiles": [{"profile": name, "name": page.say(f"profile.{name}")} for name in PROFILES],
        "fields": list(page.fields()),
        "slow": [[page.say(f"slow.{key}") for key in row] for row in SLOW_AND_GONE],
        "steps": page.series("round.step"),
        "captures": page.pairs("capture"),
        "basras": page.series("basra.line"),
        "points": page.pairs("count"),
        "allocations": page.pairs("allocation"),
        "results": page.series("result.line"),
    }


class RulesWords:
    """The texts of a page in one language, with the numbers of the game filled in."""

    def __init__(self, words: Mapping[str, Text], language: Language) -> None:
        self._words = words
        self._language = language
        self._slots = _numbers()

    def say(self, key: str, **more: str) -> str:
        """Give a text; `more` fills in what is not a number of the game."""
        return self._drawn(str(self._words[key]).format_map({**self._slots, **more}))

    def _drawn(self, words: str) -> str:
        return _drawn_as_text(self._language.written(words))

    def series(self, prefix: str) -> list[str]:
        """The texts prefix.1, prefix.2, … as far as they go."""
        return [self.say(key) for key in self._words if key.startswith(f"{prefix}.")]

    def pairs(self, prefix: str) -> list[tuple[str, str]]:
        """The texts prefix.x.what with prefix.x.then."""
        names = [
            key.removesuffix(".what") for key in self._words if key.startswith(f"{prefix}.") and key[-5:] == ".what"
        ]
        return [(self.say(f"{name}.what"), self.say(f"{name}.then")) for name in names]

    def fields(self) -> Iterator[dict[str, Any]]:
        """Give the fields of the rule sets, each with its value in every one of them."""
        for field in FIELDS:
            values = [self._value(rules, field) for rules in PROFILES.values()]
            yield {
                "name": self.say(f"field.{field}"),
                "about": self.say(f"field.{field}.about"),
                "values": values,
                "open": field in OVERRIDES or field == "target",
            }

    def _card(self, what: str) -> str:
        """A rank or a card, as a person writes it: A, 2♣, 10♦."""
        if len(what) == 1:
            return self.say(f"value.rank.{what}")
        return ("10" if what[0] == "T" else what[0]) + SUITS[what[1]]

    def _value(self, rules: Rules, field: str) -> str:
        value = getattr(rules, field)
        if field == "seats":
            return self._drawn(self.say("value.or").join(map(str, value)))
        if field == "card_points":
            pairs = [f"{self._card(what)} {worth}" for what, worth in value]
            return self._drawn(self.say("value.and").join(pairs)) if pairs else self.say("value.none")
        if isinstance(value, bool):
            return self.say("value.yes" if value else "value.no")
        if isinstance(value, str):
            return self.say(f"value.{field}.{value}")
        return self._drawn(str(value)) if value else self.say("value.none")


def _drawn_as_text(words: str) -> str:
    return SUIT.sub(lambda found: found[1] + AS_TEXT, words)


def _numbers() -> dict[str, object]:
    classic = PROFILES["classic"]
    worth = dict(classic.card_points)
    return {
        "majority_cards": MAJORITY_CARDS,
        "majority": classic.majority,
        "twice": classic.majority * 2,
        "thrice": classic.majority * 3,
        "basra": BASRA_POINTS,
        "total_limit": TOTAL_LIMIT,
        "target": classic.target,
        "ace": worth["A"],
        "jack": worth["J"],
        "two_of_clubs": worth["2C"],
        "ten_of_diamonds": worth["TD"],
        "example": classic.majority + 2 * worth["A"] + worth["J"] + worth["TD"] + BASRA_POINTS,
        "target_min": TARGET_MIN,
        "target_max": TARGET_MAX,
        "cut_s": deadlines.CUT_S,
        "deserted_s": deadlines.DESERTED_TURN_S,
        "back_s": int(clock.GRACE.total_seconds()),
        "waiting_h": int(KEPT["waiting"].total_seconds() // 3600),
        "finished_h": int(KEPT["finished"].total_seconds() // 3600),
        "win": results.POINTS_WIN,
        "draw": results.POINTS_DRAW,
        "loss": results.POINTS_LOSS,
    }
