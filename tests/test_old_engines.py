"""Nothing in the client is newer than Chrome and WebView 94, Safari 15.4 and Firefox 93, but for what ALLOWED names.

The table of what is newer comes from MDN's browser-compat-data: `python tools/new_features.py` makes it anew.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tests.old_engines import Markup, Script, Style, Use, own_names, table

STATIC = Path(__file__).resolve().parents[1] / "static"
# What the interface answers with is ours, too.
SCHEMAS = STATIC.parent / "app" / "schemas"
STYLES = sorted((STATIC / "css").rglob("*.css"))
SCRIPTS = sorted([*(STATIC / "js").rglob("*.js"), *STATIC.glob("*.js")])
PAGES = sorted(STATIC.glob("*.html"))
POINTER = "fingers have no pointer, and a pointer without its shape still points"
OWN_COLOURS = "fields, buttons and bars have colours of their own; only scroll bars stay light"
NO_FORCED_COLOURS = "an engine without it has no forced colours that would need an answer"
NO_NOTES = "asked for before use; without notifications the title, the icon and a sound say whose turn it is"
SHARE = "asked for before use; copying the link and WhatsApp's own link are always there"
BUZZ = "asked for before use; what is felt is always seen, too"
FETCH_FIRST = "asked for before use; the worker then fetches the page itself"
HEAD = "a hint to the browser around the page; without it the page is the same"
# What may be used though it is newer, and what there is instead where it is not known.
ALLOWED = {
    "in at-rule font-face: size-adjust": "the stand-in letters then are a little narrower until Rakkas is there",
    "property color-scheme": OWN_COLOURS,
    "value color-scheme: dark": OWN_COLOURS,
    "property cursor": POINTER,
    "value cursor: pointer": POINTER,
    "value cursor: default": POINTER,
    "value cursor: grabbing": POINTER,
    "property resize": "phones have no corner to drag; the field scrolls instead",
    "value resize: vertical": "phones have no corner to drag; the field scrolls instead",
    "property -webkit-tap-highlight-color": "takes away a flash that the other engines do not have",
    "property forced-color-adjust": NO_FORCED_COLOURS,
    "value forced-color-adjust: none": NO_FORCED_COLOURS,
    "in at-rule media: forced-colors": NO_FORCED_COLOURS,
    "in at-rule media: prefers-contrast": "the usual colours meet WCAG AA already",
    "attribute *: enterkeyhint": "the key then has its usual sign, and does the same",
    "global Notification": NO_NOTES,
    "of Notification.permission": NO_NOTES,
    "of Notification.requestPermission": NO_NOTES,
    "member showNotification": NO_NOTES,
    "member getNotifications": NO_NOTES,
    "member notification": NO_NOTES,
    "member createPolicy": "asked for before use; an engine without Trusted Types takes the plain address",
    "option showNotification: data": "a click then leads home, where the match is the first thing",
    "option focus: preventScroll": "the page then scrolls to what has the focus, which is on the screen anyway",
    "option fetch: keepalive": "the word may be lost as the page goes; the server gives a silent seeker up by itself",
    "of Navigator.share": SHARE,
    "of Navigator.vibrate": BUZZ,
    "of Navigator.userActivation": BUZZ,
    "member hasBeenActive": BUZZ,
    "member navigationPreload": FETCH_FIRST,
    "member preloadResponse": FETCH_FIRST,
    "attribute *: autocapitalize": "phones may begin with a capital; the server takes both spellings as one name",
    "attribute value meta: name: viewport": "phones know it, and only they need it",
    "attribute value meta: name: theme-color": HEAD,
    "attribute value link: rel: icon": HEAD,
    "attribute value link: rel: manifest": HEAD,
    "attribute value link: rel: modulepreload": "the modules then are fetched one import after the other",
}


@cache
def names_of_our_own() -> frozenset[str]:
    schemas = "".join(path.read_text() for path in sorted(SCHEMAS.glob("*.py")))
    fields = re.findall(r"^    (\w+) = ", schemas, re.MULTILINE)
    return frozenset(own_names(path.read_text() for path in SCRIPTS)) | frozenset(fields)


@cache
def uses(path: Path) -> list[Use]:
    source, name = path.read_text(), path.name
    if path.suffix == ".css":
        return list(Style(source, name).uses())
    return list(Script(source, name, names_of_our_own()).uses() if path.suffix == ".js" else Markup(source).uses())


@pytest.mark.parametrize("path", [*STYLES, *SCRIPTS, *PAGES], ids=lambda path: path.relative_to(STATIC).as_posix())
def test_a_file_asks_nothing_newer_than_the_browsers_we_serve(path: Path) -> None:
    assert [use for use in uses(path) if use.feature not in ALLOWED] == []


def test_what_is_allowed_is_used() -> None:
    used = {use.feature for path in [*STYLES, *SCRIPTS, *PAGES] for use in uses(path)}
    assert ALLOWED.keys() - used == set()


def test_the_table_is_for_the_browsers_we_serve() -> None:
    oldest = table()["oldest"]
    assert (oldest["chrome"], oldest["webview_android"]) == ("94", "94")
    assert (oldest["safari"], oldest["safari_ios"], oldest["firefox"]) == ("15.4", "15.4", "93")


@pytest.mark.parametrize(
    ("style", "feature"),
    [
        (".a:has(> .b) { color: red; }", "selector has"),
        (".a { &:hover { color: red; } }", "nesting &"),
        ("@container (min-width: 300px) { a { color: red; } }", "at-rule container"),
        ("@layer base;", "at-rule layer"),
        ("@property --a { syntax: '*'; inherits: false; }", "at-rule property"),
        ("a { height: 100dvh; }", "unit dvh"),
        ("a { width: 10cqw; }", "unit cqw"),
        ("a { color: color-mix(in srgb, red, blue); }", "function color-mix"),
        ("a { color: oklch(50% 0.1 20); }", "function oklch"),
        ("a { container-type: inline-size; }", "property container-type"),
        ("a { text-wrap: balance; }", "property text-wrap"),
        ("a { translate: 3px; }", "property translate"),
        ("a { overflow: clip; }", "value overflow: clip"),
        ("a:user-invalid { color: red; }", "selector user-invalid"),
        ("@media (update: slow) { a { color: red; } }", "in at-rule media: update"),
    ],
)
def test_a_new_style_is_found(style: str, feature: str) -> None:
    assert feature in [use.feature for use in Style(style).uses()]


@pytest.mark.parametrize(
    "style",
    [
        "a { height: 100vh; height: 100dvh; }",
        "a { overflow: hidden; overflow: clip; }",
        "@supports (height: 1dvh) { a { height: 100dvh; } }",
        "a { inset: 0; aspect-ratio: 1; gap: 4px; margin-inline: auto; } a:is(b, c):focus-visible { color: red; }",
        "/* :has(x) 100dvh */ a { content: ':has(x)'; }",
    ],
)
def test_an_old_style_or_one_that_has_a_fallback_is_not(style: str) -> None:
    assert list(Style(style).uses()) == []


@pytest.mark.parametrize(
    ("script", "feature"),
    [
        ("all.findLast(first);", "member findLast"),
        ("const b = a?.toSorted();", "member toSorted"),
        ("structuredClone(a);", "global structuredClone"),
        ("Object.groupBy(a, b);", "of Object.groupBy"),
        ("const { promise } = Promise.withResolvers();", "of Promise.withResolvers"),
        ("Array.fromAsync(a);", "of Array.fromAsync"),
        ("AbortSignal.timeout(5);", "of AbortSignal.timeout"),
        ("AbortSignal.any([a]);", "of AbortSignal.any"),
        ("crypto.randomUUID();", "of Crypto.randomUUID"),
        ("dialog.showModal();", "member showModal"),
        ("h('dialog', {});", "element dialog"),
        ("h('div', { popover: 'auto' });", "attribute *: popover"),
        ("h('div', { inert: true });", "attribute *: inert"),
        ("new Intl.DurationFormat('ar');", "of Intl.DurationFormat"),
        ("document.startViewTransition(f);", "of Document.startViewTransition"),
        ("import.meta.resolve('x');", "syntax import.meta.resolve"),
        ("class A { static { a(); } }", "syntax static block"),
        ("import a from './a.json' with { type: 'json' };", "syntax import attributes"),
        ("import('./a.json', { with: { type: 'json' } });", "syntax import options"),
        ("a(/(?<=b)c/);", "syntax regex (?<="),
        ("a(/(?<!b)c/);", "syntax regex (?<="),
        ("a(/[a--b]/v);", "syntax regex /v"),
        ("a(/(?i:b)c/);", "syntax regex (?i:"),
        ("a.focus({ focusVisible: true });", "option focus: focusVisible"),
    ],
)
def test_a_new_script_is_found(script: str, feature: str) -> None:
    assert feature in [use.feature for use in Script(script).uses()]


@pytest.mark.parametrize(
    "script",
    [
        "await a.at(-1); Object.hasOwn(a, b); class A { #b; c(d) { return #b in d; } }",
        "const a = b ??= c?.d; e.replaceAll('f', 'g'); Promise.any([h]); new Error('i', { cause: j });",
        "a(/(?<year>\\d+)(?:x)(?=y)(?!z)/su);",
        "// all.findLast(a)\nconst a = 'structuredClone';",
        "const structuredClone = (a) => a; structuredClone(b);",
        "if (typeof structuredClone === 'function') a();",
    ],
)
def test_an_old_script_is_not(script: str) -> None:
    assert list(Script(script).uses()) == []


def test_a_new_page_is_found() -> None:
    page = '<dialog></dialog><div inert popover></div><search></search><img fetchpriority="high"><input name="a">'
    found = {use.feature for use in Markup(page).uses()}
    assert found >= {"element dialog", "element search", "attribute *: inert", "attribute *: popover"}
    assert "attribute img: fetchpriority" in found
    assert not [feature for feature in found if "input" in feature]
