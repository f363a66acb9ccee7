"""Machines try out every operation of the document: none breaks the service, and none is answered in another way."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import load_all_checks, not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    ignored_auth,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from app import create_app
from app.config import read_settings
from tests.contract.world import World, stranger

DOCUMENT = "/api/v1/openapi.json"
METHODS = ("get", "post", "put", "patch", "delete")
OPERATIONS = {
    operation["operationId"]: (path, method)
    for path, methods in create_app(read_settings({})).test_client().get(DOCUMENT).json["paths"].items()
    for method, operation in methods.items()
    if method in METHODS
}
# That valid data are accepted cannot be asked: whether a seat is free or a cursor one of ours, no schema can say.
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
    ignored_auth,
]
SAME_EVERY_TIME = settings(
    derandomize=True,
    deadline=None,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def described(app: Flask) -> Any:
    load_all_checks()
    app.testing = False  # what fails is to be answered, as it is to clients
    return schemathesis.openapi.from_wsgi(DOCUMENT, app)


@pytest.mark.parametrize("operation", OPERATIONS)
def test_an_operation_answers_anybody_as_it_says(app: Flask, described: Any, operation: str) -> None:
    path, method = OPERATIONS[operation]
    world = World(app)
    modes = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
    cases = st.one_of(*(described[path][method].as_strategy(generation_mode=mode) for mode in modes))

    @settings(SAME_EVERY_TIME, max_examples=8)
    @given(case=cases)
    def answers(case: Any) -> None:
        case.call_and_validate(checks=CHECKS, **world.call(case))

    answers()


def test_operations_one_after_the_other_fit_together(app: Flask, described: Any) -> None:
    caller = stranger(app)

    class Evening(described.as_state_machine()):
        def get_call_kwargs(self, case: Any) -> dict[str, Any]:
            return caller

        def validate_response(self, response: Any, case: Any, **sent: Any) -> None:
            # Who is nobody is refused: asked above, of every operation.
            checks = [check for check in CHECKS if check is not ignored_auth]
            case.validate_response(response, checks=checks, transport_kwargs=sent)

    Evening.run(settings=settings(SAME_EVERY_TIME, max_examples=8, stateful_step_count=8))
