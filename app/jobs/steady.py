"""A scheduler whose jobs go on whatever the system's clock is set to."""

from __future__ import annotations

import time
from datetime import datetime, timedelta

from apscheduler.schedulers.background import BackgroundScheduler


class SteadyScheduler(BackgroundScheduler):
    """Plans by the wall clock, as APScheduler does, and moves its plans along when that is set.

    Set back by an hour, it would else wait for an hour.
    """

    # It looks at the clocks so often, and sees steps from so many seconds on.
    LOOKS_EVERY_S = 0.25
    LEAST_STEP_S = 0.2

    def _main_loop(self) -> None:
        self._ahead_s = self._look()
        super()._main_loop()

    def _process_jobs(self) -> float:
        self._follow_the_clock()
        wait_s: float | None = super()._process_jobs()
        return self.LOOKS_EVERY_S if wait_s is None else min(wait_s, self.LOOKS_EVERY_S)

    def _follow_the_clock(self) -> None:
        step_s = self._look() - self._ahead_s
        if abs(step_s) < self.LEAST_STEP_S:
            return
        self._ahead_s += step_s
        for job in self.get_jobs():
            job.modify(next_run_time=job.next_run_time + timedelta(seconds=step_s))

    def _look(self) -> float:
        return datetime.now(self.timezone).timestamp() - time.monotonic()
