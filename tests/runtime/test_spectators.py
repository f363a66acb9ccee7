"""Those who look on: no hand, twenty a room, and never at the cost of a player's channel."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests.live import LiveServer, live_server, wait_until
from tests.runtime.people import Channel, Person, begin, new_room, opens, play_on, refused_at

MOST = 20


@pytest.fixture
def small() -> Iterator[LiveServer]:
    """A server with eight places for sockets, two of them kept for seats."""
    with live_server(WORKER_CLASS="gthread", THREADS="16", MAX_SOCKETS_PER_PLAYER="2") as running:
        yield running


def watch(person: Person, code: str, *, known: bool = True) -> Channel:
    """Follow a room and be there: the channel has said what there is."""
    channel = person.channel(code, known=known)
    channel.next()
    return channel


def is_refused(person: Person, path: str) -> bool:
    """Whether the channel is refused because there are too many; it must be a 503."""
    status, problem = refused_at(person.server, path, header={"Authorization": f"Bearer {person.token}"})
    assert (status, problem["code"]) == (503, "unavailable")
    return True


def test_a_room_takes_twenty_and_its_players_besides(server: LiveServer) -> None:
    mona, karim, late = (Person(server, name) for name in ("Mona", "Karim", "Late"))
    code, match_id = begin(mona, karim, spectators=True)
    watching = [watch(Person(server, f"Spectator {number}"), code) for number in range(MOST)]
    assert is_refused(late, f"/rooms/{code}/channel")
    unknown = late.channel(code, known=False)
    unknown.connection.send(json.dumps({"type": "hello", "token": late.token}))
    assert unknown.close_code() == 1013
    for player in (mona, karim):
        player.channel(code).until_type("view")
    again = mona.channel(code, known=False)
    again.connection.send(json.dumps({"type": "hello", "token": mona.token}))
    assert again.until_type("view")["view"]["you"]["seat"] == 0
    play_on([mona, karim], match_id, most=1)
    for channel in watching:
        assert channel.until_type("events")["view"]["you"] is None
    watching[7].close()
    wait_until(lambda: opens(late, code), "the place of one who has gone")


def test_visitors_of_a_waiting_room_are_counted_until_they_sit_down(server: LiveServer) -> None:
    host = Person(server, "Host")
    code = new_room(host, seats=4, spectators=True)
    visitors = [Person(server, f"Visitor {number}") for number in range(MOST)]
    channels = [watch(visitor, code) for visitor in visitors]
    assert is_refused(Person(server, "Late"), f"/rooms/{code}/channel")
    late = Person(server, "Late")
    late.ask("POST", f"/rooms/{code}/joins")
    assert watch(late, code)
    visitors[0].ask("POST", f"/rooms/{code}/joins")
    channels[0].until(lambda m: m["type"] == "room" and m["room"]["seating"][2]["player"] is not None)
    watch(Person(server, "Another"), code)


def test_a_flood_of_spectators_leaves_the_last_places_to_the_seats(small: LiveServer) -> None:
    mona, karim = Person(small, "Mona"), Person(small, "Karim")
    code, match_id = begin(mona, karim, spectators=True)
    crowd = [Person(small, f"Spectator {number}") for number in range(8)]
    channels = [watch(person, code) for person in crowd[:6]]
    for person in crowd[6:]:
        assert is_refused(person, f"/rooms/{code}/channel")
        assert is_refused(person, "/channel")
    channels += [watch(player, code) for player in (mona, karim)]
    # Every place is taken by now, and plain requests are answered all the same.
    assert is_refused(crowd[7], f"/rooms/{code}/channel")
    play_on([mona, karim], match_id, most=2)
    assert channels[-1].until_type("events")["view"]["you"]["seat"] == 1
    for channel in channels:
        channel.close()
    wait_until(lambda: opens(crowd[7], code), "a place to be free again")


def test_looking_on_is_not_counted_against_a_players_own_channels() -> None:
    with live_server(MAX_SOCKETS_PER_PLAYER="2") as tight:
        mona, karim, laila = (Person(tight, name) for name in ("Mona", "Karim", "Laila"))
        shows = [begin(karim, laila, spectators=True)[0] for _ in range(3)]
        own_code, _ = begin(mona, karim)
        for code in shows[:2]:
            watch(mona, code)
        assert is_refused(mona, f"/rooms/{shows[2]}/channel")
        assert mona.own_channel().next()["type"] == "seeks"
        assert mona.own_channel().next()["type"] == "seeks"
        assert is_refused(mona, "/channel")
        assert mona.channel(own_code).until_type("view")["view"]["you"]["seat"] == 0


def test_where_nobody_may_look_on_nobody_does(server: LiveServer) -> None:
    mona, karim, stranger = (Person(server, name) for name in ("Mona", "Karim", "Stranger"))
    code, match_id = begin(mona, karim)
    header = {"Authorization": f"Bearer {stranger.token}"}
    assert refused_at(server, f"/rooms/{code}/channel", header=header)[0] == 403
    assert stranger.call("GET", f"/matches/{match_id}")[0] == 404
