"""Exports: everything that is kept about a player, without the secrets that stand for him."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import or_, select

from app.extensions import db
from app.models import Message, Player, PlayerResult, Report, Room, RoomSeat
from app.services import accounts, audit, blocks, devices, history, sanctions, seeks, sessions, tokens
from app.services.paging import Cursor
from app.services.times import rfc3339, utcnow

PAGE = 500


def export(player_id: str, token_id: str) -> dict[str, Any]:
    """Everything about a player as he asks for it with one of his tokens."""
    player = db.session.get_one(Player, player_id)
    return {
        "exported_at": rfc3339(utcnow()),
        "player": {**accounts.own_profile(player_id), "created_at": rfc3339(player.created_at)},
        "sessions": sessions.sessions_of(player_id, token_id),
        "devices": devices.devices_of(player_id),
        "tokens": tokens.tokens_of(player_id),
        "seeks": seeks.open_seeks(player_id),
        "rooms": _rooms(player_id),
        "matches": _all_pages(lambda cursor: history.matches_of("me", player_id, None, cursor, PAGE)),
        "results": _results(player_id),
        "blocks": _all_pages(lambda cursor: blocks.blocks_of(player_id, cursor, PAGE)),
        "reports": _reports(player_id),
        "messages": _messages(player_id),
        "sanctions": sanctions.in_force_json(player),
        "decisions": audit.decisions_on(player_id),
    }


def _all_pages(page: Callable[[Cursor | None], tuple[list[dict[str, Any]], Cursor | None]]) -> list[dict[str, Any]]:
    items, cursor = page(None)
    while cursor is not None:
        more, cursor = page(cursor)
        items += more
    return items


def _rooms(player_id: str) -> list[dict[str, Any]]:
    """The rooms that the player is the host of or sits in."""
    query = (
        select(Room.code, Room.name, Room.host_id, Room.created_at, RoomSeat.seat)
        .outerjoin(RoomSeat, (RoomSeat.room_code == Room.code) & (RoomSeat.player_id == player_id))
        .where(or_(Room.host_id == player_id, RoomSeat.player_id == player_id))
        .order_by(Room.created_at.desc(), Room.code)
    )
    return [
        {
            "code": row.code,
            "name": row.name,
            "host": row.host_id == player_id,
            "seat": row.seat,
            "created_at": rfc3339(row.created_at),
        }
        for row in db.session.execute(query)
    ]


def _results(player_id: str) -> list[dict[str, Any]]:
    query = select(PlayerResult).where(PlayerResult.player_id == player_id).order_by(PlayerResult.finished_at.desc())
    return [
        {
            "match": result.match_id,
            "outcome": result.outcome,
            "forfeited": result.forfeited,
            "points": result.points,
            "board_points": result.board_points,
            "basras": result.basras,
            "best_round": result.best_round,
            "rating_before": result.rating_before,
            "rating_after": result.rating_after,
            "deviation_before": result.deviation_before,
            "deviation_after": result.deviation_after,
            "finished_at": rfc3339(result.finished_at),
        }
        for result in db.session.scalars(query)
    ]


def _reports(player_id: str) -> list[dict[str, Any]]:
    query = select(Report).where(Report.reporter_id == player_id).order_by(Report.created_at.desc())
    return [
        {
            "id": report.id,
            "player": report.reported_id,
            "room": report.room_code,
            "reason": report.reason,
            "text": report.text,
            "created_at": rfc3339(report.created_at),
        }
        for report in db.session.scalars(query)
    ]


def _messages(player_id: str) -> list[dict[str, Any]]:
    query = select(Message).where(Message.player_id == player_id).order_by(Message.id.desc())
    return [
        {"room": message.room_code, "text": message.text, "at": rfc3339(message.sent_at)}
        for message in db.session.scalars(query)
    ]
