"""One person at a browser of his own."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import APIResponse, Page

from e2e.components.sheet import Sheet
from e2e.pages.home import Home
from e2e.pages.result import Result
from e2e.pages.room import Room
from e2e.pages.table import Table


@dataclass
class Person:
    """A name, a page, and the screens that he may see on it."""

    name: str
    page: Page
    complaints: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.home = Home(self.page)
        self.room = Room(self.page)
        self.table = Table(self.page)
        self.sheet = Sheet(self.page)
        self.result = Result(self.page)

    def api(self, path: str) -> Any:
        """Read the API as this person: the context's own cookie goes along."""
        answer: APIResponse = self.page.request.get(f"/api/v1{path}")
        assert answer.ok, f"GET {path}: {answer.status} {answer.text()}"
        return answer.json()

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """Command the API as this person, as his page would."""
        answer = self.page.request.post(f"/api/v1{path}", data=body, headers={"Sec-Fetch-Site": "same-origin"})
        assert answer.ok, f"POST {path}: {answer.status} {answer.text()}"
        return answer.json()
