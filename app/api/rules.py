"""The rule sets that a room can start from."""

from __future__ import annotations

from typing import Any

from flask import Response

from app import limits
from app.api import cursors
from app.api.blueprint import Blueprint, reply
from app.schemas.answers import ref
from app.schemas.requests import PageQuery
from app.services.room_rules import rule_sets

blp = Blueprint("rules", __name__, url_prefix="/api/v1/rules", description="Ways to play.")


@blp.get("")
@limits.reads
@blp.operation("listRules", scope=None, refusals=("request.invalid",))
@blp.arguments(PageQuery, location="query")
@blp.response(200, ref("RulesPage"))
def list_rules(query: dict[str, Any]) -> Response:
    """List the resolved rule sets.

    They are the same for everyone until the next release: ask once and keep them, with their `ETag`.
    """
    return reply(cursors.slice_of(rule_sets(), query))
