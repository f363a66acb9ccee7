"""What every command of `flask --app wsgi admin` has: its options, how it answers, and how it says no."""

from __future__ import annotations

import getpass
import os
import re
import sys
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import wraps
from typing import Any

import click
from flask.cli import with_appcontext
from sqlalchemy.exc import SQLAlchemyError

from app.cli.output import as_json
from app.moments import read_rfc3339
from app.problems import KINDS
from app.services.audit import Actor
from app.services.errors import DATABASE_AWAY, Refusal
from app.services.times import utcnow
from app.unseen import plain

# Beside 0 for done and click's 2 for a command line that is wrong.
REFUSED, TRY_AGAIN = 1, 75
USER_MOST = 64
_SPAN = re.compile(r"(\d{1,6})([hdw])")
_UNITS = {"h": "hours", "d": "days", "w": "weeks"}

reason = click.option(
    "--reason", required=True, type=click.STRING, help="Why; it stands on the audit trail.", metavar="TEXT"
)
days = click.option("--days", default=30, show_default=True, type=click.IntRange(1, 3650), help="How far to look back.")


@click.group("admin")
def group() -> None:
    """Look after the players: reports, bans, mutes, names, rooms, matches, and the audit trail of all that.

    PLAYER is an id or a username. Every command takes --json. The exit status is 0 when it is done, 1 when it is
    refused, 2 when the command line is wrong, 75 when the database is busy and the same may be tried again.
    """


def command(name: str) -> Callable[[Callable[..., Any]], click.Command]:
    """Make a function a command of the group: what it gives is printed, for people or as JSON.

    It gives the answer, and what of it people are shown.
    """

    def decorate(run: Callable[..., Any]) -> click.Command:
        # An id may begin with a dash; an option that is none is one argument too many.
        @click.command(name, context_settings={"ignore_unknown_options": True})
        @click.option("--json", "for_programs", is_flag=True, help="Print JSON, for programs.")
        @with_appcontext
        @wraps(run)
        def called(for_programs: bool, **options: Any) -> None:
            answer, told = _tried(for_programs, lambda: run(**options))
            click.echo(as_json(answer) if for_programs else told)

        return called

    return decorate


def until(run: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command its end, as a span from now or as a moment."""

    @click.option("--for", "span", metavar="SPAN", help="For how long: 12h, 7d, 4w.")
    @click.option("--until", "moment", metavar="MOMENT", help="Until when: 2027-01-31T12:00:00Z.")
    @wraps(run)
    def called(span: str | None, moment: str | None, **options: Any) -> Any:
        if (span is None) == (moment is None):
            raise click.UsageError("Give an end, by either --for or --until.")
        return run(end=_after(span) if span is not None else _at(str(moment)), **options)

    return called


def actor() -> Actor:
    """Who sits at the command line; who became somebody else by sudo is who they were."""
    try:
        user = os.environ.get("SUDO_USER") or getpass.getuser()
    except (KeyError, OSError):  # a container's user without a name
        user = str(os.getuid())
    return Actor(user=plain(user)[:USER_MOST])


def _tried(for_programs: bool, run: Callable[[], Any]) -> Any:
    try:
        return run()
    except Refusal as refusal:
        errors = [text for texts in refusal.extra.get("errors", {}).values() for text in texts]
        detail = " ".join(errors) or refusal.detail or KINDS[refusal.code].detail
        _fail(for_programs, refusal.code, detail, REFUSED)
    except DATABASE_AWAY:
        detail = (
            "The database cannot be had just now; nothing was changed. If it stays so: is DATABASE_URL the server's?"
        )
        _fail(for_programs, "unavailable", detail, TRY_AGAIN)
    except SQLAlchemyError as error:
        detail = f"The database is not as this version needs it ({type(error).__name__}): start the server once."
        _fail(for_programs, "internal", detail, REFUSED)


def _fail(for_programs: bool, code: str, detail: str, status: int) -> None:
    told = as_json({"code": code, "detail": detail}) if for_programs else f"Error: {plain(detail)}"
    click.echo(told, err=True)
    sys.exit(status)


def _after(span: str) -> datetime:
    found = _SPAN.fullmatch(span)
    if found is None or int(found[1]) == 0:
        raise click.BadParameter("Must be like 12h, 7d or 4w.", param_hint="--for")
    return utcnow() + timedelta(**{_UNITS[found[2]]: int(found[1])})


def _at(text: str) -> datetime:
    try:
        return read_rfc3339(text)
    except ValueError:
        raise click.BadParameter("Must be like 2027-01-31T12:00:00Z.", param_hint="--until") from None
