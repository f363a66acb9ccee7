"""The command line, as its users call it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.shuffle import seeded_server_seed

ROOT = Path(__file__).parents[2]


def run(*args: str, stdin: str | bytes = "") -> subprocess.CompletedProcess[str]:
    """Run the engine with the standard library alone."""
    code = f"import sys, runpy; sys.path.insert(0, {str(ROOT)!r}); runpy.run_module('engine', run_name='__main__')"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, *args],
        input=stdin if isinstance(stdin, bytes) else stdin.encode(),
        capture_output=True,
        check=False,
    )
    return subprocess.CompletedProcess(args, done.returncode, done.stdout.decode(), done.stderr.decode())


def ask(*lines: Any) -> tuple[int, list[Any]]:
    """Ask for the captures of each line, given as JSON or as text."""
    text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    done = run("captures", stdin=text)
    assert done.stderr == ""
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture(scope="module")
def transcripts() -> str:
    done = run("simulate", "--rules", "traditional", "--matches", "3", "--seed", "cli", "--bots", "easy,random")
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_captures() -> None:
    status, answers = ask(
        {"rules": "traditional", "floor": ["2H", "2S", "3S", "KC"], "card": "5D"},
        {"rules": {"profile": "classic", "allocation": "union"}, "floor": ["2H", "2S", "3S"], "card": "5D"},
        {"rules": "classic", "floor": [], "card": "7D"},
        {"rules": "classic", "floor": ["2H"], "card": "7D"},
    )
    assert status == 0
    assert answers == [
        {"captures": [["2H", "3S"], ["2S", "3S"]], "best": ["2H", "3S"], "basra": 0},
        {"captures": [["2H", "2S", "3S"]], "best": ["2H", "2S", "3S"], "basra": 10},
        {"captures": [[]], "best": [], "basra": 0},
        {"captures": [["2H"]], "best": ["2H"], "basra": 10},
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("nonsense", "not JSON"),
        ("", "not JSON"),
        ("[]", "object"),
        ("7", "object"),
        ("[" * 100_000, ""),
        ({"rules": "classic", "floor": []}, "exactly"),
        ({"rules": "classic", "floor": [], "card": "7D", "hand": []}, "exactly"),
        ({"rules": "quick", "floor": [], "card": "7D"}, "'quick'"),
        ({"rules": {"profile": "classic", "colour": 1}, "floor": [], "card": "7D"}, "'colour'"),
        ({"rules": "classic", "floor": ["10D"], "card": "7D"}, "'10D'"),
        ({"rules": "classic", "floor": "2H", "card": "7D"}, "list"),
        ({"rules": "classic", "floor": ["2H", "2H"], "card": "7D"}, "twice"),
        ({"rules": "classic", "floor": ["2H", "7D"], "card": "7D"}, "twice"),
        ({"rules": "classic", "floor": ["2H"], "card": None}, "None"),
    ],
)
def test_a_bad_line_answers_in_its_place(line: Any, message: str) -> None:
    good = {"rules": "classic", "floor": ["2H"], "card": "2C"}
    status, answers = ask(good, line, good)
    assert status == 1
    assert answers[0] == answers[2] == {"captures": [["2H"]], "best": ["2H"], "basra": 10}
    assert answers[1].keys() == {"error"}
    assert message in answers[1]["error"]


def test_bytes_that_are_no_text() -> None:
    done = run("captures", stdin=b'\xff\xfe\n{"rules": "classic", "floor": [], "card": "2C"}')
    assert done.returncode == 1
    assert [list(json.loads(line)) for line in done.stdout.splitlines()] == [["error"], ["captures", "best", "basra"]]


def test_simulate_gives_the_same_bytes_for_the_same_seed(transcripts: str) -> None:
    again = run("simulate", "--rules", "traditional", "--matches", "3", "--seed", "cli", "--bots", "easy,random")
    assert again.stdout == transcripts
    one = run("simulate", "--rules", '{"profile": "traditional"}', "--seed", "cli", "--bots", "easy,random")
    assert one.stdout == transcripts.splitlines(keepends=True)[0]
    other = run("simulate", "--rules", "traditional", "--matches", "3", "--seed", "clj", "--bots", "easy,random")
    assert other.stdout != transcripts


def test_simulated_matches_are_those_of_a_seeded_room(transcripts: str) -> None:
    for number, line in enumerate(transcripts.splitlines(), start=1):
        told = json.loads(line)
        assert told["fairness"]["server_seed"] == seeded_server_seed("cli", number)
        assert told["fairness"]["client_seeds"] == ["", ""]
        assert (told["seeded"], told["rated"]) == (True, False)
        assert told["started_at"] == told["finished_at"] == "1970-01-01T00:00:00Z"
        assert [player["bot"] for player in told["players"]] == ["easy", "random"]


def test_one_bot_name_is_for_a_side() -> None:
    done = run("simulate", "--seats", "4", "--rules", '{"profile": "komi", "target": null}', "--bots", "easy,random")
    told = json.loads(done.stdout)
    assert [player["bot"] for player in told["players"]] == ["easy", "random", "easy", "random"]
    assert told["result"]["reason"] == "round"
    assert run("verify", "-", stdin=done.stdout).returncode == 0


@pytest.mark.parametrize(
    "args",
    [
        ["--rules", "quick"],
        ["--rules", "{"],
        ["--rules", '{"profile": "classic", "carry": 1}'],
        ["--seats", "3"],
        ["--seats", "4", "--rules", "casual"],
        ["--matches", "0"],
        ["--bots", "easy"],
        ["--bots", "easy,expert"],
    ],
)
def test_simulate_refuses(args: list[str]) -> None:
    done = run("simulate", *args)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"argument {args[0]}" in done.stderr


@pytest.mark.parametrize("command", ["replay", "verify"])
def test_files_of_one_transcript_or_one_a_line(command: str, transcripts: str, tmp_path: Path) -> None:
    lines, one = tmp_path / "lines.jsonl", tmp_path / "one.json"
    lines.write_text(transcripts)
    told = json.loads(transcripts.splitlines()[0])
    one.write_text(json.dumps(told, indent=1))
    done = run(command, str(lines), str(one))
    assert (done.returncode, done.stderr) == (0, "")
    answers = done.stdout.splitlines()
    assert len(answers) == 4
    assert answers[0].startswith(f"{lines}:1: {told['scores'][0]} {told['scores'][1]}, side {told['result']['winner']}")
    assert answers[3].startswith(f"{one}: {told['scores'][0]} {told['scores'][1]},")


def test_what_is_wrong_is_said_and_the_rest_goes_on(transcripts: str, tmp_path: Path) -> None:
    first, second, third = map(json.loads, transcripts.splitlines())
    first["rounds"][0]["plays"][5]["basra"] = 7
    second["fairness"]["commitment"] = "0" * 64
    file = tmp_path / "told.jsonl"
    file.write_text("\n".join([*map(json.dumps, (first, second)), "{nonsense}", "", json.dumps(third)]))
    replayed = run("replay", str(file))
    assert replayed.returncode == 1
    answers = replayed.stdout.splitlines()
    assert answers[0].startswith(f"{file}:1: rounds[0].plays[5].basra: ")
    assert ", side" in answers[1]
    assert answers[2].startswith(f"{file}:3: not JSON")
    assert answers[3].startswith(f"{file}:5: ")
    verified = run("verify", str(file))
    assert verified.returncode == 1
    assert verified.stdout.splitlines()[1].startswith(f"{file}:2: fairness.commitment: ")


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"null", b"\xff", b'{\n "format": 1\n'])
def test_files_that_are_no_transcript(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "none.json"
    file.write_bytes(content)
    done = run("verify", str(file), str(tmp_path / "missing"))
    assert (done.returncode, done.stderr) == (1, "")
    assert len(done.stdout.splitlines()) == 2


def test_help_names_the_commands() -> None:
    done = run("--help")
    assert done.returncode == 0
    for command in ("captures", "replay", "verify", "simulate"):
        assert command in done.stdout
    assert run().returncode == 2
