"""Commands for those who run the service: `flask --app wsgi …`."""

from __future__ import annotations

import json
from datetime import timedelta

import click
from flask import Flask
from flask.cli import with_appcontext

from app.services.reports import reports_since
from app.services.times import utcnow


def init_app(app: Flask) -> None:
    """Add the commands."""
    app.cli.add_command(reports)


@click.command()
@with_appcontext
@click.option("--days", default=7, show_default=True, type=click.IntRange(1, 3650), help="How far to look back.")
def reports(days: int) -> None:
    """Print what players have reported, one JSON object a line, oldest first."""
    for report in reports_since(utcnow() - timedelta(days=days)):
        click.echo(json.dumps(report, ensure_ascii=False))
