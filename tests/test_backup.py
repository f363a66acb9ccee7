"""The commands for backup and restore in docs/deploy.md, run as they are printed, on both databases."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.live import LiveServer, live_server
from tests.postgresql import PostgreSQL
from tests.runtime.people import Person, begin

ROOT = Path(__file__).parents[1]
DEPLOY = (ROOT / "docs" / "deploy.md").read_text()
SQLITE = ("/var/lib/basra/basra.sqlite3", "/var/backups/basra.sqlite3")
POSTGRESQL = ("postgresql://basra:secret@localhost/basra", "/var/backups/basra.dump")


def printed(title: str) -> list[str]:
    """The blocks of commands under a title, in order."""
    section = DEPLOY.split(f"## {title}\n")[1].split("\n## ")[0]
    return re.findall(r"```bash\n(.*?)```", section, re.DOTALL)


def run(block: str, at: tuple[str, str], here: tuple[str, str]) -> None:
    for there, mine in zip(at, here, strict=True):
        assert there in block
        block = block.replace(there, mine)
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", block], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def check(server: LiveServer, backup: Callable[[], None], restore: Callable[[], None]) -> None:
    """What was there at the backup is there again, a match in the middle too; what came later is not."""
    mona, adel = Person(server, "Mona"), Person(server, "Adel")
    _, match_id = begin(mona, adel, target=None)
    seats = {view["you"]["seat"]: person for person in (mona, adel) for view in [person.view(match_id)]}
    view = seats[mona.view(match_id)["to_act"]].play(match_id)["view"]
    backup()
    after = seats[view["to_act"]].play(match_id)["view"]
    late = Person(server, "Samia")
    assert after["turn"] == 2
    server.stop()
    restore()
    server.start()
    assert mona.view(match_id)["turn"] == 1
    assert late.call("GET", "/players/me")[0] == 401
    assert seats[view["to_act"]].play(match_id)["view"]["turn"] == 2


def test_sqlite_is_backed_up_while_it_runs_and_restored(tmp_path: Path) -> None:
    keep, put_back, *_ = printed("Backup and restore")
    with live_server() as server:
        here = (str(server.database), str(tmp_path / "backup.sqlite3"))
        check(server, lambda: run(keep, SQLITE, here), lambda: run(put_back, SQLITE, here))


@pytest.mark.postgres
def test_postgresql_is_backed_up_while_it_runs_and_restored(postgresql_server: PostgreSQL, tmp_path: Path) -> None:
    *_, keep, put_back = printed("Backup and restore")
    url = postgresql_server.new_database()
    with live_server(DATABASE_URL=url) as server:
        here = (url, str(tmp_path / "backup.dump"))
        check(server, lambda: run(keep, POSTGRESQL, here), lambda: run(put_back, POSTGRESQL, here))
