"""What a device is called in the list of one's sessions."""

from __future__ import annotations

from flask import request

# The first that fits: the names of older browsers stand in those of newer ones too.
_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "Mac"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def device() -> str | None:
    """The device of the current request, as far as its browser tells; None for what is no browser that we know."""
    told = request.headers.get("User-Agent", "")
    browser = next((name for mark, name in _BROWSERS if mark in told), None)
    system = next((name for mark, name in _SYSTEMS if mark in told), None)
    return " · ".join(name for name in (browser, system) if name is not None) or None
