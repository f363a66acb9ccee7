"""Deals to which everybody commits; rooms and matches that are there go on by the scheme that they were shown."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Not in batch: columns that may be null or have a default are added in place, and no table is rebuilt.
    op.add_column("rooms", sa.Column("scheme", sa.String(length=16), server_default="basra-deal/1", nullable=False))
    op.add_column("rooms", sa.Column("reveal_by", sa.DateTime(timezone=True), nullable=True))
    for table in ("room_seats", "seeks"):
        column = sa.Column("client_commitment", sa.String(length=64), server_default="", nullable=False)
        op.add_column(table, column)
    op.add_column("matches", sa.Column("client_commitments", sa.JSON(none_as_null=True), nullable=True))


def downgrade() -> None:
    # Nobody is left in a state that the code of before does not know: who was asked to open a seed waits again.
    op.execute("UPDATE rooms SET status = 'finished' WHERE status = 'dealing'")
    with op.batch_alter_table("matches") as batch:
        batch.drop_column("client_commitments")
    for table in ("seeks", "room_seats"):
        with op.batch_alter_table(table) as batch:
            batch.drop_column("client_commitment")
    with op.batch_alter_table("rooms") as batch:
        batch.drop_column("reveal_by")
        batch.drop_column("scheme")
