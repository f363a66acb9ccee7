"""What answers look like: the OpenAPI document's components, in JSON Schema.

Objects stay open, as clients are told to ignore fields that they do not know; `required` has what they may rely on.
"""

from __future__ import annotations

from typing import Any

from engine.cards import PACK
from engine.rules import PROFILES
from engine.shuffle import SCHEME_1, SCHEME_2

Schema = dict[str, Any]

INT: Schema = {"type": "integer"}
COUNT: Schema = {"type": "integer", "minimum": 0}
TEXT: Schema = {"type": "string"}
FLAG: Schema = {"type": "boolean"}
ID: Schema = {"type": "string", "minLength": 8}
MOMENT: Schema = {"type": "string", "format": "date-time"}
HEX: Schema = {"type": "string", "pattern": "^[0-9a-f]*$"}
HEX_64: Schema = {**HEX, "minLength": 64, "maxLength": 64}
SCHEME: Schema = {
    "enum": [SCHEME_1, SCHEME_2],
    "description": f"`{SCHEME_2}`: players commit to their seeds before anybody opens theirs. Seeded: `{SCHEME_1}`.",
}
COMMITMENTS: Schema = {
    "type": "array",
    "items": HEX,
    "description": "By seat: the hex SHA-256 of the text of its client seed; empty where nobody takes part.",
}
SEAT: Schema = {"type": "integer", "minimum": 0, "maximum": 3}
SIDE: Schema = {"type": "integer", "enum": [0, 1]}
BOT: Schema = {"type": ["string", "null"], "description": "A bot's level; null on a person's seat."}


def one_of(*values: Any) -> Schema:
    """One of some values."""
    return {"enum": list(values)}


def ref(name: str) -> Schema:
    """Another component."""
    return {"$ref": f"#/components/schemas/{name}"}


def maybe(schema: Schema) -> Schema:
    """A value or null."""
    return {"anyOf": [schema, {"type": "null"}]}


def many(schema: Schema, **limits: Any) -> Schema:
    """A list."""
    return {"type": "array", "items": schema, **limits}


def pair(schema: Schema) -> Schema:
    """One value for each side."""
    return many(schema, minItems=2, maxItems=2)


def record(description: str = "", **properties: Schema) -> Schema:
    """An object all of whose fields are always there."""
    shape: Schema = {"type": "object", "properties": properties, "required": list(properties)}
    return {"description": description, **shape} if description else shape


def page(item: str) -> Schema:
    """A page of a list."""
    return record(items=many(ref(item)), next={**maybe(TEXT), "description": "For `?cursor=`; null on the last page."})


def _event(kind: str, **fields: Schema) -> Schema:
    return record("", version={"type": "integer", "minimum": 1}, type={"const": kind}, at=MOMENT, **fields)


def without(schema: Schema, *optional: str) -> Schema:
    """A record some of whose fields need not be there."""
    return {**schema, "required": [name for name in schema["required"] if name not in optional]}


CARDS = many(ref("Card"))
BY_OPERATOR: Schema = {"const": "operator", "description": "Only where who runs the service has ended the match."}

COMPONENTS: dict[str, Schema] = {
    "Card": {"type": "string", "enum": list(PACK), "description": "Rank `A23456789TJQK` and suit `CDHS`."},
    "Problem": without(
        record(
            "RFC 9457, with a stable code.",
            type=TEXT, title=TEXT, status=INT, detail=TEXT, code=TEXT,
            errors={"type": "object", "additionalProperties": many(TEXT), "description": "422: by field."},
            # Not by reference: a reader would be shown a whole match below every refusal.
            view={"type": "object", "description": "`match.stale_turn`: the match as it is now, a `Match`."},
            legal={**many(CARDS), "description": "`match.illegal_capture`: the captures that are legal."},
            scope={**TEXT, "description": "`auth.scope_missing`: the scope that the token has not."},
            until={**MOMENT, "description": "`auth.banned`, `chat.muted`, a seek's `rate_limited`: when it ends."},
        ),
        "errors", "view", "legal", "scope", "until",
    ),
    "Player": record(id=ID, name=TEXT, guest=FLAG, bot=FLAG),
    "NewPlayerAnswer": without(
        record(player=ref("Player"), token={**TEXT, "description": "Shown once; absent with `session`."}), "token"
    ),
    "Rules": record(
        "A resolved rule set.",
        profile=one_of(*PROFILES),
        target={"type": ["integer", "null"], "description": "Points that win; null: one round."},
        seats=many(one_of(2, 4)),
        allocation=one_of("best", "choice", "union"),
        cut=one_of("automatic", "neighbour"),
        komi_basra=one_of("total", "clearable"),
        jack_on_jack=one_of(0, 10, 20, 30),
        burned_komi=one_of(10, 30),
        majority=COUNT,
        carry=FLAG,
        card_points={"type": "object", "additionalProperties": COUNT},
    ),
    "RulesPage": page("Rules"),
    "Commitment": without(
        record(
            scheme=SCHEME, commitment=HEX_64, client_commitments=COMMITMENTS,
            reveal_by={**MOMENT, "description": "Only while `dealing`: when the match starts without the unopened."},
        ),
        "reveal_by",
    ),
    "RoomSeat": record(seat=SEAT, side=SIDE, player=maybe(ref("Player")), bot=BOT, connected=FLAG),
    "Room": record(
        code={"type": "string", "pattern": "^[A-Z]{6}$"},
        url={"type": "string", "format": "uri"},
        host={**ID, "description": "The id of the player who may close the room and seat bots."},
        name=maybe(TEXT),
        seats=one_of(2, 4),
        rules=ref("Rules"),
        turn_seconds=INT,
        visibility=one_of("private", "public"),
        rated=FLAG,
        seeded=FLAG,
        spectators=FLAG,
        chat={**FLAG, "description": "Whether those who sit here may write to one another."},
        status={
            **one_of("waiting", "dealing", "playing", "finished", "closed"),
            "description": "`dealing`: all seats are taken, and those who committed open their seeds; 5 s at most.",
        },
        seating=many(ref("RoomSeat")),
        match_id={**maybe(ID), "description": "Of the running or last match; null while `dealing`."},
        tally={**pair(COUNT), "description": "Matches won here by each side, as long as the same people sit here."},
        rematch={**many(SEAT), "description": "The seats that asked for another match, or agreed to one."},
        fairness={**ref("Commitment"), "description": "Of the next match."},
        created_at=MOMENT,
    ),
    "RoomPage": page("Room"),
    "Seek": record(
        "Somebody who looks for a match.",
        id=ID, seats=one_of(2, 4), rules=one_of(*PROFILES),
        target={"type": ["integer", "null"], "description": "Points that win; null: one round."},
        room={"type": ["string", "null"], "description": "The code of the room, once enough were there."},
        created_at=MOMENT,
    ),
    "Fairness": without(
        record(
            scheme=SCHEME, commitment=HEX_64,
            client_commitments={
                **COMMITMENTS, "description": f"{COMMITMENTS['description']} Not in old events of `{SCHEME_1}`.",
            },
            client_seeds={**many(HEX), "description": "By seat; empty where none was opened."},
        ),
        "client_commitments",
    ),
    "Capture": record(cards=CARDS, groups=many(CARDS), basra=COUNT),
    "OwnSeat": record(
        seat=SEAT, side=SIDE, hand=CARDS, plays=many(record(card=ref("Card"), captures=many(ref("Capture"))))
    ),
    "MatchSeat": record(seat=SEAT, side=SIDE, player=maybe(ref("Player")), bot=BOT, cards=COUNT, connected=FLAG),
    "Round": record(
        number={"type": "integer", "minimum": 1},
        dealer=SEAT, leader=SEAT, phase=one_of("cut", "play"), deal=COUNT, deals=one_of(3, 6), undealt=COUNT,
        floor=CARDS, piles=pair(COUNT), basras=pair(many(record(card=ref("Card"), points=COUNT))),
        last_capture=maybe(SIDE), majority=COUNT, carried=COUNT,
    ),
    "Sheet": record(
        "How a round was counted, by side.",
        round={"type": "integer", "minimum": 1}, cards=pair(COUNT), leftover=CARDS, leftover_side=maybe(SIDE),
        majority=pair(COUNT), card_points=pair(COUNT), basras=pair(COUNT), points=pair(COUNT), carry=COUNT,
    ),
    "Result": without(
        record(
            winner=maybe(SIDE), reason=one_of("target", "round", "forfeit", "timeout", "abandoned"),
            seat=maybe(SEAT), scores=pair(COUNT),
            scored={**FLAG, "description": "Whether points and, if rated, ratings were given."},
            voided_at={**MOMENT, "description": "When the match was voided and they were taken back; absent if not."},
            by=BY_OPERATOR,
        ),
        "voided_at", "by",
    ),
    "Match": record(
        "A match as its receiver may see it.",
        id=ID, room=TEXT, rules=ref("Rules"), status=one_of("playing", "finished"), version=COUNT,
        rated=FLAG, seeded=FLAG, fairness=ref("Fairness"), seats=many(ref("MatchSeat")), you=maybe(ref("OwnSeat")),
        round=ref("Round"), turn=COUNT, to_act=maybe(SEAT), deadline=maybe(MOMENT), now=MOMENT, scores=pair(COUNT),
        rounds=many(ref("Sheet")), last_play=maybe(ref("Played")), result=maybe(ref("Result")),
    ),
    "MatchStarted": _event(
        "match_started", dealer=SEAT,
        seats=many(record(seat=SEAT, side=SIDE, player=maybe(ref("Player")), bot=BOT)),
        rules=ref("Rules"), fairness=ref("Fairness"),
    ),
    "Cut": _event(
        "cut", round=COUNT, seat=SEAT, cut={"type": "integer", "minimum": 1, "maximum": 51},
        by=one_of("player", "clock", "auto"),
    ),
    "Dealt": without(
        _event(
            "dealt", round=COUNT, deal=COUNT, counts=many(COUNT),
            hand={**maybe(CARDS), "description": "The receiver's own, else null."},
            undealt=COUNT, floor=CARDS, buried=CARDS,
        ),
        "floor", "buried",
    ),
    "Played": _event(
        "played", turn=COUNT, seat=SEAT, card=ref("Card"), captured=CARDS, groups=many(CARDS), basra=COUNT,
        by=one_of("player", "bot", "clock"),
    ),
    "RoundScored": _event("round_scored", sheet=ref("Sheet"), scores=pair(COUNT)),
    "MatchFinished": _event("match_finished", result=ref("Result")),
    "Event": {
        "oneOf": [
            ref(name) for name in ("MatchStarted", "Cut", "Dealt", "Played", "RoundScored", "MatchFinished")
        ],
        "discriminator": {
            "propertyName": "type",
            "mapping": {
                "match_started": "#/components/schemas/MatchStarted",
                "cut": "#/components/schemas/Cut",
                "dealt": "#/components/schemas/Dealt",
                "played": "#/components/schemas/Played",
                "round_scored": "#/components/schemas/RoundScored",
                "match_finished": "#/components/schemas/MatchFinished",
            },
        },
    },
    "EventPage": page("Event"),
    "CommandAnswer": record(events=many(ref("Event")), view=ref("Match")),
    "HistoryItem": record(
        id=ID, room=TEXT, status=one_of("playing", "finished"), rules=ref("Rules"),
        seats=many(record(seat=SEAT, side=SIDE, player=maybe(ref("Player")), bot=BOT)),
        scores=pair(COUNT), result=maybe(ref("Result")), started_at=MOMENT, finished_at=maybe(MOMENT),
        your_turn={**FLAG, "description": "Whether the match waits for you."},
        outcome={**one_of("win", "draw", "loss", None), "description": "Of the listed player; null while it runs."},
        points={"type": ["integer", "null"], "description": "What it brought them; null where it counted for nothing."},
        rating_change={"type": ["integer", "null"], "description": "Of his rating; null where it was not rated."},
    ),
    "HistoryPage": page("HistoryItem"),
    "Transcript": record(
        "A whole match, enough to play it again and to verify the deal.",
        format={"const": "basra-transcript/1"}, rules=ref("Rules"), seats=one_of(2, 4),
        players=many(record(seat=SEAT, name=TEXT, bot=BOT)), seeded=FLAG, rated=FLAG, started_at=MOMENT,
        finished_at=MOMENT, fairness=ref("OpenedFairness"), rounds=many(ref("TranscriptRound")), scores=pair(COUNT),
        result=ref("TranscriptResult"),
    ),
    "OpenedFairness": without(record(
        "The seeds of a match that is over; the commitment is the hex SHA-256 of the 32 bytes of `server_seed`.",
        scheme=SCHEME, commitment=HEX_64, server_seed=HEX_64,
        client_commitments={**COMMITMENTS, "description": f"{COMMITMENTS['description']} Only of `{SCHEME_2}`."},
        client_seeds={**many(HEX), "description": "By seat; empty where none was opened."},
    ), "client_commitments"),
    "TranscriptRound": record(
        "A round, card by card. Where the match ended in it, `scores` is null; where it ended before the cut, `cut` "
        "and `cut_by` are null and nothing was dealt.",
        number={"type": "integer", "minimum": 1}, dealer=SEAT, leader=SEAT,
        shuffled={**many(ref("Card"), minItems=52, maxItems=52), "description": "Before the cut, the top first."},
        cut={**maybe({"type": "integer", "minimum": 1, "maximum": 51}), "description": "So many, from top to bottom."},
        cut_by=maybe(one_of("player", "clock", "auto")),
        buried=many(record(
            card=ref("Card"), at={**COUNT, "description": "Its new index in the undealt pack; 0 is dealt next."},
        )),
        hands={**many(many(CARDS)), "description": "By deal, then by seat, as dealt."},
        floor={**CARDS, "description": "The opening floor."},
        plays=many(record(
            seat=SEAT, card=ref("Card"), captured=CARDS, basra=COUNT, by=one_of("player", "bot", "clock"),
        )),
        scores=maybe(ref("Sheet")),
    ),
    "TranscriptResult": without(record(
        winner=maybe(SIDE), reason=one_of("target", "round", "forfeit", "timeout", "abandoned"),
        seat=maybe(SEAT), scores=pair(COUNT), by=BY_OPERATOR,
    ), "by"),
}  # fmt: skip
