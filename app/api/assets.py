"""The client's files, read once at start: their revision, their texts, and which modules a screen needs at once."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import mimetypes
import posixpath
import re
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

STATIC = Path(__file__).resolve().parents[2] / "static"
COMPRESSIBLE = {".js", ".css", ".json", ".svg", ".txt"}
TYPES = {".js": "text/javascript", ".woff2": "font/woff2"}
STATIC_IMPORT = re.compile(r"""^(?:import|export)\b[^;()]*?['"](\.[^'"]+)['"];""", re.MULTILINE)

Text = str | dict[str, str]


@dataclass(frozen=True)
class Asset:
    """One file of the client, as it is sent."""

    body: bytes
    packed: bytes | None
    mimetype: str

    @cached_property
    def sha256(self) -> str:
        """Give the hash of the file itself, in base64."""
        return base64.b64encode(hashlib.sha256(self.body).digest()).decode()


@cache
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


@cache
def revision() -> str:
    """Give the hash of all files of the client."""
    digest = hashlib.sha256()
    for path, asset in assets().items():
        digest.update(path.encode() + b"\0" + hashlib.sha256(asset.body).digest())
    return digest.hexdigest()[:12]


@cache
def modules(*roots: str) -> list[str]:
    """Give the modules that these need, themselves included; what they import only when needed is not among them.

    The page asks for all of them at once instead of for one import after the other.
    """
    found: set[str] = set()
    waiting = list(roots)
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found.add(path)
        folder = posixpath.dirname(path)
        imported = STATIC_IMPORT.findall(assets()[path].body.decode())
        waiting += [posixpath.normpath(posixpath.join(folder, one)) for one in imported]
    return sorted(found)


@cache
def texts(file: str) -> dict[str, Text]:
    """Give the texts of one language file, by key."""
    loaded: dict[str, Text] = json.loads(assets()[f"i18n/{file}.json"].body)
    return loaded
