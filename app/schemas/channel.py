"""What is said on the channels, in JSON Schema: made of the components of the OpenAPI document beside it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from app.schemas.answers import COUNT, FLAG, ID, MOMENT, SEAT, TEXT, Schema, many, maybe, one_of, record, ref

PATH = "/api/v1/channel.schema.json"


def _message(kind: str, description: str, **fields: Schema) -> Schema:
    return record(description, type={"const": kind}, **fields)


# What a room's channel says.
OF_A_ROOM: dict[str, Schema] = {
    "room": _message("room", "On opening, and whenever the room has changed.", room=ref("Room")),
    "view": _message(
        "view", "On opening if there is a match, and whenever events were lost or only a deadline has moved.",
        view=ref("Match"),
    ),
    "events": _message(
        "events", "One for each command: what happened, and the match as the receiver sees it after that.",
        match=ID, events=many(ref("Event"), minItems=1), view=ref("Match"),
    ),
    "presence": _message(
        "presence", "Another seat's channel was opened or closed. A seat has one: a second closes the first (4000).",
        seat=SEAT, connected=FLAG,
    ),
    "ping": _message(
        "ping", "Every 10 s, and no answer is wanted: how far the match is. null: there is none.",
        match=maybe(ID), version=maybe(COUNT),
    ),
    "rematch": _message(
        "rematch", "Somebody said something about another match.",
        seat=SEAT, state=one_of("asked", "agreed", "declined", "withdrawn"),
    ),
    "phrase": _message(
        "phrase", "Somebody said a phrase or an emote; `GET /phrases` has them all.", seat=SEAT, phrase=TEXT, at=MOMENT
    ),
    "messages": _message(
        "messages", "Seated, in a room with a chat: on opening, what was written lately, newest first.",
        items=many(ref("Message")),
    ),
    "message": _message("message", "Seated, in a room with a chat: somebody wrote.", message=ref("Message")),
}  # fmt: skip

_OWN_MATCH: dict[str, Schema] = {"id": ID, "room": TEXT, "your_turn": FLAG}
# What a player's own channel says.
OF_A_PLAYER: dict[str, Schema] = {
    "seeks": _message("seeks", "On opening: what the player looks for.", items=many(ref("Seek"))),
    "matches": _message("matches", "On opening: the player's running matches.", items=many(record("", **_OWN_MATCH))),
    "lobby": _message(
        "lobby", "On opening, and when it has changed, at most once a second: the 50 newest public rooms that wait.",
        items=many(ref("Room")),
    ),
    "seek": _message("seek", "A seek was paired: its `room` says where.", seek=ref("Seek")),
    "match": _message(
        "match", "A match of the player's began, waits for him, or is over.",
        match=record("", **_OWN_MATCH, status=one_of("playing", "finished")),
    ),
    "ping": OF_A_ROOM["ping"],
}  # fmt: skip

HELLO = _message(
    "hello",
    "The one thing that a client says, within 5 s, and only if it sent neither `Authorization` nor the cookie.",
    token={**TEXT, "description": "`bsr_…`"},
)
_REF = re.compile(r"^#/components/schemas/(\w+)$")


def channel_schema(components: Mapping[str, Schema]) -> Schema:
    """The document: any message of the service's is valid under it; `$defs` has each kind, and the client's hello."""
    kinds = {**OF_A_ROOM, **OF_A_PLAYER}
    used = _closure(components, [*kinds.values()])
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": PATH,
        "title": "Messages of Basra's channels",
        "description": "What the service sends on `/api/v1/rooms/{code}/channel` (`$defs/room_channel`) and on "
        "`/api/v1/channel` (`$defs/own_channel`), one JSON object a message, told apart by `type`. Fields and kinds "
        "may be added: ignore those that you do not know.",
        "oneOf": [_local(kind) for kind in kinds],
        "$defs": {
            "room_channel": {"oneOf": [_local(kind) for kind in OF_A_ROOM]},
            "own_channel": {"oneOf": [_local(kind) for kind in OF_A_PLAYER]},
            **{kind: _relocated(schema) for kind, schema in kinds.items()},
            "hello": HELLO,
            **{name: _relocated(components[name]) for name in used},
        },
    }


def _local(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _closure(components: Mapping[str, Schema], roots: Iterable[Any]) -> list[str]:
    """The components that are used, those that they use included."""
    found: list[str] = []
    waiting = list(roots)
    while waiting:
        for name in _named(waiting.pop()):
            if name not in found:
                found.append(name)
                waiting.append(components[name])
    return sorted(found)


def _named(schema: Any) -> Iterable[str]:
    if isinstance(schema, Mapping):
        if match := _REF.match(str(schema.get("$ref", ""))):
            yield match[1]
        for inner in schema.values():
            yield from _named(inner)
    elif isinstance(schema, list | tuple):
        for inner in schema:
            yield from _named(inner)


def _relocated(schema: Any) -> Any:
    """The same, with its references to components turned into references to `$defs`; `discriminator` is OpenAPI's."""
    if isinstance(schema, Mapping):
        return {
            key: _REF.sub(r"#/$defs/\1", inner) if key == "$ref" else _relocated(inner)
            for key, inner in schema.items()
            if key != "discriminator"
        }
    if isinstance(schema, list | tuple):
        return [_relocated(inner) for inner in schema]
    return schema
