"""axe-core on the page as it stands: what it finds against WCAG 2.2 AA and good practice."""

from __future__ import annotations

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
FIND = """async (tags) => {
    const options = { runOnly: tags, resultTypes: ['violations'], preload: false };
    const { violations } = await window.axe.run(document, options);
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => (
        `${id}: ${target.join(' ')}: ${failureSummary.split('\\n').slice(1).join(' ').trim()}`)));
}"""


def violations(page: Page) -> list[str]:
    """Give what is wrong with the page, a line a fault: rule, element, what to mend."""
    if not page.evaluate("() => Boolean(window.axe)"):
        page.evaluate(AXE_SCRIPT)
    found: list[str] = page.evaluate(FIND, TAGS)
    return found
