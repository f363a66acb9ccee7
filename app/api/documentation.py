"""The OpenAPI document, and beside it the schema of what is said on the channels."""

from __future__ import annotations

from typing import Any

import flask_smorest  # type: ignore[import-untyped]
from flask import Flask, Response
from werkzeug.exceptions import HTTPException

from app.api import guide
from app.api.blueprint import document_answer
from app.api.document import completed
from app.problems import http_refused
from app.schemas import accounts, answers, social, standings
from app.schemas.channel import PATH, channel_schema

DESCRIPTION = """Basra, the fishing game of Cairo's coffee houses, for people and programs.

Get a token with `POST /players`, make a room with `POST /rooms`, and let somebody join: the match starts by itself.
Send moves with `POST /matches/{id}/moves`; a move may be sent again and counts once. Every refusal is problem+json with
a stable `code`. Fields may be added to answers at any time: ignore those that you do not know."""

SECURITY_SCHEMES: dict[str, dict[str, Any]] = {
    "token": {"type": "http", "scheme": "bearer", "description": "`Authorization: Bearer bsr_…`, for programs."},
    "cookie": {
        "type": "apiKey",
        "in": "cookie",
        "name": "basra_session",
        "description": "What the page uses. Unsafe requests need our own `Origin`.",
    },
}


class Api(flask_smorest.Api):  # type: ignore[misc]
    """Refuses with problem+json, and documents refusals operation by operation instead of by one default."""

    DEFAULT_ERROR_RESPONSE_NAME = None
    _document: dict[str, Any] | None = None
    _channel_schema: dict[str, Any] | None = None

    def handle_http_exception(self, error: HTTPException) -> Any:
        return http_refused(error)

    def document(self) -> dict[str, Any]:
        """The whole document, made once."""
        if self._document is None:
            self._document = completed(self._app, self.spec.to_dict())
        return self._document

    def channel_schema(self) -> dict[str, Any]:
        """What is said on the channels, made once."""
        if self._channel_schema is None:
            self._channel_schema = channel_schema(self.document()["components"]["schemas"])
        return self._channel_schema

    def _openapi_json(self) -> Response:
        return document_answer(self.document())


def init_app(app: Flask) -> Api:
    """Make the document, to be filled by the resources, and serve it."""
    app.config.update(
        API_TITLE="Basra",
        API_VERSION="v1",
        OPENAPI_VERSION="3.1.0",
        OPENAPI_URL_PREFIX="/api/v1",
        OPENAPI_JSON_PATH="openapi.json",
        API_SPEC_OPTIONS={
            "info": {"description": DESCRIPTION},
            "servers": [{"url": "/"}],
        },
    )
    api = app.extensions["documentation"] = Api(app)
    parts = (answers, accounts, social, standings)
    for name, schema in [pair for part in parts for pair in part.COMPONENTS.items()]:
        api.spec.components.schema(name, schema)
    for name, scheme in SECURITY_SCHEMES.items():
        api.spec.components.security_scheme(name, scheme)
    app.add_url_rule(PATH, "channel_schema", lambda: document_answer(api.channel_schema()))
    app.register_blueprint(guide.page)
    return api
