"""Runs the client's unit tests, tests/js/*.test.js, in the Chromium that the journeys use. No Node is needed."""

from __future__ import annotations

import mimetypes
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route

ROOT = Path(__file__).resolve().parents[1]
SUITES = sorted(path.name for path in (ROOT / "tests" / "js").glob("*.test.js"))
ORIGIN = "http://localhost"  # answered by the test itself; browsers lend their cryptography to such pages
FOLDERS = {"static": ROOT / "static", "tests": ROOT / "tests" / "js"}


def answer(route: Route) -> None:
    """Give the file that a module asks for."""
    folder, _, name = urlsplit(route.request.url).path[1:].partition("/")
    path = FOLDERS[folder] / name if folder in FOLDERS else None
    if path is None:
        route.fulfill(content_type="text/html", body="<!doctype html><title>Tests</title>")
    elif path.is_file():
        kind = "text/javascript" if path.suffix == ".js" else mimetypes.guess_type(name)[0]
        route.fulfill(content_type=kind, body=path.read_bytes())
    else:
        route.fulfill(status=404)


@pytest.fixture
def workbench(browser: Browser) -> Iterator[Page]:
    page = browser.new_page()
    page.route("**/*", answer)
    page.goto(f"{ORIGIN}/")
    yield page
    page.close()


def test_there_are_suites() -> None:
    assert len(SUITES) >= 8


@pytest.mark.parametrize("suite", SUITES)
def test_suite(workbench: Page, suite: str) -> None:
    results = workbench.evaluate(
        """async (suite) => {
            await import(`/tests/${suite}`);
            const { run } = await import('/tests/harness.js');
            return run();
        }""",
        suite,
    )
    assert results, f"{suite} has no tests"
    failed = [f"{one['name']}: {one['error']}" for one in results if one["error"]]
    assert not failed, "\n".join(failed)
