"""Commands for those who run the service: `flask --app wsgi …`."""

from __future__ import annotations

from flask import Flask

from app.cli import admin, moderation, reading
from app.cli.reading import reports_as_lines


def init_app(app: Flask) -> None:
    """Add the commands."""
    app.cli.add_command(reports_as_lines)
    for part in (reading, moderation):
        for command in part.COMMANDS:
            admin.group.add_command(command)
    app.cli.add_command(admin.group)
