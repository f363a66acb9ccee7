"""Migrations: they make the tables of the models, can be undone, and delete nothing on the way."""

from __future__ import annotations

from pathlib import Path

import flask_migrate
import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from flask import Flask

from app import create_app
from app.config import read_settings
from app.extensions import db
from app.models import Base
from app.models.base import UtcDateTime
from app.services.times import utcnow
from tests.conftest import new_database

MIGRATIONS = Path(__file__).parents[2] / "app" / "migrations"
HEAD = str(ScriptDirectory(str(MIGRATIONS)).get_current_head())
BATCH = '''"""A migration that rebuilds a table which others point at."""

import sqlalchemy as sa
from alembic import op

revision = "{revision}"
down_revision = "{down}"
branch_labels = None
depends_on = None


def upgrade():
    with op.batch_alter_table("{table}", recreate="always") as batch:
        batch.add_column(sa.Column("mood", sa.String(8), nullable=True))
    {after}


def downgrade():
    with op.batch_alter_table("{table}", recreate="always") as batch:
        batch.drop_column("mood")
'''


@pytest.fixture
def bare(tmp_path: Path) -> Flask:
    """An app on a database without any table."""
    return create_app(read_settings({"DATABASE_URL": f"sqlite:///{tmp_path / 'bare.sqlite3'}", "RATE_LIMITS": "off"}))


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """A copy of the migrations to which a test may add its own."""
    copy = tmp_path / "migrations"
    (copy / "versions").mkdir(parents=True)
    for path in [*MIGRATIONS.glob("*.*"), *MIGRATIONS.glob("versions/*.py")]:
        (copy / path.relative_to(MIGRATIONS)).write_bytes(path.read_bytes())
    return copy


def tables() -> set[str]:
    return set(sa.inspect(db.engine).get_table_names()) - {"alembic_version"}


def is_same_type(_context, _inspected, _metadata, inspected_type, metadata_type) -> bool | None:
    return False if isinstance(metadata_type, UtcDateTime) and isinstance(inspected_type, sa.DateTime) else None


def test_migrations_make_the_tables_of_the_models(bare: Flask) -> None:
    with bare.app_context():
        flask_migrate.upgrade()
        with db.engine.connect() as connection:
            context = MigrationContext.configure(connection, opts={"compare_type": is_same_type})
            assert compare_metadata(context, Base.metadata) == []


def test_migrations_can_be_undone_and_done_again(bare: Flask) -> None:
    with bare.app_context():
        for _ in range(2):
            flask_migrate.upgrade()
            assert tables() == set(Base.metadata.tables)
            flask_migrate.downgrade(revision="base")
            assert tables() == set()


def test_every_constraint_has_a_name(bare: Flask) -> None:
    with bare.app_context():
        flask_migrate.upgrade()
        inspector = sa.inspect(db.engine)
        for table in tables():
            assert inspector.get_pk_constraint(table)["name"] == f"pk_{table}"
            for found in (inspector.get_foreign_keys(table), inspector.get_unique_constraints(table)):
                assert all(constraint["name"] for constraint in found)


def fill() -> None:
    """One row in every table, each pointing at its parents."""
    with db.engine.begin() as connection:
        for table in Base.metadata.sorted_tables:
            row = {column.name: sample(column) for column in table.columns}
            connection.execute(table.insert(), row)


def sample(column: sa.Column) -> object:
    if column.foreign_keys:
        return sample(next(iter(column.foreign_keys)).column)
    kind = column.type.python_type if not isinstance(column.type, sa.JSON | UtcDateTime) else None
    if kind is None:
        return utcnow() if isinstance(column.type, UtcDateTime) else {}
    return {str: "x" * 6, int: 1, bool: True, float: 1.0}[kind]


def counts() -> dict[str, int]:
    with db.engine.connect() as connection:
        return {
            table.name: connection.scalar(sa.select(sa.func.count()).select_from(table))
            for table in Base.metadata.sorted_tables
        }


@pytest.mark.parametrize("table", ["players", "rooms", "matches"])
def test_rebuilding_a_parent_table_deletes_no_child(bare: Flask, directory: Path, table: str) -> None:
    """Trap 2: with foreign keys on, dropping the old table would cascade to every row below it."""
    add(directory, BATCH, revision="9001", down=HEAD, table=table, after="")
    with bare.app_context():
        flask_migrate.upgrade(directory=str(directory), revision=HEAD)
        fill()
        flask_migrate.upgrade(directory=str(directory))
        assert set(counts().values()) == {1}
        assert "mood" in {column["name"] for column in sa.inspect(db.engine).get_columns(table)}
        flask_migrate.downgrade(directory=str(directory), revision=HEAD)
        assert set(counts().values()) == {1}


def test_a_migration_that_leaves_keys_pointing_nowhere_fails(bare: Flask, directory: Path) -> None:
    add(directory, BATCH, revision="9001", down=HEAD, table="rooms", after='op.execute("DELETE FROM players")')
    with bare.app_context():
        flask_migrate.upgrade(directory=str(directory), revision=HEAD)
        fill()
        with pytest.raises(SystemExit):
            flask_migrate.upgrade(directory=str(directory))
        assert set(counts().values()) == {1}


def test_after_a_migration_foreign_keys_hold_again(bare: Flask) -> None:
    with bare.app_context():
        flask_migrate.upgrade()
        for _ in range(3):
            with db.engine.connect() as connection:
                assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1


def add(directory: Path, text: str, **values: str) -> None:
    (directory / "versions" / f"{values['revision']}_extra.py").write_text(text.format(**values))


# A room of two at revision 0001, as SQL: the models of today know more columns.
FIRST = """
INSERT INTO players (id, name, guest, bot, points, rating_value, rating_deviation, created_at)
  VALUES ('mona-id', 'Mona', 1, 0, 24, 1500, 500, '2024-05-01 12:00:00');
INSERT INTO rooms (code, host_id, seats, rules, turn_seconds, visibility, rated, spectators, status, matches_played,
                   server_seed, tally, created_at, active_at)
  VALUES ('ABCDEF', 'mona-id', 2, '{}', 120, 'public', 1, 0, 'waiting', 0, 'ab', '[1, 0]', '2024-05-01 12:00:00',
          '2024-05-01 12:00:00');
INSERT INTO room_seats (room_code, seat, player_id, client_seed, joined_at)
  VALUES ('ABCDEF', 0, 'mona-id', 'cd', '2024-05-01 12:00:00');
INSERT INTO room_seats (room_code, seat, bot, client_seed, joined_at)
  VALUES ('ABCDEF', 1, 'easy', '', '2024-05-01 12:00:00');
"""


def test_0002_keeps_every_seat_and_nobody_has_asked_for_a_rematch(bare: Flask) -> None:
    with bare.app_context():
        flask_migrate.upgrade(revision="0001")
        with db.engine.begin() as connection:
            for statement in filter(str.strip, FIRST.split(";")):
                connection.exec_driver_sql(statement)
        before = everything()
        flask_migrate.upgrade(revision="0002")
        after = everything()
        assert [seat.pop("rematch") for seat in after["room_seats"]] == [0, 0]
        assert after.pop("seeks") == []
        assert after == before
        with db.engine.begin() as connection:
            connection.exec_driver_sql("UPDATE room_seats SET rematch = 1 WHERE seat = 0")
            connection.exec_driver_sql(
                "INSERT INTO seeks (id, player_id, seats, rules, created_at, seen_at)"
                " VALUES ('seek-id', 'mona-id', 2, 'classic', '2024-05-01 12:00:00', '2024-05-01 12:00:00')"
            )
        flask_migrate.downgrade(revision="0001")
        assert everything() == before


SECOND = """
UPDATE players SET points = 24 WHERE id = 'mona-id';
INSERT INTO tokens (id, player_id, token_hash, kind, scopes, created_at)
  VALUES ('token-id', 'mona-id', 'ef', 'session', 'read play account', '2024-05-01 12:00:00');
"""
COMES = {"messages", "reports", "blocks", "player_results", "transfers"}


def test_0003_keeps_every_guest_as_a_guest_and_opens_no_chat(bare: Flask) -> None:
    with bare.app_context():
        flask_migrate.upgrade(revision="0002")
        with db.engine.begin() as connection:
            for statement in filter(str.strip, (FIRST + SECOND).split(";")):
                connection.exec_driver_sql(statement)
        before = everything()
        flask_migrate.upgrade(revision="0003")
        after = everything()
        assert [after.pop(table) for table in sorted(COMES)] == [[]] * len(COMES)
        (guest,) = after["players"]
        new = ("username", "password_hash", "rated_at", "established_until", "week_at", "deleted_at")
        assert [guest.pop(column) for column in new] == [None] * 6
        assert (guest.pop("rating_volatility"), guest.pop("week_points")) == (0.09, 0)
        assert [row.pop("label") for row in after["tokens"]] == [None]
        assert [row.pop("chat") for row in after["rooms"]] == [0]
        assert after == before
        with db.engine.begin() as connection:
            connection.exec_driver_sql("UPDATE players SET username = 'mona', password_hash = 'hash'")
            connection.exec_driver_sql("INSERT INTO blocks VALUES ('mona-id', 'mona-id', 'mute', '2024-05-01 12:00')")
        flask_migrate.downgrade(revision="0002")
        assert everything() == before


SCORED = """
INSERT INTO players (id, name, guest, bot, points, rating_value, rating_deviation, created_at)
  VALUES ('adel-id', 'Adel', 1, 0, 3, 1500, 500, '2024-05-01 12:00:00');
INSERT INTO match_seats (match_id, seat, player_id, name, clock_run)
  VALUES ('match-id', 0, 'mona-id', 'Mona', 0), ('match-id', 1, 'adel-id', 'Adel', 0),
         ('other-id', 0, 'adel-id', 'Adel', 0), ('other-id', 1, 'mona-id', 'Mona', 0);
INSERT INTO match_events (match_id, version, command, type, event)
  VALUES ('match-id', 4, 4, 'played', '{"seat": 0, "by": "player", "basra": 10}'),
         ('match-id', 5, 5, 'played', '{"seat": 0, "by": "clock", "basra": 10}'),
         ('match-id', 6, 6, 'played', '{"seat": 1, "by": "player", "basra": 0}'),
         ('match-id', 7, 7, 'round_scored', '{"sheet": {"points": [40, 6]}}'),
         ('match-id', 8, 8, 'round_scored', '{"sheet": {"points": [20, 12]}}')
"""
RESULT = '{"winner": 0, "reason": "forfeit", "seat": 1, "scores": [60, 18]}'


def test_0003_tells_what_each_scored_match_brought(bare: Flask) -> None:
    match = {"room_code": "ABCDEF", "public": True, "spectators": False, "status": "finished", "rules": "{}",
             "rated": True, "seeded": False, "server_seed": "ab", "client_seeds": "[]", "turn_seconds": 120,
             "version": 8, "state": "{}", "started_at": "2024-05-01 12:00:00", "result": RESULT}  # fmt: skip
    with bare.app_context():
        flask_migrate.upgrade(revision="0002")
        with db.engine.begin() as connection:
            for statement in filter(str.strip, FIRST.split(";")):
                connection.exec_driver_sql(statement)
            for number, (name, scored) in enumerate([("match-id", True), ("other-id", False)]):
                row = {**match, "id": name, "number": number, "scored": scored, "finished_at": "2024-05-01 12:30:00"}
                into = f"INSERT INTO matches ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})"
                connection.exec_driver_sql(into, tuple(row.values()))
            for statement in SCORED.split(";"):
                connection.exec_driver_sql(statement)
        flask_migrate.upgrade()
        found = sorted(everything()["player_results"], key=lambda row: str(row["player_id"]), reverse=True)
    assert [list(row.values())[1:7] for row in found] == [
        ["mona-id", "win", 0, 24, 1, 40],
        ["adel-id", "loss", 1, 3, 0, 12],
    ]
    assert {(row["match_id"], row["rating_before"], row["finished_at"]) for row in found} == {
        ("match-id", None, "2024-05-01 12:30:00")
    }


def test_0004_keeps_every_room_and_forgets_what_only_it_knows(bare: Flask) -> None:
    with bare.app_context():
        flask_migrate.upgrade(revision="0003")
        with db.engine.begin() as connection:
            for statement in filter(str.strip, (FIRST + SECOND).split(";")):
                connection.exec_driver_sql(statement)
        before = everything()
        flask_migrate.upgrade(revision="0004")
        after = everything()
        assert after.pop("known_devices") == after.pop("sign_ups") == []
        assert after == before
        with db.engine.begin() as connection:
            connection.exec_driver_sql(
                "INSERT INTO known_devices VALUES ('device-id', 'mona-id', 'ab', '2024-05-01', '2024-05-01')"
            )
            connection.exec_driver_sql("INSERT INTO sign_ups VALUES ('sign-up-id', '203.0.113.1', '2024-05-01')")
        flask_migrate.downgrade(revision="0003")
        assert everything() == before
        assert "ix_rooms_host_id" in {index["name"] for index in sa.inspect(db.engine).get_indexes("rooms")}


# Somebody who has been reported, as both databases write it.
REPORTED = """
INSERT INTO players (id, name, guest, bot, points, rating_value, rating_deviation, created_at)
  VALUES ('mona-id', 'Mona', TRUE, FALSE, 24, 1500, 500, '2024-05-01 12:00:00');
INSERT INTO reports (id, reporter_id, reported_id, reason, text, messages, created_at)
  VALUES ('report-id', 'mona-id', 'mona-id', 'other', 'text', '[]', '2024-05-01 12:00:00');
"""
OPERATORS = {"address_sanctions", "audit_entries", "notices"}


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def either(request: pytest.FixtureRequest, tmp_path: Path) -> Flask:
    """An app on a database without any table, of either kind."""
    return create_app(read_settings({"DATABASE_URL": new_database(request, tmp_path), "RATE_LIMITS": "off"}))


def test_0006_bans_nobody_makes_no_admin_and_leaves_every_report_open(either: Flask) -> None:
    with either.app_context():
        flask_migrate.upgrade(revision="0005")
        with db.engine.begin() as connection:
            for statement in filter(str.strip, REPORTED.split(";")):
                connection.exec_driver_sql(statement)
        before = everything()
        flask_migrate.upgrade(revision="0006")
        after = everything()
        assert [after.pop(table) for table in sorted(OPERATORS)] == [[]] * len(OPERATORS)
        (player,) = after["players"]
        assert [player.pop(column) for column in ("banned_until", "muted_until", "admin")] == [None, None, False]
        assert [report.pop("handled_at") for report in after["reports"]] == [None]
        assert after == before
        with db.engine.begin() as connection:
            connection.exec_driver_sql("UPDATE players SET admin = TRUE, banned_until = '2030-01-01 12:00:00'")
        flask_migrate.downgrade(revision="0005")
        assert everything() == before
        db.session.remove()
        db.engine.dispose()


def everything() -> dict[str, list[dict[str, object]]]:
    """Every row of every table, by the names of the columns that are there."""
    with db.engine.connect() as connection:
        return {
            table: [dict(row) for row in connection.exec_driver_sql(f"SELECT * FROM {table}").mappings()]
            for table in sorted(tables())
        }
