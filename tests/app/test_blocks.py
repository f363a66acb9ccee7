"""Blocks and mutes: who may not meet, who may not sit down, and what is listed."""

import pytest
from flask import Flask
from sqlalchemy import update

from app.extensions import write_transaction
from app.models import Player, Token
from app.services.news import News, SeekPaired
from tests.app.people import Caller, guest, ok, refused, sit_down


def block(who: Caller, whom: Caller, kind: str = "block") -> None:
    ok(who.send("PUT", f"/blocks/{whom.id}", {"kind": kind}))


def room_of(host: Caller, **wish: object) -> str:
    return f"/rooms/{ok(host.post('/rooms', wish), 201)['code']}"


def test_blocks_are_listed_newest_first_and_only_to_their_owner(app: Flask) -> None:
    mona, adel, samia = (guest(app, name) for name in ("Mona", "Adel", "Samia"))
    made = ok(mona.send("PUT", f"/blocks/{adel.id}", {"kind": "block"}))
    assert (made["player"], made["kind"]) == (adel.player, "block")
    block(mona, samia, "mute")
    items = ok(mona.get("/blocks"))["items"]
    assert [(item["player"]["name"], item["kind"]) for item in items] == [("Samia", "mute"), ("Adel", "block")]
    assert ok(adel.get("/blocks")) == {"items": [], "next": None}
    first = ok(mona.get("/blocks?limit=1"))
    second = ok(mona.get(f"/blocks?limit=1&cursor={first['next']}"))
    assert (first["items"] + second["items"], second["next"]) == (items, None)


def test_a_block_becomes_a_mute_and_ends(app: Flask) -> None:
    mona, adel = guest(app, "Mona"), guest(app, "Adel")
    block(mona, adel)
    block(mona, adel, "mute")
    assert [item["kind"] for item in ok(mona.get("/blocks"))["items"]] == ["mute"]
    assert mona.delete(f"/blocks/{adel.id}").status_code == 204
    refused(mona.delete(f"/blocks/{adel.id}"), 404, "not_found")
    assert ok(mona.get("/blocks"))["items"] == []


def test_what_cannot_be_blocked(app: Flask) -> None:
    mona, adel = guest(app, "Mona"), guest(app, "Adel")
    refused(mona.send("PUT", "/blocks/nobody-here", {"kind": "block"}), 404, "not_found")
    refused(mona.send("PUT", "/blocks/nobody-here", {"kind": "hate"}), 404, "not_found")
    assert (
        "player_id"
        in refused(mona.send("PUT", f"/blocks/{mona.id}", {"kind": "block"}), 422, "request.invalid")["errors"]
    )
    for body in ({"kind": "hate"}, {}, {"kind": None}, {"kind": "block", "for": 1}):
        refused(mona.send("PUT", f"/blocks/{adel.id}", body), 422, "request.invalid")
    refused(Caller(app).send("PUT", f"/blocks/{adel.id}", {"kind": "block"}), 401, "auth.required")
    assert ok(mona.get("/blocks"))["items"] == []


@pytest.mark.parametrize("who", ["host", "guest"])
def test_neither_sits_down_where_the_other_is_the_host(app: Flask, who: str) -> None:
    mona, adel, samia = (guest(app, name) for name in ("Mona", "Adel", "Samia"))
    block(*((mona, adel) if who == "host" else (adel, mona)))
    for path in (room_of(mona), room_of(mona, join=False), room_of(mona, seats=4)):
        problem = refused(adel.post(f"{path}/joins"), 403, "room.blocked")
        assert problem["detail"] == "This table is not open to you."
        ok(samia.post(f"{path}/joins"), 201)


def test_nor_where_the_other_sits_in_somebody_elses_room(app: Flask) -> None:
    mona, adel, samia = (guest(app, name) for name in ("Mona", "Adel", "Samia"))
    path = room_of(mona, seats=4)
    ok(samia.post(f"{path}/joins"), 201)
    block(samia, adel)
    refused(adel.post(f"{path}/joins"), 403, "room.blocked")
    assert samia.delete(f"{path}/joins/me").status_code == 204
    ok(adel.post(f"{path}/joins"), 201)
    refused(samia.post(f"{path}/joins"), 403, "room.blocked")


def test_that_is_told_before_what_is_wrong_with_the_join(app: Flask) -> None:
    mona, adel = guest(app, "Mona"), guest(app, "Adel")
    path = room_of(mona)
    block(mona, adel)
    for body in ({"seat": 1}, {"seat": 3}, {"chair": 1}):
        refused(adel.post(f"{path}/joins", body), 403, "room.blocked")
    assert mona.delete(path).status_code == 204
    refused(adel.post(f"{path}/joins"), 403, "room.blocked")


def test_a_mute_keeps_nobody_from_a_table(app: Flask) -> None:
    mona, adel = guest(app, "Mona"), guest(app, "Adel")
    block(mona, adel, "mute")
    ok(adel.post(f"{room_of(mona)}/joins"), 201)


def test_who_sits_already_keeps_his_seat_and_the_match_goes_on(app: Flask) -> None:
    mona, adel = guest(app, "Mona"), guest(app, "Adel")
    path = room_of(mona, seats=4)
    ok(adel.post(f"{path}/joins"), 201)
    block(mona, adel)
    ok(adel.post(f"{path}/joins", {"seat": 2}), 200)
    ok(mona.post(f"{path}/bots", {"seat": 1}), 201)
    assert ok(mona.post(f"{path}/bots", {"seat": 3}), 201)["status"] == "playing"


def seek(who: Caller, target: int, seats: int = 2) -> str | None:
    """Look for a match of a target that no other test looks for; the room that was found."""
    made = who.post("/seeks", {"target": target, "seats": seats})
    assert made.status_code in (200, 201)
    return made.json["room"]  # type: ignore[index,no-any-return]


def test_seeks_do_not_pair_those_who_are_apart(app: Flask) -> None:
    mona, adel, samia = (guest(app, name) for name in ("Mona", "Adel", "Samia"))
    block(mona, adel)
    assert [seek(mona, 201), seek(adel, 201)] == [None, None]
    code = seek(samia, 201)  # whoever came first of those who can
    seated = [place["player"]["name"] for place in ok(mona.get(f"/rooms/{code}"))["seating"]]
    assert seated == ["Mona", "Samia"]


def test_four_are_found_among_those_who_get_along(app: Flask) -> None:
    people = {name: guest(app, name) for name in ("Mona", "Adel", "Samia", "Fouad", "Hoda")}
    block(people["Samia"], people["Mona"])
    for name in ("Mona", "Adel", "Samia", "Fouad"):
        assert seek(people[name], 202, seats=4) is None
    code = seek(people["Hoda"], 202, seats=4)
    seated = [place["player"]["name"] for place in ok(people["Mona"].get(f"/rooms/{code}"))["seating"]]
    assert seated == ["Mona", "Adel", "Fouad", "Hoda"]


def test_the_end_of_a_block_pairs_those_who_wait(app: Flask, heard: list[News]) -> None:
    mona, adel = guest(app, "Mona"), guest(app, "Adel")
    block(adel, mona)
    assert [seek(mona, 203), seek(adel, 203)] == [None, None]
    assert adel.delete(f"/blocks/{mona.id}").status_code == 204
    assert {item.player_id for item in heard if isinstance(item, SeekPaired)} == {mona.id, adel.id}
    assert seek(mona, 203) is not None


def test_programs_are_paired_with_programs_only(app: Flask) -> None:
    mona, adel, bot, other = (guest(app, name) for name in ("Mona", "Adel", "Bot", "Other"))
    with app.app_context(), write_transaction() as session:
        for program in (bot, other):
            session.get_one(Player, program.id).bot = True
    found = [seek(who, 204) for who in (bot, mona, adel, other)]
    assert found[:2] == [None, None]
    assert None not in found[2:]
    assert found[2] != found[3]


def test_only_a_token_for_the_account_reads_and_writes_blocks(app: Flask) -> None:
    mona, adel = guest(app, "Mona"), guest(app, "Adel")
    with app.app_context(), write_transaction() as session:
        session.execute(update(Token).where(Token.player_id == mona.id).values(scopes="read play"))
    refused(mona.get("/blocks"), 403, "auth.scope_missing")
    refused(mona.send("PUT", f"/blocks/{adel.id}", {"kind": "block"}), 403, "auth.scope_missing")
    refused(mona.delete(f"/blocks/{adel.id}"), 403, "auth.scope_missing")


def test_a_host_does_not_sit_down_where_somebody_sits_who_is_apart_from_him(app: Flask) -> None:
    mona, adel, samia = (guest(app, name) for name in ("Mona", "Adel", "Samia"))
    path = room_of(mona, seats=4, join=False)
    ok(adel.post(f"{path}/joins"), 201)
    ok(samia.post(f"{path}/joins"), 201)
    block(adel, mona)
    refused(mona.post(f"{path}/joins"), 403, "room.blocked")
    assert mona.delete(f"{path}/joins/0").status_code == 204
    ok(mona.post(f"{path}/joins"), 201)


def test_a_block_that_becomes_a_mute_pairs_those_who_wait(app: Flask) -> None:
    mona, adel = guest(app, "Mona"), guest(app, "Adel")
    block(mona, adel)
    assert [seek(mona, 206), seek(adel, 206)] == [None, None]
    block(mona, adel, "mute")
    assert seek(mona, 206) is not None


@pytest.mark.parametrize("player_id", ["x", "nobody-of-this-id", "%00", "nobody%00here", "%F0%9F%83%8F", "a" * 200])
def test_a_block_of_nobody_is_not_found(app: Flask, player_id: str) -> None:
    mona = guest(app)
    refused(mona.delete(f"/blocks/{player_id}"), 404, "not_found")
    refused(mona.send("PUT", f"/blocks/{player_id}", {"kind": "block"}), 404, "not_found")


def test_a_player_who_is_gone_cannot_be_blocked_however_wrong_the_body_is(app: Flask) -> None:
    mona, adel = guest(app, "Mona"), guest(app, "Adel")
    assert adel.delete("/players/me").status_code == 204
    for body in ({"kind": "block"}, {"kind": "hate"}):
        refused(mona.send("PUT", f"/blocks/{adel.id}", body), 404, "not_found")


def test_those_who_are_apart_begin_no_other_match_even_if_one_had_asked(app: Flask) -> None:
    table = sit_down(app)
    mona, adel = table.people
    ok(mona.post(f"{table.path}/forfeits"), 201)
    again = f"/rooms/{table.code}/rematches"
    ok(mona.post(again), 201)
    block(mona, adel)
    for body in ({}, {"colour": 1}):
        refused(adel.post(again, body), 403, "room.blocked")
    refused(mona.post(again), 403, "room.blocked")
    # Whoever does not want to wait for the other's change of mind says so.
    assert adel.delete(f"{again}/me").status_code == 204
    assert ok(adel.get(f"/rooms/{table.code}"))["rematch"] == []
    assert mona.delete(f"/blocks/{adel.id}").status_code == 204
    ok(adel.post(again), 201)
    assert ok(mona.post(again), 201)["status"] == "playing"
    # What has begun goes on, also for one whose ask is sent once more.
    block(adel, mona)
    assert ok(mona.post(again))["status"] == "playing"
