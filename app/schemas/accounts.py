"""Accounts, sessions, tokens and transfers: the bodies of requests, and what the answers look like."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, validate

from app.schemas.answers import COMPONENTS as ANSWERS
from app.schemas.answers import COUNT, FLAG, ID, MOMENT, TEXT, many, maybe, one_of, page, record, ref
from app.schemas.answers import Schema as JsonSchema
from app.schemas.fields import Bool, Int, Line, Name, Text

SCOPES = ("read", "play", "account")
PASSWORD_LEAST, PASSWORD_MOST = 8, 128
LABEL_MOST = 60
DAYS_MOST = 365
# Longer than whatever may be right; what is too long to be right is only wrong.
TYPED_MOST = 200


class Label(Line):
    """What a player calls a token."""

    most = LABEL_MOST


def new_password() -> Text:
    """A password that somebody chooses."""
    return Text(
        required=True,
        validate=validate.Length(PASSWORD_LEAST, PASSWORD_MOST),
        metadata={"format": "password", "description": "Any characters; spaces count."},
    )


def _typed(description: str, **options: Any) -> Text:
    """What somebody has typed to show who he is."""
    return Text(validate=validate.Length(0, TYPED_MOST), metadata={"description": description}, **options)


def _session() -> Bool:
    return Bool(load_default=False, metadata={"description": "Set a cookie instead of giving a token."})


class NewAccount(Schema):
    """What a guest registers with."""

    username = Text(
        required=True,
        validate=validate.Length(1, TYPED_MOST),
        metadata={
            "description": "3 to 24 letters and digits of any script, and `_`; upper and lower case are one. "
            "Nobody is shown it."
        },
    )
    password = new_password()


class PlayerChange(Schema):
    """What a player changes about himself."""

    name = Name(required=True)


class PasswordChange(Schema):
    """Another password for an account."""

    password = _typed("The one until now.", required=True)
    new_password = new_password()
    end_tokens = Bool(
        load_default=False, metadata={"description": "Revoke your tokens too, all but the one that asks."}
    )


class Departure(Schema):
    """The end of a player."""

    password = _typed("Of an account; guests have none.", allow_none=True, load_default=None)


class NewSession(Schema):
    """Somebody who signs in."""

    username = _typed("In any spelling.", required=True)
    password = _typed("Its password.", required=True)
    session = _session()


class NewToken(Schema):
    """A token for a program."""

    label = Label(required=True)
    scopes = fields.List(
        fields.String(validate=validate.OneOf(SCOPES)),
        required=True,
        validate=validate.Length(1, len(SCOPES)),
        metadata={"description": "What it may be used for; none that the asking token lacks."},
    )
    expires_in_days = Int(
        allow_none=True,
        load_default=None,
        validate=validate.Range(1, DAYS_MOST),
        metadata={"description": "Left out or null: until it is revoked, or the asking token ends."},
    )


class UsedTransfer(Schema):
    """The code of a player on another device."""

    code = _typed("In either case, with or without dashes.", required=True)
    session = _session()


def _or_null(schema: JsonSchema, why: str) -> JsonSchema:
    return {**maybe(schema), "description": why}


_TOKEN: dict[str, JsonSchema] = {
    "id": ID,
    "label": _or_null(TEXT, "null: the first one of a guest, or what took its place."),
    "scopes": many(one_of(*SCOPES)),
    "created_at": MOMENT,
    "expires_at": _or_null(MOMENT, "null: until it is revoked."),
    "last_used_at": _or_null(MOMENT, "To the minute; null: never."),
}
_SESSION: dict[str, JsonSchema] = {
    "id": ID,
    "label": _or_null(TEXT, "The device, as far as its browser tells."),
    "current": {**FLAG, "description": "Whether it is the one that asks."},
    "created_at": MOMENT,
    "last_used_at": _or_null(MOMENT, "To the minute."),
}
_RESULT = record(
    match=ID, outcome=one_of("win", "draw", "loss"), forfeited=FLAG, points=COUNT,
    board_points={**COUNT, "description": "Of these, what counts on the boards."}, basras=COUNT, best_round=COUNT,
    rating_before=maybe({"type": "number"}), rating_after=maybe({"type": "number"}),
    deviation_before=maybe({"type": "number"}), deviation_after=maybe({"type": "number"}), finished_at=MOMENT,
)  # fmt: skip

COMPONENTS: dict[str, JsonSchema] = {
    "OwnProfile": {
        "description": "A player as he is shown to himself.",
        "allOf": [ref("Profile"), record(username=_or_null(TEXT, "What he signs in as; null for a guest."))],
    },
    "NewAccountAnswer": {
        "description": "A player who has an account now.",
        "allOf": [
            ref("OwnProfile"),
            {
                "type": "object",
                "properties": {
                    "token": {**TEXT, "description": "In place of a guest's own token that asked; else left out."}
                },
            },
        ],
    },
    "SignInAnswer": ANSWERS["NewPlayerAnswer"],
    "Session": record("A device that is signed in.", **_SESSION),
    "SessionPage": page("Session"),
    "Token": record("A token, without its secret.", **_TOKEN),
    "TokenPage": page("Token"),
    "CreatedToken": record(
        "A token with its secret, which is shown this once.",
        **_TOKEN,
        token={**TEXT, "description": "For `Authorization: Bearer`."},
    ),
    "Transfer": record(
        code={"type": "string", "pattern": "^[A-Z]{4}-[A-Z]{4}-[A-Z]{4}$"},
        url={"type": "string", "format": "uri", "description": "Opens the page that uses the code."},
        expires_at=MOMENT,
    ),
    "Export": record(
        "All that is kept about a player.",
        exported_at=MOMENT,
        player={"allOf": [ref("OwnProfile"), record(created_at=MOMENT)]},
        sessions=many(ref("Session")),
        devices=many(record("A browser that the account knows.", created_at=MOMENT, last_used_at=MOMENT)),
        tokens=many(ref("Token")),
        seeks=many(ref("Seek")),
        rooms=many(record(code=TEXT, name=maybe(TEXT), host=FLAG, seat=maybe(COUNT), created_at=MOMENT)),
        matches=many(ref("HistoryItem")),
        results=many(_RESULT),
        blocks=many(ref("Block")),
        reports=many(record(id=ID, player=ID, room=maybe(TEXT), reason=TEXT, text=TEXT, created_at=MOMENT)),
        messages=many(record(room=TEXT, text=TEXT, at=MOMENT)),
        sanctions=record(banned_until=maybe(MOMENT), muted_until=maybe(MOMENT)),
        decisions=many(
            record(at=MOMENT, action=TEXT, until=maybe(TEXT)),
            description="What those who run the service have decided about you.",
        ),
    ),
}
