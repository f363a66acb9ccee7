"""Bans, mutes and admins, handled reports, the audit trail, and the notices of the command line."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Not in batch: columns that may be null or have a default are added in place, and no table is rebuilt.
    op.add_column("players", sa.Column("banned_until", sa.DateTime(timezone=True), nullable=True))
    op.add_column("players", sa.Column("muted_until", sa.DateTime(timezone=True), nullable=True))
    op.add_column("players", sa.Column("admin", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("reports", sa.Column("handled_at", sa.DateTime(timezone=True), nullable=True))
    op.create_table(
        "address_sanctions",
        sa.Column("network", sa.String(length=43), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("network", "kind", name=op.f("pk_address_sanctions")),
    )
    op.create_table(
        "audit_entries",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("by_player", sa.String(length=32), nullable=True),
        sa.Column("by_user", sa.String(length=64), nullable=True),
        sa.Column("action", sa.String(length=24), nullable=False),
        sa.Column("subject", sa.String(length=64), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_entries")),
    )
    op.create_index(op.f("ix_audit_entries_at"), "audit_entries", ["at"])
    op.create_index(op.f("ix_audit_entries_subject"), "audit_entries", ["subject"])
    op.create_table(
        "notices",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=24), nullable=False),
        sa.Column("news", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notices")),
    )


def downgrade() -> None:
    for table in ("notices", "audit_entries", "address_sanctions"):
        op.drop_table(table)
    with op.batch_alter_table("reports") as batch:
        batch.drop_column("handled_at")
    with op.batch_alter_table("players") as batch:
        for column in ("admin", "muted_until", "banned_until"):
            batch.drop_column(column)
