"""The published schema of the channels' messages is true: every message of a whole evening is valid, every kind is met.

Beside that, `tests/runtime/people.py` holds each message that any test receives to the same schema.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from app.schemas.channel import OF_A_PLAYER, OF_A_ROOM
from tests.live import LiveServer
from tests.runtime.people import Channel, Person, play_on


@pytest.fixture(scope="module")
def schema(server: LiveServer) -> dict[str, Any]:
    answer: dict[str, Any] = Person(server, "Reader").ask("GET", "/channel.schema.json")
    return answer


def under(schema: dict[str, Any], name: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": schema["$defs"]})


def hear(channel: Channel, kinds: set[str], into: list[dict[str, Any]]) -> None:
    """Listen until each of the kinds was heard."""
    missing = set(kinds)
    while missing:
        message = channel.next(20.0)
        into.append(message)
        missing.discard(message["type"])


def test_the_schema_is_one(schema: dict[str, Any]) -> None:
    Draft202012Validator.check_schema(schema)
    kinds = {**OF_A_ROOM, **OF_A_PLAYER}
    assert {kind: schema["$defs"][kind]["properties"]["type"]["const"] for kind in kinds} == {k: k for k in kinds}
    assert "components" not in str(schema)


def test_every_message_of_an_evening_is_valid_and_every_kind_is_met(server: LiveServer, schema: dict[str, Any]) -> None:
    mona, karim = Person(server, "Mona"), Person(server, "Karim")
    own, in_room = [], []
    lobby = mona.own_channel()
    hear(lobby, {"seeks", "matches", "lobby", "ping"}, own)
    code = mona.ask("POST", "/rooms", {"target": None, "chat": True})["code"]
    room = mona.channel(code)
    hear(room, {"room", "messages"}, in_room)
    match_id = karim.ask("POST", f"/rooms/{code}/joins")["match_id"]
    theirs = karim.channel(code)
    hear(theirs, {"view"}, in_room)
    karim.ask("POST", f"/rooms/{code}/phrases", {"phrase": "well_played"})
    karim.ask("POST", f"/rooms/{code}/messages", {"text": "Tea?"})
    hear(room, {"events", "presence", "phrase", "message"}, in_room)
    play_on([mona, karim], match_id)
    karim.ask("POST", f"/rooms/{code}/rematches")
    hear(room, {"rematch", "ping"}, in_room)
    hear(lobby, {"match"}, own)
    for person in (mona, karim):
        person.ask("POST", "/seeks", {"rules": "casual"})
    hear(lobby, {"seek"}, own)

    assert {message["type"] for message in in_room} == set(OF_A_ROOM)
    assert {message["type"] for message in own} == set(OF_A_PLAYER)
    for name, messages in (("room_channel", in_room), ("own_channel", own)):
        for message in messages:
            assert [error.message for error in under(schema, name).iter_errors(message)] == [], message["type"]


def test_the_hello_of_a_client_is_the_one_of_the_schema(server: LiveServer, schema: dict[str, Any]) -> None:
    mona = Person(server, "Mona")
    channel = mona.own_channel(known=False)
    hello = {"type": "hello", "token": mona.token}
    under(schema, "hello").validate(hello)
    channel.connection.send(json.dumps(hello))
    assert channel.next()["type"] == "seeks"


@pytest.mark.parametrize(
    "wrong", [{"type": "gossip"}, {"type": "presence", "seat": 0}, {"type": "ping", "match": 3, "version": 1}, {}]
)
def test_what_is_never_said_is_not_valid(schema: dict[str, Any], wrong: dict[str, Any]) -> None:
    assert not Draft202012Validator(schema).is_valid(wrong)
