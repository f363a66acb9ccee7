"""Accounts, transfers, results and ratings, blocks, reports and messages."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Not in batch: columns that may be null or have a default are added in place, and no table is rebuilt.
    op.add_column("players", sa.Column("username", sa.String(length=24), nullable=True))
    op.add_column("players", sa.Column("password_hash", sa.String(length=200), nullable=True))
    op.add_column("players", sa.Column("rating_volatility", sa.Double(), server_default="0.09", nullable=False))
    op.add_column("players", sa.Column("rated_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("players", sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True))
    op.create_index(op.f("ix_players_username"), "players", ["username"], unique=True)
    op.add_column("tokens", sa.Column("label", sa.String(length=60), nullable=True))
    op.add_column("rooms", sa.Column("chat", sa.Boolean(), server_default=sa.false(), nullable=False))
    _create_transfers()
    _create_player_results()
    _create_blocks()
    _create_reports()
    _create_messages()


def downgrade() -> None:
    for table in ("messages", "reports", "blocks", "player_results", "transfers"):
        op.drop_table(table)
    with op.batch_alter_table("rooms") as batch:
        batch.drop_column("chat")
    with op.batch_alter_table("tokens") as batch:
        batch.drop_column("label")
    op.drop_index(op.f("ix_players_username"), table_name="players")
    with op.batch_alter_table("players") as batch:
        for column in ("deleted_at", "rated_at", "rating_volatility", "password_hash", "username"):
            batch.drop_column(column)


def _player(table: str, column: str, ondelete: str | None = "CASCADE") -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_{column}_players")
    return sa.ForeignKeyConstraint([column], ["players.id"], name=name, ondelete=ondelete)


def _create_transfers() -> None:
    op.create_table(
        "transfers",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("player_id", sa.String(length=32), nullable=False),
        sa.Column("code_hash", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        _player("transfers", "player_id"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_transfers")),
        sa.UniqueConstraint("code_hash", name=op.f("uq_transfers_code_hash")),
    )
    op.create_index(op.f("ix_transfers_player_id"), "transfers", ["player_id"])


def _create_player_results() -> None:
    op.create_table(
        "player_results",
        sa.Column("match_id", sa.String(length=32), nullable=False),
        sa.Column("player_id", sa.String(length=32), nullable=False),
        sa.Column("outcome", sa.String(length=8), nullable=False),
        sa.Column("forfeited", sa.Boolean(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("basras", sa.Integer(), nullable=False),
        sa.Column("best_round", sa.Integer(), nullable=False),
        sa.Column("rating_before", sa.Double(), nullable=True),
        sa.Column("rating_after", sa.Double(), nullable=True),
        sa.Column("deviation_before", sa.Double(), nullable=True),
        sa.Column("deviation_after", sa.Double(), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("fk_player_results_match_id_matches"), ondelete="CASCADE"
        ),
        _player("player_results", "player_id", None),
        sa.PrimaryKeyConstraint("match_id", "player_id", name=op.f("pk_player_results")),
    )
    op.create_index(op.f("ix_player_results_player_id_finished_at"), "player_results", ["player_id", "finished_at"])
    op.create_index(op.f("ix_player_results_finished_at"), "player_results", ["finished_at"])


def _create_blocks() -> None:
    op.create_table(
        "blocks",
        sa.Column("player_id", sa.String(length=32), nullable=False),
        sa.Column("other_id", sa.String(length=32), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        _player("blocks", "player_id"),
        _player("blocks", "other_id"),
        sa.PrimaryKeyConstraint("player_id", "other_id", name=op.f("pk_blocks")),
    )
    op.create_index(op.f("ix_blocks_other_id"), "blocks", ["other_id"])


def _create_reports() -> None:
    op.create_table(
        "reports",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("reporter_id", sa.String(length=32), nullable=False),
        sa.Column("reported_id", sa.String(length=32), nullable=False),
        sa.Column("room_code", sa.String(length=6), nullable=True),
        sa.Column("reason", sa.String(length=16), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("messages", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        _player("reports", "reporter_id"),
        _player("reports", "reported_id"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reports")),
    )
    op.create_index(op.f("ix_reports_reporter_id"), "reports", ["reporter_id"])
    op.create_index(op.f("ix_reports_reported_id"), "reports", ["reported_id"])


def _create_messages() -> None:
    op.create_table(
        "messages",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("room_code", sa.String(length=6), nullable=False),
        sa.Column("player_id", sa.String(length=32), nullable=False),
        sa.Column("text", sa.String(length=200), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["room_code"], ["rooms.code"], name=op.f("fk_messages_room_code_rooms"), ondelete="CASCADE"
        ),
        _player("messages", "player_id"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_messages")),
    )
    op.create_index(op.f("ix_messages_room_code_id"), "messages", ["room_code", "id"])
    op.create_index(op.f("ix_messages_player_id"), "messages", ["player_id"])
