"""Places for channels: who has how many, and who comes first when there are none left."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
import websocket

from app.realtime.places import Kind, Place, Places, TooMany
from tests.live import LiveServer, live_server, wait_until
from tests.runtime.people import Channel, Person, begin, connect, new_room

HERE, THERE = "192.0.2.1", "198.51.100.1"


def test_places_are_counted_by_kind_and_given_back() -> None:
    places = Places(8, 2)
    taken = [places.take(Kind.SPECTATOR, f"player {number}", HERE) for number in range(6)]
    for kind in (Kind.SPECTATOR, Kind.OWN):
        with pytest.raises(TooMany):
            places.take(kind, "another", HERE)
    seats = [places.take(Kind.SEAT, "mona", HERE) for _ in range(2)]
    with pytest.raises(TooMany):
        places.take(Kind.SEAT, "karim", HERE)
    places.give_back(seats.pop())
    places.take(Kind.SEAT, "karim", HERE)
    for place in taken:
        places.give_back(place)
    with pytest.raises(TooMany):
        [places.take(Kind.OWN, "mona", HERE) for _ in range(3)]
    places.close()
    with pytest.raises(TooMany):
        places.take(Kind.SEAT, "laila", HERE)


def test_a_place_that_was_refused_is_not_counted() -> None:
    places = Places(4, 1)
    first = places.take(Kind.OWN, "mona", HERE)
    for _ in range(10):
        with pytest.raises(TooMany):
            places.take(Kind.OWN, "mona", HERE)
    stranger = places.take(Kind.UNNAMED, None, HERE)
    with pytest.raises(TooMany):
        places.claim(stranger, Kind.OWN, "mona")
    places.give_back(stranger)
    places.give_back(first)
    stranger = places.take(Kind.UNNAMED, None, HERE)
    places.claim(stranger, Kind.OWN, "mona")
    with pytest.raises(TooMany):
        places.take(Kind.OWN, "mona", HERE)
    places.give_back(stranger)
    places.take(Kind.OWN, "mona", HERE)


@pytest.mark.parametrize("most", [1, 2, 3])
def test_few_places_are_not_all_kept(most: int) -> None:
    assert Places(most, 1).take(Kind.OWN, "mona", HERE)


def take(places: Places, kind: Kind, address: str = HERE, count: int = 1) -> list[Place]:
    """Take places for as many players, or for somebody who has no name yet."""
    numbers = range(count)
    return [places.take(kind, None if kind is Kind.UNNAMED else f"{kind} {address} {i}", address) for i in numbers]


def ended(places: list[Place]) -> list[bool]:
    return [place.is_ended for place in places]


def test_an_address_has_its_share_and_no_more() -> None:
    places = Places(8, None, 4)
    mine = take(places, Kind.OWN, count=2) + take(places, Kind.UNNAMED) + take(places, Kind.SEAT)
    for kind in (Kind.UNNAMED, Kind.SPECTATOR, Kind.OWN, Kind.SEAT):
        with pytest.raises(TooMany):
            take(places, kind)
    take(places, Kind.OWN, THERE)
    places.give_back(mine.pop())
    take(places, Kind.SEAT)


@pytest.mark.parametrize("lesser", [Kind.UNNAMED, Kind.SPECTATOR, Kind.OWN, Kind.SEAT])
def test_who_is_playing_always_gets_in(lesser: Kind) -> None:
    places = Places(4)
    players = take(places, Kind.PLAYING, count=2)
    others = take(places, lesser, count=1) + take(places, Kind.SEAT)
    (more,) = take(places, Kind.PLAYING, THERE)
    assert ended(players + others + [more]) == [False, False, True, False, False]
    # What has gone to somebody else is not given back a second time.
    places.give_back(others[0])
    with pytest.raises(TooMany):
        take(places, Kind.SEAT)


def test_of_what_matters_least_the_most_crowded_address_gives_first() -> None:
    places = Places(8)
    lonely = take(places, Kind.SPECTATOR, THERE)
    crowd = take(places, Kind.SPECTATOR, count=5)
    take(places, Kind.SEAT, count=2)
    take(places, Kind.PLAYING, THERE)
    assert ended(lonely + crowd) == [False, True, False, False, False, False]


def test_beyond_its_share_an_address_makes_room_for_its_own_players_itself() -> None:
    places = Places(8, None, 2)
    elsewhere = take(places, Kind.SPECTATOR, THERE)
    mine = take(places, Kind.OWN) + take(places, Kind.PLAYING)
    take(places, Kind.PLAYING)
    assert ended(elsewhere + mine) == [False, True, False]
    # Whoever plays gets in even there.
    take(places, Kind.PLAYING)


def test_players_beyond_an_addresss_share_give_way_to_players_from_elsewhere() -> None:
    places = Places(4, None, 2)
    crowd = take(places, Kind.PLAYING, count=4)
    take(places, Kind.PLAYING, THERE, count=2)
    assert ended(crowd) == [True, True, False, False]
    with pytest.raises(TooMany):
        take(places, Kind.PLAYING, "203.0.113.1")


def test_a_place_whose_channel_is_not_open_yet_ends_as_soon_as_it_is() -> None:
    places = Places(1)
    (first,) = take(places, Kind.SPECTATOR)
    take(places, Kind.PLAYING)
    calls: list[bool] = []
    first.ended_by(lambda: calls.append(True))
    assert calls == [True]
    with pytest.raises(TooMany):
        places.claim(first, Kind.OWN, "mona")


Opener = Callable[[], websocket.WebSocket]


@pytest.fixture(scope="module", params=["gevent", "gthread"])
def full(request: pytest.FixtureRequest) -> Iterator[LiveServer]:
    """A server with four places, all of which one address may have."""
    many = {"MAX_SOCKETS": "4", "MAX_SOCKETS_PER_ADDRESS": "4"}
    with live_server(WORKER_CLASS=request.param, TRUSTED_PROXIES="1", **many) as running:
        yield running


def fill(server: LiveServer, openers: list[Opener]) -> list[Channel]:
    channels = []
    for opener in openers:
        try:
            channels.append(Channel(opener()))
        except websocket.WebSocketBadStatusException as refused:
            assert refused.status_code == 503
    return channels


def test_a_player_gets_into_a_full_house(full: LiveServer) -> None:
    """Twelve guests at one address took every channel; whoever came back to a match stood outside."""
    mona, karim = Person(full, "Mona"), Person(full, "Karim")
    code, _ = begin(mona, karim)
    show = new_room(Person(full, "Host"), visibility="public")
    guests = [Person(full, f"Guest {number}") for number in range(12)]

    def opener(guest: Person) -> Opener:
        return lambda: guest.channel(show).connection

    taken = fill(full, [opener(guest) for guest in guests] + [lambda: connect(full, "/channel")])
    assert len(taken) == 3
    first, second = mona.channel(code), karim.channel(code)
    assert first.until_type("view")["view"]["you"]["seat"] == 0
    assert second.until_type("view")["view"]["you"]["seat"] == 1
    assert taken[0].close_code() == 1013
    assert taken[1].until_type("room")
    for channel in (*taken[1:], first, second):
        channel.close()

    def opens() -> bool:
        try:
            connect(full, "/channel").close()
        except websocket.WebSocketBadStatusException:
            return False
        return True

    wait_until(opens, "the places to be free")


def test_the_forwarded_address_has_the_share() -> None:
    shares = {"MAX_SOCKETS": "8", "MAX_SOCKETS_PER_ADDRESS": "2"}
    with live_server(TRUSTED_PROXIES="1", **shares) as server:
        by_address = {address: {"X-Forwarded-For": address} for address in (HERE, THERE)}
        for address, header in by_address.items():
            for _ in range(2):
                connect(server, "/channel", header=header)
            with pytest.raises(websocket.WebSocketBadStatusException) as refused:
                connect(server, "/channel", header=by_address[address])
            assert refused.value.status_code == 503
