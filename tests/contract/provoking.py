"""Ways to have the service refuse: those that any operation has, and for each of the others a scene."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import count
from typing import Any

from flask import Flask
from sqlalchemy import update
from werkzeug.test import TestResponse

from app.auth import COOKIE_NAME
from app.extensions import db
from app.models import Room
from app.services import sanctions
from app.services.audit import Actor
from app.services.times import utcnow
from tests.app.accounts import registered
from tests.app.people import Caller, Table, guest, ok

UNKNOWN = {
    "code": "ABCDEF", "match_id": "A" * 22, "player_id": "A" * 22, "seek_id": "A" * 22, "session_id": "A" * 22,
    "token_id": "A" * 22, "kind": "beauty", "seat": 9,
}  # fmt: skip
BODIES: dict[str, dict[str, Any]] = {
    "request.too_large": {"data": b"{" + b" " * 17_000 + b"}", "content_type": "application/json"},
    "request.media_type": {"data": b"{}", "content_type": "text/plain"},
    "request.malformed": {"data": b"{", "content_type": "application/json"},
    "request.invalid": {"data": b'{"colour": 1}', "content_type": "application/json"},
}
LACKING = {"read": ["play"], "play": ["read"], "account": ["read", "play"]}
# Nobody else looks for that.
_TARGETS = count(200)
PASSWORD = "no sugar, please"


@dataclass
class Scene:
    """A player, Mona, with what addresses can name; rooms and matches are made when they are asked for."""

    app: Flask
    mona: Caller = field(init=False)
    karim: Caller = field(init=False)

    def __post_init__(self) -> None:
        self.mona, self.karim = guest(self.app), guest(self.app, "Karim")

    def waiting(self, **wish: Any) -> str:
        """A room of Mona's that waits."""
        return str(ok(self.mona.post("/rooms", wish), 201)["code"])

    def playing(self, **wish: Any) -> Table:
        """A match of Mona and Karim."""
        code = self.waiting(**wish)
        return Table(ok(self.karim.post(f"/rooms/{code}/joins", {}), 201), [self.mona, self.karim])

    def finished(self, **wish: Any) -> Table:
        """A match that Mona has given up."""
        table = self.playing(**wish)
        ok(self.mona.post(f"{table.path}/forfeits", {}), 201)
        return table

    def closed(self, code: str) -> str:
        """The room, closed with everybody in it, as time closes it."""
        with self.app.app_context():
            db.session.execute(update(Room).where(Room.code == code).values(status="closed"))
            db.session.commit()
        return code

    def named(self, names: list[str]) -> dict[str, Any]:
        """What there is for the parameters of an address."""
        makers: dict[str, Callable[[], Any]] = {
            "code": lambda: self.waiting(chat=True),
            "match_id": lambda: self.playing().match_id,
            "player_id": lambda: self.karim.id,
            "seek_id": lambda: ok(self.mona.post("/seeks", {"target": next(_TARGETS)}), 201)["id"],
            "session_id": lambda: "current",
            "token_id": lambda: self.token(["read"])["id"],
            "kind": lambda: "points",
            "seat": lambda: 1,
        }
        return {name: makers[name]() for name in names}

    def token(self, scopes: list[str]) -> Any:
        """A token of Mona's for some things only."""
        return ok(self.mona.post("/tokens", {"label": "For a test", "scopes": scopes}), 201)

    def banned(self) -> Caller:
        """Somebody who is shut out."""
        shut_out = guest(self.app)
        with self.app.app_context():
            sanctions.ban(Actor(user="root"), shut_out.id, utcnow() + timedelta(days=1), "for a test")
        return shut_out

    def muted(self) -> Caller:
        """Mona, who may say nothing."""
        with self.app.app_context():
            sanctions.mute(Actor(user="root"), self.mona.id, utcnow() + timedelta(days=1), "for a test")
        return self.mona

    def registered(self, name: str) -> None:
        """Let Mona have an account."""
        registered(self.mona, {"username": name, "password": PASSWORD})


def in_general(scene: Scene, method: str, path: str, scope: str | None, spec: dict[str, Any]) -> Iterator[TestResponse]:
    """Provoke what an operation refuses because of what it is: its address, its caller, its body, its query."""
    names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
    there = path.format_map(scene.named(names))
    yield Caller(scene.app, "bsr_wrong").send(method, there)
    yield scene.banned().send(method, there)
    if scope is not None:
        yield Caller(scene.app, scene.token(LACKING[scope])["token"]).send(method, there)
    if method != "GET":
        session = Caller(scene.app).post("/players", {"session": True}).headers["Set-Cookie"].split(";")[0]
        foreign = {"Cookie": session, "Origin": "https://elsewhere.example"}
        assert session.startswith(COOKIE_NAME)
        yield Caller(scene.app).send(method, there, headers=foreign)
    if "requestBody" in spec:
        for sent in BODIES.values():
            yield scene.mona.send(method, there, **sent)
    if any(parameter.get("in") == "query" for parameter in spec.get("parameters", ())):
        yield scene.mona.send(method, f"{there}?limit=0")
    for name in names:
        # Everything else is there: only this is not.
        lost = path.format_map({**scene.named(names), name: UNKNOWN[name]})
        body = {"json": valid_body(spec)} if "requestBody" in spec else {}
        yield scene.mona.send(method, lost, **body)


def valid_body(spec: dict[str, Any]) -> Any:
    """The body of the operation's example."""
    return spec["requestBody"]["content"]["application/json"]["example"]
