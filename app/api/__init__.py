"""The HTTP interface: one blueprint a resource, and the document that describes them."""

from __future__ import annotations

from flask import Flask, Response, request

from app.api import (
    accounts,
    admin,
    admin_page,
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
    app.after_request(_say_who_may_keep_it)
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
    # Not with what is documented, nor with the pages that links lead to.
    app.register_blueprint(admin.blp)
    app.register_blueprint(admin_page.page)
    app.register_blueprint(pages.pages)


def _say_who_may_keep_it(response: Response) -> Response:
    """Answers of the API differ by caller: only his own cache keeps them, and asks again by their tags."""
    if request.path.startswith(API_PREFIX):
        kept = "private, no-cache" if "ETag" in response.headers else "no-store"
        if not response.headers.setdefault("Cache-Control", kept).startswith("public"):
            response.vary.update(("Authorization", "Cookie"))
        response.headers.setdefault("X-Content-Type-Options", "nosniff")
    return response
