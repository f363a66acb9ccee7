"""The watch: does at its time what a channel's own handler might be kept from doing."""

from __future__ import annotations

import heapq
import itertools
import threading
import time
from collections.abc import Callable

from app.observability import log_failure


class Watch:
    """Calls what it was told to when the time has come; it has a thread only while there is something to wait for."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._due: list[tuple[float, int, Callable[[], None]]] = []
        self._numbers = itertools.count()
        self._is_kept = False

    def after(self, wait_s: float, act: Callable[[], None]) -> None:
        """Have something done then; it must take no time, and do no harm where it is needed no longer."""
        with self._changed:
            heapq.heappush(self._due, (time.monotonic() + wait_s, next(self._numbers), act))
            if self._is_kept:
                self._changed.notify()
                return
            self._is_kept = True
        threading.Thread(target=self._keep, daemon=True).start()

    def _keep(self) -> None:
        while (act := self._next()) is not None:
            try:
                act()
            except Exception as error:  # what is due after it is not to be lost with it
                log_failure("watch_failed", error)

    def _next(self) -> Callable[[], None] | None:
        with self._changed:
            while self._due:
                wait_s = self._due[0][0] - time.monotonic()
                if wait_s <= 0:
                    return heapq.heappop(self._due)[2]
                self._changed.wait(wait_s)
            self._is_kept = False
            return None
