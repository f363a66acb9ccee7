"""Refusals and failures that do not come from a use case."""

import json
import threading

import pytest
from flask import Flask
from sqlalchemy.exc import OperationalError
from werkzeug.exceptions import HTTPException, ServiceUnavailable, TooManyRequests

from app.extensions import DatabaseBusy
from app.problems import KINDS, http_refused, problem
from app.services import rooms
from tests.app.people import Caller, guest, refused

# The contract's table.
STATUS = {
    "request.malformed": 400,
    "request.media_type": 415,
    "request.too_large": 413,
    "request.method": 405,
    "request.invalid": 422,
    "request.timeout": 408,
    "request.uri_too_long": 414,
    "request.headers_too_large": 431,
    "auth.required": 401,
    "auth.forbidden": 403,
    "auth.scope_missing": 403,
    "auth.banned": 403,
    "not_found": 404,
    "room.closed": 409,
    "room.started": 409,
    "room.not_dealing": 409,
    "room.full": 409,
    "room.seat_taken": 409,
    "room.blocked": 403,
    "room.too_many": 409,
    "chat.off": 403,
    "chat.muted": 403,
    "account.username_taken": 409,
    "account.exists": 409,
    "account.needed": 403,
    "account.wrong_password": 403,
    "bot.too_late": 409,
    "token.too_many": 409,
    "match.running": 409,
    "match.over": 409,
    "match.stale_turn": 409,
    "match.wrong_phase": 409,
    "match.not_your_turn": 409,
    "match.card_not_in_hand": 422,
    "match.illegal_capture": 422,
    "rate_limited": 429,
    "unavailable": 503,
    "internal": 500,
}


def test_the_codes_are_the_contracts() -> None:
    assert {code: kind.status for code, kind in KINDS.items()} == STATUS


@pytest.mark.parametrize("code", STATUS)
def test_a_problem_has_what_the_rfc_says(app: Flask, code: str) -> None:
    with app.test_request_context("/api/v1/rules"):
        response = problem(code, more=1)
    body = json.loads(response.get_data())
    assert body.keys() == {"type", "title", "status", "detail", "code", "more"}
    assert (body["status"], response.status_code, response.mimetype) == (
        STATUS[code],
        STATUS[code],
        "application/problem+json",
    )


@pytest.mark.parametrize(
    "failure", [DatabaseBusy(), OperationalError("SELECT secret", {}, Exception("locked"))], ids=["busy", "operational"]
)
def test_a_database_that_cannot_be_had_is_a_503(
    app: Flask, failure: Exception, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise failure

    monkeypatch.setattr(rooms, "room_json", fail)
    response = Caller(app).get("/rooms/ABCDEF")
    refused(response, 503, "unavailable")
    assert "Retry-After" in response.headers
    assert "secret" not in response.text + caplog.text


def test_writers_that_wait_too_long_are_told_so(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    mona = guest(app)
    monkeypatch.setattr("app.extensions.WRITE_LOCK_TIMEOUT_S", 0.01)
    holding, done = threading.Event(), threading.Event()

    def hold() -> None:
        with app.extensions["writer"].transaction():
            holding.set()
            done.wait()

    holder = threading.Thread(target=hold)
    holder.start()
    holding.wait()
    refused(mona.post("/rooms"), 503, "unavailable")
    done.set()
    holder.join()


@pytest.mark.parametrize(
    ("error", "code"), [(TooManyRequests(), "rate_limited"), (ServiceUnavailable(), "unavailable")]
)
def test_refusals_by_status_alone_get_their_code(app: Flask, error: HTTPException, code: str) -> None:
    with app.test_request_context("/api/v1/rules"):
        response = http_refused(error)
    assert json.loads(response.get_data())["code"] == code


def test_pages_keep_their_own_errors(app: Flask) -> None:
    response = app.test_client().get("/nothing-here")
    assert (response.status_code, response.mimetype) == (404, "text/html")
    assert app.test_client().post("/").mimetype == "text/html"
