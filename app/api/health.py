"""Whether the process lives, and whether it can serve."""

from __future__ import annotations

import logging

from flask import Blueprint, current_app
from flask.typing import ResponseReturnValue
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from app.extensions import db
from app.observability import log
from app.services import readiness
from app.services.errors import DATABASE_AWAY

health = Blueprint("health", __name__)

# What the log was last told: it hears of a trouble once, and once that it is over, however often somebody asks.
_TOLD = "readiness_told"


@health.get("/healthz")
def healthz() -> ResponseReturnValue:
    """The process lives."""
    return {"status": "ok"}


@health.get("/readyz")
def readyz() -> ResponseReturnValue:
    """The database can be read and written, and this process is its clock."""
    reason = readiness.lost() or _unreadable() or readiness.unwritable()
    _tell(reason)
    if reason is not None:
        return {"status": "unavailable", "reason": reason}, 503
    return {"status": "ok"}


def _unreadable() -> str | None:
    try:
        db.session.execute(text("SELECT id FROM players LIMIT 1"))
    except (SQLAlchemyError, *DATABASE_AWAY):
        return "database_unreachable"
    return None


def _tell(reason: str | None) -> None:
    if current_app.extensions.get(_TOLD) == reason:
        return
    current_app.extensions[_TOLD] = reason
    if reason is None:
        log("ready_again")
    else:
        log("not_ready", level=logging.ERROR, reason=reason)
