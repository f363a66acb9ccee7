"""What `docs/qa.md` promises to tests is on the real pages: each selector with its attributes, and its example runs."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from e2e.person import Person
from e2e.play import play_out

GUIDE = (Path(__file__).parents[2] / "docs" / "qa.md").read_text()
# Notes every mark, and the root, with all data-* that they ever had.
WATCH = """
(() => {
  const seen = (globalThis.marksSeen = new Set());
  const note = (node) => {
    const name = node.dataset?.testid ?? (node.id === 'table' ? '#table' : node.matches?.('main') ? 'main' : null);
    if (name) for (const { name: data } of node.attributes) if (data.startsWith('data-')) seen.add(`${name} ${data}`);
  };
  const look = () => document.querySelectorAll('main, #table, [data-testid]').forEach(note);
  new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
  document.addEventListener('DOMContentLoaded', look);
})()
"""


def promised() -> dict[str, set[str]]:
    """The attributes that the guide's table promises, by mark."""
    section = GUIDE[GUIDE.index("## What a test may hold on to") : GUIDE.index("## Every mark")]
    found: dict[str, set[str]] = {"main": {"data-screen"}}
    for where, what in re.findall(r"(?m)^\| (`[^|]+) \| ([^|]+) \|$", section):
        marks = re.findall(r"\[data-testid=([a-z-]+)\]", where) or (["#table"] if "#table" in where else [])
        # `main` and `html` have their attributes in the selector; what only some state has is another test's.
        own = set(re.findall(r"`(data-[a-z-]+)`", what))
        for mark in marks:
            found.setdefault(mark, set()).update(own)
    return found


def seen_by(page: Page) -> set[str]:
    return set(page.evaluate("[...globalThis.marksSeen]"))


def test_every_promised_attribute_is_met_in_an_evening(
    person: Callable[..., Person],
) -> None:
    seen: set[str] = set()
    people = [person(name) for name in ("Mona", "Karim")]
    for each in people:
        each.page.add_init_script(WATCH)
    mona, karim = people
    for each in people:
        each.register()
    room = mona.post("/rooms", {"visibility": "public", "target": None})
    karim.home.open()
    karim.home.open_table(room["code"]).wait_for()
    seen |= seen_by(karim.page)
    mona.room.open(f"/r/{room['code']}")
    mona.room.code.wait_for()
    seen |= seen_by(mona.page)
    karim.room.open(f"/r/{room['code']}")
    karim.room.button("room.join", name=mona.name).click()
    for each in people:
        each.table.wait_ready()
    karim.talk.say("yalla")
    mona.talk.bubble(1).wait_for()
    play_out(people)
    mona.page.get_by_test_id("rematch").wait_for()
    for each in people:
        seen |= seen_by(each.page)
    seen |= afterwards(mona)

    shared = {"hand-card", "floor-card", "pile", "score", "play", "choice", "sheet", "result", "offline", "new-version"}
    missing = {
        f"{mark} {attribute}"
        for mark, attributes in promised().items()
        for attribute in attributes
        if f"{mark} {attribute}" not in seen
    }
    # Where one row is about several marks, each attribute is on one of them at least.
    on_another = {one for one in missing if one.split()[0] in shared and any(f" {one.split()[1]}" in s for s in seen)}
    assert missing - on_another == set()


def afterwards(mona: Person) -> set[str]:
    """Look back on the match that has just ended, in every way; give what was met."""
    mona.fair.check()
    expect(mona.fair.verdict).to_have_attribute("data-ok", "true")
    mona.fair.close()
    mona.page.get_by_test_id("replay-link").click()
    mona.replay.stage.wait_for()
    seen = seen_by(mona.page)
    mona.profile.open()
    seen |= seen_by(mona.page)
    mona.leaderboard.open("points")
    mona.leaderboard.mine.wait_for()
    return seen | seen_by(mona.page)


def test_the_example_runs_as_it_is_written(pair: Callable[..., tuple[Person, Person]]) -> None:
    block = re.search(r"(?s)## One journey, as an example\n\n```python\n(.*?)```", GUIDE)
    assert block
    written: dict[str, object] = {"expect": expect}
    exec(block[1], written)
    (example,) = (made for name, made in written.items() if name.startswith("test_"))
    assert callable(example)
    example(pair)
