"""What a player's scored matches add up to.

Added up from the results when somebody asks, and not kept in columns: nothing can drift from the results then, a match
that ends writes less, and the index by player gives the few thousand rows of even a tireless player in milliseconds.
"""

from __future__ import annotations

from typing import Any, cast

from sqlalchemy import Table, bindparam, case, func, select

from app.extensions import db
from app.models import PlayerResult

_results = cast(Table, PlayerResult.__table__)
_won = case((_results.c.outcome == "win", 1), else_=0)
# Each result with the number of matches up to it that were not won: wins in a row have the same one.
_in_order = (
    select(
        _won.label("won"),
        case((_results.c.outcome == "draw", 1), else_=0).label("drawn"),
        case((_results.c.outcome == "loss", 1), else_=0).label("lost"),
        case((_results.c.forfeited, 1), else_=0).label("forfeited"),
        _results.c.basras,
        _results.c.best_round,
        func.sum(1 - _won).over(order_by=(_results.c.finished_at, _results.c.match_id)).label("run"),
    )
    .where(_results.c.player_id == bindparam("player_id"))
    .cte("in_order")
)
_streaks = select(_in_order.c.run, func.sum(_in_order.c.won).label("wins")).group_by(_in_order.c.run).cte("streaks")
_SELECT_STATS = select(
    func.count().label("matches"),
    *(func.sum(_in_order.c[name]).label(name) for name in ("won", "drawn", "lost", "forfeited", "basras")),
    func.max(_in_order.c.best_round).label("best_round"),
    select(_streaks.c.wins).order_by(_streaks.c.run.desc()).limit(1).scalar_subquery().label("streak"),
    select(func.max(_streaks.c.wins)).scalar_subquery().label("best_streak"),
).select_from(_in_order)


def stats_of(player_id: str) -> dict[str, Any]:
    """A player's statistics as the contract shows them; a streak is of wins in a row."""
    found = db.session.execute(_SELECT_STATS, {"player_id": player_id}).one()
    basras = found.basras or 0
    return {
        "matches": found.matches,
        "wins": int(found.won or 0),
        "draws": int(found.drawn or 0),
        "losses": int(found.lost or 0),
        "forfeits": int(found.forfeited or 0),
        "basras_per_match": round(int(basras) / found.matches, 2) if found.matches else 0.0,
        "best_round": found.best_round or 0,
        "streak": int(found.streak or 0),
        "best_streak": int(found.best_streak or 0),
    }
