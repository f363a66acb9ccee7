"""Runs a second engine: WebKitGTK, by its own WebDriver, on a screen that exists in memory only.

`python -m e2e.webkit` (part of `make test`) runs the journey in it or, where it is not installed, says so.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from selenium import webdriver
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service

DRIVER, SCREEN = "WebKitWebDriver", "Xvfb"
CURE = "install both (on Debian: apt-get install webkit2gtk-driver xvfb)"
SIZE = (390, 780)
# This driver cannot read the console, so the page is asked to note its faults from its `load` event on.
WATCH = """
const faults = (window.faults = []);
addEventListener('error', (event) => faults.push(`${event.message || event.target.src || event.target.href}`), true);
addEventListener('unhandledrejection', (event) => faults.push(`rejected: ${event.reason}`));
addEventListener('securitypolicyviolation', (event) => faults.push(`policy: ${event.violatedDirective}`));
const say = console.error;
console.error = (...words) => { faults.push(words.join(' ')); say.apply(console, words); };
"""


def missing() -> list[str]:
    """The programs that this machine lacks."""
    return [name for name in (DRIVER, SCREEN) if shutil.which(name) is None]


@contextmanager
def webkit() -> Iterator[WebDriver]:
    """Run the browser until the block ends."""
    assert not missing(), f"not on this machine: {', '.join(missing())}; cure: {CURE}"
    with tempfile.TemporaryDirectory(prefix="basra-webkit-") as folder, _screen() as display:
        # A profile of its own, which nobody has used before.
        environment = {**os.environ, "DISPLAY": display, "XDG_CONFIG_HOME": folder, "XDG_DATA_HOME": folder}
        service = Service(shutil.which(DRIVER), env=environment)
        with warnings.catch_warnings():
            # Selenium's own class calls what Selenium deprecates.
            warnings.simplefilter("ignore", DeprecationWarning)
            driver = webdriver.WebKitGTK(options=Options(), service=service)
        try:
            driver.set_window_size(*SIZE)
            yield driver
        finally:
            driver.quit()
            service.process.wait()


def watch(driver: WebDriver) -> None:
    """Let the page note its faults from now on, until it is loaded anew."""
    driver.execute_script(WATCH)


def faults(driver: WebDriver) -> list[str]:
    """The faults that a watched page has noted."""
    noted: list[str] = driver.execute_script("return window.faults")
    return noted


@contextmanager
def _screen() -> Iterator[str]:
    """A screen in memory; it chooses a free number and tells it."""
    ours, its = os.pipe()
    command = [SCREEN, "-displayfd", str(its), "-screen", "0", "1024x900x24", "-nolisten", "tcp"]
    process = subprocess.Popen(command, pass_fds=[its], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(its)
    with os.fdopen(ours) as told:
        number = told.readline().strip()
    try:
        assert number, f"{SCREEN} did not start"
        yield f":{number}"
    finally:
        process.terminate()
        process.wait()


def main() -> int:
    """Run the journey in the second engine if it is there; say so if not."""
    if missing():
        print(f"WebKitGTK: no {' and no '.join(missing())} here, so its journey was NOT run; to run it {CURE}")
        return 0
    return subprocess.call([sys.executable, "-m", "pytest", "-m", "webkit", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
