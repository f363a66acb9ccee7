"""Pages to read: the rules, the lessons, the fair deal, privacy and the leaderboard. All are whole without a script."""

from __future__ import annotations

from flask import Blueprint, Response, request

from app.api.assets import texts
from app.api.documents import document, page_language
from app.api.fair_deal_page import fair_deal_page
from app.api.how_to_play import how_to_play
from app.api.leaderboard_page import leaderboard_page
from app.api.privacy_page import privacy_page
from app.api.rules_page import rules_page
from app.auth import visitor
from app.config import settings
from app.services.leaderboards import KINDS
from engine.rules import PROFILES

reading = Blueprint("reading", __name__)


@reading.get("/rules")
def rules() -> Response:
    """Show the rules of the game."""
    language = page_language()
    words = texts(f"rules.{language.code}")
    return document("rules.html", str(words["rules.title"]), rules_page(words, language))


@reading.get("/how-to-play")
def lessons() -> Response:
    """Show how the game is played; with a script it can be tried, too."""
    language = page_language()
    asked = request.args.get("profile", "")
    shown = how_to_play(language, asked if asked in PROFILES else "classic")
    return document("how.html", str(texts(f"how.{language.code}")["how.title"]), shown)


@reading.get("/fair-deal")
def fair_deal() -> Response:
    """Show how the cards are dealt, and how anybody can check it."""
    language = page_language()
    words = texts(f"fair.{language.code}")
    return document("fair.html", str(words["fair.title"]), fair_deal_page(words, language))


@reading.get("/privacy")
def privacy() -> Response:
    """Show what is kept about people, and for how long."""
    language = page_language()
    words = texts(f"privacy.{language.code}")
    return document("privacy.html", str(words["privacy.title"]), privacy_page(words, language, settings()))


@reading.get("/leaderboard")
def leaderboard() -> Response:
    """Show who leads; the caller's own row is pinned."""
    language = page_language()
    asked = request.args.get("board", "")
    caller = visitor()
    shown = leaderboard_page(
        language,
        asked if asked in KINDS else KINDS[0],
        None if caller is None else caller.player_id,
        request.args.get("after"),
    )
    return document("leaderboard.html", str(texts(f"leaderboard.{language.code}")["leaderboard.title"]), shown)
