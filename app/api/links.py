"""Where links lead: to the service's own address, and what a decorated one means, with a slash, a full stop or an
invisible mark that a chat program took into it.

`static/js/code.js` reads codes by the same rule; tests/js/codes.json holds both to it.
"""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import unquote

from flask import current_app, request
from werkzeug.exceptions import HTTPException

from app.config import settings
from app.problems import API_PREFIX
from app.services.ids import CODE_LENGTH, CODE_LETTERS, is_id

# Documents stand under this blueprint; of what lies under /api only the page for people has other spellings.
_PAGES = "pages."
_DOCS = "/api/docs"
_PERCENT = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_SPACES = re.compile(r"[\t\n\v\f\r\u0085]")
# Nothing is to be seen of these, although their category does not say so: joiners, fillers, variation selectors.
_BLANK = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
_LATIN = "A-Za-z0-9\u00c0-\u024f"
_LINK = re.compile(rf"/r/+([A-Za-z]{{{CODE_LENGTH}}})(?![{_LATIN}])", re.IGNORECASE)
_WORD = re.compile(rf"[{_LATIN}]+")
_SIX_LETTERS = re.compile(rf"[A-Za-z]{{{CODE_LENGTH}}}")
_CODE = re.compile(rf"[{CODE_LETTERS}]{{{CODE_LENGTH}}}", re.IGNORECASE)
_DECORATION = re.compile(r"[^A-Za-z0-9_-]+$")


def own_origin() -> str:
    """Scheme and host of links to here; in production nobody who asks has a say in them."""
    known = settings()
    return known.public_url if known.production else request.host_url.rstrip("/")


def meant(path: str) -> str | None:
    """The address of the page that a path means, if it is another one than the path itself.

    Addresses of the API mean what they say.
    """
    if path[:3].lower() == "/r/":
        code = read_code(path[3:])
        return f"/r/{code}" if code else None
    bare = _DECORATION.sub("", seen(path)) or "/"
    found = next((one for one in dict.fromkeys((bare, bare.lower())) if _is_page(one)), None)
    return None if found == path else found


def read_code(text: str) -> str | None:
    """The room's code in what somebody typed or pasted: a code, a link, a sentence with either; None if none is clear.

    >>> read_code("Code: scj hyn")
    'SCJHYN'
    >>> read_code("Come to https://basra.example/r/SCJHYN, dealer")
    'SCJHYN'
    """
    shown = seen(text)
    if link := _LINK.search(shown):
        return link[1].upper()
    code = _only(shown) or _only(shown.rpartition(":")[2]) or _one_of(_WORD.findall(shown))
    return code and code.upper()


def seen(text: str) -> str:
    """A text as it is seen: no percent signs, no marks that nobody sees, wide and ornate letters as plain ones."""
    plain = unicodedata.normalize("NFKC", _PERCENT.sub(lambda found: unquote(found[0]), text))
    spaced = _BLANK.sub("", _SPACES.sub(" ", plain))
    return "".join(letter for letter in spaced if unicodedata.category(letter) not in ("Cc", "Cf"))


def _only(text: str) -> str | None:
    """The code, if there is nothing else to read; a single word of six letters may be one that was typed wrongly."""
    words = _WORD.findall(text)
    if len(words) == 1 and _SIX_LETTERS.fullmatch(words[0]):
        return str(words[0])
    joined = "".join(words)
    return joined if _CODE.fullmatch(joined) else None


def _one_of(words: list[str]) -> str | None:
    """The only word that can be a code; one in capitals goes before others."""
    codes = dict.fromkeys(word for word in words if _CODE.fullmatch(word))
    found = [code for code in codes if code.isupper()] or list(codes)
    return found[0] if len(found) == 1 else None


def _is_page(path: str) -> bool:
    if path.startswith(API_PREFIX) and path != _DOCS:
        return False
    adapter = current_app.create_url_adapter(request)
    try:
        endpoint, named = adapter.match(path, method="GET") if adapter else ("", {})
    except HTTPException:
        return False
    return path == _DOCS or (endpoint.startswith(_PAGES) and all(is_id(str(one)) for one in named.values()))
