"""The engine's command line: ``python -m engine captures|replay|verify|simulate|arena``."""

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from engine.arena import arena
from engine.bots import LEVELS
from engine.capture import captures
from engine.cards import parse_card
from engine.errors import RulesError, TranscriptError
from engine.match import Match
from engine.rules import Rules, parse_rules
from engine.simulate import simulate
from engine.transcript import replay, verify
from engine.witness import bear_witness


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and give its exit status: 0, or 1 where something was refused."""
    parser = argparse.ArgumentParser(prog="python -m engine", description="The game of Basra, on the command line.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    asked = commands.add_parser(
        "captures", help='answer JSON lines {"rules", "floor", "card"} on standard input with the legal captures'
    )
    asked.set_defaults(run=lambda _: run_captures(sys.stdin.buffer))

    for name, check, text in (
        ("replay", replay, "play transcripts again and print their scores"),
        ("verify", verify, "replay transcripts and check that the deal was fair"),
    ):
        told = commands.add_parser(name, help=text)
        told.add_argument("files", nargs="+", metavar="FILE", help="one transcript, or one a line; - is standard input")
        told.set_defaults(notes=None, run=lambda args, check=check: run_check(args.files, check, args.notes))
    told.add_argument("--notes", metavar="NOTES", help="what one who sat there noted before the deal; for one match")

    for name, run, bots, text in (
        ("simulate", run_simulate, "easy,easy", "let bots play matches and print the transcripts, one a line"),
        ("arena", run_arena, "medium,easy", "let two bots play deals from both sides and print who won how often"),
    ):
        played = commands.add_parser(name, help=text)
        played.add_argument("--rules", type=_rules, default="classic", help="a profile's name, or JSON with overrides")
        played.add_argument("--seats", type=int, default=2)
        played.add_argument("--matches", type=int, default=2 if name == "arena" else 1)
        played.add_argument("--seed", type=_text, default="", help="any text; the same gives the same matches")
        played.add_argument("--bots", type=_bots, default=bots, help=f"one a side, of {', '.join(LEVELS)}")
        played.set_defaults(run=lambda args, run=run, played=played: run(played, args))

    args = parser.parse_args(argv)
    status: int = args.run(args)
    return status


def run_captures(lines: Iterable[bytes]) -> int:
    """Answer each line with its captures, or with what is wrong with it."""
    status = 0
    for line in lines:
        try:
            answer = answer_captures(line)
        except (ValueError, RecursionError) as error:
            answer = {"error": str(error)}
            status = 1
        print(json.dumps(answer), flush=True)
    return status


def answer_captures(line: bytes) -> dict[str, Any]:
    """Give every legal capture that one line of JSON asks for.

    Errors: ValueError for a line that is none.
    """
    try:
        question = json.loads(line)
    except ValueError as error:
        raise ValueError(f"not JSON: {error}") from error
    if not isinstance(question, dict) or question.keys() != {"rules", "floor", "card"}:
        raise ValueError("a question is an object with exactly 'rules', 'floor' and 'card'")
    rules = parse_rules(question["rules"])
    if not isinstance(question["floor"], list):
        raise ValueError("'floor' is a list of cards")
    floor = tuple(map(parse_card, question["floor"]))
    card = parse_card(question["card"])
    if len({*floor, card}) != len(floor) + 1:
        raise ValueError("a card is there twice")
    legal = captures(rules, floor, card)
    return {
        "captures": [list(capture.cards) for capture in legal],
        "best": list(legal[0].cards),
        "basra": legal[0].basra,
    }


def run_check(files: Iterable[str], check: Callable[[object], Match], notes_file: str | None = None) -> int:
    """Check each transcript in the files, and against notes if there are any; print its scores, or where it fails."""
    status, notes = 0, None
    if notes_file is not None:
        try:
            notes = _parse_json(_read(notes_file))
        except (OSError, UnicodeError, TranscriptError, RecursionError) as error:
            print(f"{notes_file}: {error}")
            return 1
    for file in files:
        try:
            texts = list(_split_transcripts(_read(file)))
        except (OSError, UnicodeError) as error:
            print(f"{file}: {error}")
            status = 1
            continue
        for place, text in texts:
            try:
                transcript = _parse_json(text)
                words = describe(check(transcript))
                proved = "" if notes_file is None else f"; {bear_witness(transcript, notes)}"
                print(f"{file}{place}: {words}{proved}")
            except (TranscriptError, RecursionError) as error:
                print(f"{file}{place}: {error}")
                status = 1
    return status


def describe(match: Match) -> str:
    """Put a result into words."""
    result = match.result
    assert result is not None, "a transcript is of a finished match"
    end = "nobody wins" if result.winner is None else f"side {result.winner} wins"
    return f"{result.scores[0]} {result.scores[1]}, {end} ({result.reason})"


def run_simulate(parser: argparse.ArgumentParser, args: argparse.Namespace) -> int:
    """Print the transcripts of matches between bots."""
    if args.matches < 1:
        parser.error("argument --matches: at least 1")
    try:
        for number in range(1, args.matches + 1):
            transcript = simulate(args.rules, args.seats, args.bots, args.seed, number)
            print(json.dumps(transcript, separators=(",", ":")))
    except RulesError as error:
        parser.error(f"argument --{error.field}: {error}")
    return 0


def run_arena(parser: argparse.ArgumentParser, args: argparse.Namespace) -> int:
    """Print how often each of two bots wins."""
    if args.matches < 2 or args.matches % 2:
        parser.error("argument --matches: an even number, at least 2: each deal is played from both sides")
    try:
        print(json.dumps(arena(args.rules, args.seats, args.matches, args.seed, args.bots)))
    except RulesError as error:
        parser.error(f"argument --{error.field}: {error}")
    return 0


def _read(file: str) -> str:
    data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    return data.decode()


def _split_transcripts(text: str) -> Iterator[tuple[str, str]]:
    """Give each transcript of a file with its place there: each line where lines are objects, else the whole text."""
    lines = [(number, line.strip()) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    if len(lines) > 1 and any(line.startswith("{") and line.endswith("}") for _, line in lines):
        try:
            json.loads(text)
        except (ValueError, RecursionError):
            yield from ((f":{number}", line) for number, line in lines)
            return
    yield "", text


def _parse_json(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError as error:
        raise TranscriptError(f"not JSON: {error}") from error


def _rules(text: str) -> Rules:
    try:
        return parse_rules(json.loads(text) if text.lstrip().startswith("{") else text)
    except (ValueError, RecursionError) as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _text(text: str) -> str:
    try:
        text.encode()
    except UnicodeError as error:
        raise argparse.ArgumentTypeError("not UTF-8") from error
    return text


def _bots(text: str) -> list[str]:
    levels = text.split(",")
    if len(levels) != 2 or not all(level in LEVELS for level in levels):
        raise argparse.ArgumentTypeError(f"two of {', '.join(LEVELS)} with a comma between, not {text!r}")
    return levels


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BrokenPipeError:
        # The reader of our output has had enough; Python would say so once more when it flushes at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
