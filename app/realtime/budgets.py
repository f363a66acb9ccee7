"""What a client may say on a channel: next to nothing, for it listens."""

from __future__ import annotations

import time
from collections.abc import Callable


class Budget:
    """So much a second, refilled all the time, and so much at once."""

    def __init__(self, per_s: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_s = per_s
        self._burst = burst
        self._clock = clock
        self._left = burst
        self._at = clock()

    def spend(self, much: float = 1) -> bool:
        """Whether there was so much left; what is beyond the budget spends nothing."""
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._at) * self._per_s)
        self._at = now
        # A little less will do, or the last of a burst would be refused for what a sum of floats is off.
        if self._left < much - 1e-6:
            return False
        self._left -= much
        return True


class Hearing:
    """The budgets of one channel; without limits only its pings have one."""

    def __init__(self, *, limited: bool, clock: Callable[[], float] = time.monotonic) -> None:
        self._limited = limited
        # Frames of any kind: empty ones, parts of a message, pings and what answers ours.
        self._frames = Budget(20, 150, clock)
        # All that may well be said in that time, and some more.
        self._bytes = Budget(8 * 1024, 64 * 1024, clock)
        self._pings = Budget(4, 4, clock)

    def hears_frame(self) -> bool:
        """Whether another frame may come."""
        return not self._limited or self._frames.spend()

    def hears_bytes(self, count: int) -> bool:
        """Whether so many bytes more may come."""
        return not self._limited or self._bytes.spend(count)

    def answers_ping(self) -> bool:
        """Whether a ping is answered; RFC 6455 wants that of the latest only."""
        return self._pings.spend()
