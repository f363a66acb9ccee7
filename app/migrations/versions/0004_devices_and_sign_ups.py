"""Devices that an account knows, the addresses that accounts come from, and an index of the rooms of a host."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "known_devices",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("player_id", sa.String(length=32), nullable=False),
        sa.Column("device_hash", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_known_devices_player_id_players"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_known_devices")),
        sa.UniqueConstraint("player_id", "device_hash", name=op.f("uq_known_devices_player_id_device_hash")),
    )
    op.create_index(op.f("ix_known_devices_device_hash"), "known_devices", ["device_hash"])
    op.create_index(op.f("ix_known_devices_used_at"), "known_devices", ["used_at"])
    op.create_table(
        "sign_ups",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("address", sa.String(length=64), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sign_ups")),
    )
    op.create_index(op.f("ix_sign_ups_address_at"), "sign_ups", ["address", "at"])
    op.create_index(op.f("ix_sign_ups_at"), "sign_ups", ["at"])
    # A host has few open rooms and may have had many: they are counted without looking at those.
    op.create_index(
        op.f("ix_rooms_host_id_status_visibility_created_at"),
        "rooms",
        ["host_id", "status", "visibility", "created_at"],
    )
    op.drop_index(op.f("ix_rooms_host_id"), table_name="rooms")


def downgrade() -> None:
    op.create_index(op.f("ix_rooms_host_id"), "rooms", ["host_id"])
    op.drop_index(op.f("ix_rooms_host_id_status_visibility_created_at"), table_name="rooms")
    op.drop_table("sign_ups")
    op.drop_table("known_devices")
