"""Who may open which channel, and as what it counts."""

from __future__ import annotations

from app.realtime.hub import Hub
from app.realtime.places import Kind, TooMany
from app.realtime.publication import is_running, may_follow, seats_of
from app.services import rooms
from app.services.errors import Refusal

# So many may look on in one room; its seats are not counted.
MOST_SPECTATORS = 20


def kind_for(hub: Hub, code: str | None, player_id: str) -> Kind:
    """What a channel of the room, or with None his own channel, is to a player.

    Errors: not_found, auth.forbidden; TooMany if too many look on in the room already.
    """
    if code is None:
        return Kind.OWN
    room = rooms.room_json(code)
    seat = seats_of(room).get(player_id)
    if not may_follow(room, seat):
        raise Refusal("auth.forbidden")
    if seat is not None:
        return Kind.PLAYING if is_running(room) else Kind.SEAT
    if len(hub.spectators(room["code"])) >= MOST_SPECTATORS:
        raise TooMany
    return Kind.SPECTATOR
