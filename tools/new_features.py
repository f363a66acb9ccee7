"""Writes what browsers have learned since the oldest that the client serves: tests/data/new_features.json.

`python tools/new_features.py` fetches MDN's browser-compat-data from the npm registry (it needs no Node), keeps what
any of the OLDEST lacks, and says which release it read. tests/test_old_engines.py looks the client's code up in it.
"""

from __future__ import annotations

import io
import json
import re
import sys
import tarfile
import urllib.request
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

RELEASE = "8.1.9"
PACKAGE = "https://registry.npmjs.org/@mdn/browser-compat-data/-/browser-compat-data-{release}.tgz"
TARGET = Path(__file__).parent.parent / "tests" / "data" / "new_features.json"
OLDEST = {
    "chrome": (94,),
    "chrome_android": (94,),
    "webview_android": (94,),
    "safari": (15, 4),
    "safari_ios": (15, 4),
    "firefox": (93,),
    "firefox_android": (93,),
}
# Objects that a page has without making them, and what they are; their members are known for certain.
INSTANCES = {
    "navigator": ["Navigator"],
    "document": ["Document", "Node"],
    "window": ["Window"],
    "globalThis": ["Window"],
    "crypto": ["Crypto"],
    "performance": ["Performance"],
    "history": ["History"],
    "location": ["Location"],
    "screen": ["Screen"],
    "localStorage": ["Storage"],
    "sessionStorage": ["Storage"],
    "CSS": ["CSS"],
}
# What the data describe in words instead of naming it.
UNITS = {
    "viewport_percentage_units_dynamic": ["dvh", "dvw", "dvi", "dvb", "dvmin", "dvmax"],
    "viewport_percentage_units_small": ["svh", "svw", "svi", "svb", "svmin", "svmax"],
    "viewport_percentage_units_large": ["lvh", "lvw", "lvi", "lvb", "lvmin", "lvmax"],
    "container_query_length_units": ["cqw", "cqh", "cqi", "cqb", "cqmin", "cqmax"],
    "vi": ["vi"],
    "vb": ["vb"],
    "cap": ["cap"],
    "ic": ["ic"],
    "lh": ["lh"],
    "rlh": ["rlh"],
    "rcap": ["rcap"],
    "rch": ["rch"],
    "rex": ["rex"],
    "ric": ["ric"],
}
# Kinds of syntax that the test knows by their shape; the tool fails when the data have a new one that it does not know.
SYNTAX = {
    "operators.import_meta.resolve": "import.meta.resolve",
    "statements.using": "using",
    "statements.await_using": "using",
    "statements.import.import_attributes": "import attributes",
    "statements.import.import_assertions": "import attributes",
    "statements.import.defer": "import defer",
    "statements.import.import_source": "import source",
    "operators.import.defer": "import defer",
    "operators.import.import_source": "import source",
    "operators.import.options_parameter": "import options",
    "grammar.trailing_commas.trailing_commas_in_dynamic_import": "import options",
    "classes.static.initialization_blocks": "static block",
    "regular_expressions.lookbehind_assertion": "regex (?<=",
    "regular_expressions.modifier": "regex (?i:",
    "regular_expressions.named_capturing_group.duplicate_named_capturing_groups": "regex (?<same>",
    "regular_expressions.buffer_boundary_assertion": "regex \\A",
}
# How modules load in workers, and what an import of another kind may bring: those are import attributes already.
NOT_SYNTAX = re.compile(r"worker_support|worklet_support|http_errors|\.type_|import_wasm")

Support = dict[str, Any]
Found = dict[str, str]


def version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.lstrip("≤").split("."))


def has(statement: Support, oldest: tuple[int, ...]) -> bool:
    """Whether a statement of support says that this version has it, under its own name and without a switch."""
    added, removed = statement.get("version_added"), statement.get("version_removed")
    if not added or added == "preview" or statement.keys() & {"flags", "prefix", "alternative_name"}:
        return False
    return version(added) <= oldest and not (removed and removed != "preview" and version(removed) <= oldest)


def since(compat: Support) -> str:
    """Give the first versions of those browsers whose oldest lacks a feature; empty when all have it."""
    late: Found = {}
    for browser, oldest in OLDEST.items():
        said = compat["support"].get(browser, [])
        statements = said if isinstance(said, list) else [said]
        if statements and not any(has(one, oldest) for one in statements):
            plain = [one for one in statements if not one.keys() & {"flags", "prefix", "alternative_name"}]
            late[browser] = next((one["version_added"] for one in plain if one.get("version_added")), "none")
    # A phone's browser is told of only where it is later than its desktop's.
    family = {
        "chrome_android": "chrome",
        "webview_android": "chrome",
        "safari_ios": "safari",
        "firefox_android": "firefox",
    }
    return ", ".join(f"{one} {at}" for one, at in late.items() if late.get(family.get(one, "")) != at)


def walk(node: dict[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Give every feature below a node, with since when the last browser has it."""
    for name, child in node.items():
        if name != "__compat" and isinstance(child, dict):
            here = (*path, name.removesuffix("_static"))
            if "__compat" in child:
                yield here, since(child["__compat"])
            yield from walk(child, here)


def only_new(features: Iterable[tuple[str, str]]) -> Found:
    """Give the names that are new wherever they occur: code does not say whose member a name is."""
    seen: dict[str, list[str]] = defaultdict(list)
    for name, late in features:
        seen[name].append(late)
    return {name: min(lates, key=len) for name, lates in seen.items() if all(lates)}


def named(features: Iterable[tuple[str, str]]) -> Found:
    """Give those with a name that code can hold."""
    return {name: late for name, late in features if late and "_" not in name}


def css(data: dict[str, Any]) -> dict[str, Found]:
    types = list(walk(data["types"]))
    units = {unit: late for path, late in types if late for unit in UNITS.get(path[-1], [])}
    assert "dvh" in units and "cqw" in units, "the units have other names now"
    properties, at_rules = list(walk(data["properties"])), list(walk(data["at-rules"]))
    selectors = [(path, late) for path, late in walk(data["selectors"])]
    return {
        "property": named((path[0], late) for path, late in properties if len(path) == 1),
        "value": named((f"{path[0]}: {path[1]}", late) for path, late in properties if len(path) == 2),
        "function": named(only_new((path[-1], late) for path, late in types).items()),
        "unit": units,
        "selector": named((path[0], late) for path, late in selectors if len(path) == 1),
        "at-rule": named((path[0], late) for path, late in at_rules if len(path) == 1),
        "in at-rule": named((f"{path[0]}: {path[1]}", late) for path, late in at_rules if len(path) == 2),
    }


def js(api: dict[str, Any], language: dict[str, Any]) -> dict[str, Found]:
    both = [*walk(api), *walk(language["builtins"])]
    members = [(path, late) for path, late in both if len(path) > 1 and re.fullmatch("[A-Za-z0-9]+", path[-1])]
    of_window = [(path[1], late) for path, late in members if path[0] in ("Window", "WorkerGlobalScope")]
    sure = statics(api) | {interface for each in INSTANCES.values() for interface in each} | language["builtins"].keys()
    return {
        "global": only_new([*((path[0], late) for path, late in both if len(path) == 1), *of_window]),
        "member": only_new((path[-1], late) for path, late in members),
        "of": {
            ".".join(path[-2:]): late for path, late in members if late and (path[0] in sure or ".".join(path) in sure)
        },
        "option": only_new(options(both)),
        "syntax": syntax(language),
    }


def options(features: list[tuple[tuple[str, ...], str]]) -> Iterator[tuple[str, str]]:
    """Give what an object that is passed may hold, as `focus: preventScroll`."""
    for path, late in features:
        called = [name for name in path if not name.endswith("_parameter")]
        if match := re.fullmatch(r"(?:options|init)_([A-Za-z]+)_(?:parameter|property)", path[-1]):
            yield f"{called[-1]}: {match[1]}", late
        elif path[-2:-1] and path[-2].endswith("_parameter"):
            yield f"{called[-2]}: {path[-1]}", late


def statics(api: dict[str, Any]) -> set[str]:
    """Give the members of interfaces themselves, as `AbortSignal.timeout`."""
    own = ((name, one) for name, body in api.items() for one in body if one.endswith("_static"))
    return {f"{name}.{one.removesuffix('_static')}" for name, one in own}


def syntax(language: dict[str, Any]) -> Found:
    found: Found = {}
    for part in ("operators", "statements", "classes", "functions", "grammar", "regular_expressions"):
        for path, late in walk(language[part], (part,)):
            dotted = ".".join(path)
            if late and not NOT_SYNTAX.search(dotted):
                known = next((shape for name, shape in SYNTAX.items() if dotted.startswith(name)), None)
                assert known, f"a kind of syntax that tests/test_old_engines.py does not know: {dotted}"
                found[known] = late
    return found | {"regex /v": since(language["builtins"]["RegExp"]["unicodeSets"]["__compat"])}


def html(data: dict[str, Any]) -> dict[str, Found]:
    elements = list(walk(data["elements"]))
    everywhere = {path[0]: late for path, late in walk(data["global_attributes"]) if len(path) == 1}
    return {
        "element": named((path[0], late) for path, late in elements if len(path) == 1),
        "attribute": named((f"{path[0]}: {path[1]}", late) for path, late in elements if len(path) == 2)
        | named((f"*: {name}", late) for name, late in everywhere.items()),
        "attribute value": named((": ".join(path), late) for path, late in elements if len(path) == 3),
    }


def by_version(found: Found) -> dict[str, list[str]]:
    grouped = defaultdict(list)
    for name, late in sorted(found.items()):
        grouped[late].append(name)
    return dict(sorted(grouped.items()))


def main() -> None:
    release = sys.argv[1] if len(sys.argv) > 1 else RELEASE
    with urllib.request.urlopen(PACKAGE.format(release=release), timeout=120) as answer:
        packed = io.BytesIO(answer.read())
    with tarfile.open(fileobj=packed) as package:
        source = package.extractfile("package/data.json")
        assert source is not None
        data = json.load(source)
    tables = {"css": css(data["css"]), "js": js(data["api"], data["javascript"]), "html": html(data["html"])}
    told = {
        "source": f"@mdn/browser-compat-data {release} (CC0-1.0)",
        "oldest": {browser: ".".join(map(str, oldest)) for browser, oldest in OLDEST.items()},
        "instances": INSTANCES,
        **{language: {kind: by_version(found) for kind, found in kinds.items()} for language, kinds in tables.items()},
    }
    TARGET.write_text(json.dumps(told, indent=0, ensure_ascii=False).replace('",\n"', '", "') + "\n")
    for language, kinds in tables.items():
        print(language, {kind: len(found) for kind, found in kinds.items()})


if __name__ == "__main__":
    main()
