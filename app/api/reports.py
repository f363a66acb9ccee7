"""Reports: complaints about players, for those who run the service."""

from __future__ import annotations

from typing import Any

from flask import Response

from app import limits
from app.api.blueprint import BODY, Blueprint, calling, reply
from app.schemas.answers import ref
from app.schemas.social import NewReport
from app.services import reports

blp = Blueprint("reports", __name__, url_prefix="/api/v1/reports", description="Complaints.")


@blp.post("")
@limits.reports
@blp.operation("reportPlayer", scope="play", refusals=("auth.forbidden", *BODY))
@blp.arguments(NewReport)
@blp.response(201, ref("Report"))
def report_player(body: dict[str, Any]) -> Response:
    """Report a player to those who run the service.

    With a room where you sit or have played, its last messages are kept beside the report. Ten an hour.
    """
    made = reports.report(calling().player_id, body["player"], body["room"], body["reason"], body["text"])
    return reply(made, 201)
