"""The page itself: the documents, and the versioned files that they load.

The revision of the client's files is in every address, so that a file may be kept for ever and a new release is a new
address. The client's modules import one another by relative paths and so stay inside one revision.
"""

from __future__ import annotations

import io
import json
import re
import secrets
from typing import Any
from urllib.parse import quote, urlencode

import segno
from flask import Blueprint, Response, current_app, request
from werkzeug.exceptions import HTTPException, NotFound

from app.api.assets import STATIC, assets, modules, revision, texts
from app.api.documents import document, page_language
from app.api.installed import installed
from app.api.language import DIRECTIONS
from app.api.links import meant, own_origin
from app.api.reading import reading
from app.auth import COOKIE_NAME
from app.config import settings
from app.observability import log_failure
from app.problems import API_PREFIX, http_refused
from app.services.ids import is_id
from engine.rules import PROFILES

FOREVER = "public, max-age=31536000, immutable"
ROOM_CODE = re.compile(r"[A-Za-z]{6}")
# Of a query that is sent on: what may stand in it as it is, its percent signs among that.
AS_SENT = "%!$&'()*+,;=:@/?-._~"
# Asks for a page with everything anew: static/js/rescue.js, and the page that shows when the scripts stay away.
AGAIN = "again"
# What each document shows first, with the families of texts that it needs beside the common one; everything else is
# fetched when it is needed.
HOME: dict[str, Any] = {
    "opening": "home",
    "texts": [],
    "styles": ["base", "screens", "home"],
    "modules": ["js/boot.js", "js/screens/home.js"],
}
# Who comes by a link for the first time sees the room before he can see a table.
DOOR: dict[str, Any] = {
    "opening": "room",
    "texts": ["talk"],
    "styles": ["base", "screens", "room", "talk"],
    "modules": ["js/boot.js", "js/screens/room.js"],
}
ROOM = {
    "opening": "room",
    "texts": ["talk"],
    "styles": [*DOOR["styles"], "cards", "table", "sheet", "wide", "four"],
    "modules": [*DOOR["modules"], "js/net/sync.js", "js/table/view.js"],
}
REPLAY = {
    "opening": "",
    "texts": ["replay"],
    "styles": ["base", "screens", "cards", "table", "moments", "sheet", "wide", "four", "window", "needs", "replay"],
    "modules": ["js/boot.js", "js/screens/replay.js"],
}
HISTORY = {
    "opening": "",
    "texts": ["players"],
    "styles": ["base", "screens", "cards", "home", "players"],
    "modules": ["js/boot.js", "js/screens/history.js"],
}
PROFILE = {
    "opening": "",
    "texts": ["players"],
    "styles": [*HISTORY["styles"], "window"],
    "modules": ["js/boot.js", "js/screens/profile.js"],
}
ACCOUNT = {
    "opening": "",
    "texts": ["players", "account"],
    "styles": ["base", "screens", "home", "window", "players", "account"],
    "modules": ["js/boot.js", "js/screens/account.js"],
}
MOVE = {
    "opening": "",
    "texts": ["account"],
    "styles": ["base", "screens", "home", "players", "account"],
    "modules": ["js/boot.js", "js/screens/move.js"],
}

pages = Blueprint("pages", __name__, template_folder=str(STATIC))
pages.register_blueprint(installed)
pages.register_blueprint(reading)


@pages.get("/")
def home() -> Response:
    """Show the first page."""
    return _client("page.title", HOME)


@pages.get("/r/<code>")
def room(code: str) -> Response:
    """Show a room's page. It seats nobody: chat programs fetch links, too."""
    if not ROOM_CODE.fullmatch(code):
        return missing()
    return _client("page.room_title", ROOM if COOKIE_NAME in request.cookies else DOOR, code.upper())


@pages.get("/r/<code>/qr.svg")
def room_code(code: str) -> Response:
    """Draw the link to a room, for the cameras of those at the same table."""
    if not ROOM_CODE.fullmatch(code):
        return missing()
    drawn = io.BytesIO()
    link = f"{own_origin()}/r/{code.upper()}"
    segno.make(link, micro=False).save(drawn, kind="svg", border=2, xmldecl=False, omitsize=True, light="#fff")
    response = Response(drawn.getvalue(), mimetype="image/svg+xml")
    response.headers["Cache-Control"] = "public, max-age=3600"
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response


@pages.get("/replay/<match_id>")
def replay(match_id: str) -> Response:
    """Show the replay of a match, whose id the page itself looks up."""
    return _client("page.title", REPLAY) if is_id(match_id) else missing()


@pages.get("/history")
def history() -> Response:
    """Show the visitor's own matches."""
    return _client("page.title", HISTORY)


@pages.get("/profile")
def own_profile() -> Response:
    """Show the visitor to himself."""
    return _client("page.title", PROFILE)


@pages.get("/account")
def account() -> Response:
    """Show the visitor his account, or how to get one."""
    return _client("page.title", ACCOUNT)


@pages.get("/move")
def move() -> Response:
    """Show where the code of another device is taken; a code in the address stands behind its #, unseen here."""
    return _client("page.title", MOVE)


@pages.get("/players/<player_id>")
def profile(player_id: str) -> Response:
    """Show a player, whom the page itself looks up."""
    return _client("page.title", PROFILE) if is_id(player_id) else missing()


@pages.get("/offline")
def offline() -> Response:
    """Show what the service worker keeps for the time without a network, in both languages."""
    both = [(code, way, texts(code)) for code, way in DIRECTIONS.items()]
    return document("offline.html", str(texts(page_language().code)["offline.title"]), {"both": both})


@pages.get("/static/<rev>/<path:path>")
def static_file(rev: str, path: str) -> Response:
    """Send a file of the client."""
    asset = assets().get(path)
    if asset is None:
        return missing()
    packed = asset.packed if request.accept_encodings.quality("gzip") else None
    response = Response(packed or asset.body, mimetype=asset.mimetype)
    if packed:
        response.headers["Content-Encoding"] = "gzip"
    if asset.packed:
        response.headers["Vary"] = "Accept-Encoding"
    # While a release replaces another, a page of the one may ask the other for its files: served, but not kept.
    response.headers["Cache-Control"] = FOREVER if rev == revision() else "no-store"
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response


@pages.get("/favicon.ico")
def favicon() -> Response:
    """Send the icon to those who do not read the page's link to it."""
    response = Response(assets()["img/icon.svg"].body, mimetype="image/svg+xml")
    response.headers["Cache-Control"] = "public, max-age=86400"
    return response


@pages.after_app_request
def say_revision(response: Response) -> Response:
    """Let a page that has been open for long see that there is a newer one."""
    if request.path.startswith(API_PREFIX):
        response.headers["Basra-Revision"] = revision()
    return response


@pages.app_errorhandler(404)
def not_found(error: NotFound) -> Response | HTTPException:
    """Answer a wrong address: a page to people, a problem to programs."""
    programs = request.path.startswith(API_PREFIX) and meant(request.path) is None
    return http_refused(error) if programs else missing()


def missing() -> Response:
    """Lead to the page that a decorated address means, or show the one for an address where nothing is."""
    address = meant(request.path) if request.method in ("GET", "HEAD") else None
    if address is not None:
        return _led_to(address)
    words = texts(page_language().code)
    shown = {"screen": "missing", "what": words["page.missing.text"]}
    return document("missing.html", str(words["page.missing.title"]), shown, status=404)


def _led_to(address: str) -> Response:
    query = quote(request.query_string, safe=AS_SENT)
    location = f"{address}?{query}" if query else address
    headers = {"Location": location, "Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff"}
    return Response(status=301, headers=headers)


@pages.errorhandler(Exception)
def failed(error: Exception) -> Response | HTTPException:
    """Show people a page, too, when something breaks on our side."""
    if isinstance(error, HTTPException):
        return error
    if current_app.testing:
        raise error
    log_failure("page_failed", error)
    words = texts(page_language().code)
    shown = {"screen": "failed", "what": words["page.failed.text"], "again": True}
    return document("missing.html", str(words["page.failed.title"]), shown, status=500)


def _client(title: str, needs: dict[str, Any], code: str = "") -> Response:
    """Show the document of the client, which asks for what its first screen needs."""
    profiles = [{"profile": each.profile, "target": each.target, "seats": each.seats} for each in PROFILES.values()]
    known = COOKIE_NAME in request.cookies
    more = {
        "styles": needs["styles"],
        "texts": needs["texts"],
        "modules": modules(*needs["modules"]),
        "questions": _questions(known, code),
        "opening": needs["opening"],
        "profiles": json.dumps(profiles),
        "known": str(known).lower(),
    }
    words = texts(page_language().code)
    more["invitation"] = str(words["page.invited"] if code else words[title])
    more["origin"] = own_origin()
    # Where it differs from the address that the visitor opened, their own may be one that only works from here.
    more["shared_at"] = settings().public_url if settings().production else ""
    more["again"] = "?" + urlencode({**request.args.to_dict(), AGAIN: "1"})
    anew = AGAIN in request.args
    more["anew"] = str(anew).lower()
    if anew:
        # Whatever a cache has kept of the client, it has nothing under addresses that are made now.
        more["rev"] = f"again-{secrets.token_hex(4)}"
    path = f"/r/{code}" if code else request.path
    response = document("index.html", str(words[title]).replace("{code}", code), more, path=path)
    if anew:
        response.headers["Clear-Site-Data"] = '"cache"'
    return response


def _questions(known: bool, code: str) -> list[str]:
    """Give what the scripts will ask first, so that it is asked along with them instead of after them."""
    asked = []
    if known:
        asked.append("/api/v1/players/me")
    if code:
        asked.append(f"/api/v1/rooms/{code}")
    return asked
