"""axe-core finds nothing on the pages that are read, and it does find what is wrong."""

from __future__ import annotations

from collections.abc import Callable

from e2e.accessibility.axe import violations
from e2e.accessibility.conftest import Look
from e2e.person import Person


def test_the_pages_that_are_read(person: Callable[..., Person], look: Look, lang: str) -> None:
    reader = person("Salma", lang)
    for path in ("/rules", "/how-to-play", "/nothing-here"):
        reader.page.goto(path)
        reader.page.get_by_role("heading", level=1).wait_for()
        look(reader, path)


def test_what_is_wrong_is_found(person: Callable[..., Person]) -> None:
    salma = person("Salma")
    salma.home.open()
    spoil = """() => {
        const button = document.querySelector('button');
        button.textContent = '';
        button.removeAttribute('aria-label');
        document.querySelector('.footnote').style.color = '#3d4f55';
    }"""
    salma.page.evaluate(spoil)
    rules = {fault.split(":")[0] for fault in violations(salma.page)}
    assert {"button-name", "color-contrast"} <= rules
