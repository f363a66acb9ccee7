"""Asking again costs next to nothing: what has not changed is answered by 304, and whatever has changed is not."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from sqlalchemy import update

from app.extensions import db
from app.models import MatchRow
from app.services import history, rooms
from tests.app.people import Caller, Table, guest, ok, refused, sit_down


def again(caller: Caller, path: str, tag: str) -> Any:
    return caller.get(path, headers={"If-None-Match": tag})


@pytest.mark.parametrize(
    "path", ["/rules", "/rooms", "/phrases", "/players/me", "/matches", "/rooms/{code}", "/matches/{id}",
             "/matches/{id}/events", "/matches/{id}/transcript"],
)  # fmt: skip
def test_what_has_not_changed_is_not_sent_again(app: Flask, path: str) -> None:
    table = sit_down(app)
    mona = table.person(0)
    ok(mona.post(f"{table.path}/forfeits", {}), 201)
    path = path.format(code=table.code, id=table.match_id)
    first = mona.get(path)
    tag = first.headers["ETag"]
    assert first.status_code == 200 and tag.startswith('W/"')
    same = again(mona, path, f'"other", {tag}')
    assert (same.status_code, same.data) == (304, b"")
    assert same.headers["ETag"] == tag
    assert again(mona, path, '"other"').status_code == 200


def test_a_match_is_sent_again_when_anything_in_it_has_changed(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    table = sit_down(app)
    mona = table.person(0)

    def moved(tag: str) -> str:
        answer = again(mona, table.path, tag)
        assert answer.status_code == 200
        assert again(mona, table.path, answer.headers["ETag"]).status_code == 304
        return str(answer.headers["ETag"])

    tag = moved('"none"')
    table.play()
    tag = moved(tag)
    with app.app_context():
        db.session.execute(update(MatchRow).where(MatchRow.id == table.match_id).values(deadline_at=None))
        db.session.commit()
    tag = moved(tag)
    monkeypatch.setattr("app.services.match_views.connected", lambda code, seat: seat == 1)
    moved(tag)


def test_the_mark_of_one_seat_is_not_that_of_another(app: Flask) -> None:
    table = sit_down(app)
    tag = table.person(0).get(table.path).headers["ETag"]
    assert again(table.person(1), table.path, tag).status_code == 200


def test_a_mark_opens_nothing(app: Flask) -> None:
    table = sit_down(app)
    tag = table.person(0).get(table.path).headers["ETag"]
    refused(again(guest(app), table.path, tag), 404, "not_found")
    refused(again(Caller(app), table.path, tag), 401, "auth.required")
    refused(again(guest(app), "/matches/none", tag), 404, "not_found")
    refused(again(guest(app), "/matches/AAAAAAAAAAAAAAAAAAAAAA", "*"), 404, "not_found")


def test_asking_again_reads_no_state_of_the_match(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    table: Table = sit_down(app)
    tag = table.person(0).get(table.path).headers["ETag"]
    monkeypatch.setattr(history, "visible", lambda *_: pytest.fail("the match was read"))
    assert again(table.person(0), table.path, tag).status_code == 304


def test_a_command_is_never_conditional(app: Flask) -> None:
    mona = guest(app)
    made = mona.post("/rooms", {}, headers={"If-None-Match": "*"})
    assert made.status_code == 201 and "ETag" not in made.headers
    with app.app_context():
        assert rooms.room_json(made.json["code"])["status"] == "waiting"


@pytest.mark.parametrize(
    ("path", "kept"),
    [
        ("/rooms/{code}", "private, no-cache"),
        ("/matches/{id}/events", "private, no-cache"),
        ("/players/me", "private, no-cache"),
        # Its `now` is another one each time, and a browser that asks again by itself would show the old one.
        ("/matches/{id}", "no-store"),
        ("/openapi.json", "public, no-cache"),
    ],
)
def test_who_may_keep_an_answer_is_said_with_it_and_with_its_304(app: Flask, path: str, kept: str) -> None:
    table = sit_down(app)
    path = path.format(code=table.code, id=table.match_id)
    first = table.person(0).get(path, checked=False)
    same = table.person(0).get(path, checked=False, headers={"If-None-Match": first.headers["ETag"]})
    assert (first.status_code, same.status_code) == (200, 304)
    for answer in (first, same):
        assert answer.headers["Cache-Control"] == kept
        varies = set(answer.headers.get("Vary", "").split(", "))
        assert {"Authorization", "Cookie"} <= varies or kept.startswith("public")


def test_refusals_are_kept_by_nobody(app: Flask) -> None:
    answer = guest(app).get("/rooms/AAAAAA")
    assert (answer.status_code, answer.headers["Cache-Control"]) == (404, "no-store")
    assert "ETag" not in answer.headers
