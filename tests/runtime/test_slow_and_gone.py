"""What follows from being slow or gone: the table in docs/rules.md, one test a row, as people at the table hear it.

The service's clock stands still and is moved by the tests: no machine is too slow for them.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from app.jobs import Clock
from app.jobs.sweeps import ExpirySweep
from tests.live import ROOT, LiveServer, live_server, wait_until
from tests.runtime.conftest import Served
from tests.runtime.people import Channel, Person, new_room, play_on
from tests.runtime.tables import MovedClock

HOUR = timedelta(hours=1)


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
    clock.stop(wait=True)


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
def test_a_cut_is_not_made_in_10_s(sit_down: SitDown, seats: int) -> None:
    table = sit_down(seats, rules="traditional")
    cutter = table.due()
    assert seconds_left(table.view()) == 10
    cut, dealt = table.let_the_deadline_pass()
    assert (cut["type"], cut["seat"], cut["by"]) == ("cut", cutter, "clock")
    assert dealt["type"] == "dealt"
    assert table.view()["round"]["phase"] == "play"


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("how", ["a tab is closed", "a network is lost"])
def test_a_tab_is_closed_a_network_lost(sit_down: SitDown, seats: int, how: str) -> None:
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
    while (view := table.view())["result"] is None:
        table.time.to(moment(view["deadline"]) + timedelta(milliseconds=1))
        wait_until(lambda version=view["version"]: table.view()["version"] > version, "the clock to act")  # type: ignore[misc]
    result: dict[str, Any] = view["result"]
    return result


def test_the_server_restarts() -> None:
    stop_and_start(timedelta(0))


def test_the_server_is_down_for_an_hour() -> None:
    stop_and_start(HOUR)


class Interrupted:
    """A match, of two or of four, in whose middle the server stops."""

    def __init__(self, server: LiveServer, seats: int) -> None:
        self.people = [Person(server, f"Player {seat}") for seat in range(seats)]
        self.code = new_room(self.people[0], seats=seats, target=None, turn_seconds=600)
        for person in self.people[1:]:
            self.match_id: str = person.ask("POST", f"/rooms/{self.code}/joins")["match_id"]
        self.channels = [person.channel(self.code) for person in self.people]
        self.before = play_on(self.people, self.match_id, most=7)

    def check_that_all_are_told(self) -> None:
        for channel in self.channels:
            assert channel.close_code() == 1012

    def check_that_it_goes_on(self) -> None:
        """Everyone goes on from where he was."""
        views = [person.channel(self.code).until_type("view")["view"] for person in self.people]
        for seat, view in enumerate(views):
            for field in ("version", "turn", "to_act", "round", "scores", "last_play"):
                assert view[field] == self.before[field]
            assert view["you"]["seat"] == seat
            assert len(view["you"]["hand"]) == self.before["seats"][seat]["cards"]
        # A slow machine may have used up some of the thirty seconds by now.
        assert 0 < seconds_left(views[0]) <= 30
        assert play_on(self.people, self.match_id)["result"]["reason"] == "round"


def stop_and_start(down_for: timedelta) -> None:
    """Stop a server in the middle of two matches and start it again."""
    with live_server() as server:
        interrupted = [Interrupted(server, seats) for seats in (2, 4)]
        server.stop()
        for match in interrupted:
            match.check_that_all_are_told()
        let_have_been_down(server.database, down_for)
        server.start()
        for match in interrupted:
            match.check_that_it_goes_on()


def let_have_been_down(database: Path, length: timedelta) -> None:
    """Make a stopped service find that its matches' deadlines passed so long ago."""
    deadline = (datetime.now(UTC) - length).replace(tzinfo=None).isoformat(" ", "microseconds")
    with closing(sqlite3.connect(database)) as stored, stored:
        assert stored.execute("UPDATE matches SET deadline_at = ?", (deadline,)).rowcount == 2


@pytest.mark.parametrize("seats", [2, 4])
def test_nobody_uses_a_room(served: Served, moved_clock: MovedClock, seats: int) -> None:
    people = [Person(served, f"Player {seat}") for seat in range(seats)]
    waiting = new_room(people[0], seats=seats)
    finished = new_room(people[0], seats=seats)
    for person in people[1:]:
        match_id = person.ask("POST", f"/rooms/{finished}/joins")["match_id"]
    people[0].ask("POST", f"/matches/{match_id}/forfeits")

    def statuses(passed: timedelta) -> list[str]:
        moved_clock.forward(passed.total_seconds())
        ExpirySweep(served.app)()
        return [people[0].ask("GET", f"/rooms/{code}")["status"] for code in (waiting, finished)]

    second = timedelta(seconds=1)
    assert statuses(2 * HOUR - second) == ["waiting", "finished"]
    assert statuses(second) == ["closed", "finished"]
    assert statuses(22 * HOUR - second) == ["closed", "finished"]
    assert statuses(second) == ["closed", "closed"]
    assert people[0].view(match_id)["status"] == "finished"


def test_every_row_of_the_table_has_its_test() -> None:
    page = (ROOT / "docs" / "rules.md").read_text()
    table = page.split("## Slow and gone")[1].split("\n\n")[1]
    rows = [re.sub(r"\W+", "_", line.split("|")[1].strip()) for line in table.splitlines()[2:]]
    assert rows
    for row in rows:
        assert [name for name in globals() if name.startswith(f"test_{row}")], row
