"""What it costs to look at a match again and again: a view, a 304, and a route that does nothing, as ratios."""

import logging
import tempfile
import time
from collections.abc import Callable, Iterable
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any

from flask import Flask
from werkzeug.test import EnvironBuilder

from app import create_app
from app.config import read_settings
from app.extensions import db
from app.models import Base
from app.services import players, rooms, seating
from app.services.room_rules import RoomWish

SLICES = 15  # measured in turns, so that a busy machine slows all of them
REQUESTS_A_SLICE = 100
# What a 304 may cost, beside a view and beside a route that does nothing.
OF_A_VIEW_MAX = 0.85
OF_NOTHING_MAX = 10


class Request:
    """One request, to be sent many times straight into the application."""

    def __init__(self, app: Flask, path: str, headers: dict[str, str]) -> None:
        self._app = app
        self._environ = EnvironBuilder(path=path, headers=headers).get_environ()
        self.status, self.headers = "", dict[str, str]()

    def send(self) -> bytes:
        """Send it and read the answer."""
        answer: Iterable[bytes] = self._app(dict(self._environ), self._begin)
        return b"".join(answer)

    def seconds(self) -> float:
        """The seconds of one request."""
        begin = time.process_time()
        for _ in range(REQUESTS_A_SLICE):
            self.send()
        return (time.process_time() - begin) / REQUESTS_A_SLICE

    def _begin(self, status: str, headers: list[tuple[str, str]], *_: Any) -> Callable[[bytes], object]:
        self.status, self.headers = status, dict(headers)
        return lambda _: None


def begin_match(app: Flask) -> tuple[str, str]:
    """Begin a match of two; gives its id and the token of one of them."""
    with app.app_context():
        (mona, token), (karim, _) = (players.create_guest(name, session=False) for name in ("Mona", "Karim"))
        code = rooms.create(mona["id"], RoomWish())[0]["code"]
        room = seating.join(karim["id"], code)[0]
        db.session.remove()
    return room["match_id"], token


def main() -> int:
    """Print the ratios; exit status 1 where one does not hold."""
    with tempfile.TemporaryDirectory(prefix="basra-") as directory:
        database = Path(directory) / "basra.sqlite3"
        app = create_app(read_settings({"DATABASE_URL": f"sqlite:///{database}"}))
        logging.getLogger("basra").setLevel(logging.ERROR)  # a line a request would be most of a 304
        app.extensions["limits"].clock = count().__next__  # a second has passed whenever it is asked: none is too fast
        with app.app_context():
            Base.metadata.create_all(db.engine)
        match_id, token = begin_match(app)
        caller = {"Authorization": f"Bearer {token}"}
        view = Request(app, f"/api/v1/matches/{match_id}", caller)
        view.send()
        poll = Request(app, f"/api/v1/matches/{match_id}", {**caller, "If-None-Match": view.headers["ETag"]})
        nothing = Request(app, "/healthz", {})
        for request, status in ((view, "200"), (poll, "304"), (nothing, "200")):
            request.send()
            assert request.status.startswith(status), request.status
        times = [[request.seconds() for request in (view, poll, nothing)] for _ in range(SLICES)]
        with app.app_context():
            db.session.remove()
            db.engine.dispose()
    of_a_view = median(poll_s / view_s for view_s, poll_s, _ in times)
    of_nothing = median(poll_s / nothing_s for _, poll_s, nothing_s in times)
    print(f"a 304, in views: {of_a_view:.2f} (at most {OF_A_VIEW_MAX})")
    print(f"a 304, in routes that do nothing: {of_nothing:.1f} (at most {OF_NOTHING_MAX})")
    return int(of_a_view > OF_A_VIEW_MAX or of_nothing > OF_NOTHING_MAX)


if __name__ == "__main__":
    raise SystemExit(main())
