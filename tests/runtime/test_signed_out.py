"""What is open ends with the token that opened it; and slow hashes are worked out aside from the loop."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from flask import Flask

from app import serving
from app.realtime import channel as channel_module
from app.realtime.hub import Hub
from app.realtime.subscriber import Subscriber
from app.services import sessions
from tests.live import ROOT, live_server
from tests.runtime.conftest import Served
from tests.runtime.people import Channel, Person, Server, begin, connect, new_room
from tests.runtime.tables import MovedClock, together

MakeApp = Callable[..., Flask]
Serve = Callable[[Flask], Served]
PASSWORD = "three cups of tea"
NOT_ALLOWED = 1008


@pytest.fixture
def server(make_app: MakeApp, serve: Serve) -> Served:
    return serve(make_app())


@pytest.fixture
def mona(server: Served) -> Person:
    """A registered player."""
    person = Person(server, "Mona")
    person.register("mona", PASSWORD)
    return person


class Device(Person):
    """A registered player, signed in on one more device."""

    def __init__(self, server: Server) -> None:
        self.server = server
        made = self.call("POST", "/sessions", {"username": "mona", "password": PASSWORD}, known=False)[1]
        self.id, self.token = made["player"]["id"], made["token"]


def opened(channel: Channel) -> Channel:
    """The channel, once it has said something: then everyone knows of it."""
    channel.next()
    return channel


def test_signing_out_closes_the_channels_of_that_session_only(server: Served, mona: Person) -> None:
    code = new_room(mona)
    phone, desk = Device(server), Device(server)
    kept = [opened(desk.own_channel()), opened(Person(server, "Karim").channel(code))]
    closed = [opened(phone.own_channel()), opened(phone.channel(code))]
    hello = phone.own_channel(known=False)
    hello.connection.send(json.dumps({"type": "hello", "token": phone.token}))
    closed.append(opened(hello))
    phone.ask("DELETE", "/sessions/current")
    assert [channel.close_code() for channel in closed] == [NOT_ALLOWED] * 3
    new_room(mona, visibility="public")
    assert kept[0].until_type("lobby")
    assert phone.call("GET", "/players/me")[0] == 401
    assert desk.call("GET", "/players/me")[0] == 200


def test_a_revoked_token_closes_what_a_program_has_open(server: Served, mona: Person) -> None:
    made = mona.ask("POST", "/tokens", {"label": "bot", "scopes": ["read"]})
    channel = opened(Channel(connect(server, "/channel", header={"Authorization": f"Bearer {made['token']}"})))
    mona.ask("DELETE", f"/tokens/{made['id']}")
    assert channel.close_code() == NOT_ALLOWED


def test_another_password_closes_the_others_and_leaves_the_programs(server: Served, mona: Person) -> None:
    phone, desk = Device(server), Device(server)
    program, closed, kept = (opened(one.own_channel()) for one in (mona, phone, desk))
    desk.ask("PUT", "/players/me/password", {"password": PASSWORD, "new_password": "four cups of tea"})
    assert closed.close_code() == NOT_ALLOWED
    new_room(mona, visibility="public")
    for channel in (program, kept):
        assert channel.until_type("lobby")


def test_the_channels_of_a_player_who_leaves_are_closed_after_his_match_has_ended(server: Served) -> None:
    mona, karim = Person(server, "Mona"), Person(server, "Karim")
    code, match_id = begin(mona, karim)
    own, room, others = opened(mona.own_channel()), opened(mona.channel(code)), opened(karim.channel(code))
    mona.ask("DELETE", "/players/me")
    assert (own.close_code(), room.close_code()) == (NOT_ALLOWED, NOT_ALLOWED)
    told = others.until(lambda message: message["type"] == "events")[-1]
    assert told["events"][-1]["result"]["reason"] == "forfeit"
    left = others.until(lambda message: message["type"] == "room" and message["room"]["host"] == karim.id)[-1]
    assert left["room"]["seating"][0]["player"] is None
    assert karim.view(match_id)["seats"][0]["player"]["name"] == "Deleted player"


def test_who_is_signed_out_while_his_channel_opens_gets_none(
    server: Served, mona: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the admission and the joining the hub does not know of the channel yet."""
    phone = Device(server)
    join = Hub.join

    def signed_out_just_before(hub: Hub, subscriber: Subscriber) -> None:
        assert subscriber.player_id is not None
        assert subscriber.token_id is not None
        hub.sign_out([subscriber.token_id])
        sessions.sign_out(subscriber.player_id, subscriber.token_id, subscriber.token_id)
        join(hub, subscriber)

    monkeypatch.setattr(Hub, "join", signed_out_just_before)
    assert phone.own_channel().close_code() == NOT_ALLOWED


def test_a_channel_ends_when_its_token_expires(
    make_app: MakeApp, serve: Serve, moved_clock: MovedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(channel_module, "PING_S", 0.05)
    server = serve(make_app())
    mona = Person(server, "Mona")
    made = mona.ask("POST", "/tokens", {"label": "bot", "scopes": ["read"], "expires_in_days": 1})
    kept = opened(mona.own_channel())
    channel = opened(Channel(connect(server, "/channel", header={"Authorization": f"Bearer {made['token']}"})))
    end = datetime.fromisoformat(made["expires_at"])
    moved_clock.to(end - timedelta(minutes=10))
    for _ in range(3):
        channel.until_type("ping")
    moved_clock.to(end)
    assert channel.close_code() == NOT_ALLOWED
    assert kept.until_type("ping")


ASIDE = """
import os, runpy
aside = runpy.run_path("gunicorn.conf.py")["_aside"]()
import gevent
reading, writing = os.pipe()
gevent.spawn_later(0, os.write, writing, b"x")
# Only if the loop goes on meanwhile will there ever be something to read.
print(aside(lambda: os.read(reading, 1)))
"""


def test_the_loop_goes_on_while_something_slow_is_worked_out() -> None:
    done = subprocess.run([sys.executable, "-c", ASIDE], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.returncode) == ("b'x'\n", 0), done.stderr


def test_threads_need_nobody_aside() -> None:
    script = 'import runpy; print(runpy.run_path("gunicorn.conf.py")["_aside"]())'
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=60,
        env={"WORKER_CLASS": "gthread"},
    )  # fmt: skip
    assert done.stdout == "None\n", done.stderr


def test_the_server_says_where_hashes_are_worked_out(make_app: MakeApp) -> None:
    app = make_app()
    asked = []

    def aside(work: Callable[[], object]) -> object:
        asked.append(work)
        return work()

    app.extensions["hasher"].aside = None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(serving, "upgrade", lambda: None)
        serving.start(app, aside)
        serving.stop(app)
    assert app.extensions["hasher"].work(lambda: 7) == 7
    assert len(asked) == 1


@pytest.mark.parametrize("worker_class", ["gevent", "gthread"])
def test_people_register_and_sign_in_at_a_real_server(worker_class: str) -> None:
    with live_server(WORKER_CLASS=worker_class) as server:
        mona = Person(server, "Mona")
        mona.register("mona", PASSWORD)
        devices: list[Device] = []
        together(*[lambda: devices.append(Device(server))] * 3)
        assert {device.id for device in devices} == {mona.id}
        assert len(mona.ask("GET", "/sessions")["items"]) == 3
        wrong = {"username": "mona", "password": "wrong"}
        assert mona.call("POST", "/sessions", wrong, known=False)[0] == 401
        assert PASSWORD not in server.log_text()
