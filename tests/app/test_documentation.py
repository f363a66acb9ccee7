"""The OpenAPI document and the page that shows it."""

import json
import re
from collections.abc import Iterator

import pytest
from flask import Flask
from openapi_spec_validator import OpenAPIV31SpecValidator
from playwright.sync_api import Browser

from app.api.document import examples
from app.problems import KINDS
from tests.app.people import API, Caller, Document, ok
from tests.live import live_server


@pytest.fixture(scope="module")
def spec(app: Flask) -> dict:
    return ok(Caller(app).get("/openapi.json", checked=False))


def operations(spec: dict) -> Iterator[tuple[str, str, dict]]:
    for path, methods in spec["paths"].items():
        for method, operation in methods.items():
            if method in ("get", "post", "put", "patch", "delete"):
                yield path, method, operation


def test_the_document_is_valid_openapi_3_1(spec: dict) -> None:
    assert spec["openapi"].startswith("3.1")
    assert [error.message for error in OpenAPIV31SpecValidator(spec).iter_errors()] == []


def test_every_operation_says_what_it_is_and_what_it_refuses(spec: dict) -> None:
    names = [operation["operationId"] for _, _, operation in operations(spec)]
    assert len(names) == len(set(names)) > 15
    for path, method, operation in operations(spec):
        where = f"{method} {path}"
        assert re.fullmatch("[a-z]+[A-Z][A-Za-z]+", operation["operationId"]), where
        assert operation["summary"].endswith("."), where
        assert operation["tags"], where
        *told, scope, limit = operation["description"].split("\n\n")
        assert told, f"{where}: say in its docstring, after the first sentence, how long what it does lasts"
        assert scope.startswith("Scope: "), where
        assert limit.startswith("Limit: `"), where
        assert all(parameter["description"] for parameter in spec["paths"][path].get("parameters", ())), where
        assert {"429", "503"} <= operation["responses"].keys(), where
        assert any(status.startswith("2") for status in operation["responses"]), where
        for status, response in operation["responses"].items():
            if status[0] in "45":
                assert list(response["content"]) == ["application/problem+json"], where
                codes = re.findall(r"`([a-z_.]+)`", response["description"])
                assert codes, where
                assert all(KINDS[code].status == int(status) for code in codes), where


def test_every_operation_says_what_its_token_must_be_made_for(spec: dict) -> None:
    needed = {operation["operationId"]: operation["security"][0]["token"] for _, _, operation in operations(spec)}
    assert needed["listRooms"] == needed["createPlayer"] == []
    assert needed["getMatch"] == ["read"]
    assert needed["playCard"] == ["play"]
    assert needed["declareBot"] == needed["createToken"] == ["account"]
    assert needed["createTransfer"] == needed["registerAccount"] == ["read", "play", "account"]
    for _, _, operation in operations(spec):
        scopes = re.findall("`(read|play|account)`", operation["description"].split("\n\n")[-2])
        assert scopes == needed[operation["operationId"]]
        assert ("auth.scope_missing" in operation["responses"].get("403", {}).get("description", "")) == bool(scopes)


def test_a_transcript_is_told_whole(app: Flask, spec: dict) -> None:
    """The example is one of a match that ended early; here one that ended while the cut was due, and a wrong one."""
    answer = json.loads(json.dumps(examples()["getTranscript"]["answers"]["200"]))
    document = Document(app)
    assert document.errors("Transcript", answer) == []
    answer["rounds"][-1].update(cut=None, cut_by=None, buried=[], hands=[], floor=[], plays=[])
    assert document.errors("Transcript", answer) == []
    del answer["fairness"]["server_seed"], answer["rounds"][-1]["shuffled"], answer["result"]["reason"]
    assert len(document.errors("Transcript", answer)) == 3


def test_every_route_of_the_api_is_documented(app: Flask, spec: dict) -> None:
    known = {
        (re.sub(r"<(?:[^:<>]+:)?(\w+)>", r"{\1}", rule.rule), method.lower())
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith(API) and not rule.rule.startswith(f"{API}/admin/") and not rule.websocket
        for method in rule.methods - {"HEAD", "OPTIONS"}
    }
    documented = {(path, method) for path, method, _ in operations(spec)}
    channels = {(f"{API}/rooms/{{code}}/channel", "get"), (f"{API}/channel", "get")}
    beside = {(f"{API}/openapi.json", "get"), (f"{API}/channel.schema.json", "get")} | channels
    assert known - documented <= beside
    assert documented <= known


def test_requests_are_closed_and_answers_are_open(spec: dict) -> None:
    schemas = spec["components"]["schemas"]
    for name in ("NewRoom", "NewMove", "NewJoin", "NewBot", "NewCut", "NewPlayer", "NewSeek", "NewRematch"):
        assert schemas[name]["additionalProperties"] is False
    for name in ("Room", "Match", "Profile", "Played", "Seek"):
        assert schemas[name].get("additionalProperties", True)


def test_the_page_of_the_document_shows_every_operation_in_a_browser(browser: Browser) -> None:
    with live_server() as server:
        page = browser.new_page()
        page.set_default_timeout(90_000)  # the reference is a big script
        told: list[str] = []
        page.on("console", lambda message: told.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: told.append(str(error)))
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{server.url}/api/docs")
        page.wait_for_load_state("networkidle")
        assert not [url for url in asked if "rapidoc" in url], "who reads the guide does not wait for the reference"
        page.locator("a[href='#reference']").click()
        for summary in ("Play a card", "Make a room"):
            page.locator("rapi-doc").get_by_text(summary).first.wait_for()
        assert told == []
        assert {url.split("/")[2] for url in asked} == {server.url.split("/")[2]}
        page.close()
