"""The layers of the program: who may import whom, and what the engine must never touch."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

# Each layer may import itself and those named; a longer path wins over a shorter one.
MAY_IMPORT = {
    "engine": set(),
    "app.config": set(),
    "app.sqlite": set(),
    "app.extensions": {"app.config", "app.models", "app.sqlite"},
    "app.models": set(),
    "app.moments": set(),
    "app.services": {"app.config", "app.extensions", "app.models", "app.moments", "engine"},
    "app.names": set(),
    "app.schemas": {"app.moments", "app.names", "engine"},
    "app.realtime": {
        "app.addresses",
        "app.auth",
        "app.extensions",
        "app.guesses",
        "app.limits",
        "app.observability",
        "app.services",
    },
    "app.api": {
        "app.addresses",
        "app.auth",
        "app.config",
        "app.extensions",
        "app.guesses",
        "app.limits",
        "app.moments",
        "app.observability",
        "app.paces",
        "app.problems",
        "app.realtime",
        "app.schemas",
        "app.services",
        "app.unseen",
        "engine",
    },
    "app.unseen": set(),
    "app.jobs": {"app.config", "app.extensions", "app.observability", "app.services", "app.sqlite", "app.realtime"},
}
ONLY_FROM = {"app.schemas": {"app.schemas", "app.api", "app.realtime", "app.cli"}}
KNOW_THE_REQUEST = (
    "app.api",
    "app.realtime",
    "app.addresses",
    "app.auth",
    "app.problems",
    "app.observability",
    "app.guesses",
    "app.limits",
)


def modules() -> Iterator[tuple[str, ast.Module]]:
    for package in ("engine", "app"):
        for path in sorted((ROOT / package).rglob("*.py")):
            if "migrations" not in path.parts:
                yield ".".join(path.relative_to(ROOT).with_suffix("").parts), ast.parse(path.read_text())


def imports(name: str, tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name}: relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def is_in(module: str, layer: str) -> bool:
    return module == layer or module.startswith(layer + ".")


MODULES = dict(modules())


@pytest.mark.parametrize("layer", MAY_IMPORT)
def test_a_layer_imports_only_what_lies_below_it(layer: str) -> None:
    allowed = MAY_IMPORT[layer] | {layer}
    wrong = [
        (name, imported)
        for name, tree in MODULES.items()
        if is_in(name, layer)
        for imported in imports(name, tree)
        if (is_in(imported, "app") or is_in(imported, "engine")) and not any(is_in(imported, a) for a in allowed)
    ]
    assert wrong == []


@pytest.mark.parametrize("layer", ONLY_FROM)
def test_shapes_are_known_only_at_the_edge(layer: str) -> None:
    wrong = [
        name
        for name, tree in MODULES.items()
        if any(is_in(imported, layer) for imported in imports(name, tree))
        and not any(is_in(name, user) for user in ONLY_FROM[layer])
    ]
    assert wrong == []


def test_the_engine_needs_only_the_standard_library_and_no_clock() -> None:
    forbidden = {"time", "os", "secrets", "socket", "asyncio", "threading"}
    for name, tree in MODULES.items():
        if is_in(name, "engine"):
            roots = {imported.split(".")[0] for imported in imports(name, tree)} - {"engine"}
            assert roots <= set(sys.stdlib_module_names), name
            if name not in {"engine.__main__", "engine.arena"}:
                assert not roots & forbidden, name


def test_only_the_edge_knows_the_request() -> None:
    names = {"flask.request", "flask.g", "flask.session"}
    wrong = [
        name
        for name, tree in MODULES.items()
        if names & set(imports(name, tree)) and not any(is_in(name, edge) for edge in KNOW_THE_REQUEST)
    ]
    assert wrong == []


def test_gevent_is_imported_only_by_the_server_settings() -> None:
    wrong = [name for name, tree in MODULES.items() if any(is_in(i, "gevent") for i in imports(name, tree))]
    assert wrong == []
