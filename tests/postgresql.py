"""A throw-away PostgreSQL for tests: a cluster in a temporary folder that listens on a socket of that folder only.

`python -m tests.postgresql` runs the tests that need it or, where there is none, says so: `make test` ends with that.
"""

from __future__ import annotations

import itertools
import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

CURE = "install PostgreSQL 13 or newer (on Debian: apt-get install postgresql) or put its initdb and pg_ctl on the PATH"
# PostgreSQL refuses to run as root; its packages make this account for it.
ACCOUNT = "postgres"
START_S = 30


def binaries() -> Path | None:
    """The folder of the newest PostgreSQL server of this machine, or None; Debian keeps it off the PATH."""
    found = shutil.which("initdb")
    known = [Path(found).resolve().parent] if found else []
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name), reverse=True)
    return next((path for path in [*known, *debian] if (path / "initdb").exists() and (path / "pg_ctl").exists()), None)


class PostgreSQL:
    """A running cluster, which may be stopped and started again."""

    def __init__(self, tools: Path, folder: Path) -> None:
        self._tools = tools
        self._folder = folder
        self._numbers = itertools.count(1)
        self._run("initdb", "-D", str(folder / "data"), "-U", "basra", "--auth=trust", "-E", "UTF8", "--no-sync")

    def start(self) -> None:
        """Start serving, and return once it does."""
        options = f"-c listen_addresses= -c unix_socket_directories={self._folder} -c fsync=off -c max_connections=300"
        self._control("-o", options, "-l", str(self._folder / "log"), "-t", str(START_S), "start")

    def stop(self) -> None:
        """Stop at once, as a machine that fails would."""
        self._control("-m", "immediate", "stop")

    def new_database(self) -> str:
        """The URL of a new, empty database."""
        name = f"basra_{next(self._numbers)}"
        with self.connect("postgres") as connection:
            connection.execute(f"CREATE DATABASE {name}")  # type: ignore[arg-type]
        return f"postgresql://basra@/{name}?host={self._folder}"

    def connect(self, name: str) -> psycopg.Connection[tuple[object, ...]]:
        """A connection of the test's own to a database."""
        return psycopg.connect(f"postgresql://basra@/{name}?host={self._folder}", autocommit=True)

    def _control(self, *arguments: str) -> None:
        self._run("pg_ctl", "-D", str(self._folder / "data"), "-w", *arguments)

    def _run(self, tool: str, *arguments: str) -> None:
        command = [str(self._tools / tool), *arguments]
        if os.geteuid() == 0:
            command = ["runuser", "-u", ACCOUNT, "--", *command]
        # Not a pipe: the server inherits it, and it would stay open as long as the server runs.
        with tempfile.TemporaryFile() as said:
            if subprocess.run(command, cwd="/", stdout=said, stderr=said, check=False).returncode:
                said.seek(0)
                raise AssertionError(f"{tool} failed:\n{said.read().decode()}")


@contextmanager
def postgresql() -> Iterator[PostgreSQL]:
    """Serve a fresh cluster until the block ends."""
    tools = binaries()
    assert tools is not None, f"no PostgreSQL server is found on this machine; cure: {CURE}"
    folder = Path(tempfile.mkdtemp(prefix="basra-postgresql-"))
    try:
        if os.geteuid() == 0:
            assert ACCOUNT in {entry.pw_name for entry in pwd.getpwall()}, (
                f"PostgreSQL does not run as root and there is no account {ACCOUNT!r}; cure: run the tests as somebody "
                "else, or install PostgreSQL from the system's packages, which make that account"
            )
            shutil.chown(folder, ACCOUNT)
        server = PostgreSQL(tools, folder)
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder)


def main() -> int:
    """Run the tests on PostgreSQL if there is one; say so if not."""
    if binaries() is None:
        print(f"PostgreSQL: no server on this machine, so the tests on it were NOT run; to run them {CURE}")
        return 0
    return subprocess.call([sys.executable, "-m", "pytest", "-m", "postgres", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
