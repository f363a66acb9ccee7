"""The floods. Each runs in a thread of one process, at a pace: it is the server that they weigh on, not its machine."""

from __future__ import annotations

import itertools
import json
import os
import socket
import sqlite3
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import websocket

from tests.attack.visitor import SECOND, ask, channel, connect, guest, post_head

Flood = Callable[["Attack"], None]

STEP_S = 0.05
# What a flood of bytes sends in a second, and how often it comes again when it has been cut off.
BYTES_PER_S = 1_000_000
FRAME_BYTES_PER_S = 300_000
AGAIN_S = 0.2
SLOW_LINES = 40
GUESTS = 14
MASK = bytes(4)
FRAMES = {
    "empty frames": bytes([0x81, 0x80]) + MASK,
    "fragments": bytes([0x01, 0x81]) + MASK + b"x" + (bytes([0x00, 0x81]) + MASK + b"x") * 50,
    "pings": bytes([0x89, 0x80]) + MASK,
}


class Attack:
    """What all floods share: whom they attack, how long, and what became of it."""

    def __init__(self, port: int, database: Path, seconds: float) -> None:
        self.port = port
        self.database = database
        self.until = time.monotonic() + seconds
        self.done: Counter[str] = Counter()

    def goes_on(self, pause_s: float = STEP_S) -> bool:
        """Whether the time is not over yet, after a pause."""
        time.sleep(pause_s)
        return time.monotonic() < self.until

    def note(self, what: str) -> None:
        """Count something that has happened."""
        self.done[what] += 1


def slow_lines(attack: Attack, name: str, head: bytes, drop: bytes) -> None:
    """Keep many lines open, each of which says a byte now and then, for as long as the server lets them."""
    lines: list[socket.socket] = []
    while attack.goes_on(0.5):
        while len(lines) < SLOW_LINES:
            line = connect(attack.port)
            line.sendall(head)
            line.setblocking(False)
            lines.append(line)
        for line in list(lines):
            if not _is_alive(line, drop):
                attack.note(f"{name}: ended")
                line.close()
                lines.remove(line)
    for line in lines:
        line.close()


def endless_bodies(attack: Attack) -> None:
    """Bodies that are announced and do not come, with a good token, for a match that runs."""
    token, other = (guest(attack.port, name) for name in ("Slow", "Slower"))
    room = ask(attack.port, "POST", "/rooms", {}, token)[1]
    match_id = ask(attack.port, "POST", f"/rooms/{room['code']}/joins", {}, other)[1]["match_id"]
    slow_lines(attack, "bodies without end", post_head(f"/matches/{match_id}/moves", "Content-Length: 50", token), b"")


def slow_heads(attack: Attack) -> None:
    """Heads that come a byte at a time."""
    slow_lines(attack, "slow heads", b"GET /healthz HTTP/1.1\r\nX-Slow: ", b"x")


def pour(attack: Attack, name: str, begin: Callable[[], socket.socket], piece: bytes, bytes_per_s: int) -> None:
    """Send one piece after the other, as fast as allowed; when cut off come again."""
    full = piece * max(1, int(bytes_per_s * STEP_S) // len(piece))
    while attack.goes_on(AGAIN_S):
        try:
            line = begin()
        except (OSError, websocket.WebSocketException):
            attack.note(f"{name}: not let in")
            continue
        with closing(line), suppress(OSError):
            while attack.goes_on():
                line.sendall(full)
        attack.note(f"{name}: ended")


def begun(attack: Attack, head: bytes) -> socket.socket:
    """A line on which a request has begun."""
    line = connect(attack.port)
    line.sendall(head)
    return line


def chunks(attack: Attack) -> None:
    """A body in chunks of one byte, without end."""
    head = post_head("/players", "Transfer-Encoding: chunked")
    pour(attack, "chunks of one byte", lambda: begun(attack, head), b"1\r\nx\r\n", BYTES_PER_S)


def huge_bodies(attack: Attack) -> None:
    """A body of 50 GB."""
    head = post_head("/players", "Content-Length: 50000000000")
    pour(attack, "50 GB", lambda: begun(attack, head), b" " * 1000, BYTES_PER_S)


def frames(kind: str) -> Flood:
    """Frames without end, on a channel without a name."""

    def flood(attack: Attack) -> None:
        def begin() -> socket.socket:
            line: socket.socket = channel(attack.port, "/channel", address=SECOND).sock
            return line

        pour(attack, kind, begin, FRAMES[kind], FRAME_BYTES_PER_S)

    return flood


def places(attack: Attack) -> None:
    """Guests who take all the channels that they can get, and come again."""
    tokens = [guest(attack.port, f"Guest {number}") for number in range(GUESTS)]
    held: list[websocket.WebSocket] = []
    while attack.goes_on(1.0):
        for token in tokens:
            try:
                held.append(channel(attack.port, "/channel", token))
                attack.note("channels: taken")
            except (OSError, websocket.WebSocketException):
                attack.note("channels: refused")
        while len(held) > 4 * GUESTS:
            held.pop(0).shutdown()
    for one in held:
        one.shutdown()


def wrong_codes(attack: Attack) -> None:
    """Codes of rooms that are none."""
    codes = ("".join(letters) for letters in itertools.product("ABCDEFGHJKMNPQRSTUVWXYZ", repeat=6))
    while attack.goes_on(0.1):
        attack.note(f"wrong codes: {ask(attack.port, 'GET', f'/rooms/{next(codes)}')[0]}")


def many_tokens(attack: Attack) -> None:
    """One player who makes rooms with many tokens."""
    first = guest(attack.port, "Many")
    wish = {"label": "one more", "scopes": ["read", "play"]}
    tokens = [ask(attack.port, "POST", "/tokens", wish, first)[1].get("token") for _ in range(10)]
    for token in itertools.cycle(tokens):
        if not attack.goes_on(0.1):
            break
        attack.note(f"rooms by many tokens: {ask(attack.port, 'POST', '/rooms', {'visibility': 'public'}, token)[0]}")


def foreign_lock(attack: Attack) -> None:
    """Another program that writes to the database's file now and then, as a backup does."""
    with closing(sqlite3.connect(attack.database, isolation_level=None)) as other:
        while attack.goes_on(2.0):
            with suppress(sqlite3.OperationalError):
                other.execute("BEGIN IMMEDIATE")
                time.sleep(STEP_S)
                other.execute("ROLLBACK")
                attack.note("foreign lock: held")


FLOODS: list[Flood] = [
    endless_bodies,
    slow_heads,
    chunks,
    huge_bodies,
    *(frames(kind) for kind in FRAMES),
    places,
    wrong_codes,
    many_tokens,
    foreign_lock,
]


def _is_alive(line: socket.socket, drop: bytes) -> bool:
    try:
        if drop:
            line.send(drop)
        line.recv(4096)
        return False  # whatever it says, it is the end
    except BlockingIOError:
        return True
    except OSError:
        return False


def main(port: int, database: Path, seconds: float) -> None:
    """Run all floods at once; what became of each is printed as JSON at the end."""
    os.nice(5)
    attack = Attack(port, database, seconds)
    threads = [threading.Thread(target=flood, args=(attack,), daemon=True) for flood in FLOODS]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(seconds + 30)
    print(json.dumps(attack.done))


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3]))
