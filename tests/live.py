"""A real server for tests: gunicorn with its own settings file, on a free port and a database of its own."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parent.parent
START_S = 30.0


def wait_until(condition: Callable[[], bool], what: str, timeout_s: float = 10.0) -> None:
    """Return as soon as the condition holds; fail with what was waited for when it takes too long."""
    give_up = time.monotonic() + timeout_s
    while not condition():
        if time.monotonic() > give_up:
            raise AssertionError(f"waited {timeout_s} s in vain for {what}")
        time.sleep(0.01)


def free_port() -> int:
    """A port of the loopback address that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class LiveServer:
    """One server process, which may be stopped and started again on the same database."""

    def __init__(self, directory: Path, env: dict[str, str], wsgi: str = "wsgi:app") -> None:
        self._wsgi = wsgi
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.database = directory / "basra.sqlite3"
        self.log = directory / "server.log"
        self._env = {
            "HOST": "127.0.0.1",
            "PORT": str(self.port),
            "DATABASE_URL": f"sqlite:///{self.database}",
            "PUBLIC_URL": self.url,
            "RATE_LIMITS": "off",
            "BOT_PAUSE_S": "0",
            **env,
        }
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start serving, and return once it does."""
        environ = {name: value for name, value in os.environ.items() if name not in ("WEB_CONCURRENCY", "REDIS_URL")}
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "gunicorn", "-c", "gunicorn.conf.py", self._wsgi],
                cwd=ROOT,
                env={**environ, **self._env},
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        wait_until(self._is_ready, f"the server to be ready; its log:\n{self.log_text()}", START_S)

    def command(self, *args: str) -> str:
        """What a command of `flask --app wsgi` prints, run beside the server on its database."""
        environ = {name: value for name, value in os.environ.items() if name not in ("WEB_CONCURRENCY", "REDIS_URL")}
        done = subprocess.run(
            [sys.executable, "-m", "flask", "--app", "wsgi", *args],
            cwd=ROOT, env={**environ, **self._env}, capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    def change(self, **env: str) -> None:
        """Change settings for the next start."""
        self._env.update(env)

    def stop(self, how: signal.Signals = signal.SIGTERM, timeout_s: float = 30.0) -> float:
        """Stop the server; returns how many seconds it took."""
        if self.process is None or self.process.poll() is not None:
            return 0.0
        began = time.monotonic()
        # Ctrl-C in a terminal reaches every process of the group; a service manager tells only the first.
        (os.killpg if how is signal.SIGINT else os.kill)(self.process.pid, how)
        try:
            self.process.wait(timeout_s)
        finally:
            if self.process.poll() is None:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()
            self.process = None
        return time.monotonic() - began

    def restart(self) -> None:
        """Stop and start again."""
        self.stop()
        self.start()

    def log_text(self) -> str:
        """What the server has said so far."""
        return self.log.read_text()

    def _is_ready(self) -> bool:
        assert self.process is not None
        if self.process.poll() is not None:
            raise AssertionError(f"the server ended at once:\n{self.log_text()}")
        try:
            with urllib.request.urlopen(f"{self.url}/readyz", timeout=5) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            return False


@contextmanager
def live_server(wsgi: str = "wsgi:app", **env: str) -> Iterator[LiveServer]:
    """Serve on a free port until the block ends; `env` overrides settings, `wsgi` is another application than ours."""
    with tempfile.TemporaryDirectory(prefix="basra-") as directory:
        server = LiveServer(Path(directory), env, wsgi)
        try:
            server.start()
            yield server
        finally:
            server.stop()
