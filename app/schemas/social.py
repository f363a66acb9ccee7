"""How players get along: the bodies of requests, and what the answers look like."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from app.schemas.answers import ID, MOMENT, SEAT, TEXT, maybe, one_of, page, record, ref
from app.schemas.answers import Schema as JsonSchema
from app.schemas.fields import LINE_MOST, Line, Text

BLOCK_KINDS = ("block", "mute")
REASONS = ("insult", "cheating", "name", "other")
REPORT_MOST = 500
# Longer than any id or code; what is none is not there.
NAMED_MOST = 64


class NewBlock(Schema):
    """How far to keep a player away."""

    kind = fields.String(
        required=True,
        validate=validate.OneOf(BLOCK_KINDS),
        metadata={"description": "`block`: no match, no table and no word together. `mute`: no word of his to you."},
    )


class NewPhrase(Schema):
    """Something to be said at the table."""

    phrase = Text(
        required=True, validate=validate.Length(1, NAMED_MOST), metadata={"description": "An id of `GET /phrases`."}
    )


class NewMessage(Schema):
    """Something to be written at the table."""

    text = Line(
        required=True,
        metadata={"description": "One line of plain text, without characters that hide or turn text."},
    )


class NewReport(Schema):
    """A complaint about a player."""

    player = Text(required=True, validate=validate.Length(1, NAMED_MOST), metadata={"description": "Whose id it is."})
    room = Text(
        allow_none=True,
        load_default=None,
        validate=validate.Length(1, NAMED_MOST),
        metadata={"description": "The room where it happened: its last messages are kept with the report."},
    )
    reason = fields.String(required=True, validate=validate.OneOf(REASONS))
    text = Text(load_default="", validate=validate.Length(0, REPORT_MOST))


COMPONENTS: dict[str, JsonSchema] = {
    "Block": record(player=ref("Player"), kind=one_of(*BLOCK_KINDS), created_at=MOMENT),
    "BlockPage": page("Block"),
    "Phrase": record(
        id=TEXT,
        kind=one_of("phrase", "emote"),
        symbol={"type": ["string", "null"], "description": "An emote's; null for a phrase."},
    ),
    "PhrasePage": page("Phrase"),
    "Said": {"type": "object", "description": "Nothing: what was said is on the channel."},
    "Message": record(
        id={**TEXT, "description": "Newer ones are greater numbers."},
        seat={**maybe(SEAT), "description": "Where its writer sits now; null if he has left."},
        player=ref("Player"),
        text={**TEXT, "minLength": 1, "maxLength": LINE_MOST, "description": "Plain text, never markup."},
        at=MOMENT,
    ),
    "MessagePage": page("Message"),
    "Report": record(id=ID),
}
