"""Reports: what is kept of a complaint, and what a caller cannot find out by one."""

import json
from datetime import timedelta
from typing import Any

import pytest
from flask import Flask

from app.extensions import db, write_transaction
from app.models import Report
from app.services.times import utcnow
from tests.app.people import Caller, guest, ok, refused, sit_down


def kept(app: Flask, report_id: str) -> Report:
    with app.app_context():
        return db.session.get_one(Report, report_id)


def test_a_report_keeps_what_was_written_at_the_table(app: Flask) -> None:
    table = sit_down(app, chat=True)
    mona, adel = table.person(0), table.person(1)
    for number in range(102):
        ok(
            (mona, adel)[number % 2].post(f"/rooms/{table.code}/messages", {"text": f"rude {number}"}, checked=False),
            201,
        )
    body = {"player": adel.id, "room": table.code.lower(), "reason": "insult", "text": "He was\nrude."}
    made = ok(mona.post("/reports", body), 201)
    found = kept(app, made["id"])
    assert (found.reporter_id, found.reported_id, found.room_code) == (mona.id, adel.id, table.code)
    assert (found.reason, found.text) == ("insult", "He was\nrude.")
    assert [message["text"] for message in found.messages] == [f"rude {number}" for number in range(2, 102)]
    assert found.messages[0]["player"] == mona.id
    # The room's own messages go with it, the report's stay.
    ok(mona.post(f"{table.path}/forfeits"), 201)
    for person in (mona, adel):
        assert person.delete(f"/rooms/{table.code}/joins/me").status_code == 204
    assert len(kept(app, made["id"]).messages) == 100
    # Who has played there may still name it.
    assert kept(app, ok(mona.post("/reports", body), 201)["id"]).messages == []


def test_a_player_can_be_reported_without_a_room(app: Flask) -> None:
    mona, adel = guest(app, "Mona"), guest(app, "Adel")
    made = ok(mona.post("/reports", {"player": adel.id, "reason": "name"}), 201)
    found = kept(app, made["id"])
    assert (found.room_code, found.text, found.messages) == (None, "", [])


@pytest.mark.parametrize("code", ["AAAAAA", "nothing", "x" * 64, "\u0130\u0130\u0130"])
def test_nobody_learns_of_rooms_by_reporting(app: Flask, code: str) -> None:
    table, samia, adel = sit_down(app), guest(app, "Samia"), guest(app, "Adel")
    problems = [
        refused(samia.post("/reports", {"player": adel.id, "reason": "other", "room": room}), 422, "request.invalid")
        for room in (table.code, code)
    ]
    assert problems[0] == problems[1]
    assert problems[0]["errors"].keys() == {"room"}


def test_what_is_no_report(app: Flask) -> None:
    mona, adel = guest(app, "Mona"), guest(app, "Adel")
    good = {"player": adel.id, "reason": "other", "text": "x" * 500}
    ok(mona.post("/reports", good), 201)
    wrong: list[tuple[str, object]] = [
        ("player", "nobody-at-all"), ("player", "x"), ("player", mona.id), ("player", None), ("player", ""),
        ("reason", "boredom"), ("reason", None), ("text", "x" * 501), ("text", None), ("text", "a\0"), ("room", ""),
        ("room", 5), ("match", "x"),
    ]  # fmt: skip
    for field, value in wrong:
        problem = refused(mona.post("/reports", {**good, field: value}), 422, "request.invalid")
        assert problem["errors"].keys() == {field}, (field, value)
    refused(Caller(app).post("/reports", good), 401, "auth.required")


def test_who_runs_the_service_reads_the_reports_of_the_last_days(app: Flask) -> None:
    mona, adel = guest(app, "منى"), guest(app, "Adel")
    old = ok(mona.post("/reports", {"player": adel.id, "reason": "name", "text": "long ago"}), 201)
    with app.app_context(), write_transaction() as session:
        session.get_one(Report, old["id"]).created_at = utcnow() - timedelta(days=8)
    ok(mona.post("/reports", {"player": adel.id, "reason": "other", "text": "وحش"}), 201)
    assert [told["text"] for told in printed(app) if told["reporter"]["id"] == mona.id] == ["وحش"]
    told = printed(app, "--days", "30")
    assert [each["text"] for each in told if each["reporter"]["id"] == mona.id] == ["long ago", "وحش"]
    newest = told[-1]
    assert (newest["reporter"], newest["reported"]) == ({"id": mona.id, "name": "منى"}, {"id": adel.id, "name": "Adel"})
    assert (newest["reason"], newest["room"], newest["messages"]) == ("other", None, [])
    assert app.test_cli_runner().invoke(args=["reports", "--days", "0"]).exit_code == 2


def printed(app: Flask, *options: str) -> list[dict[str, Any]]:
    run = app.test_cli_runner().invoke(args=["reports", *options])
    assert run.exit_code == 0
    return [json.loads(line) for line in run.stdout.splitlines()]
