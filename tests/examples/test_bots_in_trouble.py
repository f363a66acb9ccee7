"""The bots of `examples/` stay in a match that goes on, leave one that does not want them, and say why."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.examples.stand_in import LOST, RESULT, stand_in

FOLDER = Path(__file__).parents[2] / "examples"
NODE = shutil.which("node")
# The bots do not wait, they say for how long they would; what guards against silence, and the polling, go on.
PYTHON_SAYS = """import runpy, sys, time
time.sleep = lambda s: print(f'waits {s:g}', file=sys.stderr)
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name='__main__')"""
# Only where a promise waits: Node's own requests have timers, too.
NODE_SAYS = """const slow = setTimeout;
globalThis.setTimeout = (call, ms, ...rest) => {
  if (ms < 1000 || !String(call).includes('[native code]')) return slow(call, ms, ...rest);
  console.error(`waits ${ms / 1000}`);
  return slow(call, 0);
};"""
BOTS = {"python": (sys.executable, "-c", PYTHON_SAYS, str(FOLDER / "bot.py"))}
if NODE is not None:  # where it is not, the browser has played the same file
    says = "data:text/javascript," + quote(NODE_SAYS)
    BOTS["node"] = (NODE, "--no-warnings", "--experimental-websocket", "--import", says, str(FOLDER / "bot.mjs"))

every_bot = pytest.mark.parametrize("bot", BOTS)


def run(bot: str, *words: str) -> subprocess.CompletedProcess[str]:
    env = {name: value for name, value in os.environ.items() if name != "BASRA_TOKEN"}
    return subprocess.run([*BOTS[bot], *words], capture_output=True, text=True, timeout=60, env=env)


def waits(done: subprocess.CompletedProcess[str]) -> list[str]:
    return [line.removeprefix("waits ") for line in done.stderr.splitlines() if line.startswith("waits ")]


@every_bot
def test_a_request_that_got_lost_is_asked_again_ever_more_slowly(bot: str) -> None:
    with stand_in(requests=(LOST,) * 6) as server:
        done = run(bot, server.url)
    assert (done.returncode, json.loads(done.stdout)) == (0, RESULT), done.stderr
    assert waits(done) == ["1", "2", "4", "8", "16", "16"]
    assert [path for path, _ in server.asked[:8]] == ["/players"] * 7 + ["/players/me/bot"]


@every_bot
@pytest.mark.parametrize("status", [429, 503])
def test_who_is_asked_to_wait_waits_as_long_as_told(bot: str, status: int) -> None:
    with stand_in(requests=(200, 200, status, status)) as server:
        done = run(bot, server.url)
    assert (done.returncode, waits(done)) == (0, ["2", "2"]), done.stderr


@every_bot
def test_a_refusal_is_told_and_ends_it(bot: str) -> None:
    with stand_in(requests=(200, 200, 422)) as server:
        done = run(bot, server.url)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("POST /rooms: {")


@every_bot
def test_who_sits_where_seeds_are_being_opened_waits_for_the_match(bot: str) -> None:
    with stand_in(dealing=2) as server:
        done = run(bot, server.url)
    assert (done.returncode, json.loads(done.stdout)) == (0, RESULT), done.stderr
    assert server.dealing == 0


@every_bot
def test_a_match_that_has_moved_on_is_followed(bot: str) -> None:
    with stand_in(requests=(200, 200, 200, 409)) as server:
        done = run(bot, server.url)
    assert (done.returncode, json.loads(done.stdout)) == (0, RESULT), done.stderr


@every_bot
@pytest.mark.parametrize("code", [1001, 1011, 1012, LOST])
def test_a_channel_that_ends_is_opened_anew(bot: str, code: int) -> None:
    with stand_in(channels=(code, code)) as server:
        done = run(bot, server.url)
    assert (done.returncode, json.loads(done.stdout)) == (0, RESULT), done.stderr
    assert server.opened == 3
    assert set(waits(done)) == {"1"}


@every_bot
def test_where_there_are_too_many_channels_the_bot_waits_a_few_seconds(bot: str) -> None:
    with stand_in(channels=(1013,)) as server:
        done = run(bot, server.url)
    assert (done.returncode, waits(done)) == (0, ["5"]), done.stderr


@pytest.mark.parametrize("status", [429, 503])
def test_a_channel_that_is_refused_for_now_is_asked_for_again(status: int) -> None:
    """In JavaScript nobody is told what a channel was refused with."""
    with stand_in(channels=(status,)) as server:
        done = run("python", server.url)
    assert (done.returncode, waits(done)) == (0, ["2"]), done.stderr


@every_bot
@pytest.mark.parametrize("end", [1008, 4000, 401, 403, 404])
def test_who_is_not_wanted_says_why_and_stays_away(bot: str, end: int) -> None:
    with stand_in(channels=(end, 1012)) as server:
        done = run(bot, server.url)
    assert (done.returncode, done.stdout, server.opened) == (1, "", 1)
    assert (str(end) if end > 1000 or bot == "python" else "refused") in done.stderr.splitlines()[-1]


@every_bot
def test_a_cut_that_is_due_is_made_even_if_its_request_gets_lost(bot: str) -> None:
    with stand_in(requests=(200, 200, 200, 200, 200, LOST)) as server:
        done = run(bot, server.url, "traditional")
    assert done.returncode == 0, done.stderr
    assert ("/rooms", {"target": None, "rules": "traditional"}) in server.asked
    assert [asked for asked in server.asked if "/matches/" in asked[0]] == [
        ("/matches/m1/cuts", {"round": 3, "at": 26})
    ] * 2
