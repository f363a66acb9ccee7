"""The tables, one file an aggregate."""

from app.models.base import Base
from app.models.matches import MatchEvent, MatchRow, MatchSeat
from app.models.players import Player, Token
from app.models.rooms import Room, RoomSeat

__all__ = ["Base", "MatchEvent", "MatchRow", "MatchSeat", "Player", "Room", "RoomSeat", "Token"]
