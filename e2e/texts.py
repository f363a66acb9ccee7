"""The words of the page, read from its own language files, so that a journey follows the page and not a copy of it."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

I18N = Path(__file__).parent.parent / "static" / "i18n"


@cache
def texts(lang: str) -> dict[str, Any]:
    """Give all texts of a language by their key."""
    loaded: dict[str, Any] = json.loads((I18N / f"{lang}.json").read_text())
    return loaded


def text(key: str, lang: str = "en", **values: object) -> str:
    """Give one text with its `{slots}` filled in.

    Errors: KeyError for a key that the language does not have.
    """
    words = str(texts(lang)[key])
    for name, value in values.items():
        words = words.replace("{" + name + "}", str(value))
    return words
