"""The page itself: the documents, and the versioned files that they load.

Everything under `static/` is read once at start; its hash is the revision in every address, so that a file may be
kept for ever and a new release is a new address. The client's modules import one another by relative paths and so
stay inside one revision.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import mimetypes
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from flask import Blueprint, Response, make_response, render_template, request
from werkzeug.exceptions import HTTPException, NotFound

from app.auth import COOKIE_NAME
from app.problems import API_PREFIX, http_refused

STATIC = Path(__file__).resolve().parents[2] / "static"
LANGUAGES = {"en": "ltr"}
FOREVER = "public, max-age=31536000, immutable"
ROOM_CODE = re.compile(r"[A-Za-z]{6}")
PLAIN_HOST = re.compile(r"[A-Za-z0-9.\-]+(:\d+)?|\[[0-9a-fA-F:]+\](:\d+)?")
COMPRESSIBLE = {".js", ".css", ".json", ".svg", ".txt"}
TYPES = {".js": "text/javascript", ".woff2": "font/woff2"}

pages = Blueprint("pages", __name__, template_folder=str(STATIC))


@dataclass(frozen=True)
class Asset:
    """One file of the client, as it is sent."""

    body: bytes
    packed: bytes | None
    mimetype: str


@lru_cache(maxsize=1)
def assets() -> dict[str, Asset]:
    """Give every file of the client by its path; the templates are not among them."""
    found = {}
    for path in sorted(STATIC.rglob("*")):
        if path.is_file() and path.suffix != ".html":
            body = path.read_bytes()
            packed = gzip.compress(body, 9, mtime=0) if path.suffix in COMPRESSIBLE else None
            mimetype = TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
            found[path.relative_to(STATIC).as_posix()] = Asset(body, packed, mimetype)
    return found


@lru_cache(maxsize=1)
def revision() -> str:
    """Give the hash of all files of the client."""
    digest = hashlib.sha256()
    for path, asset in assets().items():
        digest.update(path.encode() + b"\0" + hashlib.sha256(asset.body).digest())
    return digest.hexdigest()[:12]


@lru_cache(maxsize=1)
def modules() -> list[str]:
    """Give the client's modules, which the page asks for at once instead of one import after the other."""
    return [path for path in assets() if path.startswith("js/")]


@lru_cache(maxsize=len(LANGUAGES))
def texts(lang: str) -> dict[str, str]:
    """Give the client's texts in one language, by key."""
    loaded: dict[str, str] = json.loads(assets()[f"i18n/{lang}.json"].body)
    return loaded


@pages.get("/")
def home() -> Response:
    """Show the first page."""
    return _document("index.html", texts("en")["page.title"])


@pages.get("/r/<code>")
def room(code: str) -> Response:
    """Show a room's page. It seats nobody: chat programs fetch links, too."""
    if not ROOM_CODE.fullmatch(code):
        return missing()
    return _document("index.html", texts("en")["page.room_title"].replace("{code}", code.upper()))


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


@pages.app_errorhandler(404)
def not_found(error: NotFound) -> Response | HTTPException:
    """Answer a wrong address: a page to people, a problem to programs."""
    return http_refused(error) if request.path.startswith(API_PREFIX) else missing()


def missing() -> Response:
    """Show the page for an address where nothing is."""
    response = _document("missing.html", texts("en")["page.missing.title"])
    response.status_code = 404
    return response


def _document(template: str, title: str) -> Response:
    lang = "en"
    response = make_response(
        render_template(
            template,
            rev=revision(),
            lang=lang,
            dir=LANGUAGES[lang],
            title=title,
            text=texts(lang),
            modules=modules(),
            known=str(COOKIE_NAME in request.cookies).lower(),
        )
    )
    response.headers.update(
        {
            "Cache-Control": "no-cache",
            "Content-Security-Policy": _policy(request.host),
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
            "Referrer-Policy": "same-origin",
            "Permissions-Policy": "camera=(self), microphone=(self), geolocation=(), payment=()",
            "Cross-Origin-Opener-Policy": "same-origin",
        }
    )
    return response


def _policy(host: str) -> str:
    """Older Safari does not count a WebSocket of the same host as 'self', so the host is named."""
    sockets = f" ws://{host} wss://{host}" if PLAIN_HOST.fullmatch(host) else ""
    return "; ".join(
        [
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self'",
            "font-src 'self'",
            f"connect-src 'self'{sockets}",
            "manifest-src 'self'",
            "worker-src 'self'",
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors 'none'",
            "trusted-types 'none'",
            "require-trusted-types-for 'script'",
        ]
    )
