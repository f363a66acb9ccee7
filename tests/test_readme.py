"""The README's tour of the API works as it is printed."""

import re
import subprocess
from pathlib import Path

from tests.live import live_server

ROOT = Path(__file__).parent.parent
PRINTED = "http://127.0.0.1:8000"


def test_the_tour_works_as_printed() -> None:
    block = re.search(r"```bash\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert block and PRINTED in block[1]
    with live_server() as server:
        script = block[1].replace(PRINTED, server.url)
        run = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=60
        )
    assert run.returncode == 0, run.stderr
    assert "'captures'" in run.stdout
    assert "'reason': 'forfeit'" in run.stdout


def test_every_document_that_is_linked_exists() -> None:
    for page in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        for link in re.findall(r"(?:\]\(|src=\")(?!https?:)([^)#\"]+)", page.read_text()):
            assert (page.parent / link).exists(), f"{page.name}: {link}"


def test_what_follows_from_being_slow_or_gone_is_told_alike_everywhere() -> None:
    """The table stands in the README and in the rules; `tests/runtime/test_slow_and_gone.py` proves it row by row."""
    tables = [
        re.search(r"(?m)^\| what happens \|.*\n(?:\|.*\n)+", (ROOT / page).read_text())
        for page in ("README.md", "docs/rules.md")
    ]
    assert tables[0] and tables[1] and tables[0][0] == tables[1][0]
