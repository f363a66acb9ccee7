"""Callers of the API as tests need them: each request is checked against the published document."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from typing import Any

from flask import Flask
from jsonschema import Draft202012Validator, FormatChecker
from werkzeug.test import TestResponse

API = "/api/v1"


class Document:
    """The OpenAPI document, and whether an answer agrees with it."""

    def __init__(self, app: Flask) -> None:
        self.spec = app.test_client().get(f"{API}/openapi.json").json
        self._paths = [
            (re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), operations)
            for path, operations in self.spec["paths"].items()
        ]
        # The most literal path first: /joins/me before /joins/{seat}.
        self._paths.sort(key=lambda pair: pair[0].pattern.count("[^/]+"))

    def errors(self, name: str, value: Any) -> list[str]:
        """What makes a value no component of that name."""
        schema = {"$ref": f"#/components/schemas/{name}", "components": self.spec["components"]}
        checker = FormatChecker(["date-time"])
        return [error.message for error in Draft202012Validator(schema, format_checker=checker).iter_errors(value)]

    def check(self, method: str, path: str, response: TestResponse) -> None:
        """Fail unless the answer is one that the document promises."""
        operations = next((found for pattern, found in self._paths if pattern.fullmatch(path.split("?")[0])), {})
        operation = operations.get(method.lower())
        if operation is None:
            assert response.status_code in (401, 403, 404, 405), (method, path, response.status_code)
            return
        documented = operation["responses"].get(str(response.status_code))
        assert documented is not None, f"{method} {path} answered {response.status_code}, which is not documented"
        for media_type, content in documented.get("content", {}).items():
            assert response.mimetype == media_type
            name = content["schema"]["$ref"].rsplit("/", 1)[1]
            assert self.errors(name, response.json) == []
            if name == "Problem":
                assert f"`{response.json['code']}`" in documented["description"], (method, path, response.json["code"])


class Caller:
    """Somebody who calls the API: with a token, or nameless."""

    def __init__(self, app: Flask, token: str | None = None, player: dict[str, Any] | None = None) -> None:
        self.app = app
        self.token = token
        self.player = player or {}
        if "document" not in app.extensions:
            app.extensions["document"] = Document(app)
        self._document: Document = app.extensions["document"]

    @property
    def id(self) -> str:
        """The player's id."""
        return str(self.player["id"])

    def send(self, method: str, path: str, body: Any = None, checked: bool = True, **options: Any) -> TestResponse:
        """Send a request and check the answer against the document."""
        headers = dict(options.pop("headers", {}))
        if self.token is not None:
            headers.setdefault("Authorization", f"Bearer {self.token}")
        if body is not None:
            options["json"] = body
        client = self.app.test_client(use_cookies=False)
        response = client.open(API + path, method=method, headers=headers, **options)
        if checked:
            self._document.check(method, API + path, response)
        return response

    def get(self, path: str, **options: Any) -> TestResponse:
        """Send a GET."""
        return self.send("GET", path, **options)

    def post(self, path: str, body: Any = None, **options: Any) -> TestResponse:
        """Send a POST."""
        return self.send("POST", path, body, **options)

    def delete(self, path: str, **options: Any) -> TestResponse:
        """Send a DELETE."""
        return self.send("DELETE", path, **options)

    def view(self, match_id: str) -> dict[str, Any]:
        """The match as this caller sees it now."""
        return ok(self.get(f"/matches/{match_id}", checked=False))


def guest(app: Flask, name: str = "Mona") -> Caller:
    """A new guest with a token."""
    made = ok(Caller(app).post("/players", {"name": name}), 201)
    return Caller(app, made["token"], made["player"])


def ok(response: TestResponse, status: int = 200) -> Any:
    """The body of an answer that must have a status."""
    assert response.status_code == status, response.get_data(as_text=True)
    return response.json


def refused(response: TestResponse, status: int, code: str) -> dict[str, Any]:
    """The problem of an answer that must be a refusal."""
    assert (response.status_code, response.mimetype) == (status, "application/problem+json"), response.data
    problem: dict[str, Any] = json.loads(response.data)
    assert problem["code"] == code, problem
    assert problem["status"] == status
    assert {"type", "title", "detail"} <= problem.keys()
    return problem


class Table:
    """A match with its people, seat by seat; a bot's seat has None."""

    def __init__(self, room: dict[str, Any], people: list[Caller | None]) -> None:
        self.code = room["code"]
        self.match_id = room["match_id"]
        self.people = people
        self.path = f"/matches/{self.match_id}"

    def view(self, seat: int | None = None) -> dict[str, Any]:
        """The match as a seat sees it; without one, as the seat that is to act does."""
        if seat is None:
            seat = self.view(0)["to_act"]
        return self.person(seat).view(self.match_id)

    def person(self, seat: int) -> Caller:
        """Who sits there."""
        person = self.people[seat]
        assert person is not None
        return person

    def due(self) -> tuple[Caller, dict[str, Any]]:
        """Who is to act, and what he sees."""
        view = self.view()
        return self.person(view["to_act"]), view

    def play(self, card: str | None = None, **options: Any) -> dict[str, Any]:
        """Play for the seat that is to act, the first card of the hand if none is named."""
        person, view = self.due()
        body = {"turn": view["turn"], "card": card or view["you"]["hand"][0]}
        return ok(person.post(f"{self.path}/moves", body, **options), 201)

    def play_plays(self, count: int) -> dict[str, Any]:
        """Play some turns."""
        for _ in range(count):
            answer = self.play(checked=False)
        return answer

    def play_out(self, rng: random.Random | None = None) -> dict[str, Any]:
        """Play to the end and give the last view."""
        rng = rng or random.Random(1)
        view = self.view(0)
        while view["status"] == "playing":
            person = self.person(view["to_act"])
            mine = person.view(self.match_id)
            if mine["round"]["phase"] == "cut":
                body = {"round": mine["round"]["number"], "at": rng.randint(1, 51)}
                view = ok(person.post(f"{self.path}/cuts", body, checked=False), 201)["view"]
            else:
                body = {"turn": mine["turn"], "card": rng.choice(mine["you"]["hand"])}
                view = ok(person.post(f"{self.path}/moves", body, checked=False), 201)["view"]
        return view


def sit_down(app: Flask, people: int = 2, who: Callable[[Flask, str], Caller] = guest, **room: Any) -> Table:
    """A room in which everyone has sat down, so that the match runs; `who` makes each of them."""
    callers = [who(app, name) for name in ("Mona", "Adel", "Samia", "Fouad")[:people]]
    made = ok(callers[0].post("/rooms", {"seats": people, **room}), 201)
    for seat, caller in enumerate(callers[1:], start=1):
        made = ok(caller.post(f"/rooms/{made['code']}/joins", {"seat": seat}), 201)
    assert made["status"] == "playing"
    return Table(made, list(callers))
