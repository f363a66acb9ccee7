"""People and the table they meet at: who they are, how the room is made, how the others come."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from e2e.person import Person

# By seat, in the language that they speak.
NAMES = {"en": ("Mona", "Karim", "Leila", "Tarek"), "ar": ("منى", "كريم", "ليلى", "طارق")}


def make_room_by_hand(host: Person) -> str:
    """Make a room as anybody does, by one button; give its link."""
    host.home.open()
    host.home.play_with_a_friend(host.name)
    return host.room.link_to_share()


def make_room(host: Person, **room: Any) -> str:
    """Make a room with settings, by the API and with the host's own session, and open it; give its link."""
    host.home.open()
    host.post("/players", {"name": host.name, "session": True})
    link = f"/r/{host.post('/rooms', room)['code']}"
    host.room.open(link)
    host.room.code.wait_for()
    return link


def gather_registered(people: Sequence[Person]) -> None:
    """Bring people to one table who have accounts: what they play is rated."""
    for each in people:
        each.register()
    host, *guests = people
    code = host.post("/rooms", {})["code"]
    for guest in guests:
        guest.post(f"/rooms/{code}/joins", {})
    for each in people:
        each.room.open(f"/r/{code}")
        each.table.wait_ready()


def gather(people: Sequence[Person], link: str, *, bots: Sequence[int] = ()) -> None:
    """Bring the guests of the first of them to his room by its link, seat by seat, until everybody is at the table."""
    host, *guests = people
    for guest in guests:
        guest.room.open(link)
        guest.room.join(guest.name, host.name)
        guest.here.wait_for()
    for seat in bots:
        host.room.add_bot(seat)
    for each in people:
        each.table.wait_ready()
