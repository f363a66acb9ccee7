"""What a client may say on a channel, and for how long it may say nothing at all."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import repeat

import pytest
import websocket
from flask import Flask
from wsproto import ConnectionType, WSConnection
from wsproto.connection import ConnectionState
from wsproto.events import AcceptConnection, CloseConnection, Event, Ping, Request

from app.realtime import listening, serving
from app.realtime.budgets import Budget, Hearing
from app.realtime.listening import LONGEST_MESSAGE, Ears
from app.realtime.watch import Watch
from tests.live import LiveServer, live_server, wait_until
from tests.runtime.conftest import Served
from tests.runtime.people import Channel, Person, connect, new_room
from tests.runtime.tables import StandingClock

MASK = bytes(4)
EMPTY = bytes([0x81, 0x80]) + MASK
PART = bytes([0x01, 0x81]) + MASK + b"x"
NEXT_PART = bytes([0x00, 0x80]) + MASK
PING = bytes([0x89, 0x80]) + MASK
PONG = bytes([0x8A, 0x80]) + MASK
# As many of them as an attacker likes.
ENDLESS = {
    "empty messages": repeat(EMPTY),
    "pings": repeat(PING),
    "pongs": repeat(PONG),
    "bytes": repeat(bytes([0x82, 0xFE, 0x10, 0x00]) + MASK + bytes(0x1000)),
}


def opened(hearing: Hearing) -> Ears:
    """A server's ears, the handshake done."""
    client, server = WSConnection(ConnectionType.CLIENT), WSConnection(ConnectionType.SERVER)
    server.receive_data(client.send(Request(host="a", target="/")))
    assert [type(event) for event in server.events()] == [Request]
    server.send(AcceptConnection())
    return Ears(server, hearing)


def hear(ears: Ears, data: bytes) -> list[Event]:
    ears.receive_data(data)
    return list(ears.events())


@pytest.mark.parametrize("frame", [EMPTY, PING, PONG, bytes([0x81, 0x82]) + MASK + b"{}"])
def test_frames_of_any_kind_have_a_budget(clock: StandingClock, frame: bytes) -> None:
    ears = opened(Hearing(limited=True, clock=clock))
    for _ in range(150):
        assert not any(isinstance(event, CloseConnection) for event in hear(ears, frame))
    clock.now += 1
    for _ in range(20):
        assert not any(isinstance(event, CloseConnection) for event in hear(ears, frame))
    (end,) = hear(ears, frame * 500)
    assert isinstance(end, CloseConnection)
    assert end.code == 1008


def test_parts_of_a_message_count_like_whole_ones(clock: StandingClock) -> None:
    ears = opened(Hearing(limited=True, clock=clock))
    heard = hear(ears, PART + NEXT_PART * 149)
    assert len(heard) == 150
    assert hear(ears, NEXT_PART)[-1] == CloseConnection(code=1008, reason="too much was said")


def test_bytes_have_a_budget_however_few_the_frames(clock: StandingClock) -> None:
    ears = opened(Hearing(limited=True, clock=clock))
    frame = bytes([0x82, 0xFE, 0x10, 0x00]) + MASK + bytes(0x1000)
    ends = [hear(ears, frame)[-1] for _ in range(16)]
    assert [isinstance(event, CloseConnection) for event in ends] == [False] * 15 + [True]


def test_a_few_pings_a_second_are_answered(clock: StandingClock) -> None:
    ears = opened(Hearing(limited=False, clock=clock))
    assert [type(event) for event in hear(ears, PING * 500)] == [Ping] * 4
    clock.now += 1
    assert len(hear(ears, PING * 500)) == 4


def test_without_limits_frames_have_no_budget(clock: StandingClock) -> None:
    ears = opened(Hearing(limited=False, clock=clock))
    assert len(hear(ears, EMPTY * 1000)) == 1000


def test_a_client_that_ends_is_answered_even_beyond_its_budget(clock: StandingClock) -> None:
    ears = opened(Hearing(limited=True, clock=clock))
    hear(ears, EMPTY * 150)
    (end,) = hear(ears, bytes([0x88, 0x82]) + MASK + (1000).to_bytes(2, "big"))
    assert isinstance(end, CloseConnection)
    assert ears.state is ConnectionState.REMOTE_CLOSING


def test_a_budget_never_grows_beyond_its_burst(clock: StandingClock) -> None:
    budget = Budget(2, 4, clock)
    assert [budget.spend() for _ in range(5)] == [True] * 4 + [False]
    clock.now += 0.5
    assert [budget.spend(), budget.spend()] == [True, False]
    clock.now += 100
    assert [budget.spend(4), budget.spend()] == [True, False]


def test_the_watch_does_what_is_due_in_the_order_of_time_and_then_sleeps() -> None:
    watch, done, before = Watch(), [], threading.active_count()
    for number, wait_s in enumerate((0.05, 0.0, 0.02)):
        watch.after(wait_s, lambda number=number: done.append(number))
    wait_until(lambda: len(done) == 3, "all to be done")
    assert done[-1] == 0
    wait_until(lambda: threading.active_count() == before, "its thread to end")
    watch.after(0, lambda: done.append(3))
    wait_until(lambda: done[-1] == 3, "the next one, too")


def test_what_fails_at_its_time_keeps_nothing_else_from_being_done(caplog: pytest.LogCaptureFixture) -> None:
    watch, done = Watch(), []
    watch.after(0, lambda: done[0])  # there is none
    watch.after(0.01, lambda: done.append(1))
    wait_until(lambda: done == [1], "what is due after it")
    watch.after(0, lambda: done.append(2))
    wait_until(lambda: done == [1, 2], "what came later")
    assert "watch_failed" in caplog.text


@pytest.fixture(scope="module", params=["gevent", "gthread"])
def server(request: pytest.FixtureRequest) -> Iterator[LiveServer]:
    with live_server(WORKER_CLASS=request.param, RATE_LIMITS="on") as running:
        yield running


def pour(connection: websocket.WebSocket, frames: Iterator[bytes]) -> None:
    """Send as much as goes down the line, for as long as it is open; but not more than some megabytes."""
    piece = b"".join(frame for frame, _ in zip(frames, range(200), strict=False))
    with suppress(OSError):
        for _ in range(1000):
            connection.sock.sendall(piece)


def code_of_the_end(connection: websocket.WebSocket) -> int:
    """The code that the server closes with; it is not answered, for the line is full."""
    connection.settimeout(10)
    for _ in range(1000):
        frame = connection.recv_frame()
        if frame.opcode == websocket.ABNF.OPCODE_CLOSE:
            return int.from_bytes(frame.data[:2], "big")
    raise AssertionError("it stays open")


@pytest.mark.parametrize("kind", ENDLESS)
def test_whoever_says_too_much_is_not_heard_any_longer(server: LiveServer, kind: str) -> None:
    mona = Person(server, "Mona")
    code = new_room(mona)
    for channel in (Channel(connect(server, "/channel")), mona.own_channel(), mona.channel(code)):
        pouring = threading.Thread(target=pour, args=(channel.connection, ENDLESS[kind]))
        pouring.start()
        try:
            assert code_of_the_end(channel.connection) == 1008
        finally:
            with suppress(OSError):
                channel.connection.sock.shutdown(socket.SHUT_RDWR)
            pouring.join(10)
        assert not pouring.is_alive()
    assert mona.call("GET", f"/rooms/{code}")[0] == 200


def test_an_unnamed_socket_that_keeps_its_handler_busy_has_five_seconds_too(
    make_app: Callable[..., Flask], serve: Callable[[Flask], Served], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who looks at the clock is the watch; a handler that never comes to it would let it stay for ever."""
    assert serving.HELLO_S == 5
    monkeypatch.setattr(serving, "HELLO_S", 0.2)
    busy, over = threading.Event(), threading.Event()
    real = serving._hello_token

    def kept_busy(*args: object) -> str:
        busy.set()
        over.wait(10)
        return real(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(serving, "_hello_token", kept_busy)
    served = serve(make_app())
    connection = connect(served, "/channel")
    busy.wait(10)
    connection.settimeout(10)
    # Nobody is there to close it: it is cut.
    assert connection.sock.recv(1) == b""
    over.set()


def test_a_message_that_never_ends_is_no_hello(
    make_app: Callable[..., Flask], serve: Callable[[Flask], Served], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "HELLO_S", 0.2)
    served = serve(make_app())
    connection = connect(served, "/channel")
    connection.sock.sendall(PART + NEXT_PART * 20)
    assert Channel(connection).close_code() == 1008


def test_a_hello_in_time_is_not_cut_by_the_watch(
    make_app: Callable[..., Flask], serve: Callable[[Flask], Served], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "HELLO_S", 0.2)
    served = serve(make_app())
    mona = Person(served, "Mona")
    channel = mona.own_channel(known=False)
    channel.connection.send('{"type": "hello", "token": "' + mona.token + '"}')
    channel.until_type("lobby")
    gone = threading.Event()
    served.app.extensions["hub"].watch.after(1.5, gone.set)  # after all that it had to do
    assert gone.wait(10)
    new_room(mona, visibility="public")
    assert channel.until_type("lobby")["items"]


def test_what_was_too_long_is_still_cut_off(clock: StandingClock) -> None:
    ears = opened(Hearing(limited=True, clock=clock))
    (event,) = hear(ears, bytes([0x82, 0xFE, 0x20, 0x00]) + MASK + bytes(0x2000))
    assert len(event.data) == LONGEST_MESSAGE  # type: ignore[attr-defined]
    assert listening.LONGEST_MESSAGE == 4096
