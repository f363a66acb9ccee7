"""A player's own channel: his seeks, his running matches, the lobby; who may open it, how it ends."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Flask

from app.realtime import channel as channel_module
from app.realtime import lobby as lobby_module
from app.realtime import publish, subscriber
from app.realtime.hub import Hub
from app.realtime.lobby import NEVER, PAUSE_S, Lobby
from app.realtime.places import Places
from app.realtime.subscriber import LOBBY, Subscriber
from app.services import matches
from tests.live import LiveServer, live_server
from tests.runtime.conftest import Served
from tests.runtime.people import Channel, Person, begin, connect, new_room, play_on, refused_at, session_of
from tests.runtime.tables import Table

Serve = Callable[[Flask], Served]
MakeApp = Callable[..., Flask]
MakeTable = Callable[..., Table]


@pytest.fixture(scope="module", params=["gevent", "gthread"])
def server(request: pytest.FixtureRequest) -> Iterator[LiveServer]:
    with live_server(WORKER_CLASS=request.param) as running:
        yield running


def opened(channel: Channel) -> dict[str, list[dict[str, Any]]]:
    """What a channel says on opening, by type."""
    messages = [channel.next() for _ in range(3)]
    assert [message["type"] for message in messages] == ["seeks", "matches", "lobby"]
    return {message["type"]: message["items"] for message in messages}


def lobby_with(channel: Channel, wanted: Callable[[list[dict[str, Any]]], bool]) -> list[dict[str, Any]]:
    """The first list of rooms that is as wanted."""
    heard = channel.until(lambda message: message["type"] == "lobby" and wanted(message["items"]))
    items: list[dict[str, Any]] = heard[-1]["items"]
    return items


def codes(rooms: list[dict[str, Any]]) -> set[str]:
    return {room["code"] for room in rooms}


def test_it_opens_with_seeks_matches_and_the_lobby(mona: Person, karim: Person) -> None:
    code, match_id = begin(mona, karim)
    waiting = new_room(karim, visibility="public")
    hidden = new_room(karim)
    looking = mona.ask("POST", "/seeks", {"seats": 4, "target": 40})
    first = opened(mona.own_channel())
    assert first["seeks"] == [looking]
    due = mona.view(match_id)["to_act"] == 0
    assert first["matches"] == [{"id": match_id, "room": code, "your_turn": due}]
    assert waiting in codes(first["lobby"])
    assert hidden not in codes(first["lobby"])
    mona.ask("DELETE", f"/seeks/{looking['id']}")


def test_a_match_is_told_of_when_it_starts_when_it_is_ones_turn_and_when_it_ends(mona: Person, karim: Person) -> None:
    people = [mona, karim]
    channels = [person.own_channel() for person in people]
    for channel in channels:
        opened(channel)
    code, match_id = begin(mona, karim, target=None)
    first = mona.view(match_id)["to_act"]
    for seat, channel in enumerate(channels):
        match = {"id": match_id, "room": code, "your_turn": seat == first, "status": "playing"}
        assert channel.until_type("match")["match"] == match
    people[first].play(match_id)
    told = channels[1 - first].until_type("match")["match"]
    assert told == {"id": match_id, "room": code, "your_turn": True, "status": "playing"}
    play_on(people, match_id, most=2)
    mona.ask("POST", f"/matches/{match_id}/forfeits")
    for channel in channels:
        heard = channel.until(lambda m: m["type"] == "match" and m["match"]["status"] == "finished")
        assert heard[-1]["match"] == {"id": match_id, "room": code, "your_turn": False, "status": "finished"}
        assert all(m["match"]["your_turn"] for m in heard[:-1] if m["type"] == "match")


def test_a_pairing_is_told_to_each_on_his_own_channel(mona: Person, karim: Person) -> None:
    mine, his = mona.own_channel(), karim.own_channel()
    opened(mine), opened(his)
    looking = mona.ask("POST", "/seeks", {"seats": 2, "target": 77})
    found = karim.ask("POST", "/seeks", {"seats": 2, "target": 77})
    for channel, own in ((mine, looking), (his, found)):
        seek = channel.until_type("seek")["seek"]
        assert seek == {**own, "room": found["room"]}
        assert channel.until_type("match")["match"]["room"] == found["room"]


def test_what_concerns_others_is_not_told(mona: Person, karim: Person) -> None:
    strangers = Person(mona.server, "Stranger").own_channel()
    opened(strangers)
    mona.ask("POST", "/seeks", {"seats": 2, "target": 78})
    karim.ask("POST", "/seeks", {"seats": 2, "target": 78})
    _, match_id = begin(mona, karim)
    play_on([mona, karim], match_id, most=4)
    last = new_room(mona, visibility="public")
    heard = strangers.until(lambda message: message["type"] == "lobby" and last in codes(message["items"]))
    assert {message["type"] for message in heard} <= {"lobby", "ping"}


def test_the_lobby_is_told_of_again_when_it_changes(mona: Person, karim: Person) -> None:
    channel = Person(mona.server, "Laila").own_channel()
    opened(channel)
    code = new_room(mona, visibility="public", seats=4)
    waiting = next(r for r in lobby_with(channel, lambda rooms: code in codes(rooms)) if r["code"] == code)
    assert [place["player"] is not None for place in waiting["seating"]] == [True, False, False, False]
    karim.ask("POST", f"/rooms/{code}/joins", {"seat": 2})
    lobby_with(channel, lambda rooms: any(r["code"] == code and r["seating"][2]["player"] for r in rooms))
    karim.channel(code)
    lobby_with(channel, lambda rooms: any(r["code"] == code and r["seating"][2]["connected"] for r in rooms))
    mona.ask("DELETE", f"/rooms/{code}")
    lobby_with(channel, lambda rooms: code not in codes(rooms))


def test_a_room_that_fills_up_leaves_the_lobby(mona: Person, karim: Person) -> None:
    code = new_room(mona, visibility="public")
    channel = Person(mona.server, "Laila").own_channel()
    assert code in codes(opened(channel)["lobby"])
    karim.ask("POST", f"/rooms/{code}/joins")
    lobby_with(channel, lambda rooms: code not in codes(rooms))


def test_many_changes_of_the_lobby_come_as_few_messages(mona: Person) -> None:
    channel = Person(mona.server, "Laila").own_channel()
    opened(channel)
    began = time.monotonic()
    made = [new_room(mona, visibility="public") for _ in range(12)]
    heard = channel.until(lambda message: message["type"] == "lobby" and made[-1] in codes(message["items"]))
    took_s = time.monotonic() - began
    assert sum(message["type"] == "lobby" for message in heard) <= took_s / PAUSE_S + 1
    for code in made:
        mona.ask("DELETE", f"/rooms/{code}")


def test_the_cookie_opens_it_only_from_our_own_page(server: LiveServer) -> None:
    cookie = session_of(server, "Laila")
    for origin in ("https://evil.example", "null"):
        status, problem = refused_at(server, "/channel", cookie=cookie, header={"Origin": origin})
        assert (status, problem["code"]) == (403, "auth.forbidden")
    opened(Channel(connect(server, "/channel", cookie=cookie, header={"Origin": server.url})))
    status, _ = refused_at(server, "/channel", cookie="basra_session=bsr_none", header={"Origin": server.url})
    assert status == 401


def test_a_token_that_is_none_is_refused_before_the_upgrade(server: LiveServer) -> None:
    status, problem = refused_at(server, "/channel", header={"Authorization": "Bearer bsr_none"})
    assert (status, problem["code"]) == (401, "auth.required")


def test_a_hello_says_whose_it_is(mona: Person) -> None:
    channel = mona.own_channel(known=False)
    channel.connection.send(json.dumps({"type": "hello", "token": mona.token}))
    opened(channel)
    stranger = mona.own_channel(known=False)
    stranger.connection.send(json.dumps({"type": "hello", "token": "bsr_none"}))
    assert stranger.close_code() == 1008


def test_it_is_no_seat_and_nobody_is_replaced(mona: Person, karim: Person) -> None:
    code, match_id = begin(mona, karim)
    first, second = mona.own_channel(), mona.own_channel()
    opened(first), opened(second)
    assert karim.view(match_id)["seats"][0]["connected"] is False
    mona.ask("POST", f"/matches/{match_id}/forfeits")
    for channel in (first, second):
        assert channel.until(lambda m: m["type"] == "match" and m["match"]["status"] == "finished")
    assert karim.ask("GET", f"/rooms/{code}")["status"] == "finished"


def test_it_pings_without_a_match(make_app: MakeApp, serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channel_module, "PING_S", 0.1)
    channel = Person(serve(make_app()), "Mona").own_channel()
    assert channel.until_type("ping") == {"type": "ping", "match": None, "version": None}


def test_a_queue_that_ran_over_is_made_up_for_by_everything_anew(
    make_table: MakeTable, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = make_table()
    served = serve(table.app)
    header = {"Authorization": f"Bearer {table.tokens[0]}"}
    channel = Channel(connect(served, "/channel", header=header))
    assert opened(channel)["matches"][0]["id"] == table.match_id
    monkeypatch.setattr(subscriber, "QUEUE_LENGTH", 0)
    with table.app.app_context():
        publish([*table.play(), *table.play()])
    assert opened(channel)["matches"][0]["id"] == table.match_id


def test_news_of_a_match_in_the_wrong_order_leave_the_newest(make_table: MakeTable, serve: Serve) -> None:
    table = make_table()
    served = serve(table.app)
    due = table.record().match.to_act
    assert due is not None
    channel = Channel(connect(served, "/channel", header={"Authorization": f"Bearer {table.tokens[due]}"}))
    opened(channel)
    first, second, third, fourth = (table.play() for _ in range(4))
    with table.app.app_context():
        for news in (first, fourth, second, third):
            publish(news)
        publish(matches.forfeit(table.players[due], table.match_id)[1])
    heard = channel.until(lambda m: m["type"] == "match" and m["match"]["status"] == "finished")
    # Of the two that said it was his turn again, the older one came too late.
    assert [m["match"]["your_turn"] for m in heard if m["type"] == "match"] == [True, False]


class Reader:
    """A lobby's database: counts how often it is read, and may fail."""

    def __init__(self) -> None:
        self.count = 0
        self.fails = False

    def __call__(self) -> str:
        if self.fails:
            raise OSError("away")
        self.count += 1
        return f"list {self.count}"


class Wakeups:
    def __init__(self) -> None:
        self.count = 0

    def set(self) -> None:
        self.count += 1


def test_the_lobby_is_read_once_for_all_and_not_while_nothing_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(lobby_module.time, "monotonic", lambda: now)
    hub, reader = Hub(Places(10, 10)), Reader()
    lobby = Lobby(hub, reader)
    wakeups = Wakeups()
    hub.join(Subscriber((LOBBY,), "mona", wakeups, lambda: None))
    number, text = lobby.look()
    assert lobby.look() == (number, text) == (number, "list 1")
    assert lobby.due(number, now) == NEVER
    for _ in range(50):
        lobby.changed()
    assert wakeups.count == 1
    assert lobby.due(number, now - 10) == now + PAUSE_S
    now += PAUSE_S
    newer, text = lobby.look()
    assert (text, reader.count) == ("list 2", 2)
    assert newer != number
    # Another channel that saw the first list may look at once: nothing has to be read for it.
    assert lobby.due(number, now - 10) < now
    assert lobby.look() == (newer, text)


def test_a_lobby_that_could_not_be_read_is_read_again() -> None:
    reader = Reader()
    lobby = Lobby(Hub(Places(10, 10)), reader)
    reader.fails = True
    with pytest.raises(OSError, match="away"):
        lobby.look()
    reader.fails = False
    assert lobby.look()[1] == "list 1"
