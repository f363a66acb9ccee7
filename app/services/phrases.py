"""Quick phrases and emotes: a fixed list, so that strangers can be nice to one another and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from app.extensions import db
from app.services import blocks, rooms
from app.services.errors import refuse_field
from app.services.news import News, PhraseSaid
from app.services.times import rfc3339, utcnow


@dataclass(frozen=True, slots=True)
class Phrase:
    """Something that can be said; its words are the page's texts `phrase.<id>`, an emote has a symbol besides."""

    id: str
    symbol: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The phrase as the contract shows it."""
        return {"id": self.id, "kind": "phrase" if self.symbol is None else "emote", "symbol": self.symbol}


PHRASES = (
    Phrase("hello"),
    Phrase("good_luck"),
    Phrase("yalla"),
    Phrase("one_moment"),
    Phrase("well_played"),
    Phrase("ya_mallem"),
    Phrase("ya_salam"),
    Phrase("what_a_basra"),
    Phrase("thanks"),
    Phrase("sorry"),
    Phrase("one_more"),
    Phrase("laughter", "😄"),
    Phrase("applause", "👏"),
    Phrase("wonder", "😮"),
    Phrase("thinking", "🤔"),
    Phrase("sadness", "😢"),
    Phrase("tea", "☕"),
)
PHRASE_IDS = frozenset(phrase.id for phrase in PHRASES)


def say(player_id: str, code: str, phrase: str) -> list[News]:
    """Say one of the phrases at a table where one sits; nothing of it is kept.

    Errors: not_found, auth.forbidden, request.invalid, room.closed.
    """
    room, own = rooms.own_seat(db.session(), code, player_id)
    if phrase not in PHRASE_IDS:
        refuse_field("phrase", "No phrase of the list.")
    rooms.require_open(room)
    deaf = blocks.deaf_to(db.session(), player_id)
    return [PhraseSaid(room.code, own.seat, phrase, rfc3339(utcnow()), deaf)]
