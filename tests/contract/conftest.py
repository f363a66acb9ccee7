"""A service to be tried out by machines: in this process, with people, rooms and matches that addresses can name."""

from __future__ import annotations

from tests.app.conftest import app, database_url

__all__ = ["app", "database_url"]
