"""The leaderboard as a page: its rows come with the document."""

from __future__ import annotations

from typing import Any

from app.api.assets import texts
from app.api.language import Language
from app.api.rules_page import RulesWords
from app.api.standings import board_cursor, board_place
from app.services import leaderboards
from app.services.errors import Refusal

ROWS = 50


def leaderboard_page(language: Language, kind: str, caller_id: str | None, after: str | None) -> dict[str, Any]:
    """Give what the template shows: a board, from its top or from where a page before it ended."""
    words = RulesWords(texts(f"leaderboard.{language.code}"), language)
    found = leaderboards.board(kind, caller_id, _place(kind, after), ROWS)
    mine = None if found.me is None else found.me["player"]["id"]
    return {
        "say": words.say,
        "kind": kind,
        "kinds": leaderboards.KINDS,
        "rows": [_shown(row, language, mine) for row in found.items],
        "me": None if found.me is None else _shown(found.me, language, mine),
        "pinned": found.me is not None and all(row["player"]["id"] != mine for row in found.items),
        "unranked": found.unranked or ("nobody" if caller_id is None else None),
        "next": board_cursor(found.next),
    }


def _place(kind: str, text: str | None) -> leaderboards.Place | None:
    """Where to go on; an address that was made up begins at the top."""
    try:
        return board_place(kind, text)
    except Refusal:
        return None


def _shown(row: dict[str, Any], language: Language, mine: str | None) -> dict[str, Any]:
    player = row["player"]
    deviation = row.get("deviation")
    return {
        "rank": language.written(str(row["rank"])),
        "id": player["id"],
        "name": player["name"],
        "value": language.written(str(row["value"])),
        "data": row["value"],
        "deviation": None if deviation is None else language.written(str(deviation)),
        "mine": player["id"] == mine,
    }
