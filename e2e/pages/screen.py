"""What all screens share."""

from __future__ import annotations

from playwright.sync_api import Locator, Page

from e2e.texts import text


class Screen:
    """One screen of the page, rooted in `main`."""

    name: str

    def __init__(self, page: Page, lang: str = "en") -> None:
        self.page = page
        self.lang = lang
        self.root = page.locator(f'main[data-screen="{self.name}"]')

    def button(self, key: str, within: Locator | None = None, **values: object) -> Locator:
        """Give a button by the key of its text, on the whole page or within a part of it."""
        return (within or self.page).get_by_role("button", name=text(key, self.lang, **values), exact=True)

    def field(self, key: str) -> Locator:
        """Give a field by the key of its label."""
        return self.page.get_by_label(text(key, self.lang))
