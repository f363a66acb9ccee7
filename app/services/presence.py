"""Whose channel is open: known by the hub, asked by the use cases."""

from __future__ import annotations

from typing import Protocol

from flask import current_app


class Presence(Protocol):
    """What knows which seats have an open channel."""

    def connected(self, code: str, seat: int) -> bool: ...

    def stayed(self, code: str, seat: int, match_id: str) -> bool: ...


def connected(code: str, seat: int) -> bool:
    """Whether the seat of the room has an open channel."""
    hub: Presence = current_app.extensions["hub"]
    return hub.connected(code, seat)


def stayed(code: str, seat: int, match_id: str) -> bool:
    """Whether the seat has had an open channel ever since a match began."""
    hub: Presence = current_app.extensions["hub"]
    return hub.stayed(code, seat, match_id)
