"""Finds what the client's files use of the browsers' newer features, as tests/data/new_features.json lists them.

A parser reads the files, so a word in a comment or a text is no use. What code does not tell (whose member a name is)
counts as a use only if the name is new everywhere. No use is what an older engine passes over by itself: a declaration
after an older one of the same property, and whatever stands in `@supports`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple

import tree_sitter_css
import tree_sitter_javascript
from tree_sitter import Language, Node, Parser

TABLE = Path(__file__).parent / "data" / "new_features.json"
NAMES = {"identifier", "shorthand_property_identifier_pattern", "shorthand_property_identifier"}


class Use(NamedTuple):
    """A feature that is newer than the oldest browsers, and the line where it is used."""

    feature: str
    since: str
    line: int


@cache
def table() -> dict:
    """Give the table, each kind as {name: since}."""
    told = json.loads(TABLE.read_text())
    for language in ("css", "js", "html"):
        for kind, grouped in told[language].items():
            told[language][kind] = {name: since for since, names in grouped.items() for name in names}
    return told


def nodes(root: Node) -> Iterator[Node]:
    """Give a node and all that is below it."""
    yield root
    for child in root.named_children:
        yield from nodes(child)


def text(node: Node | None) -> str:
    return node.text.decode() if node is not None and node.text else ""


def parse(language: object, source: str, name: str) -> Node:
    root = Parser(Language(language)).parse(source.encode()).root_node
    broken = [one.start_point.row + 1 for one in nodes(root) if one.is_error or one.is_missing]
    assert not root.has_error, f"{name}: lines {broken} cannot be read; is that newer than the parser?"
    return root


class Style:
    """The uses of one style sheet."""

    def __init__(self, source: str, name: str = "style") -> None:
        self.new = table()["css"]
        self.root = parse(tree_sitter_css.language(), source, name)

    def uses(self) -> Iterator[Use]:
        for node in nodes(self.root):
            for kind, name in self._said(node):
                since = self.new[kind].get(name) if kind in self.new else "nesting"
                if since and not passed_over(node, self.new):
                    yield Use(f"{kind} {name}", since, node.start_point.row + 1)

    def _said(self, node: Node) -> Iterator[tuple[str, str]]:
        if node.type == "declaration":
            yield from declared(node)
        elif node.type == "function_name":
            yield "function", text(node)
        elif node.type == "unit":
            yield "unit", text(node)
        elif node.type == "at_keyword":
            yield "at-rule", text(node).removeprefix("@")
        elif node.type == "nesting_selector":
            yield "nesting", "&"
        elif node.type == "feature_name" and outer(node, "media_statement"):
            yield "in at-rule", f"media: {re.sub('^(min|max)-', '', text(node))}"
        elif node.type in ("class_name", "tag_name") and text(node.prev_sibling) in (":", "::"):
            yield "selector", text(node)


def declared(node: Node) -> Iterator[tuple[str, str]]:
    name = text(node.named_children[0])
    at_rule = outer(node, "at_rule")
    if at_rule is not None and not outer(node, "rule_set"):
        yield "in at-rule", f"{text(at_rule.named_children[0]).removeprefix('@')}: {name}"
        return
    yield "property", name
    for value in nodes(node):
        if value.type == "plain_value":
            yield "value", f"{name}: {text(value)}"


def outer(node: Node, kind: str) -> Node | None:
    """Give the nearest node of this kind around one."""
    while node.parent is not None:
        node = node.parent
        if node.type == kind:
            return node
    return None


def passed_over(node: Node, new: dict) -> bool:
    """Whether an older engine passes over this and has something instead."""
    if outer(node, "supports_statement") is not None:
        return True
    declaration = node if node.type == "declaration" else outer(node, "declaration")
    before = declaration.prev_named_sibling if declaration is not None else None
    while declaration is not None and before is not None:
        same = before.type == "declaration" and text(before.named_children[0]) == text(declaration.named_children[0])
        if same and text(before.named_children[0]) not in new["property"]:
            return True
        before = before.prev_named_sibling
    return False


class Script:
    """The uses of one module."""

    def __init__(self, source: str, name: str = "script", own: Iterable[str] = ()) -> None:
        told = table()
        self.new, self.instances = told["js"], told["instances"]
        self.html = told["html"]
        self.root = parse(tree_sitter_javascript.language(), source, name)
        self.known = set(bound(self.root))
        self.own = set(own)

    def uses(self) -> Iterator[Use]:
        for node in nodes(self.root):
            for kind, name in self._said(node):
                since = self.html[kind].get(name) if kind in self.html else self.new[kind].get(name)
                if since:
                    yield Use(f"{kind} {name}", since, node.start_point.row + 1)

    def _said(self, node: Node) -> Iterator[tuple[str, str]]:
        if node.type in NAMES and text(node) not in self.known and not asked_for(node):
            yield "global", text(node)
        elif node.type == "member_expression":
            yield from self._member(node)
        elif node.type in ("call_expression", "new_expression"):
            yield from self._call(node)
        elif node.type == "regex":
            yield from regex(text(node.child_by_field_name("pattern")), text(node.child_by_field_name("flags")))
        elif node.type == "class_static_block":
            yield "syntax", "static block"
        elif node.type == "import_attribute":
            yield "syntax", "import attributes"
        elif node.type == "using_declaration":
            yield "syntax", "using"

    def _member(self, node: Node) -> Iterator[tuple[str, str]]:
        whose, name = node.child_by_field_name("object"), text(node.child_by_field_name("property"))
        owner = (
            text(whose) if whose is not None and whose.type == "identifier" and text(whose) not in self.known else ""
        )
        if owner in self.instances:
            for interface in self.instances[owner]:
                yield "of", f"{interface}.{name}"
        elif text(whose) == "import.meta":
            yield "syntax", f"import.meta.{name}"
        elif re.match("[A-Z]", owner):
            yield "of", f"{owner}.{name}"
        elif name not in self.own and not text(whose).endswith(("dataset", "resolvedOptions()")):
            yield "member", name

    def _call(self, node: Node) -> Iterator[tuple[str, str]]:
        called = node.child_by_field_name("function") or node.child_by_field_name("constructor")
        arguments = node.child_by_field_name("arguments")
        given = [one for one in (arguments.named_children if arguments else []) if one.type != "comment"]
        if called is not None and called.type == "import" and len(given) > 1:
            yield "syntax", "import options"
        member = called.child_by_field_name("property") if called is not None else None
        name = text(member or called)
        keys = [key for one in given if one.type == "object" for key in keys_of(one)]
        for key in keys:
            yield "option", f"{name}: {key}"
        if name == "h" and given and given[0].type == "string":
            tag = text(given[0]).strip("'\"")
            yield "element", tag
            for key in keys:
                yield "attribute", f"{tag}: {key}"
                yield "attribute", f"*: {key}"


def keys_of(item: Node) -> Iterator[str]:
    """Give the names that an object literal holds."""
    for child in item.named_children:
        key = child.child_by_field_name("key") or child.child_by_field_name("name")
        if key is not None or child.type == "shorthand_property_identifier":
            yield text(key or child).strip("'\"")


def asked_for(node: Node) -> bool:
    """Whether code only asks if there is such a thing."""
    operator = node.parent.child_by_field_name("operator") if node.parent is not None else None
    return operator is not None and text(operator) == "typeof"


def bound(root: Node) -> Iterator[str]:
    """Give the names that a module gives to something itself."""
    for node in nodes(root):
        if node.type == "variable_declarator" or node.type.endswith(("function_declaration", "class_declaration")):
            holder = node.child_by_field_name("name")
        elif node.type in ("formal_parameters", "import_clause"):
            holder = node
        else:
            holder = node.child_by_field_name("parameter") or node.child_by_field_name("left")
            if node.type not in ("arrow_function", "catch_clause", "for_in_statement"):
                holder = None
        if holder is not None:
            yield from (text(one) for one in nodes(holder) if one.type in NAMES)


def own_names(sources: Iterable[str]) -> set[str]:
    """Give the members that the modules make themselves, which say nothing of a browser."""
    found: set[str] = set()
    for source in sources:
        for node in nodes(parse(tree_sitter_javascript.language(), source, "script")):
            if node.type == "method_definition":
                found.add(text(node.child_by_field_name("name")))
            elif node.type in ("object", "object_pattern"):
                found.update(keys_of(node))
            elif node.type == "assignment_expression":
                found.update(re.findall(r"^this\.(\w+)$", text(node.child_by_field_name("left"))))
    return found


def regex(pattern: str, flags: str) -> Iterator[tuple[str, str]]:
    if "v" in flags:
        yield "syntax", "regex /v"
    if re.search(r"\(\?<[=!]", pattern):
        yield "syntax", "regex (?<="
    if re.search(r"\(\?[ims]*-?[ims]*:", pattern) and "(?:" not in re.findall(r"\(\?[ims-]*:", pattern):
        yield "syntax", "regex (?i:"
    names = re.findall(r"\(\?<(\w+)>", pattern)
    if len(names) != len(set(names)):
        yield "syntax", "regex (?<same>"


class Markup(HTMLParser):
    """The uses of one page."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.found: list[Use] = []
        self.feed(source)

    def uses(self) -> Iterator[Use]:
        yield from self.found

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = [("element", tag)]
        for name, value in attrs:
            said += [("attribute", f"{tag}: {name}"), ("attribute", f"*: {name}")]
            said += [("attribute value", f"{tag}: {name}: {value}")]
        for kind, name in said:
            if since := table()["html"][kind].get(name):
                self.found.append(Use(f"{kind} {name}", since, self.getpos()[0]))
