"""The client's files keep the rules of the house: no markup from strings, small modules."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

STATIC = Path(__file__).resolve().parents[1] / "static"
MODULES = sorted((STATIC / "js").rglob("*.js"))
STYLES = sorted((STATIC / "css").rglob("*.css"))
PAGES = sorted(STATIC.glob("*.html"))
# Markup made of strings is where scripts are smuggled in; the page's policy would refuse it too.
MARKUP = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|DOMParser|\beval\("
    r"|setAttribute\(\s*'style'"
)
PHYSICAL = re.compile(r"(?<![-\w])(?:margin|padding|border)-(?:left|right)\b|text-align:\s*(?:left|right)|float:")
LIMIT = 300


def name(path: Path) -> str:
    return path.relative_to(STATIC).as_posix()


def test_every_style_that_a_screen_asks_for_is_there() -> None:
    listed = re.findall(r"styles: \[([^\]]*)\]", (STATIC / "js" / "screens.js").read_text())
    names = {name for one in listed for name in re.findall(r"'(\w+)'", one)}
    assert names - {path.stem for path in STYLES} == set()
    assert "table" in names


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


def test_the_screens_around_the_table_mirror() -> None:
    for style in ("base", "screens", "home", "room", "result", "sheet", "rules"):
        assert PHYSICAL.findall((STATIC / "css" / f"{style}.css").read_text()) == [], style


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_a_page_has_no_inline_script_or_style(path: Path) -> None:
    text = path.read_text()
    assert re.findall(r"\sstyle=|<style|\son\w+=|<script(?![^>]*\ssrc=)", text) == []


def test_the_deck_weighs_less_than_8_kb() -> None:
    deck = [
        STATIC / "sprite.html",
        STATIC / "css" / "cards.css",
        *(STATIC / "js" / "table" / f"{one}.js" for one in ("cards", "pips")),
    ]
    assert len(gzip.compress(b"".join(path.read_bytes() for path in deck), 9)) < 8 * 1024


def test_the_pictures_of_the_sprite_carry_no_style() -> None:
    sprite = (STATIC / "sprite.html").read_text()
    assert re.findall(r"<style|\sstyle=|\sfill=|\sstroke=", sprite) == []
    assert {"walad", "bint", "shayeb", "back"} <= set(re.findall(r'<symbol id="([\w-]+)"', sprite))
