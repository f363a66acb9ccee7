"""Nobody is told a card that he may not know: not by an answer, a refusal, a message or a line of the log."""

import json
import logging
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from app.extensions import db
from app.models import MatchEvent, MatchRow
from app.realtime.subscriber import Subscriber
from tests.app.people import Caller, Table, guest, ok, sit_down

CARD = re.compile(r"[A2-9TJQK][CDHS]")
CARD_IN_A_LINE = re.compile(r"(?<![\w-])[A2-9TJQK][CDHS](?![\w-])")


class Listener(Subscriber):
    """A channel whose messages are kept."""

    def __init__(self, app: Flask, code: str, player_id: str | None) -> None:
        super().__init__((code,), player_id, self, lambda: None)
        app.extensions["hub"].join(self)

    def set(self) -> None:
        """Nobody waits for the messages: the test asks for them."""

    def texts(self) -> list[str]:
        messages, lost, _ = self.take()
        assert not lost
        return [message.text for message in messages]


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
        seats = len(events[0]["seats"])
        # By seat; None is everyone who may look on.
        self.known: dict[int | None, set[str]] = {None: set(), **{seat: set() for seat in range(seats)}}
        self._runs: set[str] = set()
        for event in events:
            self._learn(event)
        rnd = row.state["round"]
        for hidden in (rnd["undealt"], *rnd["hands"]):
            # Hidden cards as they lie in the store, joined: any three in a row would be a leak of the store itself.
            self._runs |= {hidden[at : at + 6] for at in range(0, len(hidden) - 5, 2)}

    def _learn(self, event: dict[str, Any]) -> None:
        public: list[str] = []
        if event["type"] == "dealt":
            public += event.get("floor", [])
            public += [buried["card"] for buried in event.get("buried", [])]
            if event["deal"] == 1:
                # A new pack: what was seen before says nothing about where its cards are now.
                self.known = {who: set() for who in self.known}
            for seat, hand in enumerate(event["hands"]):
                self.known[seat] |= set(hand)
        elif event["type"] == "played":
            public = [event["card"], *event["captured"]]
        for known in self.known.values():
            known |= set(public)

    def known_to(self, who: int | str | None) -> set[str]:
        """The cards of this round that a caller may know."""
        if isinstance(who, str):
            # After the end the match is open to whoever knows its id.
            return self.known[None] if self.is_over else set()
        return self.known[who]

    def check(self, who: int | str | None, text: str) -> None:
        """Fail if a text tells a caller more than he may know."""
        assert self.server_seed not in text
        assert not any(run in text for run in self._runs)
        told = set(cards_in(json.loads(text)))
        assert told <= self.known_to(who), (who, told - self.known_to(who))


def cards_in(value: Any, key: str = "") -> Iterator[str]:
    """Every card that a JSON value names; past rounds and plays of another pack are told by their keys."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name not in ("rules", "rounds", "last_play", "card_points"):
                yield from cards_in(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from cards_in(inner, key)
    elif isinstance(value, str) and CARD.fullmatch(value):
        yield value


def of_this_round(events: list[dict[str, Any]], number: int) -> list[dict[str, Any]]:
    """The events since the last round's first deal."""
    start = next((at for at, event in enumerate(events) if event.get("round") == number), len(events))
    return events[start:]


def everything_asked(rng: random.Random, caller: Caller, table: Table, turn: int, number: int) -> Iterator[str]:
    """The answers to all that a caller may think of asking, refusals too."""
    yield caller.get(table.path, checked=False).text
    events = caller.get(f"{table.path}/events", checked=False)
    if events.status_code == 200:
        yield json.dumps(of_this_round(events.json["items"], number))
    else:
        yield events.text
    yield caller.get(f"{table.path}/transcript", checked=False).text
    yield caller.get(f"/rooms/{table.code}", checked=False).text
    yield caller.get("/matches", checked=False).text
    wrong = {"turn": turn + 1, "card": "7D"}
    yield caller.post(f"{table.path}/moves", wrong, checked=False).text
    # A card of the deal that the caller does not hold: the refusal must not tell where it is.
    illegal = {"turn": turn, "card": "7D", "capture": ["AC", "AD", "AH"]}
    yield caller.post(f"{table.path}/moves", illegal, checked=False).text
    yield caller.post(f"{table.path}/cuts", {"round": number + 1, "at": 7}, checked=False).text


@pytest.mark.parametrize("seed", range(4))
def test_no_caller_is_told_a_card_that_he_may_not_know(app: Flask, seed: int, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    rng = random.Random(seed)
    people = 2 if seed % 2 else 4
    rules = rng.choice(["classic", "traditional", "komi"])
    table = sit_down(app, people, rules=rules, target=None, spectators=seed < 2, visibility="public")
    watcher = guest(app, "Watcher")
    callers: dict[int | str | None, Caller] = dict(enumerate(table.people))
    callers[None if seed < 2 else "stranger"] = watcher
    callers["nameless"] = Caller(app)
    listeners = {seat: Listener(app, table.code, person.id) for seat, person in enumerate(table.people)}
    listeners[None if seed < 2 else "stranger"] = Listener(app, table.code, watcher.id)
    view = table.view(0)
    while view["status"] == "playing":
        truth = Truth(app, table.match_id)
        if view["turn"] % 7 == 0 or view["round"]["phase"] == "cut":
            for who, caller in callers.items():
                for text in everything_asked(rng, caller, table, view["turn"], view["round"]["number"]):
                    truth.check(who, text)
        view = step(rng, table, view)
        after = Truth(app, table.match_id)
        for who, listener in listeners.items():
            for text in listener.texts():
                after.check(who, text)
        if view["turn"] == 37 and seed == 3:
            view = ok(table.person(0).post(f"{table.path}/forfeits"), 201)["view"]
    over = Truth(app, table.match_id)
    for who, caller in callers.items():
        seen = who if isinstance(who, int) else None
        over.check(seen, caller.get(f"{table.path}", checked=False).text.replace(over.server_seed, ""))
        over.check(seen, caller.get(f"{table.path}/events?limit=500", checked=False).text)
    for record in caplog.records:
        line = record.getMessage()
        assert not CARD_IN_A_LINE.search(line), line
        assert over.server_seed not in line
        assert not any(person.token in line for person in table.people)


def step(rng: random.Random, table: Table, view: dict[str, Any]) -> dict[str, Any]:
    """One cut or play of the seat that is to act."""
    person = table.person(view["to_act"])
    mine = person.view(table.match_id)
    if mine["round"]["phase"] == "cut":
        body = {"round": mine["round"]["number"], "at": rng.randint(1, 51)}
        return ok(person.post(f"{table.path}/cuts", body, checked=False), 201)["view"]
    body = {"turn": mine["turn"], "card": rng.choice(mine["you"]["hand"])}
    return ok(person.post(f"{table.path}/moves", body, checked=False), 201)["view"]


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
    monkeypatch.setattr("app.services.history.view_of", fail)
    monkeypatch.setattr(app, "testing", False)
    response = table.person(0).get(table.path, checked=False)
    assert (response.status_code, response.mimetype) == (500, "application/problem+json")
    assert response.json["code"] == "internal"
    assert "7D" not in response.text + caplog.text
    assert "c0ffee" not in response.text + caplog.text
    assert "request_failed" in caplog.text
