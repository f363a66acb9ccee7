"""docs/security.md names real tests; and what no request could show is read in the source."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
THREATS = 40
ROW = re.compile(r"^\| (\d+) \| (.+?) \| (.+?) \| (.+?) \| (.+) \|$", re.MULTILINE)
SECTION = re.compile(r"(?:5\.0: )?\d+\.\d+\.\d+")
# What bots choose and how long they think; nobody gains by guessing that.
MAY_BE_GUESSED = {"app/services/clock.py", "app/services/matches.py"}
# Pragmas and a lock with numbers of our own, when a connection is made.
NUMBERS_OF_OUR_OWN = "app/extensions.py"
EXECUTES = {"execute", "exec_driver_sql", "scalar", "scalars", "text"}


def sources() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted((ROOT / "app").rglob("*.py")):
        if "migrations" not in path.parts:
            yield path.relative_to(ROOT).as_posix(), ast.parse(path.read_text())


def rows() -> list[tuple[str, ...]]:
    return ROW.findall((ROOT / "docs" / "security.md").read_text())


def test_there_are_forty_threats_each_with_its_section_and_guard() -> None:
    found = rows()
    assert [int(number) for number, *_ in found] == list(range(1, THREATS + 1))
    for number, threat, sections, guard, _ in found:
        assert threat and guard
        assert all(SECTION.fullmatch(section) for section in sections.split(", ")), (number, sections)


@pytest.mark.parametrize("row", rows(), ids=lambda row: row[0])
def test_every_test_that_guards_one_exists(row: tuple[str, ...]) -> None:
    named = re.findall(r"`([^`]+)`", row[4])
    assert named
    for name in named:
        file, _, test = name.partition("::")
        tree = ast.parse((ROOT / file).read_text())
        assert test in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, name


def test_what_must_not_be_guessed_is_drawn_from_a_secure_source() -> None:
    weak = {
        name
        for name, tree in sources()
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for imported in ([node.module] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names])
        if imported == "random"
    }
    assert weak == MAY_BE_GUESSED


def test_no_statement_is_made_of_strings() -> None:
    made = [
        f"{name}:{node.lineno}"
        for name, tree in sources()
        if name != NUMBERS_OF_OUR_OWN
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and _called(node) in EXECUTES and node.args and _is_put_together(node.args[0])
    ]
    assert made == []


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _is_put_together(argument: ast.expr) -> bool:
    """Whether an argument is a string with something else in it."""
    if isinstance(argument, ast.JoinedStr):
        return any(isinstance(part, ast.FormattedValue) for part in argument.values)
    if isinstance(argument, ast.BinOp):
        return any(isinstance(side, ast.JoinedStr) or _is_text(side) for side in (argument.left, argument.right))
    return isinstance(argument, ast.Call) and _called(argument) == "format"


def _is_text(side: ast.expr) -> bool:
    return isinstance(side, ast.Constant) and isinstance(side.value, str)
