"""The docs page: a guide that reads without a script, from which a bot can be written, and the reference below it.

The words are in two languages; what a program sends and gets is the same in both, and stands in the words as slots.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from flask import Blueprint, Flask, Response, current_app
from markupsafe import Markup, escape

from app import limits
from app.api.assets import Text, texts
from app.api.document import METHODS, examples
from app.api.documents import document, page_language
from app.api.language import Language
from app.api.links import own_origin
from app.paces import Bucket, Pace
from app.problems import KINDS, body_of
from app.schemas.channel import OF_A_PLAYER, OF_A_ROOM
from app.schemas.channel import PATH as CHANNEL_SCHEMA

PARTS = ("start", "try", "bot", "deal", "errors", "limits", "channel", "versions", "glance", "reference")
EXAMPLES = Path(__file__).parents[2] / "examples"
# RapiDoc writes its own style elements; nothing comes from or goes to another host.
POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
)
# What stands in the words, whichever language they are in.
CODE = {
    "base": "/api/v1",
    "authorization": "Authorization: Bearer bsr_…",
    "problem": "application/problem+json",
    "code": "code",
    "errors": "errors",
    "you": "you.plays",
    "turn": "turn",
    "card": "card",
    "card_example": "7D",
    "capture": "capture",
    "to_act": "to_act",
    "seat": "you.seat",
    "phase": "round.phase",
    "status": "status",
    "finished": "finished",
    "version": "version",
    "deadline": "deadline",
    "retry": "Retry-After",
    "ratelimit": "RateLimit",
    "policy": "RateLimit-Policy",
    "if_none_match": "If-None-Match",
    "players": "POST /players",
    "tokens": "POST /tokens",
    "declare": "POST /players/me/bot",
    "rooms": "POST /rooms",
    "bots": "POST /rooms/{code}/bots",
    "joins": "POST /rooms/{code}/joins",
    "seeks": "POST /seeks",
    "match": "GET /matches/{match_id}",
    "moves": "POST /matches/{match_id}/moves",
    "cuts": "POST /matches/{match_id}/cuts",
    "events": "GET /matches/{match_id}/events?after=",
    "transcript": "GET /matches/{match_id}/transcript",
    "room_channel": "/api/v1/rooms/{code}/channel",
    "own_channel": "/api/v1/channel",
    "hello": '{"type": "hello", "token": "bsr_…"}',
    "seed": "seed",
    "type": "type",
    "match_id": "match_id",
    "deprecation": "Deprecation",
    "sunset": "Sunset",
    "this_version": "/api/v1",
    "next_version": "/api/v2",
    "json": "JSON",
    "websocket": "WebSocket",
    "type_ping": "ping",
    "view": "view",
    "events_kind": "events",
    "target": '{"target": null}',
    "level": '{"seat": 1, "level": "easy"}',
    "too_many": "429",
    "unchanged": "304",
    "busy": "503",
    "repeated": "200",
    "absent": "404",
    "unknown": "401",
    "no_method": "405",
    "refused_with": "401, 403, 404, 503",
    "read": "read",
    "play": "play",
    "account": "account",
    "rematches": "POST /rooms/{code}/rematches",
    "commitment": "commitment",
    "room_fairness": "room.fairness",
    "match_fairness": "match.fairness",
    "client_commitment": "client_commitment",
    "client_commitments": "client_commitments",
    "dealing": "dealing",
    "reveals": "POST /rooms/{code}/reveals",
    "client_seeds": "client_seeds",
    "server_seed": "server_seed",
    "rounds": "rounds",
    "sha": "SHA-256",
    "verify": "python -m engine verify FILE",
}
LINKS = {
    "openapi": ("/api/v1/openapi.json", "openapi.json"),
    "channel_schema": (CHANNEL_SCHEMA, "channel.schema.json"),
    "fair_deal": ("/fair-deal", "/fair-deal"),
}
CLOSE_CODES = (1001, 1008, 1011, 1012, 1013, 4000)
FIELDS = ("status", "you", "turn", "to_act", "phase", "version", "deadline", "result")
FIELD_NAMES = {**CODE, "result": "result"}
STEPS = ("who", "room", "watch", "move", "again", "end")
BY = {
    limits.BY_PLAYER: "limits.by_player",
    limits.BY_GUESTS: "limits.by_guests",
    limits.BY_NOBODY: "limits.by_nobody",
    limits.BY_ADDRESS: "limits.by_address",
    limits.BY_DEVICE: "limits.by_device",
    limits.BY_ACCOUNT: "limits.by_account",
    limits.BY_ACCOUNT_HERE: "limits.by_account_here",
}

page = Blueprint("guide", __name__, template_folder="templates")


@page.get("/api/docs")
def docs() -> Response:
    """Show how a program plays here, and every operation."""
    language = page_language()
    words = texts(f"docs.{language.code}")
    response = document("docs.html", str(words["docs.title"]), guide(words, language, own_origin()))
    response.headers["Content-Security-Policy"] = POLICY
    return response


def guide(words: Mapping[str, Text], language: Language, origin: str) -> dict[str, Any]:
    """Give what the template shows, in one language and for the address that it was asked at."""
    own = Words(words, language)
    say = own.say
    return {
        "say": say,
        "parts": PARTS,
        "origin": origin,
        "steps": [say(f"step.{step}") for step in STEPS],
        "fields": [(FIELD_NAMES[field], say(f"field.{field}")) for field in FIELDS],
        "view": written(examples()["getMatch"]["answers"]["200"]),
        "move": written(examples()["playCard"]["body"]),
        "bots": bots(),
        "checks": [say(key) for key in words if key.startswith("deal.step.")],
        "transcript": written(examples()["getTranscript"]["answers"]["200"]),
        "problem": written(body_of("match.not_your_turn")),
        "kinds": KINDS,
        "limits": paces(current_app, own),
        "of_a_room": OF_A_ROOM,
        "of_a_player": OF_A_PLAYER,
        "close_codes": [(code, say(f"close.{code}")) for code in CLOSE_CODES],
        "rules_of_change": [say(key) for key in words if key.startswith("versions.line.")],
        "operations": list(operations(current_app, own)),
    }


@cache
def bots() -> list[tuple[str, str]]:
    """Give the whole programs that play here, by their names."""
    return [(name, (EXAMPLES / name).read_text()) for name in ("bot.py", "bot.mjs")]


class Words:
    """The texts of the guide, with what a program sends and gets set apart."""

    def __init__(self, words: Mapping[str, Text], language: Language) -> None:
        self._words = words
        self._language = language
        self._slots: dict[str, Markup] = {
            name: Markup('<code dir="ltr">{}</code>').format(value) for name, value in CODE.items()
        }
        for name, (href, shown) in LINKS.items():
            self._slots[name] = Markup('<a class="link" dir="ltr" href="{}">{}</a>').format(href, shown)

    def say(self, key: str, **more: str) -> Markup:
        """Give a text; `more` fills in what is neither sent nor got."""
        filled = {name: self._language.written(value) for name, value in more.items()}
        return Markup(escape(self._language.written(str(self._words[key])))).format_map({**self._slots, **filled})

    def scopes(self, security: list[dict[str, list[str]]]) -> Markup:
        """Give the scopes that an operation needs, in words."""
        needed = security[0]["token"]
        if not needed:
            return self.say("operations.anybody")
        shown = Markup('<code dir="ltr">{}</code>').format(", ".join(needed))
        # Whoever must be allowed everything must be so without an end, too.
        more = "operations.whole" if len(needed) > 1 else "operations.or_nobody" if {} in security else None
        return shown if more is None else Markup("{} {}").format(shown, self.say(more))

    def pace(self, pace: Pace) -> Markup:
        """Give a pace in words."""
        if isinstance(pace, Bucket):
            return self.say("limits.bucket", per_s=f"{pace.per_s:g}", burst=str(pace.burst))
        return self.say("limits.window", quota=str(pace.quota), span=f"{pace.span_s:g}")


def paces(app: Flask, words: Words) -> list[tuple[str, Markup, Markup, list[str]]]:
    """The classes of limits, each with its numbers, what it is counted by, and the operations that it is for."""
    found: dict[str, tuple[Any, Any, set[str]]] = {}
    views: list[Any] = list(app.view_functions.values())
    for view in views:
        if hasattr(view, "operation"):
            for pace, key in view.limits:
                found.setdefault(pace.name, (pace, key, set()))[2].add(view.operation)
    return [
        (name, words.pace(pace), words.say(BY[key]), sorted(operations))
        for name, (pace, key, operations) in sorted(found.items())
    ]


def operations(app: Flask, words: Words) -> Iterator[tuple[str, str, Markup]]:
    """Every operation of the document: how it is called, what it does, and what its token must be made for."""
    for path, methods in app.extensions["documentation"].document()["paths"].items():
        for method in METHODS:
            if operation := methods.get(method):
                call = f"{method.upper()} {path.removeprefix(CODE['base'])}"
                yield call, operation["summary"], words.scopes(operation["security"])


def written(value: Any) -> str:
    """A value as JSON that people read."""
    return json.dumps(value, ensure_ascii=False, indent=2)
