"""The clock: a scheduler that wakes the sweeps, once a database."""

from app.jobs.scheduler import Clock, ClockTaken

__all__ = ["Clock", "ClockTaken"]
