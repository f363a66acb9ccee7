"""The tables, one file an aggregate."""

from app.models.base import Base
from app.models.devices import KnownDevice, SignUp
from app.models.matches import MatchEvent, MatchRow, MatchSeat
from app.models.operators import AddressSanction, AuditEntry, Notice
from app.models.players import Player, Token, Transfer
from app.models.results import Encounter, PlayerResult
from app.models.rooms import Room, RoomSeat
from app.models.seeks import Seek
from app.models.social import Block, Message, Report

__all__ = [
    "AddressSanction",
    "AuditEntry",
    "Base",
    "Block",
    "Encounter",
    "KnownDevice",
    "MatchEvent",
    "MatchRow",
    "MatchSeat",
    "Message",
    "Notice",
    "Player",
    "PlayerResult",
    "Report",
    "Room",
    "RoomSeat",
    "Seek",
    "SignUp",
    "Token",
    "Transfer",
]
