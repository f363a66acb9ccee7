"""The rule sets that a room can start from."""

from __future__ import annotations

from typing import Any

from flask import Response

from app import limits
from app.api import cursors
from app.api.blueprint import Blueprint, reply
from app.schemas.answers import ref
from app.schemas.requests import PageQuery
from app.services.errors import refuse_field
from app.services.room_rules import rule_sets

blp = Blueprint("rules", __name__, url_prefix="/api/v1/rules", description="Ways to play.")


@blp.get("")
@limits.reads
@blp.operation("listRules", scope=None, refusals=("request.invalid",))
@blp.arguments(PageQuery, location="query")
@blp.response(200, ref("RulesPage"))
def list_rules(query: dict[str, Any]) -> Response:
    """List the resolved rule sets."""
    first = cursors.decode_value(query["cursor"]) if "cursor" in query else 0
    if type(first) is not int or first < 0:
        refuse_field("cursor", "Not a cursor of this list.")
    found, last = rule_sets(), first + query["limit"]
    return reply({"items": found[first:last], "next": cursors.encode_value(last) if last < len(found) else None})
