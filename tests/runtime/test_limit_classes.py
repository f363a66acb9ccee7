"""The classes of limits: what each counts and by whom, and what every caller is told of where he stands."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from app import limits, paces
from tests.runtime.tables import StandingClock

MakeApp = Callable[..., Flask]
API = "/api/v1"


@pytest.fixture
def app(make_app: MakeApp, clock: StandingClock) -> Flask:
    """An app with its limits on, which go by the clock."""
    app = make_app(RATE_LIMITS="on")
    app.extensions["limits"].clock = clock
    return app


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client(use_cookies=False)


class Guest:
    """A guest with a token."""

    def __init__(self, client: FlaskClient) -> None:
        made: Any = client.post(f"{API}/players", json={}).json
        self.client = client
        self.id: str = made["player"]["id"]
        self.headers = {"Authorization": f"Bearer {made['token']}"}

    def send(self, method: str, path: str, body: Any = None) -> TestResponse:
        options = {} if body is None else {"json": body}
        return self.client.open(API + path, method=method, headers=self.headers, **options)

    def post(self, path: str, body: Any) -> TestResponse:
        return self.send("POST", path, body)


@pytest.fixture
def mona(client: FlaskClient) -> Guest:
    return Guest(client)


def standing(answer: TestResponse) -> dict[str, tuple[int, int, int, int]]:
    """What is told by policy: quota, window, what is left, and in how many seconds there is more."""
    policies = re.findall(r'"([\w-]+)";q=(\d+);w=(\d+)(?:, |$)', answer.headers["RateLimit-Policy"])
    left = re.findall(r'"([\w-]+)";r=(\d+);t=(\d+)(?:, |$)', answer.headers["RateLimit"])
    assert [name for name, *_ in policies] == [name for name, *_ in left]
    return {
        one[0]: (int(one[1]), int(one[2]), int(two[1]), int(two[2])) for one, two in zip(policies, left, strict=True)
    }


def statuses(count: int, ask: Callable[[], TestResponse]) -> list[int]:
    return [ask().status_code for _ in range(count)]


def test_every_limited_answer_tells_where_its_caller_stands(mona: Guest, clock: StandingClock) -> None:
    assert standing(mona.send("GET", "/rules")) == {"read": (200, 10, 199, 1)}
    assert standing(mona.send("GET", "/rules?limit=0")) == {"read": (200, 10, 198, 1)}
    clock.now += 0.05
    assert standing(mona.send("GET", "/rules")) == {"read": (200, 10, 198, 1)}
    assert standing(mona.send("DELETE", "/seeks/nothing-here")) == {"move": (120, 12, 119, 1)}
    assert standing(mona.post("/rooms", {})) == {"create": (60, 60, 59, 1)}
    assert standing(mona.client.post(f"{API}/players", json={})) == {"guest": (60, 60, 58, 60)}
    clock.now += 20.5
    assert standing(mona.client.post(f"{API}/players", json={})) == {"guest": (60, 60, 57, 40)}


def test_the_refused_are_told_the_same_moment_twice(mona: Guest, clock: StandingClock) -> None:
    for _ in range(60):
        answer = mona.client.post(f"{API}/players", json={})
    clock.now += 12.5
    answer = mona.client.post(f"{API}/players", json={})
    assert answer.status_code == 429
    assert standing(answer) == {"guest": (60, 60, 0, int(answer.headers["Retry-After"]))}
    assert answer.headers["Retry-After"] == "48"


def test_what_has_no_limit_tells_none(client: FlaskClient, make_app: MakeApp) -> None:
    for answer in (client.get("/healthz"), client.get(f"{API}/openapi.json"), client.get(f"{API}/nothing")):
        assert not {"RateLimit", "RateLimit-Policy"} & set(answer.headers.keys())
    free = make_app(RATE_LIMITS="off").test_client().get(f"{API}/rules")
    assert not {"RateLimit", "RateLimit-Policy"} & set(free.headers.keys())


def test_phrases_and_messages_are_five_at_once_and_one_a_second(client: FlaskClient, clock: StandingClock) -> None:
    mona, karim = Guest(client), Guest(client)
    made: Any = mona.post("/rooms", {"chat": True}).json
    code = made["code"]
    karim.post(f"/rooms/{code}/joins", {})
    said = statuses(3, lambda: mona.post(f"/rooms/{code}/phrases", {"phrase": "tea"}))
    said += statuses(3, lambda: mona.post(f"/rooms/{code}/messages", {"text": "tea?"}))
    assert said == [201] * 5 + [429]
    assert karim.post(f"/rooms/{code}/messages", {"text": "yes"}).status_code == 201
    clock.now += 1
    assert statuses(2, lambda: mona.post(f"/rooms/{code}/phrases", {"phrase": "tea"})) == [201, 429]


def test_reports_are_ten_an_hour(client: FlaskClient, clock: StandingClock) -> None:
    mona, karim = Guest(client), Guest(client)
    body = {"player": karim.id, "reason": "other"}
    assert statuses(11, lambda: mona.post("/reports", body)) == [201] * 10 + [429]
    clock.now += 3600
    assert mona.post("/reports", body).status_code == 201


def test_rooms_and_seeks_are_sixty_at_once_and_one_a_second(mona: Guest, clock: StandingClock) -> None:
    made = statuses(19, lambda: mona.post("/rooms", {})) + statuses(42, lambda: mona.post("/seeks", {"seats": 4}))
    assert made[:19] == [201] * 19
    assert set(made[19:-1]) == {200, 201}
    assert made[-1] == 429
    clock.now += 1
    assert statuses(2, lambda: mona.post("/rooms", {})) == [201, 429]


def test_all_tokens_and_devices_of_a_player_are_one(app: Flask) -> None:
    guest = Guest(app.test_client(use_cookies=False))
    token = guest.headers["Authorization"].removeprefix("Bearer ")
    own, shared = (limits.READS.own, f"player:{guest.id}"), (limits.READS.shared, "127.0.0.1")
    here = {"REMOTE_ADDR": "127.0.0.1"}
    for headers in (guest.headers, {"Cookie": f"basra_session={token}"}):
        with app.test_request_context(headers=headers, environ_base=here):
            assert limits.charges(limits.READS) == [own, shared]
    with app.test_request_context(headers={"Authorization": "Bearer bsr_none"}, environ_base=here):
        assert limits.charges(limits.READS) == [shared]
    body = {"username": "mona", "password": "three cups of tea"}
    registered: Any = guest.post("/players/me/account", body).json
    headers = {"Authorization": f"Bearer {registered['token']}"}
    with app.test_request_context(headers=headers, environ_base=here):
        assert limits.charges(limits.READS) == [own]


def test_all_guests_of_an_address_have_twenty_times_what_one_has_and_the_registered_are_apart(
    app: Flask, client: FlaskClient
) -> None:
    mona, karim, member = Guest(client), Guest(client), Guest(client)
    made: Any = member.post("/players/me/account", {"username": "member", "password": "three cups of tea"}).json
    member.headers = {"Authorization": f"Bearer {made['token']}"}
    for limit, method, path in ((limits.READS, "GET", "/rules"), (limits.MOVES, "DELETE", "/seeks/nothing-here")):
        assert limit.shared.quota == 20 * limit.own.quota
        left = limit.shared.quota
        assert client.open(API + path, method=method).status_code != 429  # who names nobody spends of it too
        for _ in range(left - 2):
            app.extensions["limits"].spend(limit.shared, "127.0.0.1")
        assert mona.send(method, path).status_code != 429
        refused = karim.send(method, path)
        assert (refused.status_code, standing(refused)[limit.shared.name][2]) == (429, 0)
        # It cost them nothing of their own, and those with an account do not share it.
        assert app.extensions["limits"].spend(limit.own, f"player:{karim.id}").left == limit.own.quota - 1
        assert member.send(method, path).status_code != 429
        elsewhere = client.open(
            API + path, method=method, headers=karim.headers, environ_base={"REMOTE_ADDR": "203.0.113.9"}
        )
        assert elsewhere.status_code != 429


def test_a_move_that_the_match_takes_costs_nothing_and_any_other_does(client: FlaskClient) -> None:
    mona, karim = Guest(client), Guest(client)
    made: Any = mona.post("/rooms", {}).json
    match_id = karim.post(f"/rooms/{made['code']}/joins", {}).json["match_id"]  # type: ignore[index]
    people = [mona, karim]
    view: Any = mona.send("GET", f"/matches/{match_id}").json
    left = {mona: 120, karim: 119}  # he has joined
    for _ in range(8):
        due = people[view["to_act"]]
        own: Any = due.send("GET", f"/matches/{match_id}").json
        body = {"turn": own["turn"], "card": own["you"]["hand"][0]}
        answer, repeat = (due.post(f"/matches/{match_id}/moves", body) for _ in range(2))
        assert (answer.status_code, standing(answer)["move"][2]) == (201, left[due])
        left[due] -= 1
        assert (repeat.status_code, standing(repeat)["move"][2]) == (200, left[due])
        view = answer.json["view"]  # type: ignore[index]


def test_a_whole_match_of_sequential_requests_meets_no_limit(client: FlaskClient) -> None:
    """By a clock that stands, so faster than any program can be: each looks once before each of his plays."""
    mona, karim = Guest(client), Guest(client)
    made: Any = mona.post("/rooms", {"seed": "long", "target": 200}).json
    match_id = karim.post(f"/rooms/{made['code']}/joins", {}).json["match_id"]  # type: ignore[index]
    view: Any = mona.send("GET", f"/matches/{match_id}").json
    while view["to_act"] is not None:
        due = (mona, karim)[view["to_act"]]
        own = due.send("GET", f"/matches/{match_id}")
        assert own.status_code == 200
        body = {"turn": own.json["turn"], "card": own.json["you"]["hand"][-1]}  # type: ignore[index]
        answer = due.post(f"/matches/{match_id}/moves", body)
        assert answer.status_code == 201, answer.text
        view = answer.json["view"]  # type: ignore[index]
    assert view["result"]["reason"] == "target"
    assert view["turn"] > 2 * 120, "a shorter match would prove nothing"


def test_a_bucket_and_a_window_tell_what_is_left_and_when_there_is_more() -> None:
    bucket, window = paces.Bucket("b", per_s=10, burst=3), paces.Window("w", most=2, span_s=60)
    assert (bucket.left(None, 5.0), bucket.more_in_s(None, 5.0)) == (3, 0)
    kept = bucket.spent(bucket.spent(None, 5.0), 5.0)
    assert (bucket.left(kept, 5.0), bucket.more_in_s(kept, 5.0)) == (1, pytest.approx(0.1))
    assert (bucket.left(kept, 5.05), bucket.more_in_s(kept, 5.05)) == (1, pytest.approx(0.05))
    assert (bucket.left(kept, 5.1), bucket.left(kept, 5.2)) == (2, 3)
    assert bucket.left(bucket.returned(kept, 5.0), 5.0) == 2
    times = window.spent(window.spent(None, 10.0), 30.0)
    assert (window.left(times, 30.0), window.more_in_s(times, 30.0)) == (0, 40)
    assert (window.left(times, 70.0), window.more_in_s(times, 70.0)) == (1, 20)
    assert (window.left(times, 90.0), window.more_in_s(times, 90.0)) == (2, 0)
    assert window.left(window.returned(times, 30.0), 30.0) == 1
