"""The client's files keep the rules of the house: texts by key, no markup from strings, small modules, old browsers."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

STATIC = Path(__file__).resolve().parents[1] / "static"
MODULES = sorted((STATIC / "js").rglob("*.js"))
STYLES = sorted((STATIC / "css").rglob("*.css"))
PAGES = sorted(STATIC.glob("*.html"))
TEXTS: dict[str, str | dict[str, str]] = json.loads((STATIC / "i18n" / "en.json").read_text())
RULES_TEXTS: dict[str, str] = json.loads((STATIC / "i18n" / "rules.en.json").read_text())
KEY = re.compile(r"""['"]([a-z]\w*(?:\.\w+)+)['"]""")
# Markup made of strings is where scripts are smuggled in; the page's policy would refuse it too.
MARKUP = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|DOMParser|\beval\("
    r"|setAttribute\(\s*'style'"
)
# Newer than Chrome 94, Safari 15.4 and Firefox 93, for which the page has to work without a fallback.
TOO_NEW_JS = re.compile(
    r"structuredClone|\.findLast|\.toSorted|\.toSpliced|\.toReversed|Object\.groupBy|AbortSignal\.timeout|showModal"
    r"|randomUUID|\.inert\b"
)
TOO_NEW_CSS = re.compile(r"@container|:has\(|color-mix\(|@layer|text-wrap|@property|^\s*&", re.MULTILINE)
PHYSICAL = re.compile(r"(?<![-\w])(?:margin|padding|border)-(?:left|right)\b|text-align:\s*(?:left|right)|float:")
LIMIT = 300


def name(path: Path) -> str:
    return path.relative_to(STATIC).as_posix()


def keys_used() -> set[str]:
    used: set[str] = set()
    for path in [*MODULES, *PAGES]:
        used |= {
            key for key in KEY.findall(path.read_text()) if key.split(".")[0] in {one.split(".")[0] for one in TEXTS}
        }
    python = (STATIC.parent / "app" / "api" / "pages.py").read_text()
    return used | {key for key in KEY.findall(python) if key.startswith("page.") and not key.endswith(".py")}


def test_every_text_that_is_used_is_there() -> None:
    # Codes of refusals and module names look like keys; what is asked of t() and of the templates is a key for sure.
    asked: set[str] = set()
    for path in MODULES:
        asked |= set(re.findall(r"""\bt\(\s*['"]([^'"]+)['"]""", path.read_text()))
    for path in PAGES:
        asked |= set(re.findall(r"text\['([^']+)'\]", path.read_text()))
    assert asked - TEXTS.keys() == set()


def test_every_text_that_is_there_is_used() -> None:
    assert TEXTS.keys() - keys_used() == set()


def test_the_rules_template_names_texts_that_are_there() -> None:
    asked = set(re.findall(r"say\('([^'~]+)'\)", (STATIC / "rules.html").read_text()))
    assert asked - RULES_TEXTS.keys() == set()


def test_every_style_that_a_screen_asks_for_is_there() -> None:
    listed = re.findall(r"styles: \[([^\]]*)\]", (STATIC / "js" / "screens.js").read_text())
    names = {name for one in listed for name in re.findall(r"'(\w+)'", one)}
    assert names - {path.stem for path in STYLES} == set()
    assert "table" in names


def test_plural_forms_are_complete() -> None:
    for key, text in TEXTS.items():
        if isinstance(text, dict):
            assert text.keys() == {"one", "other"}, key


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_a_module_builds_no_markup_from_strings(path: Path) -> None:
    assert MARKUP.findall(path.read_text()) == []


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_a_module_has_no_text_of_its_own(path: Path) -> None:
    code = re.sub(r"^\s*(?://|\*|/\*).*$", "", path.read_text(), flags=re.MULTILINE)
    code = re.sub(r"\s// .*$", "", code, flags=re.MULTILINE)
    code = re.sub(r"new Error\(`[^`]*`\)|new Error\('[^']*'\)", "", code)
    sentences = re.findall(r"""['"`]([A-Z][a-z]+(?: [a-z]+)+[^'"`]*)['"`]""", code)
    assert sentences == []


@pytest.mark.parametrize("path", [*MODULES, *STYLES, *PAGES], ids=name)
def test_a_file_is_short(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= LIMIT


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_a_module_asks_nothing_newer_than_the_browsers_we_serve(path: Path) -> None:
    assert TOO_NEW_JS.findall(path.read_text()) == []


@pytest.mark.parametrize("path", STYLES, ids=name)
def test_a_style_asks_nothing_newer_than_the_browsers_we_serve(path: Path) -> None:
    assert TOO_NEW_CSS.findall(path.read_text()) == []


def test_the_screens_around_the_table_mirror() -> None:
    for style in ("base", "screens", "home", "room", "result", "sheet", "rules"):
        assert PHYSICAL.findall((STATIC / "css" / f"{style}.css").read_text()) == [], style


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_a_page_has_no_inline_script_or_style(path: Path) -> None:
    text = path.read_text()
    assert re.findall(r"\sstyle=|<style|\son\w+=|<script(?![^>]*\ssrc=)", text) == []
