"""Accounts, transfers, results and ratings, blocks, reports and messages."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

BOARDS = {
    "ix_players_by_rating": ["guest", "rating_value", "id", "bot", "deleted_at", "established_until"],
    "ix_players_by_points": ["guest", "points", "id", "bot", "deleted_at"],
    "ix_players_by_week": ["guest", "week_at", "week_points", "id", "bot", "deleted_at"],
}


def upgrade() -> None:
    # Not in batch: columns that may be null or have a default are added in place, and no table is rebuilt.
    op.add_column("players", sa.Column("username", sa.String(length=24), nullable=True))
    op.add_column("players", sa.Column("password_hash", sa.String(length=200), nullable=True))
    op.add_column("players", sa.Column("rating_volatility", sa.Double(), server_default="0.09", nullable=False))
    op.add_column("players", sa.Column("rated_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("players", sa.Column("established_until", sa.DateTime(timezone=True), nullable=True))
    op.add_column("players", sa.Column("week_points", sa.Integer(), server_default="0", nullable=False))
    op.add_column("players", sa.Column("week_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("players", sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True))
    op.create_index(op.f("ix_players_username"), "players", ["username"], unique=True)
    for name, columns in BOARDS.items():
        op.create_index(op.f(name), "players", columns)
    op.add_column("tokens", sa.Column("label", sa.String(length=60), nullable=True))
    op.add_column("rooms", sa.Column("chat", sa.Boolean(), server_default=sa.false(), nullable=False))
    _create_transfers()
    _create_player_results()
    _fill_player_results()
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
    for name in BOARDS:
        op.drop_index(op.f(name), table_name="players")
    op.drop_index(op.f("ix_players_username"), table_name="players")
    with op.batch_alter_table("players") as batch:
        for column in (
            "deleted_at", "week_at", "week_points", "established_until", "rated_at", "rating_volatility",
            "password_hash", "username",
        ):
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


def _fill_player_results() -> None:
    """What the matches that were scored so far brought, so that points and results agree from the first day on."""
    moment = sa.DateTime(timezone=True)
    matches = sa.table(
        "matches", sa.column("id"), sa.column("result", sa.JSON), sa.column("scored", sa.Boolean),
        sa.column("finished_at", moment),
    )
    seats = sa.table("match_seats", sa.column("match_id"), sa.column("seat", sa.Integer), sa.column("player_id"))
    events = sa.table("match_events", sa.column("match_id"), sa.column("type"), sa.column("event", sa.JSON))
    results = sa.table("player_results", *map(sa.column, (
        "match_id", "player_id", "outcome", "forfeited", "points", "basras", "best_round", "finished_at",
    )))
    winner = matches.c.result["winner"].as_integer()
    side = seats.c.seat % 2
    event = events.c.event
    of_match = sa.select(sa.func.count()).where(events.c.match_id == matches.c.id)
    basras = of_match.where(
        events.c.type == "played",
        event["seat"].as_integer() == seats.c.seat,
        event["by"].as_string() == "player",
        event["basra"].as_integer() > 0,
    ).scalar_subquery()
    scored = sa.case(
        (side == 0, event[("sheet", "points", 0)].as_integer()), else_=event[("sheet", "points", 1)].as_integer()
    )
    best = (
        sa.select(sa.func.coalesce(sa.func.max(scored), 0))
        .where(events.c.match_id == matches.c.id, events.c.type == "round_scored")
        .scalar_subquery()
    )
    left = sa.and_(
        matches.c.result["reason"].as_string().in_(["forfeit", "timeout"]),
        matches.c.result["seat"].as_integer() == seats.c.seat,
    )
    found = (
        sa.select(
            matches.c.id, seats.c.player_id,
            sa.case((winner.is_(None), "draw"), (winner == side, "win"), else_="loss"),
            sa.case((left, sa.true()), else_=sa.false()),
            sa.case((winner.is_(None), 8), (winner == side, 24), else_=3),
            basras, best, matches.c.finished_at,
        )
        .select_from(matches.join(seats, seats.c.match_id == matches.c.id))
        .where(matches.c.scored)
    )
    op.execute(results.insert().from_select([column.name for column in results.c], found))


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
