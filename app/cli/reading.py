"""Commands that only look: reports, players, sanctions, and the audit trail."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import click
from flask.cli import with_appcontext

from app.cli.admin import command, days
from app.cli.output import as_json, table
from app.services import audit, networks, oversight, reports, sign_ups
from app.services.times import utcnow
from app.unseen import plain

HANDLED = {"open": False, "handled": True, "all": None}
Answer = tuple[Any, str]


@click.command("reports")
@with_appcontext
@click.option("--days", default=7, show_default=True, type=click.IntRange(1, 3650), help="How far to look back.")
def reports_as_lines(days: int) -> None:
    """Print what players have reported, one JSON object a line, oldest first; `admin reports` can more."""
    for report in reports.reports_since(utcnow() - timedelta(days=days)):
        click.echo(as_json(report))


@command("reports")
@days
@click.option("--status", type=click.Choice(list(HANDLED)), default="open", show_default=True)
def list_reports(days: int, status: str) -> Answer:
    """List what players have reported, oldest first."""
    found = reports.reports_since(utcnow() - timedelta(days=days), handled=HANDLED[status])
    rows = (
        (one["id"], one["at"], one["reason"], _who(one["reported"]), "by", _who(one["reporter"]), one["text"])
        for one in found
    )
    return found, table(rows, "No reports.")


@command("report")
@click.argument("report")
def read_report(report: str) -> Answer:
    """Read one report, with what was written at the table."""
    found = reports.report_of(report)
    facts = {
        "reported": _who(found["reported"]),
        "by": _who(found["reporter"]),
        "at": found["at"],
        "reason": found["reason"],
        "room": found["room"],
        "handled": found["handled_at"],
        "banned until": found["sanctions"]["banned_until"],
        "muted until": found["sanctions"]["muted_until"],
        "text": found["text"],
    }
    written = ((line["at"], f"{line['name']}:", line["text"]) for line in found["messages"])
    return found, "\n".join([table(facts.items(), ""), table(written, "Nothing was written at the table.")])


@command("players")
@click.argument("text")
def find_players(text: str) -> Answer:
    """Find players by an id, a username or a part of their name; 50 at most, the newest first."""
    found = oversight.find(text)
    return found, table((_line(one) for one in found), "Nobody.")


@command("player")
@click.argument("player")
def show_player(player: str) -> Answer:
    """Show a player, and what was decided about them."""
    found = oversight.player(oversight.id_of(player))
    decisions, _ = audit.entries(None, 50, subject=found["id"])
    reported = f"{found['reports']['open']} open reports, {found['reports']['handled']} handled"
    told = "\n".join([table([_line(found)], ""), reported, _trail(decisions)])
    return {**found, "decisions": decisions}, told


@command("addresses")
def list_addresses() -> Answer:
    """List the addresses and ranges whose guests are banned or muted."""
    found = networks.in_force()
    return found, table(((one["network"], one["kind"], "until", one["until"]) for one in found), "None.")


@command("crowds")
@click.option("--days", default=1, show_default=True, type=click.IntRange(1, sign_ups.KEPT.days))
@click.option("--least", default=sign_ups.FREE, show_default=True, type=click.IntRange(1, 100_000))
def list_crowds(days: int, least: int) -> Answer:
    """List the addresses where many accounts were made lately, those with the most first."""
    found = sign_ups.suspicious_addresses(utcnow() - timedelta(days=days), least)
    rows = (
        (one["address"], one["accounts"], "accounts, first", one["first_at"], "last", one["last_at"]) for one in found
    )
    return found, table(rows, "None.")


@command("admins")
def list_admins() -> Answer:
    """List the players who are admins."""
    found = oversight.admins()
    return found, table((_line(one) for one in found), "Nobody.")


@command("trail")
@days
@click.option("--limit", default=200, show_default=True, type=click.IntRange(1, 10_000), help="How many at most.")
@click.option("--subject", help="Only about this: the id of a player, match or report, a room's code, or a network.")
def list_trail(days: int, limit: int, subject: str | None) -> Answer:
    """List the decisions on the audit trail, newest first: who, when, what, about whom, and why."""
    found, _ = audit.entries(None, limit, since=utcnow() - timedelta(days=days), subject=subject)
    return found, _trail(found)


def _trail(found: list[dict[str, Any]]) -> str:
    return table((_decision(one) for one in found), "No decisions.")


def _decision(one: dict[str, Any]) -> tuple[object, ...]:
    by = one["by"]
    decider = _who(by["player"]) if by["player"] is not None else f"user {by['user']}"
    subject = one["subject"] if one["name"] is None else f"{one['name']} ({one['subject']})"
    details = " ".join(f"{name}={value}" for name, value in one["details"].items())
    return one["at"], decider, one["action"], subject, details, f"“{one['reason']}”"


def _who(player: dict[str, Any]) -> str:
    return f"{player['name']} ({player['id']})"


def _line(player: dict[str, Any]) -> tuple[object, ...]:
    kind = "guest" if player["guest"] else f"account {player['username']}"
    told = [
        plain(kind),
        "program" if player["bot"] else "",
        "admin" if player["admin"] else "",
        f"banned until {player['banned_until']}" if player["banned_until"] else "",
        f"muted until {player['muted_until']}" if player["muted_until"] else "",
    ]
    return player["id"], player["name"], ", ".join(filter(None, told)), "since", player["created_at"]


COMMANDS = (
    list_reports, read_report, find_players, show_player, list_addresses, list_crowds, list_admins, list_trail,
)  # fmt: skip
