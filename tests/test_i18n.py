"""The texts: the same keys in both languages, all used and all there, every plural form, the same slots, one script."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from app.problems import KINDS
from app.services.phrases import PHRASES

STATIC = Path(__file__).resolve().parents[1] / "static"
I18N = STATIC / "i18n"
Text = str | dict[str, str]
FORMS = {"en": {"one", "other"}, "ar": {"zero", "one", "two", "few", "many", "other"}}
# Each family of texts, as the file names have it: the client's own, and those of the pages that the server makes.
FAMILIES = sorted(path.name.removesuffix("en.json") for path in I18N.glob("*en.json"))
SLOT = re.compile(r"\{(\w+)\}")
LATIN = re.compile(r"[A-Za-z]+")
# The other language's own name stands in its own letters.
MAY_BE_LATIN = {"lang.other"}
# Forms for 0, 1 and 2 say the number in a word.
SAY_THE_NUMBER = {"zero", "one", "two"}
KEY = re.compile(r"""['"]([a-z]\w*(?:\.\w+)+)['"]""")
# Keys that are put together from a fixed beginning and a known ending.
MADE_UP = ("card.rank.", "phrase.")


def load(family: str, lang: str) -> dict[str, Text]:
    found: dict[str, Text] = json.loads((I18N / f"{family}{lang}.json").read_text(), object_pairs_hook=unique)
    return found


def unique(pairs: list[tuple[str, Text]]) -> dict[str, Text]:
    keys = [key for key, _ in pairs]
    assert len(keys) == len(set(keys)), f"twice: {[key for key in keys if keys.count(key) > 1]}"
    return dict(pairs)


def forms(text: Text) -> dict[str, str]:
    return {"": text} if isinstance(text, str) else text


# What the client loads with its first page, and with the screens that have texts of their own.
CLIENTS = ("", "replay.", "players.", "account.", "talk.")
TEXTS = unique([pair for family in CLIENTS for pair in load(family, "en").items()])
SOURCES = {path: path.read_text() for path in [*(STATIC / "js").rglob("*.js"), *STATIC.glob("*.html")]}


@pytest.mark.parametrize("family", FAMILIES)
def test_both_languages_have_the_same_keys(family: str) -> None:
    assert load(family, "en").keys() ^ load(family, "ar").keys() == set()


@pytest.mark.parametrize("family", FAMILIES)
def test_what_counts_in_one_language_counts_in_the_other(family: str) -> None:
    arabic = load(family, "ar")
    for key, text in load(family, "en").items():
        assert isinstance(text, str) == isinstance(arabic[key], str), key


@pytest.mark.parametrize("lang", FORMS)
@pytest.mark.parametrize("family", FAMILIES)
def test_plural_forms_are_complete(family: str, lang: str) -> None:
    for key, text in load(family, lang).items():
        if isinstance(text, dict):
            assert text.keys() == FORMS[lang], key


@pytest.mark.parametrize("family", FAMILIES)
def test_both_languages_fill_in_the_same(family: str) -> None:
    arabic = load(family, "ar")
    for key, text in load(family, "en").items():
        wanted = set(SLOT.findall(forms(text).get("other", forms(text).get(""))))
        for form, words in forms(arabic[key]).items():
            found = set(SLOT.findall(words))
            assert found == wanted or (form in SAY_THE_NUMBER and found <= wanted), f"{key} {form}"


@pytest.mark.parametrize("family", FAMILIES)
def test_no_latin_letter_is_left_in_arabic(family: str) -> None:
    for key, text in load(family, "ar").items():
        for words in forms(text).values():
            assert key in MAY_BE_LATIN or not LATIN.findall(SLOT.sub("", words)), f"{key}: {words}"


@pytest.mark.parametrize("lang", FORMS)
@pytest.mark.parametrize("family", FAMILIES)
def test_no_text_is_empty(family: str, lang: str) -> None:
    for key, text in load(family, lang).items():
        assert all(forms(text).values()), key


def test_every_text_that_is_used_is_there() -> None:
    # Codes of refusals and module names look like keys; what is asked of t() and of the templates is a key for sure.
    asked = {key for text in SOURCES.values() for key in re.findall(r"""\bt\(\s*['"]([^'"]+)['"]""", text)}
    asked |= {key for text in SOURCES.values() for key in re.findall(r"text\['([^']+)'\]", text)}
    assert asked - TEXTS.keys() == set()


def test_every_text_that_is_there_is_used() -> None:
    used = {key for text in SOURCES.values() for key in KEY.findall(text)}
    for path in (STATIC.parent / "app" / "api").glob("*.py"):
        used |= set(KEY.findall(path.read_text()))
    assert {key for key in TEXTS if key not in used and not key.startswith(MADE_UP)} == set()


def test_every_refusal_of_the_service_has_a_text() -> None:
    words = SOURCES[STATIC / "js" / "table" / "words.js"]
    told = re.search(r"const REFUSALS = \{(.*?)\};", words, re.DOTALL)[1]
    assert KINDS.keys() - set(re.findall(r"^ +'?([\w.]+)'?:", told, re.MULTILINE)) == set()


def test_every_phrase_of_the_table_has_a_text_and_no_other() -> None:
    assert {key for key in TEXTS if key.startswith("phrase.")} == {f"phrase.{phrase.id}" for phrase in PHRASES}


@pytest.mark.parametrize("page", sorted(path.stem for path in STATIC.glob("*.html")))
def test_a_template_of_the_server_names_texts_that_are_there(page: str) -> None:
    asked = set(re.findall(r"say\('([^'~]+)'\)", (STATIC / f"{page}.html").read_text()))
    if asked:
        assert asked - load(f"{page}.", "en").keys() == set()
