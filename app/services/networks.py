"""Networks whose guests are banned or muted; players who have registered are never counted among them."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from flask import current_app
from sqlalchemy import select

from app.extensions import db, delete_if_any, write_transaction
from app.models import AddressSanction
from app.services import audit
from app.services.audit import Actor
from app.services.ends import end_of
from app.services.errors import Refusal, refuse_field
from app.services.news import AddressSanctioned, News
from app.services.times import rfc3339, utcnow

BAN, MUTE = "ban", "mute"
# Neighbours in one IPv6 network of this size are one address everywhere in the service.
IPV6_ADDRESS = 64
# A shorter prefix is a slip of the finger: it would shut out whole continents.
SHORTEST = {4: 8, 6: 20}

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


@dataclass
class Known:
    """The sanctions in force, read once and kept until one of them changes."""

    rows: list[tuple[Network, str, datetime]] | None = None
    # Counts the changes: what was read before one is not kept after it.
    changes: int = field(default=0)


def parse(text: str) -> Network:
    """A network as it is stored, from an address or a range of them.

    >>> parse("10.1.2.3/24")
    IPv4Network('10.1.2.0/24')
    >>> parse("2001:db8::7")
    IPv6Network('2001:db8::/64')

    Errors: request.invalid.
    """
    try:
        network: Network = ipaddress.ip_network(text.strip(), strict=False)
    except ValueError:
        refuse_field("network", "Neither an address nor a range like 192.0.2.0/24 or 2001:db8::/48.")
    if isinstance(network, ipaddress.IPv6Network) and (mapped := network.network_address.ipv4_mapped) is not None:
        network = ipaddress.ip_network((mapped, max(0, network.prefixlen - 96)), strict=False)
    if network.version == 6 and network.prefixlen > IPV6_ADDRESS:
        network = network.supernet(new_prefix=IPV6_ADDRESS)
    if network.prefixlen < SHORTEST[network.version]:
        refuse_field("network", f"Too wide: a range of /{SHORTEST[network.version]} at most.")
    return network


def sanction(actor: Actor, kind: str, text: str, until: datetime, reason: str) -> tuple[dict[str, Any], list[News]]:
    """Ban or mute the guests of a network; one that is already takes the new end.

    Errors: request.invalid.
    """
    network, until = str(parse(text)), end_of(until)
    with write_transaction() as session:
        found = session.get(AddressSanction, (network, kind))
        if found is None:
            found = AddressSanction(network=network, kind=kind, created_at=utcnow())
            session.add(found)
        found.until = until
        audit.note(session, actor, f"{kind}_address", network, reason, until=rfc3339(until))
        shown = _json(found)
    return shown, [AddressSanctioned(network, rfc3339(until) if kind == BAN else None)]


def lift(actor: Actor, kind: str, text: str, reason: str) -> list[News]:
    """Let the guests of a network do again what they might not.

    Errors: request.invalid; not_found if nothing was in force for exactly this network.
    """
    network = str(parse(text))
    with write_transaction() as session:
        found = session.get(AddressSanction, (network, kind))
        if found is None:
            raise Refusal("not_found", f"There is no {kind} of exactly this network.")
        session.delete(found)
        audit.note(session, actor, f"un{kind}_address", network, reason)
    return [AddressSanctioned(network, None)]


def in_force() -> list[dict[str, Any]]:
    """The networks whose guests are banned or muted now, the newest first."""
    query = select(AddressSanction).where(AddressSanction.until > utcnow())
    found = db.session.scalars(query.order_by(AddressSanction.created_at.desc(), AddressSanction.network))
    return [_json(row) for row in found]


def until_of(kind: str, address: str) -> datetime | None:
    """Until when the guests of an address are banned or muted; None if they are not."""
    rows = _rows()
    if not rows:
        return None
    try:
        calling = ipaddress.ip_network(address)
    except ValueError:
        return None
    now = utcnow()
    ends = (until for network, of_kind, until in rows if of_kind == kind and until > now and _within(calling, network))
    return max(ends, default=None)


def is_of(address: str, network: str) -> bool:
    """Whether an address, as the service writes it, lies in a network."""
    try:
        return _within(ipaddress.ip_network(address), ipaddress.ip_network(network))
    except ValueError:
        return False


def forget_known() -> None:
    """Read anew, because a sanction has changed."""
    known = _known()
    known.rows, known.changes = None, known.changes + 1


def expire(now: datetime) -> list[News]:
    """Forget the sanctions that have ended; nobody is told, for they have meant nothing since."""
    delete_if_any(AddressSanction, AddressSanction.until <= now)
    return []


def _rows() -> list[tuple[Network, str, datetime]]:
    known = _known()
    if known.rows is not None:
        return known.rows
    began = known.changes
    query = select(AddressSanction.network, AddressSanction.kind, AddressSanction.until)
    rows = [(ipaddress.ip_network(row.network), row.kind, row.until) for row in db.session.execute(query)]
    if known.changes == began:
        known.rows = rows
    return rows


def _within(inner: Network, outer: Network) -> bool:
    if isinstance(inner, ipaddress.IPv4Network) and isinstance(outer, ipaddress.IPv4Network):
        return inner.subnet_of(outer)
    if isinstance(inner, ipaddress.IPv6Network) and isinstance(outer, ipaddress.IPv6Network):
        return inner.subnet_of(outer)
    return False


def _known() -> Known:
    found: Known = current_app.extensions.setdefault("address_sanctions", Known())
    return found


def _json(found: AddressSanction) -> dict[str, Any]:
    return {"network": found.network, "kind": found.kind, "until": rfc3339(found.until)}
