"""Reads the whole body of a request before anybody acts on it: later nothing of ours waits for the network."""

from __future__ import annotations

import io
from typing import Any

from gunicorn.http.body import Body, ChunkedReader, LengthReader  # type: ignore[import-untyped]
from gunicorn.http.errors import NoMoreData, ParseException  # type: ignore[import-untyped]
from werkzeug.exceptions import RequestEntityTooLarge

from app.config import BODY_MOST_BYTES
from app.gate.line import Line

# Each is some work, however little there is in it.
MOST_CHUNKS = 128
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


class Received(io.BytesIO):
    """A body that is here; `failed` tells the server whether the connection can go on after it."""

    failed = False


class Unreadable(io.RawIOBase):
    """A body of which nobody will read anything: whoever wants to is told why.

    Only the app knows what must be told before that: who is calling, and whether the thing is there at all.
    """

    failed = True

    def __init__(self, why: Exception) -> None:
        super().__init__()
        self._why = why

    def readable(self) -> bool:
        return True

    def readinto(self, _buffer: Any) -> int:
        raise self._why


def receive(req: Any, line: Line) -> None:
    """Put in the place of a request's body what has come of it.

    Errors: TooSlow.
    """
    line.expect_body()
    req.body = _body_of(req, line)
    # The body is here, or nobody waits for it: the server shall not send for it again.
    req._expected_100_continue = False
    if req.body.failed:
        req.force_close()
        line.linger()


def _body_of(req: Any, line: Line) -> Received | Unreadable:
    reader = req.body.reader
    length = reader.length if isinstance(reader, LengthReader) else None
    if length == 0:
        return Received()
    if length is not None and length > BODY_MOST_BYTES:
        return Unreadable(RequestEntityTooLarge())
    if req._expected_100_continue:
        line.sendall(CONTINUE)
    body = Body(reader if length is not None else _Chunks(req, req.unreader))
    try:
        data = body.read(BODY_MOST_BYTES + 1)
    except (ParseException, NoMoreData, RequestEntityTooLarge) as error:
        return Unreadable(error)
    if len(data) > BODY_MOST_BYTES:
        return Unreadable(RequestEntityTooLarge())
    received = Received(data)
    received.failed = length is not None and len(data) < length
    return received


class _Chunks(ChunkedReader):  # type: ignore[misc]
    """Chunks, but not any number of them."""

    def __init__(self, req: Any, unreader: Any) -> None:
        super().__init__(req, unreader)
        self._count = 0

    def parse_chunk_size(self, unreader: Any, data: bytes | None = None) -> tuple[int, bytes | None]:
        self._count += 1
        if self._count > MOST_CHUNKS:
            raise RequestEntityTooLarge
        found: tuple[int, bytes | None] = super().parse_chunk_size(unreader, data)
        return found
