"""One person at a browser of his own."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import APIResponse, Page

from e2e.components.sheet import Sheet
from e2e.components.talk import Talk
from e2e.pages.account import Account, Move
from e2e.pages.fair import Fair
from e2e.pages.home import Home
from e2e.pages.players import History, Leaderboard, Profile
from e2e.pages.replay import Replay
from e2e.pages.result import Result
from e2e.pages.room import Room
from e2e.pages.table import Table


@dataclass
class Person:
    """A name, a page, and the screens that he may see on it."""

    name: str
    page: Page
    lang: str = "en"
    complaints: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.home = Home(self.page, self.lang)
        self.room = Room(self.page, self.lang)
        self.table = Table(self.page, self.lang)
        self.sheet = Sheet(self.page)
        self.talk = Talk(self.page, self.lang)
        self.result = Result(self.page, self.lang)
        self.replay = Replay(self.page, self.lang)
        self.fair = Fair(self.page)
        self.profile = Profile(self.page, self.lang)
        self.history = History(self.page, self.lang)
        self.leaderboard = Leaderboard(self.page, self.lang)
        self.account = Account(self.page, self.lang)
        self.move = Move(self.page, self.lang)
        # Sitting in a room that waits, or at the table already.
        self.here = self.page.locator('[data-testid="seat"][data-me="true"], #table').first

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

    def register(self) -> None:
        """Be a player with an account, without the page's forms."""
        self.home.open()
        player = self.post("/players", {"name": self.name, "session": True})["player"]
        username = player["id"].replace("-", "_")[:20]
        self.post("/players/me/account", {"username": username, "password": "a long enough one"})

    def another_tab(self) -> Person:
        """Give the same person at a second tab of the same browser."""
        return Person(self.name, self.page.context.new_page(), self.lang, self.complaints)

    def leave_the_browser(self) -> None:
        """Close the page; the browser keeps its cookie."""
        self.page.close()

    def come_back(self, link: str) -> None:
        """Open the link in a new page of the same browser."""
        self.page = self.page.context.new_page()
        self.__post_init__()
        self.room.open(link)
