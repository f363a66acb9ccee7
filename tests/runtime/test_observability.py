"""What the logs say, and what they must never say."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import text

from app.extensions import db
from app.observability import log, log_failure
from app.services import match_store
from tests.live import live_server, wait_until
from tests.runtime.people import Person, begin, open_channel, play_on
from tests.runtime.tables import Table

CARD = re.compile(r"(?<![A-Za-z0-9_-])[A2-9TJQK][CDHS](?![A-Za-z0-9_-])")


def test_an_event_is_a_constant_name_with_plain_values(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "basra")
    log("room_made", code="KMNPAB", seats=4, name="two words\nand a line")
    assert caplog.messages == [r"room_made code=KMNPAB seats=4 name='two words\nand a line'"]


def test_an_error_is_told_by_its_kind_and_place_and_not_by_its_words(caplog: pytest.LogCaptureFixture) -> None:
    try:
        raise ValueError("7D")
    except ValueError as error:
        log_failure("sweep_failed", error, match="abc")
    assert re.fullmatch(r"sweep_failed error=ValueError at=test_observability\.py:\d+ match=abc", caplog.messages[0])


def test_every_answer_has_a_request_id_and_a_sane_one_is_kept(client: FlaskClient) -> None:
    made = client.get("/healthz").headers["X-Request-ID"]
    assert re.fullmatch(r"[0-9a-f]{16}", made)
    assert client.get("/healthz", headers={"X-Request-ID": "proxy-0001"}).headers["X-Request-ID"] == "proxy-0001"
    for forged in ("short", "a b c d e f g h", "x" * 65, "card=7D;secret"):
        assert client.get("/healthz", headers={"X-Request-ID": forged}).headers["X-Request-ID"] != forged


def test_a_request_is_logged_by_its_rule_and_not_by_its_path(
    client: FlaskClient, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "basra")
    client.get("/api/v1/rooms/KMNPAB?secret=1")
    assert "route=/api/v1/rooms/<code> status=404" in caplog.text
    assert "KMNPAB" not in caplog.text
    assert "secret" not in caplog.text


def test_a_database_error_in_a_move_tells_no_card(
    app: Flask,
    make_table: Callable[..., Table],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    table = make_table()
    record = table.record()
    seat = record.match.to_act
    assert seat is not None
    insert_events = match_store.insert_events

    def twice(*arguments: object) -> None:
        insert_events(*arguments)  # type: ignore[arg-type]
        insert_events(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(match_store, "insert_events", twice)
    app.testing = False
    answer = app.test_client().post(
        f"/api/v1/matches/{table.match_id}/moves",
        json={"turn": 0, "card": record.match.round.hands[seat][0]},
        headers={"Authorization": f"Bearer {table.tokens[seat]}"},
    )
    assert answer.status_code == 500
    assert CARD.findall(answer.text) == []
    assert "IntegrityError" in caplog.text
    assert CARD.findall(caplog.text) == []
    assert table.record().version == record.version


@pytest.mark.parametrize("worker_class", ["gevent", "gthread"])
def test_a_whole_match_leaves_no_card_token_or_seed_in_the_log(worker_class: str) -> None:
    with live_server(WORKER_CLASS=worker_class) as server:
        mona, karim = Person(server, "Mona"), Person(server, "Karim")
        code, match_id = begin(mona, karim, target=None)
        channels = [mona.channel(code), karim.channel(code)]
        mona.call("POST", f"/matches/{match_id}/moves", {"turn": 0, "card": "ZZ"})
        mona.call("POST", f"/matches/{match_id}/moves", {"turn": 99, "card": "7D"})
        play_on([mona, karim], match_id)
        for channel in channels:
            channel.until(lambda message: message.get("view", {}).get("status") == "finished")
        transcript = mona.ask("GET", f"/matches/{match_id}/transcript")
        open_channel(server, code).send('{"type": "hello", "token": "' + mona.token + '"}')
        wait_until(lambda: "transcript" in server.log_text(), "the log to be written")
        server.stop()
        said = server.log_text()
        assert "route=/api/v1/matches/<" in said
        assert CARD.findall(said) == []
        for secret in (mona.token, karim.token, transcript["fairness"]["server_seed"], code):
            assert secret not in said


def test_the_pool_quotes_no_parameters(app: Flask) -> None:
    with app.app_context(), pytest.raises(Exception, match="hide_parameters") as failed:
        db.session.execute(text("SELECT :card FROM nowhere"), {"card": "7D"})
    assert "7D" not in str(failed.value)
