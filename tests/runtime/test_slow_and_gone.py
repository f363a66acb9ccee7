"""What follows from being slow or gone: the table in docs/rules.md, one test a row, as people at the table hear it.

The service's clock stands still and is moved by the tests: no machine is too slow for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from flask import Flask

from app.jobs import Clock
from tests.runtime.conftest import Served
from tests.runtime.people import Channel, Person, new_room
from tests.runtime.tables import MovedClock


class Company:
    """People at one table of a service whose clock runs, but only as far as the test moves it."""

    def __init__(self, served: Served, time: MovedClock, seats: int, **wish: Any) -> None:
        self.time = time
        self.people = [Person(served, f"Player {seat}") for seat in range(seats)]
        self.code = new_room(self.people[0], seats=seats, **wish)
        for person in self.people[1:]:
            joined = person.ask("POST", f"/rooms/{self.code}/joins")
        self.match_id: str = joined["match_id"]
        self.channels = [person.channel(self.code) for person in self.people]
        for channel in self.channels:
            channel.until_type("view")

    def view(self, seat: int = 0) -> dict[str, Any]:
        return self.people[seat].view(self.match_id)

    def due(self) -> int:
        """The seat that is to act."""
        seat: int = self.view()["to_act"]
        return seat

    def play(self) -> None:
        """Have whoever is due play, all the same to the clock."""
        self.people[self.due()].play(self.match_id)

    def play_up_to(self, seat: int) -> None:
        """Have the others play until it is the turn of a seat."""
        while self.due() != seat:
            self.play()

    def let_the_deadline_pass(self) -> list[dict[str, Any]]:
        """Let nobody act until the deadline has passed; returns the events that everyone hears of it."""
        view = self.view()
        self.time.to(moment(view["deadline"]) + timedelta(milliseconds=1))
        heard = [self._hear(channel, view["version"]) for channel in self.channels]
        assert all(types(events) == types(heard[0]) for events in heard)
        return heard[0]

    def _hear(self, channel: Channel, version: int) -> list[dict[str, Any]]:
        message = channel.until(lambda m: m["type"] == "events" and m["events"][0]["version"] > version)[-1]
        events: list[dict[str, Any]] = message["events"]
        return events


def types(events: list[dict[str, Any]]) -> list[str]:
    return [event["type"] for event in events]


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def seconds_left(view: dict[str, Any]) -> float:
    return (moment(view["deadline"]) - moment(view["now"])).total_seconds()


@pytest.fixture
def served(app: Flask, serve: Callable[[Flask], Served], moved_clock: MovedClock) -> Iterator[Served]:
    moved_clock.stop()
    served = serve(app)
    clock = Clock(app)
    clock.start()
    yield served
    clock.stop()


@pytest.fixture
def sit_down(served: Served, moved_clock: MovedClock) -> Callable[..., Company]:
    def sit(seats: int, **wish: Any) -> Company:
        return Company(served, moved_clock, seats, **wish)

    return sit


SitDown = Callable[..., Company]


def test_a_turn_is_not_played_by_its_deadline_with_two_seats(sit_down: SitDown) -> None:
    table = sit_down(2)
    late = table.due()
    events = table.let_the_deadline_pass()
    assert types(events) == ["match_finished"]
    result = events[0]["result"]
    assert (result["reason"], result["seat"], result["winner"]) == ("timeout", late, 1 - late)


def test_a_turn_is_not_played_by_its_deadline_with_four_seats(sit_down: SitDown) -> None:
    table = sit_down(4)
    late = table.due()
    (played,) = table.let_the_deadline_pass()
    assert (played["type"], played["seat"], played["by"]) == ("played", late, "clock")
    assert table.view()["status"] == "playing"
    table.play()


@pytest.mark.parametrize("how", ["plays", "comes back"])
def test_two_such_turns_in_a_row_with_four_seats(sit_down: SitDown, how: str) -> None:
    table = sit_down(4)
    absent = table.due()
    for _ in range(2):
        table.play_up_to(absent)
        assert seconds_left(table.view()) > 100
        table.let_the_deadline_pass()
    table.play_up_to(absent)
    assert seconds_left(table.view()) == 10
    if how == "plays":
        table.play()
        table.play_up_to(absent)
        assert seconds_left(table.view()) > 100
    else:
        table.channels[absent].close()
        table.people[absent].channel(table.code)
        table.channels[absent - 1].until(lambda message: message["type"] == "view")
        assert seconds_left(table.view()) > 100


@pytest.mark.parametrize("seats", [2, 4])
def test_a_cut_is_not_made_in_ten_seconds(sit_down: SitDown, seats: int) -> None:
    table = sit_down(seats, rules="traditional")
    cutter = table.due()
    assert seconds_left(table.view()) == 10
    cut, dealt = table.let_the_deadline_pass()
    assert (cut["type"], cut["seat"], cut["by"]) == ("cut", cutter, "clock")
    assert dealt["type"] == "dealt"
    assert table.view()["round"]["phase"] == "play"


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("how", ["a tab is closed", "a network is lost"])
def test_a_tab_is_closed_or_a_network_lost(sit_down: SitDown, seats: int, how: str) -> None:
    table = sit_down(seats)
    gone = table.due()
    before = table.view(gone)
    if how == "a tab is closed":
        table.channels[gone].close()
    else:
        table.channels[gone].connection.sock.close()
    other = table.channels[gone - 1]
    told = other.until(lambda m: m["type"] == "presence" and not m["connected"])[-1]
    assert told == {"type": "presence", "seat": gone, "connected": False}
    table.time.forward(seconds_left(before) - 1)
    after = table.people[gone].channel(table.code).until_type("view")["view"]
    for field in ("version", "to_act", "deadline", "scores", "round", "turn"):
        assert after[field] == before[field]
    assert after["you"] == before["you"]
    assert other.until_type("presence") == {"type": "presence", "seat": gone, "connected": True}
    table.play()


@pytest.mark.parametrize("seats", [2, 4])
def test_a_player_leaves_for_good(sit_down: SitDown, seats: int) -> None:
    table = sit_down(seats)
    table.people[1].ask("POST", f"/matches/{table.match_id}/forfeits")
    for channel in table.channels:
        result = channel.until_type("events")["view"]["result"]
        assert (result["reason"], result["seat"], result["winner"]) == ("forfeit", 1, 0)
        assert channel.until_type("room")["room"]["status"] == "finished"


def test_the_host_goes_before_the_start(served: Served) -> None:
    host, second, third = (Person(served, name) for name in ("Mona", "Karim", "Laila"))
    code = new_room(host, seats=4)
    for seat, person in ((2, second), (3, third)):
        person.ask("POST", f"/rooms/{code}/joins", {"seat": seat})
    channel = third.channel(code)
    channel.until_type("room")
    for gone, heir in ((host, second), (second, third)):
        gone.ask("DELETE", f"/rooms/{code}/joins/me")
        room = channel.until_type("room")["room"]
        assert (room["host"], room["status"]) == (heir.id, "waiting")
    third.ask("DELETE", f"/rooms/{code}/joins/me")
    assert channel.until_type("room")["room"]["status"] == "closed"


def test_everyone_is_gone_with_two_seats(sit_down: SitDown) -> None:
    table = sit_down(2)
    late = table.due()
    leave_all(table)
    result = let_it_end(table)
    assert (result["reason"], result["seat"], result["winner"]) == ("timeout", late, 1 - late)


def test_everyone_is_gone_with_four_seats(sit_down: SitDown) -> None:
    table = sit_down(4)
    leave_all(table)
    result = let_it_end(table)
    assert (result["reason"], result["winner"]) == ("abandoned", None)
    (events,) = (table.people[0].ask("GET", f"/matches/{table.match_id}/events")["items"],)
    assert [event["by"] for event in events if event["type"] == "played"] == ["clock"] * 16


def leave_all(table: Company) -> None:
    """Everyone closes the page; one looks on by the API alone, which is no channel and no play."""
    for channel in table.channels:
        channel.close()
    table.channels.clear()


def let_it_end(table: Company) -> dict[str, Any]:
    """Let one deadline after the other pass; returns the result."""
    from tests.live import wait_until

    while (view := table.view())["result"] is None:
        table.time.to(moment(view["deadline"]) + timedelta(milliseconds=1))
        wait_until(lambda version=view["version"]: table.view()["version"] > version, "the clock to act")  # type: ignore[misc]
    result: dict[str, Any] = view["result"]
    return result
