"""The marks that tests hold on to: the guide lists every `data-testid` of every page, and no other."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
GUIDE = (ROOT / "docs" / "qa.md").read_text()
SOURCES = {
    path: path.read_text()
    for folder, pattern in (("static/js", "**/*.js"), ("static", "*.html"), ("app/api/templates", "*.html"))
    for path in (ROOT / folder).glob(pattern)
}
ALL = "\n".join(SOURCES.values())
LITERAL = re.compile(
    r"""testid: '([a-z-]+)'|data-testid="([a-z-]+)"|dataset\.testid = '([a-z-]+)'"""
    r"""|testid: \w+ \? '([a-z-]+)' : '([a-z-]+)'"""
)
# The beginning is fixed, the rest says which: `filter-outcome`.
FAMILY = re.compile(r"testid(?::| =) `([a-z]+-)\$\{")


def listed() -> set[str]:
    section = re.search(r"(?ms)^## Every mark$(.*?)^## ", GUIDE)
    assert section
    return {
        mark for row in re.findall(r"(?m)^\|[^|]*\|(.*)\|$", section[1]) for mark in re.findall(r"`([a-z-]+…?)`", row)
    }


def test_every_mark_of_every_page_is_in_the_guide() -> None:
    made = {mark for found in LITERAL.findall(ALL) for mark in found if mark}
    made |= {f"{beginning}…" for beginning in FAMILY.findall(ALL)}
    assert len(made) > 100
    assert made - listed() == set(), "add it to `Every mark` in docs/qa.md"


def test_every_mark_of_the_guide_is_on_some_page() -> None:
    gone = {
        mark
        for mark in listed()
        if not (f"`{mark[:-1]}${{" in ALL if mark.endswith("…") else re.search(rf"""['"]{mark}['"]""", ALL))
    }
    assert gone - {"data-testid"} == set()


def test_what_the_contract_says_of_a_mark_is_in_the_list_too() -> None:
    contract = GUIDE[GUIDE.index("## What a test may hold on to") : GUIDE.index("## Every mark")]
    assert set(re.findall(r"\[data-testid=([a-z-]+)\]", contract)) <= listed()
