"""The documents that people see: their frame, their language, and the headers that keep them safe."""

from __future__ import annotations

import gzip
import re
from typing import Any

from flask import Response, make_response, render_template, request

from app.api.assets import Text, revision, texts
from app.api.language import DIRECTIONS, LANGUAGE_COOKIE, Language, language_of
from app.api.links import own_origin

YEAR_S = 31_536_000
PLAIN_HOST = re.compile(r"[A-Za-z0-9.\-]+(:\d+)?|\[[0-9a-fA-F:]+\](:\d+)?")


def page_language() -> Language:
    """Give the language asked for by a link of the page, which needs no script, or the visitor's usual one."""
    usual = language_of(request)
    asked = request.args.get("lang", "")
    return Language(asked, usual.digits) if asked in DIRECTIONS else usual


def document(template: str, title: str, more: dict[str, Any], status: int = 200, path: str | None = None) -> Response:
    """Make a document of a template of the client; its texts and its frame are in the visitor's language.

    `path` is where it is to be found, if that is not the path that was asked for.
    """
    language = page_language()
    frame = {
        "rev": revision(),
        "lang": language.code,
        "other": next(code for code in DIRECTIONS if code != language.code),
        "dir": language.direction,
        "digits": language.digits,
        "title": title,
        "address": own_origin() + (path or request.path),
        "text": texts(language.code),
        "to_read": to_read(language),
    }
    response = make_response(render_template(template, **{**frame, **more}), status)
    if request.args.get("lang") == language.code:
        response.set_cookie(LANGUAGE_COOKIE, language.code, max_age=YEAR_S, samesite="Lax")
    response.headers.update(
        {
            "Cache-Control": "no-cache",
            "Content-Language": language.code,
            "Vary": "Accept-Language, Cookie, Accept-Encoding",
            "Content-Security-Policy": policy(request.host),
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
            "Referrer-Policy": "same-origin",
            "Permissions-Policy": "camera=(self), microphone=(self), geolocation=(), payment=()",
            "Cross-Origin-Opener-Policy": "same-origin",
        }
    )
    return _packed(response)


def to_read(language: Language) -> list[tuple[str, Text]]:
    """Give the pages to read, which need no script: the address and the name of each."""
    words = texts(language.code)
    return [
        ("/how-to-play", words["rules.how"]),
        ("/rules", words["rules.link"]),
        ("/leaderboard", words["home.leaderboard"]),
        ("/fair-deal", texts(f"fair.{language.code}")["fair.title"]),
        ("/privacy", texts(f"privacy.{language.code}")["privacy.title"]),
        ("/api/docs", texts(f"docs.{language.code}")["docs.title"]),
    ]


def _packed(response: Response) -> Response:
    """Say whether what the browser has is still right, else send the document as small as it may be."""
    response.add_etag(weak=True)
    if response.status_code == 200:
        response.make_conditional(request)
    if response.status_code != 304 and request.accept_encodings.quality("gzip"):
        response.set_data(gzip.compress(response.get_data(), 6, mtime=0))
        response.headers["Content-Encoding"] = "gzip"
    return response


def policy(host: str) -> str:
    """Give the document's security policy for a page of that host."""
    # Older Safari does not count a WebSocket of the same host as 'self', so the host is named.
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
            "trusted-types basra",
            "require-trusted-types-for 'script'",
        ]
    )
