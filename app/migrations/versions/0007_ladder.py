"""Registered seats, points on the boards, encounters, and voided matches; boards and ratings worked out anew.

Until now guests were rated, too. Who was registered when an old match began is not known: those who are now count as
registered then. All ratings, and all points on the boards, are worked out again from the stored results, match by
match in the order in which they ended, a page of matches at a time. A profile's own points stay.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from alembic import op

from app.models.base import UtcDateTime
from app.services import glicko
from app.services.times import week_of

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

PAGE = 500
COUNTED_PER_WEEK = 10
MATCHES_TO_SEASON, PEOPLE_TO_SEASON, VOUCHERS_NEEDED = 5, 3, 5
SCORES = {"win": glicko.WIN, "draw": glicko.DRAW, "loss": glicko.LOSS}
BOARD = "ix_players_by_points"

players = sa.table(
    "players", sa.column("id"), sa.column("guest", sa.Boolean), sa.column("seasoned", sa.Boolean),
    *(sa.column(name, sa.Integer) for name in ("points", "board_points", "week_points", "vouchers")),
    *(sa.column(name, sa.Double) for name in ("rating_value", "rating_deviation", "rating_volatility")),
    *(sa.column(name, UtcDateTime) for name in ("week_at", "rated_at", "established_until")),
)  # fmt: skip
matches = sa.table(
    "matches", sa.column("id"), sa.column("status"), sa.column("state", sa.JSON), sa.column("result", sa.JSON),
    sa.column("rated", sa.Boolean), sa.column("scored", sa.Boolean), sa.column("finished_at", UtcDateTime),
)  # fmt: skip
seats = sa.table(
    "match_seats", sa.column("match_id"), sa.column("seat", sa.Integer), sa.column("player_id"),
    sa.column("registered", sa.Boolean),
)  # fmt: skip
results = sa.table(
    "player_results", sa.column("match_id"), sa.column("player_id"), sa.column("seat", sa.Integer),
    sa.column("outcome"), sa.column("points", sa.Integer), sa.column("board_points", sa.Integer),
    *(sa.column(name, sa.Double) for name in (
        "rating_before", "rating_after", "deviation_before", "deviation_after", "volatility_before")),
    sa.column("finished_at", UtcDateTime),
)  # fmt: skip
encounters = sa.table("encounters", *map(sa.column, ("player_id", "opponent_id", "scored", "rated")))
rooms = sa.table("rooms", sa.column("code"), sa.column("quick", sa.Boolean))
seeks = sa.table("seeks", sa.column("room_code"))

MOVED = ("rating_value", "rating_deviation", "rating_volatility", "rated_at", "board_points", "week_points", "week_at")
OLD_MOVED = tuple(name for name in MOVED if name != "board_points")
NOTED = ("rating_before", "rating_after", "deviation_before", "deviation_after")
UNRATED = {"rating_value": glicko.VALUE, "rating_deviation": glicko.DEVIATION, "rating_volatility": glicko.VOLATILITY,
           "rated_at": None, "established_until": None, "week_points": 0, "week_at": None}  # fmt: skip


def upgrade() -> None:
    _add_columns()
    _create_encounters()
    op.drop_index(op.f(BOARD), table_name="players")
    op.create_index(op.f(BOARD), "players", ["guest", "board_points", "id", "bot", "deleted_at"])
    op.execute(rooms.update().where(rooms.c.code.in_(sa.select(seeks.c.room_code))).values(quick=sa.true()))
    registered = sa.select(players.c.id).where(~players.c.guest)
    op.execute(seats.update().where(seats.c.player_id.in_(registered)).values(registered=sa.true()))
    at_seat = sa.select(seats.c.seat).where(
        seats.c.match_id == results.c.match_id, seats.c.player_id == results.c.player_id
    )
    op.execute(results.update().values(seat=at_seat.scalar_subquery()))
    with_a_guest = sa.select(seats.c.match_id).where(~seats.c.registered)
    op.execute(matches.update().where(matches.c.rated, matches.c.id.in_(with_a_guest)).values(rated=sa.false()))
    _work_out_anew(is_new=True)
    _note_encounters()
    _establish(is_new=True)


def downgrade() -> None:
    # What was noted of matches that were not scored, the older code takes for a scored one.
    not_scored = sa.select(matches.c.id).where(~matches.c.scored)
    op.execute(results.delete().where(results.c.match_id.in_(not_scored)))
    as_it_began = matches.c.state["rated"].as_boolean()
    op.execute(matches.update().where(~matches.c.rated, as_it_began).values(rated=sa.true()))
    _work_out_anew(is_new=False)
    _establish(is_new=False)
    op.drop_index(op.f(BOARD), table_name="players")
    op.create_index(op.f(BOARD), "players", ["guest", "points", "id", "bot", "deleted_at"])
    op.drop_table("encounters")
    for table, columns in (
        ("players", ("no_seek_until", "no_show_at", "vouchers", "seasoned", "board_points")),
        ("player_results", ("volatility_before", "board_points", "seat")),
        ("match_seats", ("registered",)),
        ("matches", ("voided_at",)),
        ("rooms", ("quick",)),
    ):
        with op.batch_alter_table(table) as batch:
            for column in columns:
                batch.drop_column(column)


def _add_columns() -> None:
    moment = sa.DateTime(timezone=True)
    no, nothing = {"server_default": sa.false(), "nullable": False}, {"server_default": "0", "nullable": False}
    # Not in batch: columns that may be null or have a default are added in place, and no table is rebuilt.
    op.add_column("rooms", sa.Column("quick", sa.Boolean(), **no))
    op.add_column("matches", sa.Column("voided_at", moment, nullable=True))
    op.add_column("match_seats", sa.Column("registered", sa.Boolean(), **no))
    op.add_column("player_results", sa.Column("seat", sa.Integer(), **nothing))
    op.add_column("player_results", sa.Column("board_points", sa.Integer(), **nothing))
    op.add_column("player_results", sa.Column("volatility_before", sa.Double(), nullable=True))
    op.add_column("players", sa.Column("board_points", sa.Integer(), **nothing))
    op.add_column("players", sa.Column("seasoned", sa.Boolean(), **no))
    op.add_column("players", sa.Column("vouchers", sa.Integer(), **nothing))
    op.add_column("players", sa.Column("no_show_at", moment, nullable=True))
    op.add_column("players", sa.Column("no_seek_until", moment, nullable=True))


def _create_encounters() -> None:
    op.create_table(
        "encounters",
        sa.Column("player_id", sa.String(length=32), nullable=False),
        sa.Column("opponent_id", sa.String(length=32), nullable=False),
        sa.Column("scored", sa.Integer(), nullable=False),
        sa.Column("rated", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_encounters_player_id_players")),
        sa.ForeignKeyConstraint(["opponent_id"], ["players.id"], name=op.f("fk_encounters_opponent_id_players")),
        sa.PrimaryKeyConstraint("player_id", "opponent_id", name=op.f("pk_encounters")),
    )


def _work_out_anew(*, is_new: bool) -> None:
    """Begin with nothing and count every match again, as the new rules have it or as the old ones had."""
    connection = op.get_bind()
    connection.execute(players.update().values(**UNRATED))
    week: datetime | None = None
    met: Counter[tuple[str, str]] = Counter()
    for page in _pages_of_matches(connection):
        rows = _rows_of(connection, [match.id for match in page])
        standing = _standings(connection, {row["player_id"] for found in rows.values() for row in found}, is_new)
        for match in page:
            if week_of(match.finished_at) != week:
                week = week_of(match.finished_at)
                met.clear()
            if is_new:
                _count_on_boards(match, rows[match.id], met)
            _count_points(rows[match.id], standing, week, "board_points" if is_new else "points")
            _rate(match, rows[match.id], standing)
        _store(connection, rows, standing, is_new)


def _pages_of_matches(connection: sa.Connection) -> Iterator[list[sa.Row[Any]]]:
    """The scored matches in the order in which they ended."""
    all_registered = ~sa.exists().where(seats.c.match_id == matches.c.id, ~seats.c.registered)
    query = (
        sa.select(matches.c.id, matches.c.rated, matches.c.finished_at, all_registered.label("all_registered"),
                  matches.c.result["reason"].as_string().label("reason"))
        .where(matches.c.scored)
        .order_by(matches.c.finished_at, matches.c.id)
        .limit(PAGE)
    )  # fmt: skip
    page = list(connection.execute(query))
    while page:
        yield page
        key = sa.tuple_(matches.c.finished_at, matches.c.id)
        last = sa.tuple_(page[-1].finished_at, page[-1].id, types=[UtcDateTime(), sa.String()])
        page = list(connection.execute(query.where(key > last)))


def _rows_of(connection: sa.Connection, match_ids: list[str]) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {match_id: [] for match_id in match_ids}
    query = sa.select(results).where(results.c.match_id.in_(match_ids)).order_by(results.c.seat)
    for row in connection.execute(query).mappings():
        found[row["match_id"]].append({**row, **dict.fromkeys((*NOTED, "volatility_before"))})
    return found


def _standings(connection: sa.Connection, player_ids: set[str], is_new: bool) -> dict[str, dict[str, Any]]:
    columns = [players.c[name] for name in ("id", *(MOVED if is_new else OLD_MOVED))]
    query = sa.select(*columns).where(players.c.id.in_(sorted(player_ids)))
    return {row["id"]: dict(row) for row in connection.execute(query).mappings()}


def _count_on_boards(match: sa.Row[Any], rows: list[dict[str, Any]], met: Counter[tuple[str, str]]) -> None:
    pairs = {
        row["player_id"]: [(row["player_id"], other["player_id"]) for other in rows
                           if other["seat"] % 2 != row["seat"] % 2]
        for row in rows
    }  # fmt: skip
    counts = match.all_registered and match.reason != "abandoned"
    fresh = {one: counts and all(met[pair] < COUNTED_PER_WEEK for pair in pairs[one]) for one in pairs}
    for row in rows:
        if fresh[row["player_id"]]:
            row["board_points"] = row["points"]
            met.update(pairs[row["player_id"]])


def _count_points(rows: list[dict[str, Any]], standing: dict[str, Any], week: datetime, name: str) -> None:
    for row in rows:
        own = standing[row["player_id"]]
        if not row[name]:
            continue
        if "board_points" in own:
            own["board_points"] += row["board_points"]
        own["week_points"] = row[name] + (own["week_points"] if own["week_at"] == week else 0)
        own["week_at"] = week


def _rate(match: sa.Row[Any], rows: list[dict[str, Any]], standing: dict[str, Any]) -> None:
    if not match.rated or len(rows) != 2:
        return
    now = match.finished_at
    own = [standing[row["player_id"]] for row in rows]
    before = [glicko.at(_rating(one), one["rated_at"], now) for one in own]
    for row, one, mine, other in zip(rows, own, before, before[::-1], strict=True):
        after = glicko.after_match(mine, other, SCORES[row["outcome"]])
        row |= {"rating_before": mine.value, "rating_after": after.value, "volatility_before": mine.volatility,
                "deviation_before": mine.deviation, "deviation_after": after.deviation}  # fmt: skip
        one |= {"rating_value": after.value, "rating_deviation": after.deviation,
                "rating_volatility": after.volatility, "rated_at": now}  # fmt: skip


def _rating(own: Any) -> glicko.Rating:
    return glicko.Rating(own["rating_value"], own["rating_deviation"], own["rating_volatility"])


def _store(
    connection: sa.Connection, rows: dict[str, list[dict[str, Any]]], standing: dict[str, Any], is_new: bool
) -> None:
    names = MOVED if is_new else OLD_MOVED
    given = {name: sa.bindparam(f"new_{name}") for name in names}
    update = players.update().where(players.c.id == sa.bindparam("of_player")).values(given)
    connection.execute(
        update,
        [{"of_player": one["id"], **{f"new_{name}": one[name] for name in names}} for one in standing.values()],
    )
    noted = (*NOTED, "volatility_before", "board_points") if is_new else NOTED
    given = {name: sa.bindparam(f"new_{name}") for name in noted}
    key = sa.and_(results.c.match_id == sa.bindparam("of_match"), results.c.player_id == sa.bindparam("of_player"))
    connection.execute(
        results.update().where(key).values(given),
        [
            {"of_match": row["match_id"], "of_player": row["player_id"], **{f"new_{name}": row[name] for name in noted}}
            for found in rows.values()
            for row in found
        ],
    )


def _note_encounters() -> None:
    one, other = results.alias("one"), results.alias("other")
    rated = sa.func.sum(sa.case((one.c.rating_after.is_not(None), 1), else_=0))
    found = (
        sa.select(one.c.player_id, other.c.player_id, sa.func.count(), rated)
        .select_from(
            one.join(other, other.c.match_id == one.c.match_id).join(matches, matches.c.id == one.c.match_id)
        )
        .where((one.c.seat + other.c.seat) % 2 == 1, matches.c.result["reason"].as_string() != "abandoned")
        .group_by(one.c.player_id, other.c.player_id)
    )
    op.execute(encounters.insert().from_select([column.name for column in encounters.c], found))


def _establish(*, is_new: bool) -> None:
    """See who is seasoned and who is vouched for, and until when ratings are established; a page of players a time."""
    connection = op.get_bind()
    if is_new:
        _season(connection)
    last = ""
    while True:
        query = sa.select(players).where(players.c.id > last, players.c.rated_at.is_not(None)).order_by(players.c.id)
        if not is_new:
            query = query.with_only_columns(*(players.c[name] for name in ("id", *OLD_MOVED)))
        page = connection.execute(query.limit(PAGE)).mappings().all()
        if not page:
            return
        last = page[-1]["id"]
        until = [
            {"of_player": row["id"], "until": glicko.established_until(_rating(row), row["rated_at"])}
            for row in page
            if not is_new or row["vouchers"] >= VOUCHERS_NEEDED
        ]
        update = players.update().where(players.c.id == sa.bindparam("of_player"))
        if until:
            connection.execute(update.values(established_until=sa.bindparam("until", type_=UtcDateTime())), until)


def _season(connection: sa.Connection) -> None:
    scored = sa.select(results.c.player_id).where(results.c.points > 0).group_by(results.c.player_id)
    met = sa.select(encounters.c.player_id).group_by(encounters.c.player_id)
    seasoned = sa.and_(
        players.c.id.in_(scored.having(sa.func.count() >= MATCHES_TO_SEASON)),
        players.c.id.in_(met.having(sa.func.count() >= PEOPLE_TO_SEASON)),
    )
    connection.execute(players.update().where(seasoned).values(seasoned=sa.true()))
    opponents = players.alias("opponents")
    vouching = (
        sa.select(sa.func.count())
        .select_from(encounters.join(opponents, opponents.c.id == encounters.c.opponent_id))
        .where(encounters.c.player_id == players.c.id, encounters.c.rated > 0, opponents.c.seasoned)
        .scalar_subquery()
    )
    most = sa.case((vouching < VOUCHERS_NEEDED, vouching), else_=VOUCHERS_NEEDED)
    connection.execute(players.update().where(players.c.rated_at.is_not(None)).values(vouchers=most))
