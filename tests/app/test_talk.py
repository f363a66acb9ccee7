"""Phrases and messages: who may say what at a table, who hears it, and when it is gone."""

from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy import func, select

from app.extensions import db
from app.models import Message
from app.services import messages, rooms
from app.services.news import MessageWritten, News, PhraseSaid
from app.services.times import utcnow
from tests.app.people import Caller, Table, guest, ok, refused, sit_down


def words(table: Table, seat: int = 0) -> list[str]:
    """What is written at the table as a seat reads it, the newest first."""
    return [item["text"] for item in ok(table.person(seat).get(f"/rooms/{table.code}/messages"))["items"]]


def write(table: Table, seat: int, text: str) -> dict:
    return ok(table.person(seat).post(f"/rooms/{table.code}/messages", {"text": text}), 201)  # type: ignore[no-any-return]


def kept(app: Flask, code: str) -> int:
    with app.app_context():
        return db.session.scalar(select(func.count()).where(Message.room_code == code)) or 0


def test_the_phrases_are_listed_to_anyone(app: Flask) -> None:
    items = ok(Caller(app).get("/phrases"))["items"]
    assert {item["id"] for item in items} >= {"yalla", "well_played", "ya_mallem", "what_a_basra", "tea"}
    kinds = [item["kind"] for item in items]
    assert (kinds.count("phrase"), kinds.count("emote")) == (11, 6)
    assert all((item["symbol"] is None) == (item["kind"] == "phrase") for item in items)
    first = ok(Caller(app).get("/phrases?limit=10"))
    assert ok(Caller(app).get(f"/phrases?cursor={first['next']}"))["items"] == items[10:]
    refused(Caller(app).get("/phrases?cursor=x"), 422, "request.invalid")


def test_a_phrase_is_told_and_not_kept(app: Flask, heard: list[News]) -> None:
    table = sit_down(app)
    assert ok(table.person(1).post(f"/rooms/{table.code.lower()}/phrases", {"phrase": "yalla"}), 201) == {}
    said = heard[-1]
    assert isinstance(said, PhraseSaid)
    assert (said.code, said.seat, said.phrase, said.deaf) == (table.code, 1, "yalla", frozenset())


def test_phrases_are_said_before_and_after_the_match_but_not_in_a_closed_room(app: Flask) -> None:
    mona = guest(app)
    path = f"/rooms/{ok(mona.post('/rooms'), 201)['code']}"
    ok(mona.post(f"{path}/phrases", {"phrase": "hello"}), 201)
    assert mona.delete(path).status_code == 204
    refused(mona.post(f"{path}/phrases", {"phrase": "hello"}), 409, "room.closed")
    table = sit_down(app)
    ok(table.person(0).post(f"{table.path}/forfeits"), 201)
    ok(table.person(0).post(f"/rooms/{table.code}/phrases", {"phrase": "well_played"}), 201)


def test_only_who_sits_there_says_something(app: Flask) -> None:
    table, samia = sit_down(app, spectators=True, chat=True), guest(app, "Samia")
    for what, body in (("phrases", {"phrase": "tea"}), ("messages", {"text": "hi"}), ("phrases", {"x": 1})):
        refused(samia.post(f"/rooms/{table.code}/{what}", body), 403, "auth.forbidden")
        refused(Caller(app).post(f"/rooms/{table.code}/{what}", body), 401, "auth.required")
        refused(samia.post(f"/rooms/AAAAAA/{what}", body), 404, "not_found")
    refused(samia.get(f"/rooms/{table.code}/messages"), 403, "auth.forbidden")


@pytest.mark.parametrize("phrase", ["", "Yalla", "nothing", None, 1, ["yalla"], "yalla\0", "a" * 65])
def test_only_what_is_on_the_list_can_be_said(app: Flask, phrase: object) -> None:
    table = sit_down(app)
    problem = refused(table.person(0).post(f"/rooms/{table.code}/phrases", {"phrase": phrase}), 422, "request.invalid")
    assert problem["errors"].keys() == {"phrase"}


def test_a_chat_is_only_where_the_host_made_the_room_with_one(app: Flask) -> None:
    table = sit_down(app)
    assert ok(table.person(0).get(f"/rooms/{table.code}"))["chat"] is False
    for seat in (0, 1):
        refused(table.person(seat).get(f"/rooms/{table.code}/messages"), 403, "chat.off")
        refused(table.person(seat).post(f"/rooms/{table.code}/messages", {"text": "hi"}), 403, "chat.off")
        refused(table.person(seat).post(f"/rooms/{table.code}/messages", {"text": ""}), 403, "chat.off")
    assert ok(guest(app).post("/rooms", {"chat": True}), 201)["chat"] is True


def test_strangers_have_no_chat(app: Flask) -> None:
    problem = refused(guest(app).post("/rooms", {"chat": True, "visibility": "public"}), 422, "request.invalid")
    assert problem["errors"].keys() == {"chat"}
    assert ok(guest(app).post("/rooms", {"chat": False, "visibility": "public"}), 201)["chat"] is False


def test_a_message_is_told_to_the_table_and_listed_newest_first(app: Flask, heard: list[News]) -> None:
    table = sit_down(app, chat=True)
    first = write(table, 0, "Ahlan")
    assert (first["seat"], first["player"], first["text"]) == (0, table.person(0).player, "Ahlan")
    second = write(table, 1, "أهلًا بيك <b>يا</b> منى")
    told = [item for item in heard if isinstance(item, MessageWritten)]
    assert [item.message for item in told] == [first, second]
    assert told[0].readers == {table.person(0).id, table.person(1).id}
    page = ok(table.person(1).get(f"/rooms/{table.code}/messages?limit=1"))
    rest = ok(table.person(1).get(f"/rooms/{table.code}/messages?limit=1&cursor={page['next']}"))
    assert (page["items"] + rest["items"], rest["next"]) == ([second, first], None)
    refused(table.person(1).get(f"/rooms/{table.code}/messages?cursor=e30"), 422, "request.invalid")


@pytest.mark.parametrize(
    "text",
    ["", " ", "\u3164", "a\nb", "a\tb", "a\u202eb", "a\u2066b", "a\0b", "a\u2028b", "\ud800", "x" * 201, None, 7],
)
def test_what_is_no_message(app: Flask, text: object) -> None:
    table = sit_down(app, chat=True)
    body = {"text": text}
    problem = refused(table.person(0).post(f"/rooms/{table.code}/messages", body), 422, "request.invalid")
    assert problem["errors"].keys() == {"text"}
    assert words(table) == []


def test_texts_are_stored_composed_and_as_long_as_may_be(app: Flask) -> None:
    table = sit_down(app, chat=True)
    assert write(table, 0, "e\u0301" * 200)["text"] == "é" * 200
    assert write(table, 0, "👩‍👩‍👧 ☕")["text"] == "👩‍👩‍👧 ☕"


def test_of_a_long_talk_the_last_part_is_kept(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "KEPT_MESSAGES", 3)
    table, other = sit_down(app, chat=True), sit_down(app, chat=True)
    write(other, 0, "elsewhere")
    for number in range(5):
        write(table, number % 2, str(number))
    assert words(table) == ["4", "3", "2"]
    assert words(other) == ["elsewhere"]


def test_who_left_the_table_reads_and_writes_no_more(app: Flask) -> None:
    mona, adel = guest(app, "Mona"), guest(app, "Adel")
    path = f"/rooms/{ok(mona.post('/rooms', {'seats': 4, 'chat': True}), 201)['code']}"
    ok(adel.post(f"{path}/joins"), 201)
    ok(adel.post(f"{path}/messages", {"text": "sorry, must go"}), 201)
    assert adel.delete(f"{path}/joins/me").status_code == 204
    refused(adel.get(f"{path}/messages"), 403, "auth.forbidden")
    refused(adel.post(f"{path}/messages", {"text": "hm"}), 403, "auth.forbidden")
    assert [(item["seat"], item["player"]["name"]) for item in ok(mona.get(f"{path}/messages"))["items"]] == [
        (None, "Adel")
    ]


@pytest.mark.parametrize("kind", ["block", "mute"])
@pytest.mark.parametrize("blocker", [0, 1])
def test_blocked_and_muted_people_are_not_heard(app: Flask, heard: list[News], kind: str, blocker: int) -> None:
    table = sit_down(app, chat=True)
    other = 1 - blocker
    ok(table.person(blocker).send("PUT", f"/blocks/{table.person(other).id}", {"kind": kind}))
    for seat in (0, 1):
        write(table, seat, f"from {seat}")
        ok(table.person(seat).post(f"/rooms/{table.code}/phrases", {"phrase": "tea"}), 201)
    hears = {seat: {seat} for seat in (0, 1)}
    if kind == "mute":
        hears[other].add(blocker)  # who mutes is still heard
    for seat in (0, 1):
        assert {int(text[-1]) for text in words(table, seat)} == hears[seat]
    for item in heard:
        if isinstance(item, MessageWritten):
            writer = item.message["seat"]
            assert item.readers == {table.person(seat).id for seat in (0, 1) if writer in hears[seat]}
        if isinstance(item, PhraseSaid):
            assert item.deaf == {table.person(seat).id for seat in (0, 1) if item.seat not in hears[seat]}


def test_messages_go_when_the_host_closes_the_room(app: Flask) -> None:
    mona = guest(app)
    code = ok(mona.post("/rooms", {"chat": True}), 201)["code"]
    ok(mona.post(f"/rooms/{code}/messages", {"text": "anybody?"}), 201)
    assert mona.delete(f"/rooms/{code}").status_code == 204
    assert kept(app, code) == 0
    refused(mona.post(f"/rooms/{code}/messages", {"text": "anybody?"}), 409, "room.closed")
    assert ok(mona.get(f"/rooms/{code}/messages"))["items"] == []


def test_messages_go_when_the_last_one_leaves(app: Flask) -> None:
    table = sit_down(app, chat=True)
    write(table, 0, "well")
    ok(table.person(0).post(f"{table.path}/forfeits"), 201)
    write(table, 1, "played")
    for seat in (0, 1):
        assert kept(app, table.code) == 2
        assert table.person(seat).delete(f"/rooms/{table.code}/joins/me").status_code == 204
    assert kept(app, table.code) == 0


def test_messages_go_when_the_host_is_put_out_of_his_own_room(app: Flask) -> None:
    mona = guest(app)
    code = ok(mona.post("/rooms", {"chat": True}), 201)["code"]
    ok(mona.post(f"/rooms/{code}/messages", {"text": "anybody?"}), 201)
    assert mona.delete(f"/rooms/{code}/joins/0").status_code == 204
    assert kept(app, code) == 0


@pytest.mark.parametrize("finished", [False, True])
def test_messages_go_when_a_room_expires(app: Flask, finished: bool) -> None:
    table = sit_down(app, people=2, chat=True) if finished else None
    mona = table.person(0) if table else guest(app)
    code = table.code if table else ok(mona.post("/rooms", {"chat": True}), 201)["code"]
    ok(mona.post(f"/rooms/{code}/messages", {"text": "anybody?"}), 201)
    if table:
        ok(mona.post(f"{table.path}/forfeits"), 201)
    with app.app_context():
        rooms.expire(utcnow() + timedelta(hours=1), lambda code: False)
        assert kept(app, code) == 1
        rooms.expire(utcnow() + timedelta(hours=25), lambda code: False)
    assert ok(mona.get(f"/rooms/{code}"))["status"] == "closed"
    assert kept(app, code) == 0


def test_who_talks_uses_the_room(app: Flask) -> None:
    mona = guest(app)
    code = ok(mona.post("/rooms", {"chat": True}), 201)["code"]
    with app.app_context():
        before = db.session.get_one(rooms.Room, code).active_at
        db.session.remove()
        ok(mona.post(f"/rooms/{code}/messages", {"text": "still here"}), 201)
        assert db.session.get_one(rooms.Room, code).active_at > before
