"""The bodies and queries of requests."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from app.schemas.fields import Bool, CardField, Int, Name, QueryInt, Text, client_commitment, client_seed, seat
from engine.bots import LEVELS
from engine.rules import OVERRIDES, PROFILES, TARGET_MAX, TARGET_MIN
from engine.shuffle import CUT_MAX, CUT_MIN

# A bot that plays at random serves for measuring others; nobody wants it at his table.
BOT_LEVELS = tuple(level for level in LEVELS if level != "random")
PAGE, PAGE_OF_EVENTS, PAGE_MOST = 50, 500, 500
CURSOR_MOST = 200
SEED_MOST = 200


class NewPlayer(Schema):
    """Somebody who wants to play."""

    name = Name(allow_none=True, load_default=None, metadata={"description": "Left out: a neutral one is given."})
    session = Bool(
        load_default=False, metadata={"description": "Set a cookie instead of giving a token: what the page uses."}
    )


class MatchWish(Schema):
    """What kind of match it is to be; every field is optional."""

    seats = Int(validate=validate.OneOf([2, 4]), metadata={"default": 2})
    rules = fields.String(validate=validate.OneOf(list(PROFILES)), metadata={"default": "classic"})
    target = Int(
        allow_none=True,
        validate=validate.Range(TARGET_MIN, TARGET_MAX),
        metadata={"description": "Left out: the profile's own. null: one round."},
    )


class NewSeek(MatchWish):
    """The match that somebody looks for; every field is optional."""

    client_commitment = client_commitment()


def _values(values: tuple[str | int | bool, ...]) -> dict[str, Any]:
    """The values that a rule may have; of true and false generators of clients make no enumeration."""
    return {"type": "boolean"} if all(type(value) is bool for value in values) else {"enum": list(values)}


class NewRoom(MatchWish):
    """What a room is to be; every field is optional."""

    overrides = fields.Dict(
        keys=fields.String(),
        metadata={
            "description": "Single fields of the rule set; one without effect there is refused.",
            "properties": {field: _values(values) for field, values in OVERRIDES.items()},
            "additionalProperties": False,
        },
    )
    turn_seconds = Int(validate=validate.Range(5, 600), metadata={"default": 120})
    visibility = fields.String(validate=validate.OneOf(["private", "public"]), metadata={"default": "private"})
    rated = Bool(allow_none=True, metadata={"description": "null: true where it may be."})
    name = Name(allow_none=True)
    join = Bool(metadata={"default": True, "description": "Whether you sit down on seat 0 at once."})
    spectators = Bool(metadata={"default": False})
    chat = Bool(
        metadata={
            "default": False,
            "description": "Whether those who sit there may write to one another; private rooms only.",
        }
    )
    seed = Text(
        allow_none=True,
        validate=validate.Length(0, SEED_MOST),
        metadata={"description": "Makes the deals repeatable; private rooms only, and such matches score nothing."},
    )
    client_commitment = client_commitment()


class NewJoin(Schema):
    """A seat to sit down on, and a part in the deal."""

    seat = seat(allow_none=True, load_default=None, metadata={"description": "Left out: the first free one."})
    client_commitment = client_commitment()


class NewRematch(Schema):
    """A part in the deal of the next match."""

    client_commitment = client_commitment()


class NewReveal(Schema):
    """A seed to be opened."""

    client_seed = client_seed()


class NewBot(Schema):
    """A bot for a seat."""

    seat = seat(required=True)
    level = fields.String(load_default="easy", validate=validate.OneOf(BOT_LEVELS))


class NewMove(Schema):
    """A card to be played."""

    turn = Int(required=True, metadata={"description": "The turn that is due, as the view has it."})
    card = CardField(required=True)
    capture = fields.List(
        CardField(),
        allow_none=True,
        load_default=None,
        validate=validate.Length(max=52),
        metadata={"description": "The cards to take, in any order. Left out: the best capture.", "uniqueItems": True},
    )

    @validates_schema
    def _capture_is_a_set(self, data: dict[str, Any], **_: Any) -> None:
        capture = data.get("capture") or []
        if len(set(capture)) != len(capture):
            raise ValidationError("A card is named twice.", "capture")


class NewCut(Schema):
    """A cut of a round's pack."""

    round = Int(required=True, metadata={"description": "The number of the round whose pack is to be cut."})
    at = Int(
        required=True,
        validate=validate.Range(CUT_MIN, CUT_MAX),
        metadata={"description": "Cards to take off the top."},
    )


class Empty(Schema):
    """Nothing at all."""


def _cursor() -> fields.String:
    return fields.String(
        validate=validate.Length(1, CURSOR_MOST), metadata={"description": "`next` of the page before."}
    )


def _limit(default: int) -> QueryInt:
    return QueryInt(load_default=default, validate=validate.Range(1, PAGE_MOST))


class PageQuery(Schema):
    """Which page of a list."""

    cursor = _cursor()
    limit = _limit(PAGE)


class EventsQuery(Schema):
    """Which events of a match."""

    after = QueryInt(metadata={"description": "Events after this version. Starts a listing; `cursor` goes on with it."})
    cursor = _cursor()
    limit = _limit(PAGE_OF_EVENTS)

    @validates_schema
    def _never_both(self, data: dict[str, Any], **_: Any) -> None:
        if "after" in data and "cursor" in data:
            raise ValidationError("Give `after` or `cursor`, never both.", "cursor")
