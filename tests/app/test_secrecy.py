"""Nobody is told a card that he may not know: not by an answer, a refusal, a message or a line of the log."""

import json
import logging
import random
import re
import threading
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from app.extensions import db
from app.models import MatchEvent, MatchRow, Room
from app.realtime import publish
from app.realtime.channel import Refused
from app.realtime.own_channel import OwnChannel
from app.realtime.room_channel import RoomChannel
from app.realtime.subscriber import Subscriber, own_topic
from app.services import clock
from app.services.times import utcnow
from engine.shuffle import client_commitment
from tests.app.people import Caller, Table, guest, ok, sit_down

CARD = re.compile(r"[A2-9TJQK][CDHS]")
CARD_IN_A_LINE = re.compile(r"(?<![\w-])[A2-9TJQK][CDHS](?![\w-])")


class Listener(Subscriber):
    """A channel whose messages are kept."""

    def __init__(self, app: Flask, topic: str, player_id: str | None) -> None:
        super().__init__((topic,), player_id, self, lambda: None)
        app.extensions["hub"].join(self)

    def set(self) -> None:
        """Nobody waits for the messages: the test asks for them."""

    def texts(self) -> list[str]:
        messages, lost, _ = self.take()
        assert not lost
        return [message.text for message in messages]


class Ears:
    """All that one caller hears: what his channels say on opening, and what is published to them."""

    def __init__(self, app: Flask, code: str, player_id: str) -> None:
        self._app = app
        self._code = code
        self._player_id = player_id
        self._listeners = [Listener(app, topic, player_id) for topic in (code, own_topic(player_id))]

    def published(self) -> list[str]:
        """What was published since last asked."""
        return [text for listener in self._listeners for text in listener.texts()]

    def opening(self) -> list[str]:
        """What new channels say first; one that is refused says nothing."""
        hub, lobby = self._app.extensions["hub"], self._app.extensions["lobby"]
        socket: Any = SimpleNamespace(event=threading.Event(), cut=lambda: None)
        channels = [
            RoomChannel(hub, socket, socket, self._code, self._player_id),
            OwnChannel(hub, lobby, socket, socket, self._player_id),
        ]
        texts: list[str] = []
        for channel in channels:
            hub.join(channel.subscriber)
            with self._app.app_context(), suppress(Refused):
                texts += channel.read_all()
            hub.leave(channel.subscriber)
        return texts


class Truth:
    """What is really so in a match, from its stored state and events."""

    def __init__(self, app: Flask, match_id: str) -> None:
        with app.app_context():
            row = db.session.get(MatchRow, match_id)
            events = list(
                db.session.scalars(
                    select(MatchEvent.event).where(MatchEvent.match_id == match_id).order_by(MatchEvent.version)
                )
            )
        self.server_seed = row.server_seed
        self.is_over = row.status == "finished"
        # The version of each round's first event, and the cards of each round that are known by seat; None is
        # everyone who may look on. A new pack: what was seen before says nothing about where its cards are now.
        self._began: list[int] = []
        self._known: list[dict[int | None, set[str]]] = []
        # The cards that each event names, by version, and those that were left over in each round.
        self._named = {event["version"]: set(cards_in(event)) for event in events}
        self._left = {
            event["sheet"]["round"]: set(event["sheet"]["leftover"])
            for event in events
            if event["type"] == "round_scored"
        }
        for event in events:
            self._learn(event, len(events[0]["seats"]))
        rnd = row.state["round"]
        # Hidden cards as they lie in the store, joined: any three in a row would be a leak of the store itself.
        self._runs = {
            hidden[at : at + 6] for hidden in (rnd["undealt"], *rnd["hands"]) for at in range(0, len(hidden) - 5, 2)
        }

    def _learn(self, event: dict[str, Any], seats: int) -> None:
        if event["type"] in ("match_started", "cut") and len(self._began) < event.get("round", 1):
            self._began.append(event["version"])
            self._known.append({None: set(), **{seat: set() for seat in range(seats)}})
        public: list[str] = []
        if event["type"] == "dealt":
            public += event.get("floor", [])
            public += [buried["card"] for buried in event.get("buried", [])]
            for seat, hand in enumerate(event["hands"]):
                self._known[-1][seat] |= set(hand)
        elif event["type"] == "played":
            public = [event["card"], *event["captured"]]
        for known in self._known[-1].values():
            known |= set(public)

    def known_to(self, who: int | str | None, number: int) -> set[str]:
        """The cards of a round that a caller may know."""
        if isinstance(who, str):
            # After the end the match is open to whoever knows its id.
            return self._known[number - 1][None] if self.is_over else set()
        return self._known[number - 1][who]

    def check(self, who: int | str | None, text: str) -> None:
        """Fail if a text tells a caller more than he may know."""
        assert self.server_seed not in text
        assert not any(run in text for run in self._runs)
        self._check(who, json.loads(text), self.known_to(who, len(self._began)))

    def _check(self, who: int | str | None, value: Any, known: set[str]) -> None:
        """Check the cards of a JSON value; an event or a score sheet names only its own, also of another round."""
        if isinstance(value, dict):
            if {"type", "version", "at"} <= value.keys():
                number = bisect_right(self._began, value["version"])
                known = self.known_to(who, number) & self._named[value["version"]]
            elif "leftover" in value:
                known = self.known_to(who, value["round"]) & self._left[value["round"]]
            for inner in value.values():
                self._check(who, inner, known)
        elif isinstance(value, list):
            for inner in value:
                self._check(who, inner, known)
        elif isinstance(value, str) and CARD.fullmatch(value):
            assert value in known, (who, value)


def cards_in(value: Any) -> Iterator[str]:
    """Every card that a JSON value names."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    for one in inner:
        yield from cards_in(one)
    if isinstance(value, str) and CARD.fullmatch(value):
        yield value


def everything_asked(caller: Caller, table: Table, turn: int, number: int) -> Iterator[str]:
    """The answers to all that a caller may think of asking, refusals too."""
    yield caller.get(table.path, checked=False).text
    yield caller.get(f"{table.path}/events", checked=False).text
    yield caller.get(f"{table.path}/transcript", checked=False).text
    yield caller.get(f"/rooms/{table.code}", checked=False).text
    yield caller.get("/matches", checked=False).text
    wrong = {"turn": turn + 1, "card": "7D"}
    yield caller.post(f"{table.path}/moves", wrong, checked=False).text
    # A card of the deal that the caller does not hold: the refusal must not tell where it is.
    illegal = {"turn": turn, "card": "7D", "capture": ["AC", "AD", "AH"]}
    yield caller.post(f"{table.path}/moves", illegal, checked=False).text
    yield caller.post(f"{table.path}/cuts", {"round": number + 1, "at": 7}, checked=False).text


def sit_down_with_bots(app: Flask, **room: Any) -> Table:
    """A match of two people and, on the seats between them, two bots."""
    mona, samia = guest(app, "Mona"), guest(app, "Samia")
    path = f"/rooms/{ok(mona.post('/rooms', {'seats': 4, **room}), 201)['code']}"
    for seat, level in ((1, "easy"), (3, "medium")):
        ok(mona.post(f"{path}/bots", {"seat": seat, "level": level}), 201)
    return Table(ok(samia.post(f"{path}/joins", {"seat": 2}), 201), [mona, None, samia, None])


def seated(table: Table) -> dict[int, Caller]:
    return {seat: person for seat, person in enumerate(table.people) if person is not None}


# Seats, bots, rules, target (null: one round), whether others may look on, and the turn at which somebody gives up.
TABLES = [
    (2, False, "classic", 121, True, 70),
    (2, False, "traditional", None, False, 37),
    (4, False, "komi", None, True, None),
    (4, True, "classic", 121, False, 60),
]


@pytest.mark.parametrize(("seats", "bots", "rules", "target", "spectators", "given_up_at"), TABLES)
def test_no_caller_is_told_a_card_that_he_may_not_know(
    app: Flask, caplog: pytest.LogCaptureFixture, seats: int, bots: bool, rules: str, target: int | None,
    spectators: bool, given_up_at: int | None,
) -> None:  # fmt: skip
    caplog.set_level(logging.DEBUG)
    rng = random.Random(seats)
    room = {"rules": rules, "target": target, "spectators": spectators, "visibility": "public"}
    table = sit_down_with_bots(app, **room) if bots else sit_down(app, seats, **room)
    callers: dict[int | str | None, Caller] = {**seated(table)}
    callers[None if spectators else "stranger"] = guest(app, "Watcher")
    ears = {who: Ears(app, table.code, caller.id) for who, caller in callers.items()}
    callers["nameless"] = Caller(app)
    view = table.view(0)
    while view["status"] == "playing":
        if view["turn"] % 7 == 0 or view["round"]["phase"] == "cut":
            truth = Truth(app, table.match_id)
            for who, caller in callers.items():
                for text in everything_asked(caller, table, view["turn"], view["round"]["number"]):
                    truth.check(who, text)
            for who, heard in ears.items():
                for text in heard.opening():
                    truth.check(who, text)
        step(app, rng, table, view)
        if given_up_at is not None and view["turn"] >= given_up_at:
            ok(table.person(0).post(f"{table.path}/forfeits"), 201)
        view = table.view(0)
        truth = Truth(app, table.match_id)
        for who, heard in ears.items():
            for text in heard.published():
                truth.check(who, text)
    assert target is None or view["rounds"], "no table had a round behind it"
    for who, caller in callers.items():
        seen = who if isinstance(who, int) else None
        for path in (table.path, f"{table.path}/events?limit=500"):
            truth.check(seen, caller.get(path, checked=False).text.replace(truth.server_seed, ""))
    check_log(caplog, truth, seated(table).values())


def check_log(caplog: pytest.LogCaptureFixture, truth: Truth, people: Iterable[Caller]) -> None:
    for record in caplog.records:
        line = record.getMessage()
        assert not CARD_IN_A_LINE.search(line), line
        assert truth.server_seed not in line
        assert not any(str(person.token) in line for person in people)


def step(app: Flask, rng: random.Random, table: Table, view: dict[str, Any]) -> None:
    """One cut or play of the seat that is to act, a bot's too."""
    person = table.people[view["to_act"]]
    if person is None:
        with app.app_context():
            publish(clock.act_on(table.match_id, utcnow()))
        return
    mine = person.view(table.match_id)
    if mine["round"]["phase"] == "cut":
        body = {"round": mine["round"]["number"], "at": rng.randint(1, 51)}
        ok(person.post(f"{table.path}/cuts", body, checked=False), 201)
    else:
        body = {"turn": mine["turn"], "card": rng.choice(mine["you"]["hand"])}
        ok(person.post(f"{table.path}/moves", body, checked=False), 201)


def test_no_seed_is_told_before_its_time(app: Flask, caplog: pytest.LogCaptureFixture) -> None:
    """The service's not before the end of the match, a player's not before all are fixed and the match has begun."""
    caplog.set_level(logging.DEBUG)
    people, seeds = [guest(app, name) for name in ("Mona", "Adel")], ["5eed" * 8, "c0ffee" * 5]
    parts = [{"client_commitment": client_commitment(seed)} for seed in seeds]
    room = ok(people[0].post("/rooms", {"visibility": "public", "spectators": True, **parts[0]}), 201)
    path, callers = f"/rooms/{room['code']}", [*people, guest(app, "Watcher"), Caller(app)]
    ears = [Ears(app, room["code"], caller.id) for caller in callers[:3]]

    def told() -> str:
        asked = ("/rooms", path, "/matches", "/players/me/export", f"{path}/messages")
        texts = [caller.get(where, checked=False).text for caller in callers for where in asked]
        for caller in callers:
            texts.append(caller.post(f"{path}/reveals", {"client_seed": "ab"}, checked=False).text)
            texts.append(caller.post(f"{path}/joins", {"seat": 1}, checked=False).text)
        texts += [text for heard in ears for text in [*heard.opening(), *heard.published()]]
        return "".join([*texts, *(record.getMessage() for record in caplog.records)])

    with app.app_context():
        server_seed = db.session.get_one(Room, room["code"]).server_seed
    secret = {server_seed, *seeds}
    assert not any(seed in told() for seed in secret)
    ok(people[1].post(f"{path}/joins", parts[1]), 201)
    assert not any(seed in told() for seed in secret)
    ok(people[1].post(f"{path}/reveals", {"client_seed": seeds[1]}), 201)
    assert not any(seed in told() for seed in secret)
    begun = ok(people[0].post(f"{path}/reveals", {"client_seed": seeds[0]}), 201)
    public = told() + people[0].get(f"/matches/{begun['match_id']}").text
    assert server_seed not in public
    assert all(seed in public for seed in seeds)
    ok(people[0].post(f"/matches/{begun['match_id']}/forfeits"), 201)
    assert server_seed in people[1].get(f"/matches/{begun['match_id']}/transcript").text


def test_other_hands_stay_hidden_in_the_events_after_the_end(app: Flask) -> None:
    table = sit_down(app)
    table.play_plays(3)
    hands = [set(table.view(seat)["you"]["hand"]) for seat in (0, 1)]
    ok(table.person(0).post(f"{table.path}/forfeits"), 201)
    for caller, may_know in ((table.person(0), 0), (table.person(1), 1), (Caller(app), None), (guest(app), None)):
        told = set(cards_in([caller.get(f"{table.path}/events").json, caller.get(table.path).json]))
        for seat, hand in enumerate(hands):
            if seat != may_know:
                assert not told & hand


@pytest.mark.parametrize("seed", ["a very secret text"])
def test_a_rooms_seed_is_told_to_nobody(app: Flask, seed: str, caplog: pytest.LogCaptureFixture) -> None:
    table = sit_down(app, seed=seed)
    texts = [
        caller.get(path).text for caller in table.people for path in (f"/rooms/{table.code}", table.path, "/matches")
    ]
    ok(table.person(0).post(f"{table.path}/forfeits"), 201)
    texts += [table.person(0).get(f"{table.path}/{end}").text for end in ("events", "transcript")]
    assert not any(seed in text for text in [*texts, caplog.text])


def test_a_fault_of_ours_tells_nobody_why(app: Flask, caplog: pytest.LogCaptureFixture, monkeypatch) -> None:
    from app.services import matches

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("the hand is 7D KC, the seed is c0ffee")

    table = sit_down(app)
    monkeypatch.setattr(matches, "view_of", fail)
    monkeypatch.setattr("app.services.marks.view_of", fail)
    monkeypatch.setattr(app, "testing", False)
    response = table.person(0).get(table.path, checked=False)
    assert (response.status_code, response.mimetype) == (500, "application/problem+json")
    assert response.json["code"] == "internal"
    assert "7D" not in response.text + caplog.text
    assert "c0ffee" not in response.text + caplog.text
    assert "request_failed" in caplog.text
