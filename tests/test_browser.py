"""Which Chromium the browser tests start."""

from __future__ import annotations

from pathlib import Path

import pytest

from e2e import browser


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine that has the headless shell and a Chromium with windows, and a Playwright without a download."""
    for name in ("chromium", "chromium-headless-shell"):
        (tmp_path / name).touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setattr(browser, "REMEMBERED", tmp_path / ".chromium")
    monkeypatch.setattr(browser, "_playwrights_own", lambda: None)
    return tmp_path


def test_the_headless_shell_is_taken_first(installed: Path) -> None:
    options = browser.launch_options()
    assert options["executable_path"] == str(installed / "chromium-headless-shell")
    assert "--headless" in options["args"]


def test_who_wants_to_watch_gets_one_with_windows(installed: Path) -> None:
    browser.ensure()  # the shell is remembered from now on
    options = browser.launch_options(headed=True)
    assert options["executable_path"] == str(installed / "chromium")
    assert "--headless" not in options["args"]


def test_the_environment_has_the_first_word(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = installed / "my-chromium"
    own.touch()
    monkeypatch.setenv("CHROMIUM", str(own))
    assert browser.find() == str(own)


def test_where_there_is_none_the_cure_is_told(installed: Path) -> None:
    for name in ("chromium", "chromium-headless-shell"):
        (installed / name).unlink()
    with pytest.raises(RuntimeError, match="apt-get install chromium"):
        browser.launch_options()
