"""The page of the reports, for admins alone; to everybody else there is nothing at its address."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from flask import Blueprint, Response, g, redirect, request
from werkzeug.exceptions import MethodNotAllowed, NotFound

from app import auth, limits
from app.api import cursors
from app.api.admins import ACCESS, acting, is_admin
from app.api.assets import texts
from app.api.documents import document, page_language
from app.api.language import Language
from app.api.rules_page import RulesWords
from app.config import BODY_MOST_BYTES, settings
from app.moments import read_rfc3339
from app.realtime import publish
from app.schemas.admin import REASON_MOST
from app.services import reports, sanctions
from app.services.errors import Refusal
from app.services.times import utcnow
from app.unseen import plain

ROWS = 20
# How long a ban or a mute of the page lasts; any other end is the command line's.
SPANS = {
    "hour": timedelta(hours=1), "day": timedelta(days=1), "week": timedelta(weeks=1), "month": timedelta(days=30),
    "year": timedelta(days=365),
}  # fmt: skip
DECISIONS = ("handle", "mute", "ban")
STATUSES = {"open": False, "handled": True}

page = Blueprint("admin_page", __name__)


@page.route("/admin", methods=["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
def admin() -> Response:
    """Show the reports to an admin, and take what they decide; it is missing for everybody else."""
    _require_admin()
    if request.method not in ("GET", "HEAD", "POST"):
        raise MethodNotAllowed(["GET", "HEAD", "POST"])
    try:
        g.calling = ACCESS.identify(unsafe=request.method == "POST")
        if settings().rate_limits:
            limits.spend(limits.charges(limits.MOVES if request.method == "POST" else limits.READS))
        trouble = _decide() if request.method == "POST" else None
    except Refusal as refusal:
        trouble = refusal.code
    if request.method == "POST" and trouble is None:
        return redirect(request.full_path.rstrip("?"), code=303)  # type: ignore[return-value]
    return _shown(page_language(), trouble)


@page.before_app_request
def _hide_wrong_methods() -> None:
    """No view sees the methods beyond those, and 405 would tell everybody that there is something."""
    if request.path == "/admin" and isinstance(request.routing_exception, MethodNotAllowed):
        _require_admin()


def _require_admin() -> None:
    caller = auth.visitor()
    if caller is None or not is_admin(caller):
        raise NotFound


def _decide() -> str | None:
    """Carry out what the form says; gives why not, if it cannot be."""
    request.max_content_length = request.max_form_memory_size = BODY_MOST_BYTES
    form = request.form
    decision, reason = form.get("decision", ""), form.get("reason", "").strip()
    if decision not in DECISIONS or form.get("span") not in SPANS or not 1 <= len(reason) <= REASON_MOST:
        return "request.invalid"
    report = reports.report_of(form.get("report", ""))
    until = utcnow() + SPANS[form["span"]]
    player_id = report["reported"]["id"]
    if decision == "ban":
        publish(sanctions.ban(acting(), player_id, until, reason)[1])
    elif decision == "mute":
        sanctions.mute(acting(), player_id, until, reason)
    reports.handle(acting(), report["id"], reason)
    return None


def _shown(language: Language, trouble: str | None) -> Response:
    words = RulesWords(texts(f"admin.{language.code}"), language)
    status = request.args.get("status", "open")
    status = status if status in STATUSES else "open"
    try:
        after = cursors.decode(request.args.get("after"))
    except Refusal:
        after = None
    found, more = reports.reports_page(after, ROWS, handled=STATUSES[status])
    shown = {
        "say": words.say,
        "status": status,
        "statuses": list(STATUSES),
        "reports": [_report(report, language) for report in found],
        "decisions": DECISIONS,
        "spans": list(SPANS),
        "reason_most": REASON_MOST,
        "trouble": trouble,
        "next": cursors.encode(more),
    }
    response = document("admin.html", words.say("admin.title"), shown, status=200 if trouble is None else 422)
    # Not to be kept anywhere, and not to be compared with what was.
    response.headers["Cache-Control"] = "no-store"
    response.headers.pop("ETag", None)
    return response


def _report(report: dict[str, Any], language: Language) -> dict[str, Any]:
    return {
        **report,
        "text": _written(report["text"]),
        "messages": [{**line, "name": plain(line["name"]), "text": plain(line["text"])} for line in report["messages"]],
        "when": _moment(report["at"], language),
        "handled": _moment(report["handled_at"], language),
        "banned": _moment(report["sanctions"]["banned_until"], language),
        "muted": _moment(report["sanctions"]["muted_until"], language),
    }


def _written(text: str) -> str:
    """What a player wrote, in lines as they wrote it; nothing in it turns the text round or hides."""
    return "\n".join(plain(line) for line in text.splitlines())


def _moment(text: str | None, language: Language) -> str | None:
    """A moment as the page writes it, to the minute and in UTC."""
    return None if text is None else language.written(f"{read_rfc3339(text):%Y-%m-%d %H:%M}")
