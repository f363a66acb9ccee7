"""For each refusal that has a story of its own: the scene in which an operation refuses so."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from werkzeug.test import TestResponse

from app.realtime import publish
from app.services import networks, room_caps
from app.services.audit import Actor
from app.services.times import utcnow
from tests.app.people import Caller, guest, ok
from tests.contract.provoking import PASSWORD, Scene

Play = Callable[[Scene], TestResponse]


def _of_a_room(method: str, path: str, body: Any = None, *, rematch: bool = False) -> dict[str, Play]:
    """Closed and started, which every command to a room knows."""

    def send(scene: Scene, code: str) -> TestResponse:
        return scene.mona.send(method, f"/rooms/{code}{path}", body)

    return {
        "room.closed": lambda scene: send(scene, scene.closed(scene.finished().code if rematch else scene.waiting())),
        "room.started": lambda scene: send(scene, scene.playing().code),
    }


def _with_karim(scene: Scene) -> str:
    code = scene.waiting(seats=4)
    ok(scene.karim.post(f"/rooms/{code}/joins", {"seat": 1}), 201)
    return code


def _with_a_bot(scene: Scene, seats: int) -> str:
    code = scene.waiting(seats=seats)
    ok(scene.mona.post(f"/rooms/{code}/bots", SEAT_BOT), 201)
    return code


def _blocked(scene: Scene) -> TestResponse:
    code = scene.waiting()
    ok(scene.mona.send("PUT", f"/blocks/{scene.karim.id}", {"kind": "block"}))
    return scene.karim.post(f"/rooms/{code}/joins", {})


def _blocked_meanwhile(scene: Scene) -> TestResponse:
    table = scene.finished()
    one, other = table.person(0), table.person(1)
    ok(one.send("PUT", f"/blocks/{other.id}", {"kind": "block"}))
    return other.post(f"/rooms/{table.code}/rematches", {})


def _paired(scene: Scene) -> TestResponse:
    wish = {"rules": "traditional", "target": 77}
    first = ok(scene.karim.post("/seeks", wish), 201)
    ok(scene.mona.post("/seeks", wish), 201)
    return scene.karim.delete(f"/seeks/{first['id']}")


def _move(scene: Scene, turn: int = 0, whose: str = "due", card: str | None = None, **more: Any) -> TestResponse:
    """Send a move in a new match: of who is due or of the other, with a card of his own or another."""
    table = scene.playing(rules=more.pop("rules", "classic"))
    due, view = table.due()
    person = due if whose == "due" else next(one for one in table.people if one is not due)
    assert person is not None
    mine = person.view(table.match_id)["you"]["hand"]
    strange = next(card for card in ("2C", "3C", "4C", "5C", "6C", "8C") if card not in view["you"]["hand"])
    chosen = strange if card == "strange" else (mine or ["2C"])[0]
    return person.post(f"{table.path}/moves", {"turn": turn, "card": chosen, **more})


def _cut(scene: Scene, number: int = 1, whose: str = "due", rules: str = "traditional") -> TestResponse:
    table = scene.playing(rules=rules)
    due, _ = table.due()
    person = due if whose == "due" else next(one for one in table.people if one is not due)
    assert person is not None
    return person.post(f"{table.path}/cuts", {"round": number, "at": 26})


def _many_tokens(scene: Scene) -> TestResponse:
    answer = scene.mona.get("/tokens")
    while answer.status_code < 300:
        answer = scene.mona.post("/tokens", {"label": "One more", "scopes": ["read"]}, checked=False)
    return scene.mona.post("/tokens", {"label": "One more", "scopes": ["read"]})


def _too_many_rooms(scene: Scene, path: str) -> TestResponse:
    """Ask for a room where one may have none; limits are off in scenes, and on for this one."""
    on = SimpleNamespace(rate_limits=True)
    with patch.multiple(room_caps, MOST=0, settings=lambda: on):
        return scene.mona.post(path)


def _taken(scene: Scene) -> TestResponse:
    scene.registered("taken_name")
    return scene.karim.post("/players/me/account", {"username": "TAKEN_name", "password": PASSWORD})


def _registered_twice(scene: Scene) -> TestResponse:
    scene.registered("twice_named")
    return scene.mona.post("/players/me/account", {"username": "other_name", "password": PASSWORD})


def _wrong_password(method: str, path: str, name: str, **more: str) -> Play:
    def play(scene: Scene) -> TestResponse:
        scene.registered(name)
        return scene.mona.send(method, path, {"password": "not this one", **more})

    return play


def _after(path: str, body: Any) -> Play:
    """A command to a match that is over, by the one who has not given it up."""

    def play(scene: Scene) -> TestResponse:
        return scene.karim.post(f"{scene.finished().path}{path}", body)

    return play


def _played_before(scene: Scene) -> TestResponse:
    scene.playing()
    return scene.mona.post("/players/me/bot", {})


def _muted_at_a_table(path: str, body: Any) -> Play:
    def play(scene: Scene) -> TestResponse:
        code = scene.waiting(chat=True)
        return scene.muted().post(f"/rooms/{code}{path}", body)

    return play


def _at_a_muted_address(scene: Scene) -> TestResponse:
    with scene.app.app_context():
        until = utcnow() + timedelta(days=1)
        publish(networks.sanction(Actor(user="root"), networks.MUTE, "203.0.113.9", until, "for a test")[1])
    return Caller(scene.app).post("/players", {"name": "Loud"}, environ_base={"REMOTE_ADDR": "203.0.113.9"})


SEAT_BOT = {"seat": 1, "level": "easy"}
SAID, WRITTEN = {"phrase": "well_played"}, {"text": "Tea?"}
PLAYS: dict[str, dict[str, Play]] = {
    "createPlayer": {"chat.muted": lambda scene: _at_a_muted_address(scene)},
    "changePlayer": {"chat.muted": lambda scene: scene.muted().send("PATCH", "/players/me", {"name": "Loud"})},
    "createRoom": {
        "chat.muted": lambda scene: scene.muted().post("/rooms", {"name": "Loud"}),
        "room.too_many": lambda scene: _too_many_rooms(scene, "/rooms"),
    },
    "closeRoom": _of_a_room("DELETE", ""),
    "joinRoom": {
        **_of_a_room("POST", "/joins", {"seat": 1}),
        "room.full": lambda scene: guest(scene.app).post(f"/rooms/{scene.finished().code}/joins", {}),
        "room.seat_taken": lambda scene: scene.karim.post(f"/rooms/{scene.waiting()}/joins", {"seat": 0}),
        "room.blocked": _blocked,
    },
    "leaveRoom": _of_a_room("DELETE", "/joins/me"),
    "unseatPlayer": {
        **_of_a_room("DELETE", "/joins/1"),
        "room.closed": lambda scene: scene.mona.delete(f"/rooms/{scene.closed(_with_karim(scene))}/joins/1"),
    },
    "unseatBot": {
        "room.started": lambda scene: scene.mona.delete(f"/rooms/{_with_a_bot(scene, seats=2)}/bots/1"),
        "room.closed": lambda scene: scene.mona.delete(f"/rooms/{scene.closed(_with_a_bot(scene, seats=4))}/bots/1"),
    },
    "seatBot": {
        **_of_a_room("POST", "/bots", SEAT_BOT),
        "room.full": lambda scene: scene.mona.post(f"/rooms/{scene.finished().code}/bots", SEAT_BOT),
        "room.seat_taken": lambda scene: scene.mona.post(f"/rooms/{scene.waiting()}/bots", {"seat": 0}),
    },
    "askForRematch": {
        **_of_a_room("POST", "/rematches", {}, rematch=True),
        "match.wrong_phase": lambda scene: scene.mona.post(f"/rooms/{scene.waiting()}/rematches", {}),
        "room.blocked": _blocked_meanwhile,
        "room.too_many": lambda scene: _too_many_rooms(scene, f"/rooms/{scene.finished().code}/rematches"),
    },
    "revealSeed": {
        "room.not_dealing": lambda scene: scene.mona.post(f"/rooms/{scene.waiting()}/reveals", {"client_seed": "ab"}),
    },
    "declineRematch": {
        **_of_a_room("DELETE", "/rematches/me", rematch=True),
        "match.wrong_phase": lambda scene: scene.mona.delete(f"/rooms/{scene.waiting()}/rematches/me"),
    },
    "deleteSeek": {"room.started": _paired},
    "playCard": {
        "match.over": _after("/moves", {"turn": 0, "card": "7D"}),
        "match.stale_turn": lambda scene: _move(scene, turn=7),
        "match.wrong_phase": lambda scene: _move(scene, rules="traditional"),
        "match.not_your_turn": lambda scene: _move(scene, whose="other"),
        "match.card_not_in_hand": lambda scene: _move(scene, card="strange"),
        "match.illegal_capture": lambda scene: _move(scene, capture=["2C", "3C", "4C", "5C", "6C"]),
    },
    "cutPack": {
        "match.over": _after("/cuts", {"round": 1, "at": 26}),
        "match.stale_turn": lambda scene: _cut(scene, number=7),
        "match.wrong_phase": lambda scene: _cut(scene, rules="classic"),
        "match.not_your_turn": lambda scene: _cut(scene, whose="other"),
    },
    "getTranscript": {"match.running": lambda scene: scene.karim.get(f"{scene.playing().path}/transcript")},
    "forfeitMatch": {"match.over": _after("/forfeits", {})},
    "sayPhrase": {"chat.muted": _muted_at_a_table("/phrases", SAID), "room.closed": lambda scene: scene.mona.post(
        f"/rooms/{scene.closed(scene.waiting())}/phrases", SAID)},
    "writeMessage": {
        "chat.muted": _muted_at_a_table("/messages", WRITTEN),
        "room.closed": lambda scene: scene.mona.post(
            f"/rooms/{scene.closed(scene.waiting(chat=True))}/messages", WRITTEN),
        "chat.off": lambda scene: scene.mona.post(f"/rooms/{scene.waiting()}/messages", WRITTEN),
    },
    "listMessages": {
        "chat.off": lambda scene: scene.mona.get(f"/rooms/{scene.waiting()}/messages"),
        "auth.forbidden": lambda scene: scene.karim.get(f"/rooms/{scene.waiting(chat=True)}/messages"),
    },
    "registerAccount": {"account.username_taken": _taken, "account.exists": _registered_twice},
    "changePassword": {
        "account.needed": lambda scene: scene.mona.send(
            "PUT", "/players/me/password", {"password": PASSWORD, "new_password": PASSWORD}),
        "account.wrong_password": _wrong_password("PUT", "/players/me/password", "mona_1", new_password=PASSWORD),
    },
    "deletePlayer": {"account.wrong_password": _wrong_password("DELETE", "/players/me", "mona_2")},
    "declareBot": {"bot.too_late": _played_before},
    "createToken": {"token.too_many": _many_tokens},
    "useTransfer": {"not_found": lambda scene: scene.mona.post("/transfers", {"code": "ABCD-EFGH-JKLM"})},
    "listMatches": {"not_found": lambda scene: scene.mona.get(f"/matches?player={'A' * 22}")},
}  # fmt: skip
