"""What admins may do by HTTP: the same as on the command line, but make admins or decide about them.

In no public document, and 404 to everybody else; docs/admin.md describes it for those whom it concerns.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from flask import Response

from app.api import cursors
from app.api.admins import acting, deciding, reading
from app.api.blueprint import Blueprint, reply
from app.realtime import publish
from app.schemas.admin import (
    CrowdsQuery,
    Network,
    NewNetwork,
    PlayersQuery,
    Rename,
    ReportsQuery,
    Sanction,
    TrailQuery,
    Why,
)
from app.services import audit, networks, oversight, reports, sanctions, sign_ups
from app.services.networks import BAN, MUTE
from app.services.times import utcnow

HANDLED = {"open": False, "handled": True, "all": None}
DONE = 204

blp = Blueprint("admin", __name__, url_prefix="/api/v1/admin")


def _route(method: str, path: str) -> Callable[..., Any]:
    routed: Callable[..., Any] = blp.route(path, methods=[method])
    return routed


@_route("GET", "/reports")
@reading
@blp.arguments(ReportsQuery, location="query")
def list_reports(query: dict[str, Any]) -> Response:
    """List reports, newest first."""
    handled = HANDLED[query["status"]]
    items, more = reports.reports_page(cursors.decode(query.get("cursor")), query["limit"], handled=handled)
    return reply({"items": items, "next": cursors.encode(more)})


@_route("GET", "/reports/<report_id>")
@reading
def get_report(report_id: str) -> Response:
    """Show one report."""
    return reply(reports.report_of(report_id))


@_route("POST", "/reports/<report_id>/handled")
@deciding
@blp.arguments(Why)
def handle_report(body: dict[str, Any], report_id: str) -> Response:
    """Mark a report as handled."""
    return reply(reports.handle(acting(), report_id, body["reason"]))


@_route("GET", "/players")
@reading
@blp.arguments(PlayersQuery, location="query")
def find_players(query: dict[str, Any]) -> Response:
    """Find players by an id, a username or a part of their name."""
    return reply({"items": oversight.find(query["text"]), "next": None})


@_route("GET", "/players/<player_id>")
@reading
def get_player(player_id: str) -> Response:
    """Show a player, with what is in force and how many reports there are."""
    return reply(oversight.player(player_id))


@_route("PATCH", "/players/<player_id>")
@deciding
@blp.arguments(Rename)
def rename_player(body: dict[str, Any], player_id: str) -> Response:
    """Give a player another name."""
    shown, news = oversight.rename(acting(), player_id, body["name"], body["reason"])
    publish(news)
    return reply(shown)


@_route("PUT", "/players/<player_id>/ban")
@deciding
@blp.arguments(Sanction)
def ban_player(body: dict[str, Any], player_id: str) -> Response:
    """Shut a player out until a moment."""
    shown, news = sanctions.ban(acting(), player_id, body["until"], body["reason"])
    publish(news)
    return reply(shown)


@_route("DELETE", "/players/<player_id>/ban")
@deciding
@blp.arguments(Why)
def unban_player(body: dict[str, Any], player_id: str) -> Response:
    """Lift a player's ban."""
    sanctions.lift(acting(), BAN, player_id, body["reason"])
    return Response(status=DONE)


@_route("PUT", "/players/<player_id>/mute")
@deciding
@blp.arguments(Sanction)
def mute_player(body: dict[str, Any], player_id: str) -> Response:
    """Let a player say and name nothing until a moment."""
    return reply(sanctions.mute(acting(), player_id, body["until"], body["reason"]))


@_route("DELETE", "/players/<player_id>/mute")
@deciding
@blp.arguments(Why)
def unmute_player(body: dict[str, Any], player_id: str) -> Response:
    """Lift a player's mute."""
    sanctions.lift(acting(), MUTE, player_id, body["reason"])
    return Response(status=DONE)


@_route("DELETE", "/players/<player_id>/tokens")
@deciding
@blp.arguments(Why)
def end_tokens(body: dict[str, Any], player_id: str) -> Response:
    """Sign a player out everywhere."""
    _, news = oversight.end_tokens(acting(), player_id, body["reason"])
    publish(news)
    return Response(status=DONE)


@_route("GET", "/addresses")
@reading
def list_addresses() -> Response:
    """List the networks whose guests are banned or muted."""
    return reply({"items": networks.in_force(), "next": None})


@_route("GET", "/crowds")
@reading
@blp.arguments(CrowdsQuery, location="query")
def list_crowds(query: dict[str, Any]) -> Response:
    """List the addresses where many accounts were made lately."""
    since = utcnow() - timedelta(days=query["days"])
    return reply({"items": sign_ups.suspicious_addresses(since, query["least"]), "next": None})


@_route("POST", "/addresses")
@deciding
@blp.arguments(NewNetwork)
def sanction_address(body: dict[str, Any]) -> Response:
    """Ban or mute the guests of a network until a moment."""
    shown, news = networks.sanction(acting(), body["kind"], body["network"], body["until"], body["reason"])
    publish(news)
    return reply(shown, 201)


@_route("DELETE", "/addresses")
@deciding
@blp.arguments(Network)
def lift_address(body: dict[str, Any]) -> Response:
    """Lift a ban or a mute of a network."""
    publish(networks.lift(acting(), body["kind"], body["network"], body["reason"]))
    return Response(status=DONE)


@_route("DELETE", "/rooms/<code>")
@deciding
@blp.arguments(Why)
def close_room(body: dict[str, Any], code: str) -> Response:
    """Close a room; a match that is played there is abandoned."""
    _, news = oversight.close_room(acting(), code, body["reason"])
    publish(news)
    return Response(status=DONE)


@_route("POST", "/matches/<match_id>/void")
@deciding
@blp.arguments(Why)
def void_match(body: dict[str, Any], match_id: str) -> Response:
    """Take back the points and ratings that a finished match brought."""
    shown, news = oversight.void_match(acting(), match_id, body["reason"])
    publish(news)
    return reply(shown, 201)


@_route("GET", "/audit")
@reading
@blp.arguments(TrailQuery, location="query")
def list_decisions(query: dict[str, Any]) -> Response:
    """List the decisions on the audit trail, newest first."""
    before = cursors.decode_number(query["cursor"], 1) if "cursor" in query else None
    items, more = audit.entries(before, query["limit"], subject=query["subject"])
    return reply({"items": items, "next": None if more is None else cursors.encode_value(more)})
