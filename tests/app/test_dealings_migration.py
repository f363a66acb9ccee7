"""The migration to deals that everybody commits to: what is there goes on as it was promised."""

from __future__ import annotations

from pathlib import Path

import flask_migrate
import pytest
import sqlalchemy as sa
from flask import Flask

from app import create_app
from app.config import read_settings
from app.extensions import db
from app.services.times import utcnow
from tests.conftest import new_database

BEFORE, AFTER = "0004", "0005"
NEW = {
    "rooms": ("scheme", "reveal_by"), "room_seats": ("client_commitment",), "seeks": ("client_commitment",),
    "matches": ("client_commitments",),
}  # fmt: skip


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def bare(request: pytest.FixtureRequest, tmp_path: Path) -> Flask:
    """An app on a database without any table."""
    return create_app(read_settings({"DATABASE_URL": new_database(request, tmp_path), "RATE_LIMITS": "off"}))


def rows(connection: sa.Connection) -> dict[str, list[dict[str, object]]]:
    """What is in the tables that the migration changes."""
    found = sa.MetaData()
    found.reflect(connection, only=list(NEW))
    return {name: [dict(row) for row in connection.execute(sa.select(found.tables[name])).mappings()] for name in NEW}


def fill(connection: sa.Connection) -> None:
    """A room that waits with one seed in it, a seek, and a match that runs."""
    now, found = utcnow().replace(tzinfo=None), sa.MetaData()
    found.reflect(connection)
    player = {"id": "mona-id", "name": "Mona", "guest": True, "bot": False, "points": 0, "rating_value": 1500.0,
              "rating_deviation": 500.0, "created_at": now}  # fmt: skip
    room = {"code": "ABCDEF", "host_id": "mona-id", "seats": 2, "rules": {}, "turn_seconds": 120,
            "visibility": "public", "rated": True, "spectators": False, "status": "waiting", "matches_played": 0,
            "server_seed": "ab", "tally": [0, 0], "created_at": now, "active_at": now}  # fmt: skip
    seat = {"room_code": "ABCDEF", "seat": 0, "player_id": "mona-id", "client_seed": "cd", "joined_at": now}
    seek = {"id": "seek-id", "player_id": "mona-id", "seats": 2, "rules": "komi", "created_at": now, "seen_at": now}
    match = {"id": "match-id", "room_code": "ABCDEF", "number": 1, "public": True, "spectators": False, "rules": {},
             "status": "playing", "rated": True, "seeded": False, "server_seed": "ef", "client_seeds": ["", "cd"],
             "turn_seconds": 120, "version": 8, "state": {}, "started_at": now, "scored": False}  # fmt: skip
    for table, row in {"players": player, "rooms": room, "room_seats": seat, "seeks": seek, "matches": match}.items():
        connection.execute(found.tables[table].insert(), row)


def test_what_was_shown_by_the_first_scheme_goes_on_by_it(bare: Flask) -> None:
    with bare.app_context():
        flask_migrate.upgrade(revision=BEFORE)
        with db.engine.begin() as connection:
            fill(connection)
            before = rows(connection)
        flask_migrate.upgrade(revision=AFTER)
        with db.engine.begin() as connection:
            after = rows(connection)
            new = {name: [after[name][0].pop(column) for column in columns] for name, columns in NEW.items()}
            assert new == {
                "rooms": ["basra-deal/1", None], "room_seats": [""], "seeks": [""], "matches": [None],
            }  # fmt: skip
            assert after == before
            connection.execute(sa.text("UPDATE rooms SET scheme = 'basra-deal/2', status = 'dealing'"))
            connection.execute(sa.text("UPDATE room_seats SET client_commitment = 'x'"))
        flask_migrate.downgrade(revision=BEFORE)
        before["rooms"][0]["status"] = "finished"
        with db.engine.connect() as connection:
            assert rows(connection) == before
        db.engine.dispose()
