"""The privacy page: what is kept and for how long, with the periods that this server goes by.

`docs/privacy.md` and `docs/privacy.ar.md` are made of the same texts by `python -m tests.privacy`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.api.assets import Text
from app.api.documents import YEAR_S
from app.api.language import DIGITS_COOKIE, LANGUAGE_COOKIE, Language
from app.auth import COOKIE_AGE_S, COOKIE_NAME, DEVICE_COOKIE_NAME
from app.config import Settings
from app.services import audit, bearers, devices, sign_ups

PARTS = ("short", "kept", "seen", "cookies", "addresses", "rights", "decisions", "contact")
DAY_S = 24 * 3600
assert YEAR_S // DAY_S == 365, "the page says of these two cookies: for a year"


def privacy_page(words: Mapping[str, Text], language: Language, settings: Settings) -> dict[str, Any]:
    """Give what the template shows, in one language and for one server."""
    page = PrivacyWords(words, language)
    periods = _periods(settings)
    rows = [key.removesuffix(".what") for key in words if key.startswith("kept.") and key.endswith(".what")]
    return {
        "say": page.say,
        "parts": PARTS,
        "kept": [(page.say(f"{row}.what"), page.for_days(f"{row}.then", periods.get(row))) for row in rows],
        **{part: page.series(part) for part in ("short", "seen", "cookies", "addresses", "rights", "decisions")},
        "contact": settings.contact,
    }


class PrivacyWords:
    """The texts of the page in one language, with the names and the periods of the service filled in."""

    def __init__(self, words: Mapping[str, Text], language: Language) -> None:
        self._words = words
        self._language = language
        self._slots = {
            "session_cookie": COOKIE_NAME,
            "device_cookie": DEVICE_COOKIE_NAME,
            "language_cookie": LANGUAGE_COOKIE,
            "digits_cookie": DIGITS_COOKIE,
            "cookie_days": self.days(COOKIE_AGE_S // DAY_S),
        }

    def say(self, key: str, **more: str) -> str:
        """Give a text."""
        return self._language.written(str(self._words[key])).format_map({**self._slots, **more})

    def series(self, prefix: str) -> list[str]:
        """The texts prefix.1, prefix.2, … as far as they go."""
        return [self.say(key) for key in self._words if key.startswith(f"{prefix}.")]

    def for_days(self, key: str, days: int | None) -> str:
        """Give how long something is kept; no days at all are for ever."""
        if days == 0:
            return self.say("kept.for_ever")
        return self.say(key) if days is None else self.say(key, days=self.days(days))

    def days(self, number: int) -> str:
        """A number of days, in the form that goes with it."""
        forms = self._words["days"]
        assert isinstance(forms, dict)
        form = _arabic_form(number) if self._language.code == "ar" else "one" if number == 1 else "other"
        return self._language.written(forms[form].format(n=number))


def _arabic_form(number: int) -> str:
    """The plural form of a whole number, as Unicode's CLDR has it for Arabic."""
    if number <= 2:
        return ("zero", "one", "two")[number]
    rest = number % 100
    return "few" if 3 <= rest <= 10 else "many" if rest >= 11 else "other"


def _periods(settings: Settings) -> dict[str, int]:
    """For how many days the rows of the table are kept, where that is a matter of days."""
    return {
        "kept.guests": settings.keep_guests_days,
        "kept.rooms": settings.keep_rooms_days,
        "kept.messages": settings.keep_messages_days,
        "kept.reports": settings.keep_reports_days,
        "kept.sessions": bearers.KEPT.days,
        "kept.devices": devices.KEPT.days,
        "kept.decisions": audit.KEPT.days,
        "kept.sign_ups": sign_ups.KEPT.days,
    }
