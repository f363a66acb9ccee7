"""Many sockets, silent ones and failing ones: none may harm the others. Traps 3, 4, 5 and 7."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Flask

from app.extensions import db
from app.realtime import channel as channel_module
from app.realtime import publication, room_channel, serving, subscriber
from app.realtime.subscriber import QUEUE_LENGTH, Message, Subscriber
from tests.live import LiveServer, live_server, wait_until
from tests.runtime.conftest import Served
from tests.runtime.people import Channel, Person, begin, close_all, new_room, open_channel, opens, play_on, refused

Serve = Callable[[Flask], Served]
MakeApp = Callable[..., Flask]


@pytest.fixture
def small() -> Iterator[LiveServer]:
    """A server on eight threads, which lets sockets have half of them."""
    with live_server(WORKER_CLASS="gthread", THREADS="8", MAX_SOCKETS_PER_PLAYER="2") as running:
        yield running


def test_sockets_leave_threads_for_plain_requests(small: LiveServer) -> None:
    """Trap 3: a thread pool full of sockets answers nobody."""
    people = [Person(small, f"Player {number}") for number in range(6)]
    code = new_room(people[0])
    channels = [person.channel(code) for person in people[:4]]
    for channel in channels:
        channel.next()
    for person in people[4:]:
        status, problem = refused(small, code, header={"Authorization": f"Bearer {person.token}"})
        assert (status, problem["code"]) == (503, "unavailable")
    assert people[5].call("GET", f"/rooms/{code}")[0] == 200
    channels[1].close()
    wait_until(lambda: opens(people[4], code), "a place to be free again")
    for channel in channels:
        channel.close()


def test_a_player_has_a_few_places_only(small: LiveServer) -> None:
    mona = Person(small, "Mona")
    code = new_room(mona, join=False)
    channels = [mona.channel(code), mona.channel(code)]
    status, problem = refused(small, code, header={"Authorization": f"Bearer {mona.token}"})
    assert (status, problem["code"]) == (503, "unavailable")
    hello = mona.channel(code, known=False)
    hello.connection.send(json.dumps({"type": "hello", "token": mona.token}))
    assert hello.close_code() == 1013
    channels[0].close()
    wait_until(lambda: opens(mona, code), "a place of Mona's to be free again")


@pytest.mark.parametrize("worker_class", ["gevent", "gthread"])
def test_a_client_that_stops_reading_holds_up_nobody_and_resyncs(worker_class: str) -> None:
    """Trap 4: a send to it blocks, so only its own handler may send, from a queue with an end."""
    with live_server(WORKER_CLASS=worker_class) as server:
        mona, karim = Person(server, "Mona"), Person(server, "Karim")
        code = new_room(mona, target=500, spectators=True)
        match_id = karim.ask("POST", f"/rooms/{code}/joins")["match_id"]
        narrow = {"sockopt": ((socket.SOL_SOCKET, socket.SO_RCVBUF, 4096),)}
        stalled = Person(server, "Stalled").channel(code, **narrow)
        reading = mona.channel(code)
        heard: list[dict[str, Any]] = []
        goal: list[int] = []  # the version up to which there is something to hear, once it is known

        def is_all(message: dict[str, Any]) -> bool:
            return message["type"] == "events" and bool(goal) and message["events"][-1]["version"] > goal[0]

        reader = threading.Thread(target=lambda: heard.extend(reading.until(is_all)))
        reader.start()
        last = play_on([mona, karim], match_id, most=200)
        goal.append(last["version"])
        play_on([mona, karim], match_id, most=1)
        reader.join()
        assert sum(message["type"] == "events" for message in heard) >= 200
        assert not [message for message in heard[2:] if message["type"] == "view"]
        # Now it reads again: what was lost comes as a view, and from there on nothing is missing.
        heard = stalled.until(lambda message: message.get("view", {}).get("version", 0) > last["version"])
        kinds = [message["type"] for message in heard if message["type"] in ("events", "view")]
        assert kinds.count("view") >= 2
        assert kinds.count("events") < 200
        play_on([mona, karim], match_id, most=1)
        message = stalled.until_type("events")
        assert message["events"][0]["version"] == heard[-1]["view"]["version"] + 1


def test_a_full_queue_is_dropped_whole_and_its_handler_told() -> None:
    stuck = Subscriber(("KMNPAB",), "player", _Wakeup(), lambda: None)
    for number in range(QUEUE_LENGTH + 1):
        stuck.put(Message(str(number)))
    assert stuck.take() == ([], True, None)
    stuck.put(Message("next"))
    assert stuck.take() == ([Message("next")], False, None)


def test_a_handler_that_is_stuck_for_long_is_cut_off() -> None:
    cuts: list[None] = []
    stuck = Subscriber(("KMNPAB",), "player", _Wakeup(), lambda: cuts.append(None))
    stuck.sending(100.0)
    assert not stuck.cut_if_stalled(100.0 + subscriber.STALL_S - 1)
    assert stuck.cut_if_stalled(100.0 + subscriber.STALL_S)
    stuck.sending(None)
    assert not stuck.cut_if_stalled(1000.0)
    assert cuts == [None]


class _Wakeup:
    def set(self) -> None: ...


def test_a_stalled_client_loses_its_place(make_app: MakeApp, serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subscriber, "STALL_S", 0.2)
    served = serve(make_app())
    mona, karim = Person(served, "Mona"), Person(served, "Karim")
    code, match_id = begin(mona, karim, target=500)
    mona.channel(code, sockopt=((socket.SOL_SOCKET, socket.SO_RCVBUF, 4096),))
    hub = served.app.extensions["hub"]
    wait_until(lambda: hub.connected(code, 0), "the channel to be open")
    play_on([mona, karim], match_id, most=120)
    wait_until(lambda: hub.cut_stalled() == 1, "the stalled channel to be cut")
    wait_until(lambda: not hub.connected(code, 0), "its seat to be free")


def test_a_fault_closes_the_channel_and_writes_no_http(
    make_app: MakeApp, serve: Serve, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Trap 5: an error in a socket's handler must not end up as an HTTP answer inside the socket."""
    served = serve(make_app())
    mona = Person(served, "Mona")
    code = new_room(mona)

    def fail(*_: object) -> None:
        raise RuntimeError("7D is in the hand")

    monkeypatch.setattr(room_channel, "read_room", fail)
    channel = mona.channel(code)
    assert channel.close_code() == 1011
    channel.connection.settimeout(5)
    assert channel.connection.sock.recv(1) == b""
    assert "channel_failed error=RuntimeError" in caplog.text
    assert "7D" not in caplog.text


def test_a_fault_in_the_middle_of_a_match_is_a_fault_too(
    make_app: MakeApp, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    served = serve(make_app())
    mona, karim = Person(served, "Mona"), Person(served, "Karim")
    code, match_id = begin(mona, karim)
    channel = mona.channel(code)
    channel.until_type("view")
    monkeypatch.setattr(room_channel.RoomChannel, "deliver", lambda *_: 1 / 0)
    play_on([mona, karim], match_id, most=1)
    assert channel.close_code() == 1011


def test_a_publication_that_fails_does_not_fail_the_move(
    make_app: MakeApp, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(channel_module, "PING_S", 0.1)
    served = serve(make_app())
    mona, karim = Person(served, "Mona"), Person(served, "Karim")
    code, match_id = begin(mona, karim)
    channel = mona.channel(code)
    version = channel.until_type("view")["view"]["version"]
    with monkeypatch.context() as broken:
        broken.setattr(publication, "_events_text", lambda *_: 1 / 0)
        play_on([mona, karim], match_id, most=1)
    # The ping tells how far the match is, and so that something was lost.
    ping = channel.until(lambda message: message["type"] == "ping" and message["version"] > version)[-1]
    assert ping == {"type": "ping", "match": match_id, "version": version + 1}
    # The next news does not follow on what the client has: it gets the whole view.
    play_on([mona, karim], match_id, most=1)
    assert channel.until_type("view")["view"]["version"] == version + 2


def test_who_does_not_say_in_time_who_he_is_is_not_allowed(
    make_app: MakeApp, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert serving.HELLO_S == 5
    monkeypatch.setattr(serving, "HELLO_S", 0.1)
    served = serve(make_app())
    mona = Person(served, "Mona")
    assert mona.channel(new_room(mona), known=False).close_code() == 1008


def test_a_ping_without_a_match_names_none(make_app: MakeApp, serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channel_module, "PING_S", 0.1)
    served = serve(make_app())
    mona = Person(served, "Mona")
    channel = mona.channel(new_room(mona))
    assert channel.until_type("ping") == {"type": "ping", "match": None, "version": None}


def test_open_channels_hold_no_database_connection(
    make_app: MakeApp, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Trap 7: a few sockets with a session left open use up the pool, and then nothing is answered."""
    monkeypatch.setattr(channel_module, "PING_S", 0.1)
    served = serve(make_app(MAX_SOCKETS_PER_PLAYER="100"))
    mona = Person(served, "Mona")
    code = new_room(mona)
    channels = [Channel(open_channel(served, code)) for _ in range(20)] + [mona.own_channel() for _ in range(40)]
    for channel in channels[20:]:
        channel.until_type("ping")
    with served.app.app_context():
        pool = db.engine.pool
    wait_until(lambda: pool.checkedout() == 0, "every connection to be back")  # type: ignore[attr-defined]
    assert mona.call("GET", f"/rooms/{code}")[0] == 200


def test_the_request_that_opened_a_channel_leaves_the_place_when_it_ends(make_app: MakeApp, serve: Serve) -> None:
    served = serve(make_app(MAX_SOCKETS="3"))
    mona = Person(served, "Mona")
    code = new_room(mona)
    for _ in range(5):
        # A request ends a moment after its channel is closed, each for itself.
        for place in range(3):
            wait_until(lambda: opens(mona, code), f"place {place} to be free")
        close_all()
