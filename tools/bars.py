"""Measures the pages with Lighthouse as on a slow phone, and fails below the bars: `make bars` (needs Node for npx).

Accessibility, best practices and SEO are counts of faults, the same on every machine. Performance is worked out from
times: throttling is simulated, and the best of some runs counts, because other work on the machine only ever adds.
`--performance=report` tells it without failing, for machines that somebody else uses at the same time.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path
from typing import Any

from e2e.browser import HEADLESS, find
from tests.live import live_server

LIGHTHOUSE = "lighthouse@12.8.2"
BARS = {"performance": 95, "accessibility": 100, "best-practices": 100, "seo": 100}
RUNS = 3
# The exit status where there is nothing to judge: no Node, no way to fetch Lighthouse, no browser for it.
NOT_MEASURED = 3
LANGUAGES = ("ar", "en")
TIMES = ("first-contentful-paint", "largest-contentful-paint", "total-blocking-time", "cumulative-layout-shift")
NO_NODE = "no npx here, so the bars were NOT measured; to measure them install Node 20 (on Debian: apt-get install npm)"

Scores = dict[str, int]


def post(url: str, body: dict[str, Any], token: str = "") -> Any:
    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
    with urllib.request.urlopen(urllib.request.Request(url, json.dumps(body).encode(), headers)) as answer:
        return json.load(answer)


def pages(url: str) -> list[str]:
    """Give the pages to measure; the room is seen as by somebody who comes by its link."""
    host = post(f"{url}/api/v1/players", {"name": "Mona"})
    room = post(f"{url}/api/v1/rooms", {}, host["token"])
    return ["/", f"/r/{room['code']}", "/how-to-play", "/api/docs"]


def lighthouse(url: str, language: str) -> dict[str, Any]:
    """Measure one page once; a machine that is too busy for its own browser is asked again."""
    chrome = find()
    with tempfile.TemporaryDirectory(prefix="basra-bars-") as folder:
        report = Path(folder) / "report.json"
        command = ["npx", "--yes", LIGHTHOUSE, url, "--quiet", "--output=json", f"--output-path={report}"]
        command += ["--extra-headers", json.dumps({"Accept-Language": language})]
        command += [f"--chrome-flags={' '.join(HEADLESS)}"]
        for _ in range(RUNS):
            subprocess.run(command, check=False, env={**os.environ, **({"CHROME_PATH": chrome} if chrome else {})})
            if report.exists() and not (told := json.loads(report.read_text())).get("runtimeError"):
                return dict(told)
    print(f"Lighthouse could not measure {url}, so the bars were NOT checked; see above for what it said", flush=True)
    sys.exit(NOT_MEASURED)


def scores(report: dict[str, Any]) -> Scores:
    return {name: round(100 * (told["score"] or 0)) for name, told in report["categories"].items()}


def faults(report: dict[str, Any], category: str) -> list[str]:
    """Give the audits that cost a category its points."""
    weighty = [one["id"] for one in report["categories"][category]["auditRefs"] if one["weight"]]
    return [one for one in weighty if (report["audits"][one]["score"] or 0) < 1]


def measure(url: str, path: str, language: str, bars: Scores) -> Scores:
    """Measure a page until it meets these bars, RUNS times at most; give the best of each score."""
    best: Scores = {}
    for _ in range(RUNS):
        report = lighthouse(url + path, language)
        now = scores(report)
        best = {name: max(score, best.get(name, 0)) for name, score in now.items()}
        times = " · ".join(report["audits"][one]["displayValue"] for one in TIMES)
        print(f"{path:14} {language}  {'  '.join(f'{name} {now[name]}' for name in BARS)}   {times}", flush=True)
        for name in [name for name in BARS if name != "performance" and now[name] < BARS[name]]:
            print(f"    {name}: {', '.join(faults(report, name))}")
        if all(best[name] >= bar for name, bar in bars.items()):
            break
    return best


def main() -> int:
    """Measure every page in both languages; give 1 if one is below its bar, 3 if they could not be measured."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--performance", choices=["bar", "report"], default="bar")
    asked = reader.parse_args()
    if not shutil.which("npx"):
        print(NO_NODE)
        return NOT_MEASURED
    binding = {name: bar for name, bar in BARS.items() if name != "performance" or asked.performance == "bar"}
    print("first paint · largest paint · blocked · shift, on a simulated slow 4G with a CPU four times slower")
    below = []
    with live_server() as server:
        for path in pages(server.url):
            for language in LANGUAGES:
                best = measure(server.url, path, language, binding)
                below += [f"{path} {language} {name} {best[name]}" for name, bar in binding.items() if best[name] < bar]
    print("below the bar: " + ", ".join(below) if below else "every bar is met")
    return 1 if below else 0


if __name__ == "__main__":
    sys.exit(main())
