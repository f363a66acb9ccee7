"""How fast something may be spent, and who has spent how much of it lately."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, Protocol

# Who asks from so many addresses that older ones are forgotten has that many allowances anyway.
MOST_KEPT = 20_000


class Pace(Protocol):
    """How fast something may be spent; what is kept of a key is None before it has spent anything."""

    @property
    def name(self) -> str:
        """What clients know it by; one name is one account of what was spent."""

    @property
    def quota(self) -> int:
        """So much may be spent at once."""

    @property
    def span_s(self) -> float:
        """In so long as much may be spent again."""

    def wait_s(self, kept: Any, now: float) -> float:
        """How long until one more may be spent; not above 0 if it may be now."""

    def spent(self, kept: Any, now: float) -> Any:
        """What is kept once one more is spent."""

    def returned(self, kept: Any, now: float) -> Any:
        """What is kept once the last one spent is given back."""

    def left(self, kept: Any, now: float) -> int:
        """How much may be spent now."""

    def more_in_s(self, kept: Any, now: float) -> float:
        """How long until more is left than now; 0 if all of it is left."""


@dataclass(frozen=True)
class Bucket:
    """So many a second, refilled all the time, and so many at once. Kept is when it will be full again."""

    name: str
    per_s: float
    burst: int

    @property
    def quota(self) -> int:
        return self.burst

    @property
    def span_s(self) -> float:
        return self.burst / self.per_s

    def wait_s(self, kept: float | None, now: float) -> float:
        # Rounded, or the last of a burst would be refused for what a sum of floats is off.
        return round(self.spent(kept, now) - now - self.burst / self.per_s, 6)

    def spent(self, kept: float | None, now: float) -> float:
        return max(now, kept or now) + 1 / self.per_s

    def returned(self, kept: float | None, now: float) -> float:
        return max(now, kept or now) - 1 / self.per_s

    def left(self, kept: float | None, now: float) -> int:
        return self.burst - math.ceil(self._missing(kept, now))

    def more_in_s(self, kept: float | None, now: float) -> float:
        missing = self._missing(kept, now)
        return (missing - max(0, math.ceil(missing) - 1)) / self.per_s

    def _missing(self, kept: float | None, now: float) -> float:
        return round(max(0.0, (kept or now) - now) * self.per_s, 6)


@dataclass(frozen=True)
class Window:
    """At most so many in any span of so many seconds. Kept are the last times."""

    name: str
    most: int
    span_s: float

    @property
    def quota(self) -> int:
        return self.most

    def wait_s(self, kept: tuple[float, ...] | None, now: float) -> float:
        return kept[0] + self.span_s - now if kept and len(kept) == self.most else 0.0

    def spent(self, kept: tuple[float, ...] | None, now: float) -> tuple[float, ...]:
        return (*(kept or ()), now)[-self.most :]

    def returned(self, kept: tuple[float, ...] | None, now: float) -> tuple[float, ...]:
        return (kept or ())[:-1]

    def left(self, kept: tuple[float, ...] | None, now: float) -> int:
        return self.most - len(self._counting(kept, now))

    def more_in_s(self, kept: tuple[float, ...] | None, now: float) -> float:
        counting = self._counting(kept, now)
        return counting[0] + self.span_s - now if counting else 0.0

    def _counting(self, kept: tuple[float, ...] | None, now: float) -> list[float]:
        return [at for at in kept or () if at + self.span_s > now]


@dataclass(frozen=True, slots=True)
class Standing:
    """Where somebody stands: how long he has to wait (not above 0: he has not), what is left, when there is more."""

    wait_s: float
    left: int
    more_in_s: float


@dataclass
class Ledger:
    """What everyone has spent lately."""

    clock: Callable[[], float] = time.monotonic
    _lock: threading.Lock = field(default_factory=threading.Lock)
    # The least lately used first.
    _kept: dict[tuple[str, Hashable], Any] = field(default_factory=dict)

    def wait_s(self, pace: Pace, key: Hashable) -> float:
        """How long the key must wait before it may spend one more."""
        with self._lock:
            return pace.wait_s(self._kept.get((pace.name, key)), self.clock())

    def last_spent_s(self, window: Window, key: Hashable) -> float:
        """How long ago the key last spent one; endless if it is not known to have."""
        with self._lock:
            kept: tuple[float, ...] | None = self._kept.get((window.name, key))
            return self.clock() - kept[-1] if kept else math.inf

    def spend(self, pace: Pace, key: Hashable, *, always: bool = False) -> Standing:
        """Spend one if that may be, or in any case; returns how the key stands after it."""
        with self._lock:
            now = self.clock()
            kept = self._kept.pop((pace.name, key), None)
            wait_s = pace.wait_s(kept, now)
            if always or wait_s <= 0:
                kept = pace.spent(kept, now)
            self._kept[pace.name, key] = kept
            if len(self._kept) > MOST_KEPT:
                del self._kept[next(iter(self._kept))]
            return Standing(wait_s, pace.left(kept, now), pace.more_in_s(kept, now))

    def give_back(self, pace: Pace, key: Hashable) -> Standing:
        """Give back the last one that was spent; returns how the key stands after it."""
        with self._lock:
            now = self.clock()
            kept = self._kept[pace.name, key] = pace.returned(self._kept.get((pace.name, key)), now)
            return Standing(0.0, pace.left(kept, now), pace.more_in_s(kept, now))

    def forget(self, pace: Pace, key: Hashable) -> None:
        """Give a key all that it has spent back."""
        with self._lock:
            self._kept.pop((pace.name, key), None)
