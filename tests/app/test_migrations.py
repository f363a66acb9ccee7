"""Migrations: they make the tables of the models, can be undone, and delete nothing on the way."""

from __future__ import annotations

from pathlib import Path

import flask_migrate
import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from flask import Flask

from app import create_app
from app.config import read_settings
from app.extensions import db
from app.models import Base
from app.models.base import UtcDateTime
from app.services.times import utcnow

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
    source = Path(__file__).parents[2] / "app" / "migrations"
    copy = tmp_path / "migrations"
    (copy / "versions").mkdir(parents=True)
    for path in [*source.glob("*.*"), *source.glob("versions/*.py")]:
        (copy / path.relative_to(source)).write_bytes(path.read_bytes())
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
    add(directory, BATCH, revision="9001", down="0001", table=table, after="")
    with bare.app_context():
        flask_migrate.upgrade(directory=str(directory), revision="0001")
        fill()
        flask_migrate.upgrade(directory=str(directory))
        assert set(counts().values()) == {1}
        assert "mood" in {column["name"] for column in sa.inspect(db.engine).get_columns(table)}
        flask_migrate.downgrade(directory=str(directory), revision="0001")
        assert set(counts().values()) == {1}


def test_a_migration_that_leaves_keys_pointing_nowhere_fails(bare: Flask, directory: Path) -> None:
    add(directory, BATCH, revision="9001", down="0001", table="rooms", after='op.execute("DELETE FROM players")')
    with bare.app_context():
        flask_migrate.upgrade(directory=str(directory), revision="0001")
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
