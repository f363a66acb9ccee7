"""What is answered to requests that never reach the app: problems like all others, and never the server's own pages."""

from __future__ import annotations

import json
from http import HTTPStatus

from gunicorn.http.errors import (  # type: ignore[import-untyped]
    InvalidResponseHeader,
    InvalidResponseHeaderName,
    LimitRequestHeaders,
    LimitRequestLine,
    ParseException,
)

from app.gate.line import TooSlow
from app.problems import KINDS, MEDIA_TYPE, body_of

_CODES: dict[type[Exception], str] = {
    TooSlow: "request.timeout",
    LimitRequestLine: "request.uri_too_long",
    LimitRequestHeaders: "request.headers_too_large",
    # Of these two we are the ones who sent them.
    InvalidResponseHeader: "internal",
    InvalidResponseHeaderName: "internal",
    ParseException: "request.malformed",
}


def code_of(error: BaseException) -> str:
    """The code of what the server could not serve."""
    return next((code for kind, code in _CODES.items() if isinstance(error, kind)), "internal")


def answer(code: str, *, retry_after_s: int | None = None) -> bytes:
    """The whole answer, as it goes over the line; the connection ends with it."""
    status = HTTPStatus(KINDS[code].status)
    detail = "The request cannot be read." if code == "request.malformed" else None
    body = json.dumps(body_of(code, detail)).encode()
    fields = {
        "Content-Type": MEDIA_TYPE,
        "Content-Length": len(body),
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
        "Connection": "close",
    }
    if retry_after_s is not None:
        fields["Retry-After"] = retry_after_s
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"HTTP/1.1 {status} {status.phrase}\r\n{head}\r\n".encode() + body
