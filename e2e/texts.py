"""The words of the page, read from its own language files, so that a journey follows the page and not a copy of it."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

# What runs against the language's own direction.
STRANGE = {"en": re.compile("[\u0590-\u08ff]"), "ar": re.compile(r"[^\u0600-\u06ff\s]")}
I18N = Path(__file__).parent.parent / "static" / "i18n"


@cache
def texts(lang: str) -> dict[str, Any]:
    """Give all texts of a language by their key: those of every screen, each of which has some of its own."""
    return {
        key: words
        for path in [I18N / f"{lang}.json", *I18N.glob(f"*.{lang}.json")]
        for key, words in json.loads(path.read_text()).items()
    }


def text(key: str, lang: str = "en", **values: object) -> str:
    """Give one text with its `{slots}` filled in, a name of the other direction isolated as the page does it.

    Errors: KeyError for a key that the language does not have.
    """
    words = str(texts(lang)[key])
    for name, value in values.items():
        shown = str(value)
        if STRANGE[lang].search(shown):
            shown = f"\u2068{shown}\u2069"
        words = words.replace("{" + name + "}", shown)
    return words
