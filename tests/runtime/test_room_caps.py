"""How many rooms one player may be host of, and how many of them the lobby shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from app.extensions import write_transaction
from app.services import room_caps
from app.services.rooms import waiting_rooms
from tests.app.people import Caller, guest, ok, refused
from tests.app.test_indexes import plans


@pytest.fixture
def app(make_app: Callable[..., Flask]) -> Flask:
    """An app with its limits on."""
    return make_app(RATE_LIMITS="on")


@pytest.fixture
def mona(app: Flask) -> Caller:
    return guest(app)


def rooms(host: Caller, number: int, **wish: Any) -> list[str]:
    return [ok(host.post("/rooms", wish), 201)["code"] for _ in range(number)]


def test_a_player_is_host_of_twenty_rooms(app: Flask, mona: Caller) -> None:
    codes = rooms(mona, 20)
    refused(mona.post("/rooms"), 409, "room.too_many")
    # By whichever token, and whether they sit there or not; a wish that cannot be is told first.
    program = Caller(app, ok(mona.post("/tokens", {"label": "bot", "scopes": ["play"]}), 201)["token"])
    refused(program.post("/rooms", {"join": False}), 409, "room.too_many")
    refused(mona.post("/rooms", {"target": 7}), 422, "request.invalid")
    assert mona.delete(f"/rooms/{codes[0]}").status_code == 204
    rooms(mona, 1)
    rooms(guest(app), 1)


def test_a_room_counts_while_it_plays_and_not_when_it_is_over(
    app: Flask, mona: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room_caps, "MOST", 2)
    karim = guest(app, "Karim")
    (code,) = rooms(mona, 1)
    match = ok(karim.post(f"/rooms/{code}/joins"), 201)["match_id"]
    rooms(mona, 1)
    refused(mona.post("/rooms"), 409, "room.too_many")
    ok(karim.post(f"/matches/{match}/forfeits"), 201)
    (other,) = rooms(mona, 1)
    # Another match there would be one more, whoever asks for it.
    for person in (mona, karim):
        refused(person.post(f"/rooms/{code}/rematches"), 409, "room.too_many")
    assert mona.delete(f"/rooms/{other}").status_code == 204
    for person in (mona, karim):
        ok(person.post(f"/rooms/{code}/rematches"), 201)


def test_three_of_them_are_public(mona: Caller) -> None:
    codes = rooms(mona, 3, visibility="public")
    assert "public" in refused(mona.post("/rooms", {"visibility": "public"}), 409, "room.too_many")["detail"]
    rooms(mona, 1)
    assert mona.delete(f"/rooms/{codes[1]}").status_code == 204
    rooms(mona, 1, visibility="public")


def test_a_quick_match_is_never_refused(app: Flask, mona: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room_caps, "MOST", 3)
    rooms(mona, 3, visibility="public")
    ok(mona.post("/seeks", {"target": 200}), 201)
    assert ok(guest(app).post("/seeks", {"target": 200}), 201)["room"] is not None
    refused(mona.post("/rooms"), 409, "room.too_many")


def test_the_lobby_shows_the_newest_two_of_one_host_on_every_page(app: Flask, mona: Caller) -> None:
    karim, samia = guest(app, "Karim"), guest(app, "Samia")
    first = rooms(karim, 1, visibility="public")
    hers = rooms(mona, 3, visibility="public")
    last = rooms(samia, 1, visibility="public")
    assert [room["code"] for room in ok(mona.get("/rooms"))["items"]] == [*last, hers[2], hers[1], *first]
    found, cursor = [], ""
    for _ in range(4):
        page = ok(mona.get(f"/rooms?limit=1{cursor}"))
        found += [room["code"] for room in page["items"]]
        cursor = f"&cursor={page['next']}"
    assert found == [*last, hers[2], hers[1], *first]
    assert page["next"] is None
    # The one that is not shown is there all the same, and is when there is a place.
    ok(karim.get(f"/rooms/{hers[0]}"))
    assert mona.delete(f"/rooms/{hers[2]}").status_code == 204
    assert [room["code"] for room in ok(mona.get("/rooms"))["items"]] == [*last, hers[1], hers[0], *first]


def test_without_limits_there_are_no_caps(make_app: Callable[..., Flask]) -> None:
    mona = guest(make_app())
    codes = rooms(mona, 4, visibility="public")
    rooms(mona, 17)
    assert [room["code"] for room in ok(mona.get("/rooms"))["items"]] == codes[::-1]


def test_a_hosts_rooms_are_found_by_an_index(app: Flask, mona: Caller) -> None:
    with plans(app) as found:
        with write_transaction() as session:
            room_caps.require_place(session, mona.id, "public")
        waiting_rooms(None, 50)
    used = "INDEX ix_rooms_host_id_status_visibility_created_at (host_id=? AND status=?"
    own, lobby = (" ".join(lines) for lines in found)
    assert used in own
    assert f"{used} AND visibility=? AND created_at>?)" in lobby
    assert "INDEX ix_rooms_visibility_status_created_at (visibility=? AND status=?)" in lobby
