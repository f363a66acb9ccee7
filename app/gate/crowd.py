"""How many connections one address may have at once."""

from __future__ import annotations

import threading
from collections import Counter


class Crowd:
    """Counts by address; without a limit everyone may come in."""

    def __init__(self, most: int | None) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._counts: Counter[str] = Counter()

    def enter(self, address: str) -> bool:
        """Count one more of an address, unless it has all that it may."""
        if self._most is None:
            return True
        with self._lock:
            if self._counts[address] >= self._most:
                return False
            self._counts[address] += 1
            return True

    def leave(self, address: str) -> None:
        """Count one less of an address."""
        if self._most is None:
            return
        with self._lock:
            self._counts[address] -= 1
            if not self._counts[address]:
                del self._counts[address]
