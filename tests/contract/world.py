"""A place for machines to call at: with people, rooms and matches, so that addresses lead somewhere."""

from __future__ import annotations

from typing import Any

from flask import Flask

from tests.app.people import Table, guest, sit_down


class World:
    """A player at a table; half of all requests are led to what is there."""

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._tries = 0
        self._table: Table | None = None

    def call(self, case: Any) -> dict[str, Any]:
        """Who calls, with which headers; every other time the address names what is there."""
        self._tries += 1
        table = self._table_of_now()
        if self._tries % 2:
            there = {"code": table.code, "match_id": table.match_id, "player_id": table.person(1).id}
            case.path_parameters.update({name: there[name] for name in case.path_parameters if name in there})
        return {"headers": {"Authorization": f"Bearer {table.person(0).token}"}}

    def _table_of_now(self) -> Table:
        """The table, a new one whenever a request has ended the match or the player."""
        table = self._table
        seen = None if table is None else table.person(0).get(table.path, checked=False)
        if table is None or seen is None or seen.status_code != 200 or seen.json["status"] != "playing":
            table = sit_down(self._app, spectators=True, chat=True)
        self._table = table
        return table


def stranger(app: Flask) -> dict[str, Any]:
    """A player who has nothing yet."""
    return {"headers": {"Authorization": f"Bearer {guest(app).token}"}}
