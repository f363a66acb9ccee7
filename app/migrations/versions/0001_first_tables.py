"""First tables: players, tokens, rooms, matches."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "players",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=24), nullable=False),
        sa.Column("guest", sa.Boolean(), nullable=False),
        sa.Column("bot", sa.Boolean(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("rating_value", sa.Double(), nullable=False),
        sa.Column("rating_deviation", sa.Double(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_players")),
    )
    op.create_table(
        "rooms",
        sa.Column("code", sa.String(length=6), nullable=False),
        sa.Column("host_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=24), nullable=True),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("rules", sa.JSON(), nullable=False),
        sa.Column("turn_seconds", sa.Integer(), nullable=False),
        sa.Column("visibility", sa.String(length=16), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("rated_wanted", sa.Boolean(), nullable=True),
        sa.Column("seed", sa.Text(), nullable=True),
        sa.Column("spectators", sa.Boolean(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("match_id", sa.String(length=32), nullable=True),
        sa.Column("matches_played", sa.Integer(), nullable=False),
        sa.Column("server_seed", sa.String(length=64), nullable=False),
        sa.Column("tally", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("active_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["host_id"], ["players.id"], name=op.f("fk_rooms_host_id_players")),
        sa.PrimaryKeyConstraint("code", name=op.f("pk_rooms")),
    )
    op.create_index(op.f("ix_rooms_host_id"), "rooms", ["host_id"])
    op.create_index(op.f("ix_rooms_visibility_status_created_at"), "rooms", ["visibility", "status", "created_at"])
    op.create_table(
        "tokens",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("player_id", sa.String(length=32), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("scopes", sa.String(length=200), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_tokens_player_id_players"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tokens")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_tokens_token_hash")),
    )
    op.create_index(op.f("ix_tokens_player_id"), "tokens", ["player_id"])
    op.create_table(
        "matches",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("room_code", sa.String(length=6), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("public", sa.Boolean(), nullable=False),
        sa.Column("spectators", sa.Boolean(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("rules", sa.JSON(), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("seeded", sa.Boolean(), nullable=False),
        sa.Column("server_seed", sa.String(length=64), nullable=False),
        sa.Column("client_seeds", sa.JSON(), nullable=False),
        sa.Column("turn_seconds", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("state", sa.JSON(), nullable=False),
        sa.Column("to_act", sa.Integer(), nullable=True),
        sa.Column("deadline_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("result", sa.JSON(), nullable=True),
        sa.Column("scored", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["room_code"], ["rooms.code"], name=op.f("fk_matches_room_code_rooms")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_matches")),
    )
    op.create_index(op.f("ix_matches_room_code"), "matches", ["room_code"])
    op.create_index(op.f("ix_matches_status_deadline_at"), "matches", ["status", "deadline_at"])
    op.create_table(
        "room_seats",
        sa.Column("room_code", sa.String(length=6), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("player_id", sa.String(length=32), nullable=True),
        sa.Column("bot", sa.String(length=16), nullable=True),
        sa.Column("client_seed", sa.String(length=64), nullable=False),
        sa.Column("joined_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_room_seats_player_id_players")),
        sa.ForeignKeyConstraint(
            ["room_code"], ["rooms.code"], name=op.f("fk_room_seats_room_code_rooms"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("room_code", "seat", name=op.f("pk_room_seats")),
        sa.UniqueConstraint("room_code", "player_id", name=op.f("uq_room_seats_room_code_player_id")),
    )
    op.create_index(op.f("ix_room_seats_player_id"), "room_seats", ["player_id"])
    op.create_table(
        "match_events",
        sa.Column("match_id", sa.String(length=32), nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("command", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=True),
        sa.Column("type", sa.String(length=16), nullable=False),
        sa.Column("event", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("fk_match_events_match_id_matches"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("match_id", "version", name=op.f("pk_match_events")),
    )
    op.create_table(
        "match_seats",
        sa.Column("match_id", sa.String(length=32), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("player_id", sa.String(length=32), nullable=True),
        sa.Column("name", sa.String(length=24), nullable=False),
        sa.Column("bot", sa.String(length=16), nullable=True),
        sa.Column("clock_run", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("fk_match_seats_match_id_matches"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_match_seats_player_id_players")),
        sa.PrimaryKeyConstraint("match_id", "seat", name=op.f("pk_match_seats")),
    )
    op.create_index(op.f("ix_match_seats_player_id"), "match_seats", ["player_id"])


def downgrade() -> None:
    op.drop_index(op.f("ix_match_seats_player_id"), table_name="match_seats")
    op.drop_table("match_seats")
    op.drop_table("match_events")
    op.drop_index(op.f("ix_room_seats_player_id"), table_name="room_seats")
    op.drop_table("room_seats")
    op.drop_index(op.f("ix_matches_status_deadline_at"), table_name="matches")
    op.drop_index(op.f("ix_matches_room_code"), table_name="matches")
    op.drop_table("matches")
    op.drop_index(op.f("ix_tokens_player_id"), table_name="tokens")
    op.drop_table("tokens")
    op.drop_index(op.f("ix_rooms_visibility_status_created_at"), table_name="rooms")
    op.drop_index(op.f("ix_rooms_host_id"), table_name="rooms")
    op.drop_table("rooms")
    op.drop_table("players")
