"""Many matches in a short time: played by the use cases themselves, without a request for each play."""

from __future__ import annotations

from datetime import datetime
from unittest.mock import patch

from flask import Flask
from sqlalchemy import select

from app.extensions import db
from app.models import Player, PlayerResult
from app.services import matches, rooms, seating
from app.services.room_rules import RoomWish
from app.services.times import utcnow
from tests.app.people import Caller


def beat(app: Flask, winner: Caller, loser: Caller, *, plays: int = 4, at: datetime | None = None) -> str:
    """A match of two in a new room, which the loser gives up after some plays; it ends at a moment or now."""
    with app.app_context(), patch.object(matches, "utcnow", lambda: at or utcnow()):
        room, _ = rooms.create(winner.id, RoomWish())
        room, _, _ = seating.join(loser.id, room["code"])
        match_id = str(room["match_id"])
        for turn in range(plays):
            record = matches.load(match_id)
            seat = record.match.to_act
            card = record.match.round.hands[seat][0]
            matches.play((winner, loser)[seat].id, match_id, turn, card)
            db.session.remove()
        matches.forfeit(loser.id, match_id)
        db.session.remove()
    return match_id


def row(app: Flask, person: Caller) -> Player:
    """A player as stored."""
    with app.app_context():
        return db.session.get_one(Player, person.id)


def results_of(app: Flask, match_id: str) -> dict[str, PlayerResult]:
    """What a match brought its players, by their ids."""
    with app.app_context():
        found = db.session.scalars(select(PlayerResult).where(PlayerResult.match_id == match_id))
        return {one.player_id: one for one in found}
