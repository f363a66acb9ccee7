"""Where a request comes from."""

from __future__ import annotations

import ipaddress
import re
from contextlib import suppress

from flask import request

_WITH_PORT = re.compile(r"\[([^\]]+)\](?::\d+)?|([^:]+):\d+")


def address() -> str:
    """The address that a request comes from; neighbours in one IPv6 network of /64 are one.

    A proxy may forward anything. Where that is no address, its own one counts.
    """
    original = request.environ.get("werkzeug.proxy_fix.orig", {}).get("REMOTE_ADDR")
    for text in (request.remote_addr, original):
        with suppress(ValueError):
            return network_of(text or "")
    return "unknown"


def network_of(text: str) -> str:
    """The address, or for IPv6 the network of /64, as one key.

    Errors: ValueError for what is no address.
    """
    with_port = _WITH_PORT.fullmatch(text)
    found = ipaddress.ip_address(with_port[1] or with_port[2] if with_port else text)
    if found.version == 4:
        return str(found)
    return str(found.ipv4_mapped or ipaddress.ip_network((int(found) >> 64 << 64, 64)))
