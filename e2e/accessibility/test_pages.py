"""axe-core finds nothing on the pages that are read, and it does find what is wrong."""

from __future__ import annotations

import uuid
from collections.abc import Callable

from e2e.accessibility.axe import violations
from e2e.accessibility.conftest import Look
from e2e.person import Person


def test_the_pages_that_are_read(person: Callable[..., Person], look: Look, lang: str) -> None:
    reader = person("Salma", lang)
    for path in ("/rules", "/how-to-play", "/fair-deal", "/privacy", "/leaderboard", "/nothing-here"):
        reader.page.goto(path)
        reader.page.get_by_role("heading", level=1).wait_for()
        look(reader, path)


def test_the_account_and_what_opens_in_it(person: Callable[..., Person], look: Look, lang: str) -> None:
    salma = person("Salma", lang)
    salma.account.open()
    look(salma, "nobody's account")
    salma.post("/players", {"name": "Salma", "session": True})
    salma.account.open()
    salma.account.devices.wait_for()
    salma.account.code_to_move()
    salma.account.make_token("bot")
    salma.account.new_token.wait_for()
    look(salma, "a guest's account, a code and a token")
    salma.account.register(f"salma_{uuid.uuid4().hex[:12]}", "short")
    look(salma, "a password that is too short")
    salma.account.register(f"salma_{uuid.uuid4().hex[:12]}", "three cups of tea")
    salma.account.signed_in.wait_for()
    salma.account.button("account.delete").click()
    salma.page.get_by_test_id("delete-window").wait_for()
    look(salma, "asked whether to delete")
    salma.move.open("/move#ABCD-EFGH-JKLM")
    look(salma, "arriving here")


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
