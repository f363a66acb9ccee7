"""Who stands where, and what became of matches: queries, and what the answers look like."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from marshmallow import ValidationError, fields, validate

from app.schemas.answers import COUNT, FLAG, ID, INT, MOMENT, TEXT, maybe, one_of, page, record, ref, without
from app.schemas.answers import Schema as JsonSchema
from app.schemas.fields import Moment, QueryInt
from app.schemas.requests import PageQuery
from engine.rules import PROFILES

OUTCOMES = ("win", "draw", "loss")
_PLAYER = re.compile(r"me|[A-Za-z0-9_-]{8,32}")


class QueryBool(fields.Boolean):
    """True or false, written out in a query."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> bool:
        if value not in ("true", "false"):
            raise ValidationError("Neither true nor false.")
        return bool(value == "true")


class HistoryQuery(PageQuery):
    """Whose matches, and which."""

    player = fields.String(load_default="me", metadata={"description": "A player's id, or `me`."})
    status = fields.String(validate=validate.OneOf(["playing", "finished"]))
    opponent = fields.String(
        validate=lambda text: _PLAYER.fullmatch(text) is not None or _refuse("Not a player's id."),
        metadata={"description": "The id of somebody who played on the other side, or `me`."},
    )
    outcome = fields.String(
        validate=validate.OneOf(OUTCOMES), metadata={"description": "What the match was for the listed player."}
    )
    rated = QueryBool()
    rules = fields.String(validate=validate.OneOf(list(PROFILES)))
    seats = QueryInt(validate=validate.OneOf([2, 4]))
    since = Moment(metadata={"description": "Started at this moment or later."})
    until = Moment(metadata={"description": "Started before this moment."})


def _refuse(message: str) -> bool:
    raise ValidationError(message)


COMPONENTS: dict[str, JsonSchema] = {
    "Profile": record(
        id=ID, name=TEXT, guest=FLAG, bot=FLAG,
        points={**COUNT, "description": "Of all scored matches: 24 for a win, 8 for a draw, 3 for a loss. The boards "
                                        "count those between registered players."},
        rating=record(
            "Glicko-2, of rated matches between two registered players.",
            value=INT, deviation={**COUNT, "description": "Grows while its player does not play."},
            provisional={**FLAG, "description": "Whether it says too little yet: its deviation is above 110, or too "
                                                "few different opponents vouch for it."},
        ),
        stats=record(
            "Of scored matches, and of those that the player left too early.",
            matches=COUNT, wins=COUNT, draws=COUNT,
            losses={**COUNT, "description": "Forfeits and time-outs among them."},
            forfeits={**COUNT, "description": "Matches that the player left or ran out of time in."},
            basras_per_match={"type": "number", "minimum": 0},
            best_round={**COUNT, "description": "The most points of the player's side in one round."},
            streak={**COUNT, "description": "Matches won in a row, up to the last one."},
            best_streak=COUNT,
        ),
    ),
    "LeaderboardRow": without(
        record(
            rank={"type": "integer", "minimum": 1, "description": "The same for all with the same value."},
            player=ref("Player"), value=INT, deviation={**COUNT, "description": "With `rating` only."},
        ),
        "deviation",
    ),
    "Leaderboard": record(
        "A page of a leaderboard, best first.",
        **page("LeaderboardRow")["properties"],
        me={**maybe(ref("LeaderboardRow")), "description": "Your own row, wherever you stand."},
        unranked={
            **one_of("guest", "bot", "provisional", "no_points", None),
            "description": "Why you have no row; null if you have one.",
        },
    ),
    "RatingChange": record(
        "How a match changed a rating.",
        match={**maybe(ID), "description": "null: of another player, and the room was private."},
        at=MOMENT, value={**INT, "description": "After the match."}, deviation=COUNT, delta=INT,
    ),
    "RatingPage": page("RatingChange"),
}  # fmt: skip
