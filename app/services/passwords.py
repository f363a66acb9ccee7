"""Passwords: hashed slowly, a few at a time, and aside from the loop that serves everyone else."""

from __future__ import annotations

import math
import threading
import unicodedata
from collections.abc import Callable
from typing import Any, TypeVar

from flask import current_app
from werkzeug.security import check_password_hash, generate_password_hash
from zxcvbn.frequency_lists import FREQUENCY_LISTS

from app.extensions import db
from app.services.errors import Refusal, refuse_field

# Of what OWASP recommends, the one with the least memory: 16 MiB and about 0.2 s each. What makes guessing dear would
# also fill the machine, so few are worked out at once.
METHOD = "scrypt:16384:8:5"
AT_ONCE = 2
# Who has waited so long behind others is told to try again.
WAIT_S = 5.0

# Those that are tried first: what is refused is the 30,000 most common ones, in whichever case.
COMMON = frozenset(FREQUENCY_LISTS["passwords"])

Result = TypeVar("Result")


class Hasher:
    """Works out slow hashes, as many at once as it is allowed."""

    def __init__(self, method: str = METHOD, at_once: int = AT_ONCE) -> None:
        self.method = method
        # Compared with where there is no account of the name, so that this takes as long; no password has this hash.
        self.nobodys = f"{method}${'x' * 16}${'0' * 128}"
        # How a function is run that takes long and would hold up others: by default in the thread that asks.
        self.aside: Callable[[Callable[[], Any]], Any] = lambda work: work()
        self._places = threading.BoundedSemaphore(at_once)

    def work(self, work: Callable[[], Result]) -> Result:
        """The result of something slow.

        Errors: unavailable if too many others wait for theirs.
        """
        if not self._places.acquire(timeout=WAIT_S):
            raise Refusal("unavailable")
        try:
            result: Result = self.aside(work)
            return result
        finally:
            self._places.release()


def hash_of(password: str) -> str:
    """The salted hash to be stored for a password.

    Errors: unavailable.
    """
    hasher = _hasher()
    return hasher.work(lambda: generate_password_hash(_same(password), hasher.method))


def is_right(password: str, stored: str | None) -> bool:
    """Whether the password is the one of a stored hash; where none is stored, that takes as long to say.

    Errors: unavailable.
    """
    hasher = _hasher()
    fits = hasher.work(lambda: _fits(hasher, _same(password), stored or hasher.nobodys))
    return fits and stored is not None


def renewed(password: str, stored: str) -> str | None:
    """The hash to be stored in place of one that was made in a former way; None if it was made as it is today.

    Errors: unavailable.
    """
    return None if _method_of(stored) == _hasher().method else hash_of(password)


def require_uncommon(field: str, password: str) -> None:
    """Refuse a password that somebody who guesses will try.

    Errors: request.invalid, naming the field that it came in.
    """
    if _same(password).casefold() in COMMON:
        refuse_field(field, "Is one of the most common passwords.")


def _fits(hasher: Hasher, password: str, stored: str) -> bool:
    """Whether the password is that of the hash; one that was cheaper to make takes as long, or that would be seen."""
    fits = check_password_hash(stored, password)
    n, r, _ = _costs(hasher.method)
    missing = (math.prod(_costs(hasher.method)) - math.prod(_costs(_method_of(stored)))) // (n * r)
    if missing > 0:
        check_password_hash(f"scrypt:{n}:{r}:{missing}${'x' * 16}${'0' * 128}", password)
    return fits


def _method_of(stored: str) -> str:
    return stored.partition("$")[0]


def _costs(method: str) -> tuple[int, int, int]:
    """How often scrypt mixes, in blocks of which size, and how many times beside one another."""
    n, r, p = (int(number) for number in method.split(":")[1:])
    return n, r, p


def _hasher() -> Hasher:
    db.session.close()  # nobody's connection waits for a hash
    hasher: Hasher = current_app.extensions["hasher"]
    return hasher


def _same(password: str) -> str:
    """One form of what keyboards may write in several."""
    return unicodedata.normalize("NFKC", password)
