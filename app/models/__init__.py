"""The tables, one file an aggregate."""

from app.models.base import Base
from app.models.matches import MatchEvent, MatchRow, MatchSeat
from app.models.players import Player, Token
from app.models.rooms import Room, RoomSeat
from app.models.seeks import Seek

__all__ = ["Base", "MatchEvent", "MatchRow", "MatchSeat", "Player", "Room", "RoomSeat", "Seek", "Token"]
