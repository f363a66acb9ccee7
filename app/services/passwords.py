"""Passwords: hashed slowly, a few at a time, and aside from the loop that serves everyone else."""

from __future__ import annotations

import threading
import unicodedata
from collections.abc import Callable
from typing import Any, TypeVar

from flask import current_app
from werkzeug.security import check_password_hash, generate_password_hash

from app.extensions import db
from app.services.errors import Refusal

# 32 MiB and about 0.1 s each: what makes guessing dear would also fill the machine, so few are worked out at once.
METHOD = "scrypt:32768:8:1"
AT_ONCE = 2
# Who has waited so long behind others is told to try again.
WAIT_S = 5.0

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
    fits = hasher.work(lambda: check_password_hash(stored or hasher.nobodys, _same(password)))
    return fits and stored is not None


def _hasher() -> Hasher:
    db.session.close()  # nobody's connection waits for a hash
    hasher: Hasher = current_app.extensions["hasher"]
    return hasher


def _same(password: str) -> str:
    """One form of what keyboards may write in several."""
    return unicodedata.normalize("NFKC", password)
