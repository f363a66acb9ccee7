"""The HTTP interface: one blueprint a resource, and the document that describes them."""

from __future__ import annotations

from flask import Flask, Response, request

from app.api import (
    accounts,
    blocks,
    cors,
    documentation,
    matches,
    pages,
    players,
    reports,
    rooms,
    rules,
    seeks,
    sessions,
    standings,
    talk,
    tokens,
    transfers,
)
from app.api.blueprint import check_rights_before_method
from app.problems import API_PREFIX


def init_app(app: Flask) -> None:
    """Register every resource, its document and the pages."""
    app.json.sort_keys = False  # type: ignore[attr-defined]  # the contract's own order is the readable one
    app.url_map.merge_slashes = False  # an address with an empty part is unknown, not another one's spelling
    app.before_request(check_rights_before_method)
    app.after_request(_keep_nothing)
    cors.init_app(app)
    api = documentation.init_app(app)
    for resource in (
        players,
        accounts,
        sessions,
        tokens,
        transfers,
        rules,
        rooms,
        seeks,
        matches,
        standings,
        talk,
        blocks,
        reports,
    ):
        api.register_blueprint(resource.blp)
    app.register_blueprint(pages.pages)


def _keep_nothing(response: Response) -> Response:
    """Answers of the API differ by caller and moment: no cache keeps them."""
    if request.path.startswith(API_PREFIX):
        response.headers.setdefault("Cache-Control", "no-store")
        response.headers.setdefault("X-Content-Type-Options", "nosniff")
    return response
