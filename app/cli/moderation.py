"""Commands that decide something; each leaves an entry on the audit trail, and notices for the running server."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import click
from marshmallow import ValidationError

from app.cli.admin import actor, command, reason, until
from app.schemas.fields import Name
from app.services import networks, notices, oversight, reports, sanctions
from app.services.networks import BAN, MUTE
from app.unseen import plain

Answer = tuple[Any, str]


@command("handle")
@click.argument("report")
@reason
def handle_report(report: str, reason: str) -> Answer:
    """Mark a report as handled."""
    found = reports.handle(actor(), report, reason)
    return found, f"Handled at {found['handled_at']}."


@command("ban")
@click.argument("player")
@until
@reason
def ban(player: str, end: datetime, reason: str) -> Answer:
    """Shut a player out: they forfeit what they play, and their channels end."""
    found, news = sanctions.ban(actor(), oversight.id_of(player), end, reason)
    notices.leave(news)
    return found, _told(found, f"is banned until {found['banned_until']}.")


@command("mute")
@click.argument("player")
@until
@reason
def mute(player: str, end: datetime, reason: str) -> Answer:
    """Let a player say nothing, and name neither themselves nor rooms; they play on."""
    found = sanctions.mute(actor(), oversight.id_of(player), end, reason)
    return found, _told(found, f"is muted until {found['muted_until']}.")


@command("unban")
@click.argument("player")
@reason
def unban(player: str, reason: str) -> Answer:
    """Lift a player's ban."""
    found = sanctions.lift(actor(), BAN, oversight.id_of(player), reason)
    return found, _told(found, "is banned no more.")


@command("unmute")
@click.argument("player")
@reason
def unmute(player: str, reason: str) -> Answer:
    """Lift a player's mute."""
    found = sanctions.lift(actor(), MUTE, oversight.id_of(player), reason)
    return found, _told(found, "is muted no more.")


@command("ban-address")
@click.argument("network")
@until
@reason
def ban_address(network: str, end: datetime, reason: str) -> Answer:
    """Shut the guests of an address or a range out, and let nobody sign up there; registered players stay."""
    return _sanctioned(BAN, network, end, reason)


@command("mute-address")
@click.argument("network")
@until
@reason
def mute_address(network: str, end: datetime, reason: str) -> Answer:
    """Let the guests of an address or a range say and name nothing; registered players may."""
    return _sanctioned(MUTE, network, end, reason)


@command("unban-address")
@click.argument("network")
@reason
def unban_address(network: str, reason: str) -> Answer:
    """Lift the ban of an address or a range."""
    return _lifted(BAN, network, reason)


@command("unmute-address")
@click.argument("network")
@reason
def unmute_address(network: str, reason: str) -> Answer:
    """Lift the mute of an address or a range."""
    return _lifted(MUTE, network, reason)


@command("rename")
@click.argument("player")
@click.argument("name", required=False)
@reason
def rename(player: str, name: str | None, reason: str) -> Answer:
    """Give a player another name, a neutral one by default; past matches show it, too."""
    found, news = oversight.rename(actor(), oversight.id_of(player), _name(name), reason)
    notices.leave(news)
    return found, f"{found['id']} is called {plain(found['name'])}."


@command("close-room")
@click.argument("code")
@reason
def close_room(code: str, reason: str) -> Answer:
    """Close a room; a match that is played there is ended as abandoned and scores nothing."""
    found, news = oversight.close_room(actor(), code, reason)
    notices.leave(news)
    return found, f"The room {found['code']} is closed."


@command("void-match")
@click.argument("match")
@reason
def void_match(match: str, reason: str) -> Answer:
    """Take back the points and ratings that a finished match brought; later matches stay."""
    found, news = oversight.void_match(actor(), match, reason)
    notices.leave(news)
    told = [f"Void since {found['voided_at']}."]
    told += [f"{one['player']}: points {one['points']}, rating {one['rating'] or 0:+}" for one in found["changes"]]
    return found, "\n".join(told)


@command("end-tokens")
@click.argument("player")
@reason
def end_tokens(player: str, reason: str) -> Answer:
    """Sign a player out everywhere, tokens of programs included. A guest can never come back after it."""
    found, news = oversight.end_tokens(actor(), oversight.id_of(player), reason)
    notices.leave(news)
    return found, f"{found['ended']} tokens of {plain(found['name'])} are ended."


@command("make-admin")
@click.argument("player")
@reason
def make_admin(player: str, reason: str) -> Answer:
    """Make a registered player an admin: /admin opens to them, where they are signed in by a browser."""
    found = oversight.set_admin(actor(), oversight.id_of(player), reason, admin=True)
    return found, f"{plain(found['name'])} is an admin."


@command("unmake-admin")
@click.argument("player")
@reason
def unmake_admin(player: str, reason: str) -> Answer:
    """Make an admin an ordinary player again."""
    found = oversight.set_admin(actor(), oversight.id_of(player), reason, admin=False)
    return found, f"{plain(found['name'])} is no admin."


def _sanctioned(kind: str, network: str, end: datetime, reason: str) -> Answer:
    found, news = networks.sanction(actor(), kind, network, end, reason)
    notices.leave(news)
    return found, f"{kind} of {found['network']} until {found['until']}."


def _lifted(kind: str, network: str, reason: str) -> Answer:
    notices.leave(networks.lift(actor(), kind, network, reason))
    found = {"network": str(networks.parse(network)), "kind": kind, "until": None}
    return found, f"No {kind} of {found['network']} any more."


def _name(text: str | None) -> str | None:
    """A name as players may have one."""
    if text is None:
        return None
    try:
        name: str = Name().deserialize(text)
    except ValidationError as error:
        raise click.BadParameter(" ".join(map(str, error.messages)), param_hint="NAME") from None
    return name


def _told(found: dict[str, Any], what: str) -> str:
    return f"{plain(found['player']['name'])} ({found['player']['id']}) {what}"


COMMANDS = (
    handle_report, ban, mute, unban, unmute, ban_address, mute_address, unban_address, unmute_address, rename,
    close_room, void_match, end_tokens, make_admin, unmake_admin,
)  # fmt: skip
