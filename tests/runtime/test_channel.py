"""The room's channel at a real server: who may open it, what it tells, how it ends."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from engine.shuffle import client_commitment
from tests.live import LiveServer, live_server, wait_until
from tests.runtime.people import Channel, Person, begin, new_room, open_channel, play_on, refused, session_of


@pytest.fixture(scope="module", params=["gevent", "gthread"])
def server(request: pytest.FixtureRequest) -> Iterator[LiveServer]:
    with live_server(WORKER_CLASS=request.param) as running:
        yield running


def test_a_waiting_room_is_told_about_and_its_changes_too(mona: Person, karim: Person) -> None:
    code = new_room(mona)
    channel = mona.channel(code)
    first = channel.next()
    assert (first["type"], first["room"]["code"], first["room"]["status"]) == ("room", code, "waiting")
    assert first["room"]["seating"][0]["connected"] is True
    karim.ask("POST", f"/rooms/{code}/joins")
    assert channel.next()["room"]["status"] == "playing"


def test_a_match_begins_with_the_room_and_then_its_events_from_the_first(mona: Person, karim: Person) -> None:
    code = new_room(mona)
    mine, his = mona.channel(code), karim.channel(code)
    assert [mine.next()["type"], his.next()["type"]] == ["room", "room"]
    match_id = karim.ask("POST", f"/rooms/{code}/joins")["match_id"]
    for seat, channel in enumerate((mine, his)):
        heard = channel.until(lambda message: message["type"] == "events")
        assert [message["type"] for message in heard[:-1] if message["type"] != "presence"][-1] == "room"
        events = heard[-1]
        assert events["match"] == match_id
        assert [event["type"] for event in events["events"]] == ["match_started", "cut", "dealt"]
        assert [event["version"] for event in events["events"]] == [1, 2, 3]
        assert events["view"]["version"] == 3
        assert events["view"]["you"]["seat"] == seat
        assert events["events"][-1]["hand"] == events["view"]["you"]["hand"]


def test_a_room_that_deals_is_told_about_and_the_match_comes_when_all_is_open(mona: Person, karim: Person) -> None:
    parts = [{"client_commitment": client_commitment(seed)} for seed in ("ab", "cd")]
    code = new_room(mona, **parts[0])
    mine = mona.channel(code)
    assert mine.next()["room"]["status"] == "waiting"
    karim.ask("POST", f"/rooms/{code}/joins", parts[1])
    room = mine.until_type("room")["room"]
    assert (room["status"], room["match_id"]) == ("dealing", None)
    assert room["fairness"]["client_commitments"] == [part["client_commitment"] for part in parts]
    late = karim.channel(code)
    assert late.next()["room"]["status"] == "dealing"
    karim.ask("POST", f"/rooms/{code}/reveals", {"client_seed": "cd"})
    mona.ask("POST", f"/rooms/{code}/reveals", {"client_seed": "ab"})
    for channel in (mine, late):
        heard = channel.until(lambda message: message["type"] == "events")
        kinds = [message["type"] for message in heard if message["type"] != "presence"]
        assert kinds == ["room", "events"]
        started = heard[-1]["events"][0]
        assert (started["type"], started["fairness"]["client_seeds"]) == ("match_started", ["ab", "cd"])


def test_a_channel_opened_during_a_match_brings_room_and_view(mona: Person, karim: Person) -> None:
    code, match_id = begin(mona, karim)
    channel = mona.channel(code, f"?match={match_id}&after=2")
    assert channel.next()["type"] == "room"
    view = channel.next()
    assert view["type"] == "view"
    assert (view["view"]["id"], view["view"]["you"]["seat"]) == (match_id, 0)


def test_every_command_is_told_to_each_with_his_own_view(mona: Person, karim: Person) -> None:
    code, match_id = begin(mona, karim)
    channels = [mona.channel(code), karim.channel(code)]
    for channel in channels:
        channel.until_type("view")
    for _ in range(10):
        play_on([mona, karim], match_id, most=1)
    for seat, channel in enumerate(channels):
        version = 3
        for _ in range(10):
            message = channel.until_type("events")
            for event in message["events"]:
                version += 1
                assert event["version"] == version
                if event["type"] == "dealt":
                    assert event["hand"] == message["view"]["you"]["hand"]
            assert message["view"]["version"] == version
            assert message["view"]["you"]["seat"] == seat


def test_presence_is_told_and_shown(mona: Person, karim: Person) -> None:
    code, match_id = begin(mona, karim)
    mine = mona.channel(code)
    mine.until_type("view")
    his = karim.channel(code)
    assert mine.until_type("presence") == {"type": "presence", "seat": 1, "connected": True}
    assert karim.view(match_id)["seats"][1]["connected"] is True
    his.close()
    assert mine.until_type("presence") == {"type": "presence", "seat": 1, "connected": False}
    assert mona.view(match_id)["seats"][1]["connected"] is False


def test_a_network_that_breaks_off_is_noticed_too(mona: Person, karim: Person) -> None:
    code, _ = begin(mona, karim)
    mine = mona.channel(code)
    mine.until_type("view")
    his = karim.channel(code)
    mine.until_type("presence")
    his.connection.sock.close()
    assert mine.until_type("presence")["connected"] is False


def test_a_newer_channel_of_a_seat_replaces_the_older_and_nobody_seems_gone(mona: Person, karim: Person) -> None:
    code, match_id = begin(mona, karim)
    his = karim.channel(code)
    his.until_type("view")
    older = mona.channel(code)
    older.until_type("view")
    newer = mona.channel(code)
    assert older.close_code() == 4000
    newer.until_type("view")
    assert mona.ask("GET", f"/rooms/{code}")["seating"][0]["connected"] is True
    play_on([mona, karim], match_id, most=1)
    heard = his.until(lambda message: message["type"] == "events")
    assert heard[-1]["view"]["seats"][0]["connected"] is True
    assert {message["connected"] for message in heard if message["type"] == "presence"} == {True}


def test_two_channels_that_get_a_seat_leave_the_newer(mona: Person, karim: Person) -> None:
    code = new_room(mona)
    older = karim.channel(code)
    older.next()
    newer = karim.channel(code)
    newer.next()
    karim.ask("POST", f"/rooms/{code}/joins")
    assert older.close_code() == 4000
    assert newer.until_type("events")["view"]["you"]["seat"] == 1


def test_followers_without_a_seat_are_sent_away_when_the_match_begins(mona: Person, karim: Person) -> None:
    code = new_room(mona)
    stranger = Person(mona.server, "Stranger").channel(code)
    assert stranger.next()["type"] == "room"
    karim.ask("POST", f"/rooms/{code}/joins")
    assert stranger.next()["room"]["status"] == "playing"
    assert stranger.close_code() == 1008


def test_spectators_see_no_hand(mona: Person, karim: Person) -> None:
    code, match_id = begin(mona, karim, spectators=True)
    stranger = Person(mona.server, "Stranger").channel(code)
    view = stranger.until_type("view")["view"]
    assert view["you"] is None
    play_on([mona, karim], match_id, most=9)
    for _ in range(9):
        message = stranger.until_type("events")
        assert message["view"]["you"] is None
        assert all(event["hand"] is None for event in message["events"] if event["type"] == "dealt")


def test_who_may_not_follow_is_told_so_before_the_upgrade(mona: Person, karim: Person) -> None:
    code, _ = begin(mona, karim)
    stranger = Person(mona.server, "Stranger")
    header = {"Authorization": f"Bearer {stranger.token}"}
    status, problem = refused(mona.server, code, header=header)
    assert (status, problem["code"]) == (403, "auth.forbidden")
    status, problem = refused(mona.server, "ZZZZZZ", header=header)
    assert (status, problem["code"]) == (404, "not_found")
    status, problem = refused(mona.server, code, header={"Authorization": "Bearer bsr_none"})
    assert (status, problem["code"]) == (401, "auth.required")
    status, problem = refused(mona.server, code, "?after=soon", header={"Authorization": f"Bearer {mona.token}"})
    assert (status, problem["code"]) == (422, "request.invalid")


def test_a_code_may_be_written_small(mona: Person) -> None:
    code = new_room(mona)
    assert mona.channel(code.lower()).next()["room"]["code"] == code


def test_the_cookie_opens_a_channel_only_from_our_own_page(server: LiveServer, mona: Person) -> None:
    """Trap 6: a page of another site can open a WebSocket to us, and the browser sends our cookie along."""
    cookie = session_of(server, "Laila")
    code = new_room(mona)
    for origin in ("https://evil.example", "null", f"http://127.0.0.1:{server.port + 1}"):
        status, problem = refused(server, code, cookie=cookie, header={"Origin": origin})
        assert (status, problem["code"]) == (403, "auth.forbidden")
    assert refused(server, code, cookie=cookie)[0] == 403
    channel = Channel(open_channel(server, code, cookie=cookie, header={"Origin": server.url}))
    assert channel.next()["type"] == "room"
    assert refused(server, code, cookie="basra_session=bsr_none", header={"Origin": server.url})[0] == 401


def test_a_program_may_say_who_it_is_by_a_hello(mona: Person, karim: Person) -> None:
    code, _ = begin(mona, karim)
    channel = mona.channel(code, known=False)
    channel.connection.send(json.dumps({"type": "hello", "token": mona.token}))
    assert channel.next()["type"] == "room"
    assert channel.next()["view"]["you"]["seat"] == 0


@pytest.mark.parametrize(
    "first",
    ["", "hello", "[]", '{"type": "hello"}', '{"type": "hello", "token": 5}', '{"type": "hello", "token": "bsr_x"}'],
)
def test_anything_but_a_good_hello_is_not_allowed(mona: Person, first: str) -> None:
    channel = mona.channel(new_room(mona), known=False)
    channel.connection.send(first)
    assert channel.close_code() == 1008


def test_a_hello_gives_no_more_rights_than_a_header(mona: Person, karim: Person) -> None:
    code, _ = begin(mona, karim)
    stranger = Person(mona.server, "Stranger")
    channel = stranger.channel(code, known=False)
    channel.connection.send(json.dumps({"type": "hello", "token": stranger.token}))
    assert channel.close_code() == 1008


def test_what_a_client_says_later_is_passed_over(mona: Person, karim: Person) -> None:
    code, match_id = begin(mona, karim)
    channel = mona.channel(code)
    channel.until_type("view")
    for _ in range(200):
        channel.connection.send("anything")
    channel.connection.ping()
    play_on([mona, karim], match_id, most=1)
    assert channel.until_type("events")["match"] == match_id


def test_compression_is_not_agreed_on(mona: Person) -> None:
    offer = {"Sec-WebSocket-Extensions": "permessage-deflate; client_max_window_bits"}
    channel = mona.channel(new_room(mona), header=offer)
    assert "sec-websocket-extensions" not in channel.connection.getheaders()


def test_an_address_that_is_no_websocket_is_refused(mona: Person) -> None:
    status, problem = mona.call("GET", f"/rooms/{new_room(mona)}/channel")
    assert (status, problem["code"]) == (400, "request.malformed")


def test_a_whole_match_is_heard_without_a_gap(mona: Person, karim: Person) -> None:
    code = new_room(mona, target=None)
    channel = mona.channel(code)
    channel.next()
    match_id = karim.ask("POST", f"/rooms/{code}/joins")["match_id"]
    last = play_on([mona, karim], match_id)
    versions: list[int] = []
    while not versions or versions[-1] < last["version"]:
        message = channel.until_type("events")
        versions += [event["version"] for event in message["events"]]
    assert versions == list(range(1, last["version"] + 1))
    assert message["view"]["result"]["reason"] == "round"
    assert channel.until_type("room")["room"]["status"] == "finished"


def test_a_room_that_closes_ends_its_channels(mona: Person) -> None:
    code = new_room(mona)
    stranger = Person(mona.server, "Stranger").channel(code)
    stranger.next()
    mona.ask("DELETE", f"/rooms/{code}")
    assert stranger.next()["room"]["status"] == "closed"
    assert stranger.close_code() == 1008


def test_bots_answer_promptly(mona: Person) -> None:
    code = new_room(mona, seats=4)
    channel = mona.channel(code)
    for seat in (1, 2, 3):
        mona.ask("POST", f"/rooms/{code}/bots", {"seat": seat, "level": "easy"})
    match_id = mona.ask("GET", f"/rooms/{code}")["match_id"]
    wait_until(lambda: mona.view(match_id)["to_act"] == 0, "the bots to play up to Mona", 5)
    for _ in range(8):
        mona.play(match_id)
        wait_until(lambda: mona.view(match_id)["to_act"] == 0, "three bots to answer", 3)
    heard = channel.until(lambda message: message["type"] == "events" and message["view"]["turn"] >= 32)
    assert {event["by"] for m in heard for event in m.get("events", ()) if event["type"] == "played"} == {
        "player",
        "bot",
    }


def test_what_is_said_about_a_rematch_is_told_to_all_before_the_room(mona: Person, karim: Person) -> None:
    code, match_id = begin(mona, karim, spectators=True)
    listening = [mona.channel(code), karim.channel(code), Person(mona.server, "Stranger").channel(code)]
    for channel in listening:
        channel.until_type("view")
    mona.ask("POST", f"/matches/{match_id}/forfeits")
    told = [
        (mona, "POST", "rematches", 0, "asked", [0]),
        (karim, "DELETE", "rematches/me", 1, "declined", []),
        (karim, "POST", "rematches", 1, "asked", [1]),
        (karim, "DELETE", "rematches/me", 1, "withdrawn", []),
        (mona, "POST", "rematches", 0, "asked", [0]),
        (karim, "POST", "rematches", 1, "agreed", []),
    ]
    for person, method, path, seat, state, asked in told:
        person.ask(method, f"/rooms/{code}/{path}")
        for channel in listening:
            assert channel.until_type("rematch") == {"type": "rematch", "seat": seat, "state": state}
            assert channel.until_type("room")["room"]["rematch"] == asked
    for seat, channel in enumerate(listening):
        view = channel.until_type("events")["view"]
        assert (view["version"], view["status"], view["id"] != match_id) == (3, "playing", True)
        assert (view["you"] or {}).get("seat") == (seat if seat < 2 else None)
