"""What a browser needs to keep Basra beside its other programs: the manifest, and the service worker."""

from __future__ import annotations

import json

from flask import Blueprint, Response, request

from app.api.assets import assets, revision, texts
from app.api.language import language_of
from app.config import settings

NIGHT = "#10222B"
ICONS = (
    ("icon-192.png", "192x192", "any"),
    ("icon-512.png", "512x512", "any"),
    ("icon-full.png", "512x512", "maskable"),
)

installed = Blueprint("installed", __name__)


@installed.get("/manifest.webmanifest")
def manifest() -> Response:
    """Describe Basra to those who install it, in the visitor's language."""
    language = language_of(request)
    words = texts(language.code)
    described = {
        "id": "/",
        "name": words["page.title"],
        "short_name": words["home.title"],
        "description": words["page.description"],
        "lang": language.code,
        "dir": language.direction,
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": NIGHT,
        "theme_color": NIGHT,
        "icons": [
            {"src": f"/static/{revision()}/img/{file}", "sizes": sizes, "type": "image/png", "purpose": purpose}
            for file, sizes, purpose in ICONS
        ],
    }
    body = json.dumps(described, ensure_ascii=False)
    return _asked_for_each_time(Response(body, mimetype="application/manifest+json"), "Accept-Language, Cookie")


@installed.get("/sw.js")
def service_worker() -> Response:
    """Send the service worker of this revision, or, when it is switched off, one that clears up after itself."""
    wanted = revision() if settings().service_worker else ""
    files = {path: [asset.mimetype, asset.sha256] for path, asset in assets().items()} if wanted else {}
    known = f"self.REVISION = {json.dumps(wanted)};\nself.FILES = {json.dumps(files, separators=(',', ':'))};\n"
    source = known.encode() + assets()["sw.js"].body
    return _asked_for_each_time(Response(source, mimetype="text/javascript"), "")


def _asked_for_each_time(response: Response, varies: str) -> Response:
    response.headers["Cache-Control"] = "no-cache"
    response.headers["X-Content-Type-Options"] = "nosniff"
    if varies:
        response.headers["Vary"] = varies
    response.add_etag(weak=True)
    response.make_conditional(request)
    return response
