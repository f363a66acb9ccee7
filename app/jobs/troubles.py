"""Troubles of the jobs: what fails several times a second is told when it begins, and when it is over."""

from __future__ import annotations

from collections.abc import Callable

from app.observability import log, log_failure


class Trouble:
    """Something that may fail each time it is done."""

    def __init__(self, name: str, **fields: object) -> None:
        self._name = name
        self._fields = fields
        self._kind: type[BaseException] | None = None

    def note(self, error: BaseException | None) -> None:
        """Tell how it went this time; the log hears of it if that is not as it was last time."""
        kind = None if error is None else type(error)
        if kind is self._kind:
            return
        self._kind = kind
        if error is None:
            log(f"{self._name}_works_again", **self._fields)
        else:
            log_failure(f"{self._name}_failed", error, **self._fields)


class Quiet:
    """A job whose errors are lines of the log, instead of the scheduler's tracebacks."""

    def __init__(self, name: str, job: Callable[[], None]) -> None:
        self._job = job
        self._trouble = Trouble("job", job=name)

    def __call__(self) -> None:
        try:
            self._job()
        except Exception as error:
            self._trouble.note(error)
        else:
            self._trouble.note(None)
