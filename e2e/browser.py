"""Finds the Chromium that the browser tests run in, or says how to get one.

`python -m e2e.browser` (part of `make test`) finds or installs it and remembers the choice for this virtual
environment; the tests only read what was found. Order: `CHROMIUM` from the environment, Playwright's own, the system's;
if there is none, Playwright's download, then the system's package manager. Of the system's the headless shell comes
first: it draws the same pages in two thirds of the time. It has no windows, so `--headed` takes the next one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

# For machines without a GPU or a way to the outside; --no-sandbox because CI runs as root.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
HEADLESS = ["--headless", *FLAGS]
SHELL = "chromium-headless-shell"
SYSTEM_NAMES = [SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
REMEMBERED = Path(sys.prefix) / ".chromium"
DOWNLOAD_TIMEOUT_S = 300
CURE = (
    "no Chromium was found. Cure: run `make browser`, or install one (`apt-get install chromium`, "
    "`python -m playwright install chromium`), or set CHROMIUM to the path of one."
)


def find(*, headed: bool = False) -> str | None:
    """Give the path of a Chromium that is already here; `headed`: of one that has windows."""
    here = (path for path in _candidates() if path and Path(path).exists())
    return next((path for path in here if not (headed and Path(path).name == SHELL)), None)


def launch_options(*, headed: bool = False) -> dict[str, Any]:
    """Give Playwright's launch options for the Chromium that was found.

    Errors: RuntimeError with the cure when there is none.
    """
    path = find(headed=headed)
    if path is None:
        raise RuntimeError(CURE)
    return {"executable_path": path, "args": FLAGS if headed else HEADLESS}


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Have pytest-playwright start the Chromium that was found."""
    headed = browser_type_launch_args.get("headless") is False
    return {**browser_type_launch_args, **launch_options(headed=headed)}


def ensure() -> str:
    """Find a Chromium or install one, and remember which; give its path."""
    path = find() or _download() or _install_package()
    if path is None:
        raise RuntimeError(CURE)
    REMEMBERED.write_text(path)
    return path


def _candidates() -> Iterator[str | None]:
    yield os.environ.get("CHROMIUM")
    yield _remembered()
    yield _playwrights_own()  # starts a process, so it is asked only if need be
    yield from map(shutil.which, SYSTEM_NAMES)


def _remembered() -> str | None:
    return REMEMBERED.read_text().strip() if REMEMBERED.exists() else None


def _playwrights_own() -> str | None:
    from playwright.sync_api import sync_playwright

    try:
        with sync_playwright() as playwright:
            return str(playwright.chromium.executable_path)
    except Exception:  # inside a running event loop Playwright refuses to start a second one
        return None


def _download() -> str | None:
    command = [sys.executable, "-m", "playwright", "install", "chromium"]
    try:
        subprocess.run(command, timeout=DOWNLOAD_TIMEOUT_S, check=True)
    except (subprocess.SubprocessError, OSError):
        return None
    own = _playwrights_own()
    return own if own and Path(own).exists() and _starts(own) else None


def _starts(path: str) -> bool:
    """Playwright's build needs libraries of the system that a bare machine may lack."""
    try:
        return subprocess.run([path, *HEADLESS, "--version"], capture_output=True, timeout=60).returncode == 0
    except (subprocess.SubprocessError, OSError):
        return False


def _install_package() -> str | None:
    if not shutil.which("apt-get") or os.geteuid() != 0:
        return None
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", "update", "-qq"], env=environment)
    for package in (SHELL, "chromium"):  # Ubuntu has no shell
        subprocess.run(["apt-get", "install", "-y", "-qq", package], env=environment)
        if path := shutil.which(package):
            return path
    return None


if __name__ == "__main__":
    try:
        print("Browser tests run in", ensure())
    except RuntimeError as error:
        sys.exit(f"error: {error}")
