"""Seeks, asks for a rematch, and an index that finds the rooms that nobody uses."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "seeks",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("player_id", sa.String(length=32), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("rules", sa.String(length=16), nullable=False),
        sa.Column("target", sa.Integer(), nullable=True),
        sa.Column("room_code", sa.String(length=6), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_seeks_player_id_players"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["room_code"], ["rooms.code"], name=op.f("fk_seeks_room_code_rooms")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_seeks")),
        sa.UniqueConstraint("player_id", name=op.f("uq_seeks_player_id")),
    )
    op.create_index(op.f("ix_seeks_seen_at"), "seeks", ["seen_at"])
    # Not in batch: a column with a default is added in place, and the table is not rebuilt.
    op.add_column("room_seats", sa.Column("rematch", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.create_index(op.f("ix_rooms_status_active_at"), "rooms", ["status", "active_at"])


def downgrade() -> None:
    op.drop_index(op.f("ix_rooms_status_active_at"), table_name="rooms")
    with op.batch_alter_table("room_seats") as batch:
        batch.drop_column("rematch")
    op.drop_index(op.f("ix_seeks_seen_at"), table_name="seeks")
    op.drop_table("seeks")
