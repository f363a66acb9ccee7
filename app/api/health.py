"""Whether the process lives, and whether it can serve."""

from __future__ import annotations

import logging

from flask import Blueprint
from flask.typing import ResponseReturnValue
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from app.extensions import db
from app.observability import log

health = Blueprint("health", __name__)


@health.get("/healthz")
def healthz() -> ResponseReturnValue:
    """The process lives."""
    return {"status": "ok"}


@health.get("/readyz")
def readyz() -> ResponseReturnValue:
    """The database answers."""
    try:
        db.session.execute(text("SELECT 1"))
    except SQLAlchemyError:
        log("database_unavailable", level=logging.ERROR)
        return {"status": "unavailable"}, 503
    return {"status": "ok"}
