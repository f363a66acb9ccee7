"""The document's examples are real requests and answers, of every operation, and of today."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator, FormatChecker

from app import create_app
from app.api.document import examples
from app.config import read_settings
from tests.examples.evening import METHODS
from tests.examples.story import tell

SPEC: dict[str, Any] = create_app(read_settings({})).test_client().get("/api/v1/openapi.json").json
OPERATIONS: dict[str, dict[str, Any]] = {
    operation["operationId"]: operation
    for operations in SPEC["paths"].values()
    for method, operation in operations.items()
    if method in METHODS
}


def errors(schema: dict[str, Any], value: Any) -> list[str]:
    whole = {**schema, "components": SPEC["components"]}
    validator = Draft202012Validator(whole, format_checker=FormatChecker(["date-time"]))
    return [error.message for error in validator.iter_errors(value)]


def test_the_examples_are_what_the_service_answers_today() -> None:
    told = tell()
    changed = [name for name in OPERATIONS if told[name] != examples().get(name)]
    assert changed == [], "write them anew with `python -m tests.examples`, and look at the difference"
    assert examples().keys() == OPERATIONS.keys()


@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_shows_a_real_request_and_a_real_answer_of_every_kind(name: str) -> None:
    operation = OPERATIONS[name]
    for media in operation.get("requestBody", {}).get("content", {}).values():
        assert errors(media["schema"], media["example"]) == []
    answered = 0
    for status, response in operation["responses"].items():
        if status[0] == "2":
            answered += 1
            for media in response.get("content", {}).values():
                assert errors(media["schema"], media["example"]) == [], status
            assert status in examples()[name]["answers"], status
        for code, example in (
            response.get("content", {}).get("application/problem+json", {}).get("examples", {}).items()
        ):
            shown = SPEC["components"]["examples"][example["$ref"].rsplit("/", 1)[1]]["value"]
            assert (shown["code"], shown["status"]) == (code, int(status))
            assert errors({"$ref": "#/components/schemas/Problem"}, shown) == []
    assert answered


def test_no_example_is_empty() -> None:
    empty = [
        name
        for name, example in examples().items()
        for answer in example["answers"].values()
        if isinstance(answer, dict) and answer.get("items") == []
    ]
    assert empty == []
