"""Talk at the table: phrases and emotes everywhere, one's own words where the host allows them."""

from __future__ import annotations

from typing import Any

from flask import Response

from app import auth, guesses, limits
from app.api import cursors
from app.api.blueprint import BODY, Blueprint, calling, reply
from app.auth import Caller
from app.extensions import db
from app.realtime import publish
from app.schemas.answers import ref
from app.schemas.requests import PageQuery
from app.schemas.social import NewMessage, NewPhrase
from app.services import messages, phrases, rooms

blp = Blueprint("talk", __name__, url_prefix="/api/v1", description="Talking at the table.")

SAYING = ("auth.forbidden", "not_found", *BODY, "room.closed")


def _may_speak(caller: Caller, code: str) -> None:
    rooms.own_seat(db.session(), code, caller.player_id)
    auth.require_voice(caller)


def _may_chat(caller: Caller, code: str) -> None:
    messages.seat_with_chat(db.session(), code, caller.player_id)


def _may_write(caller: Caller, code: str) -> None:
    _may_chat(caller, code)
    auth.require_voice(caller)


@blp.get("/phrases")
@limits.reads
@blp.operation("listPhrases", scope=None, refusals=("request.invalid",))
@blp.arguments(PageQuery, location="query")
@blp.response(200, ref("PhrasePage"))
def list_phrases(query: dict[str, Any]) -> Response:
    """List the phrases and emotes that can be said at a table.

    The same for everyone until the next release. Their words are up to you; an emote has its `symbol`.
    """
    return reply(cursors.slice_of([phrase.to_json() for phrase in phrases.PHRASES], query))


@blp.post("/rooms/<code>/phrases")
@guesses.room_codes
@limits.chat
@blp.operation("sayPhrase", scope="play", guard=_may_speak, refusals=(*SAYING, "chat.muted"))
@blp.arguments(NewPhrase)
@blp.response(201, ref("Said"))
def say_phrase(body: dict[str, Any], code: str) -> Response:
    """Say a phrase or an emote at a table where you sit.

    Everyone who follows the room is told at once, except those who have muted or blocked you. It is not kept. One a
    second, five at once; messages count too.
    """
    _may_speak(calling(), code)
    publish(phrases.say(calling().player_id, code, body["phrase"]))
    return reply({}, 201)


@blp.post("/rooms/<code>/messages")
@guesses.room_codes
@limits.chat
@blp.operation("writeMessage", scope="play", guard=_may_write, refusals=("chat.off", "chat.muted", *SAYING))
@blp.arguments(NewMessage)
@blp.response(201, ref("Message"))
def write_message(body: dict[str, Any], code: str) -> Response:
    """Write to those who sit at the table, where its host allows that.

    Only they are told, and of them not those who have muted or blocked you. It is gone when the room closes.
    """
    _may_write(calling(), code)
    message, news = messages.write(calling().player_id, code, body["text"])
    publish(news)
    return reply(message, 201)


@blp.get("/rooms/<code>/messages")
@guesses.room_codes
@limits.reads
@blp.operation("listMessages", scope="read", guard=_may_chat, refusals=(
    "auth.forbidden", "not_found", "chat.off", "request.invalid"))  # fmt: skip
@blp.arguments(PageQuery, location="query")
@blp.response(200, ref("MessagePage"))
def list_messages(query: dict[str, Any], code: str) -> Response:
    """List what was written at a table where you sit, newest first.

    The last 500 messages are kept, until the room closes.
    """
    before = cursors.decode_number(query["cursor"], 1) if "cursor" in query else None
    items, more = messages.messages_of(calling().player_id, code, before, query["limit"])
    return reply({"items": items, "next": None if more is None else cursors.encode_value(more)})
