"""In which language a page comes: the visitor's choice, else what the browser asks for, else Arabic."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

PAGES = ("/", "/r/KTRMSA", "/rules", "/nothing-here")


def shown(client: FlaskClient, path: str, accept: str = "", cookie: str = "") -> tuple[str, str]:
    """Give the language and the direction of a page."""
    headers = {name: value for name, value in (("Accept-Language", accept), ("Cookie", cookie)) if value}
    answer = client.get(path, headers=headers)
    assert {"Accept-Language", "Cookie"} <= set(answer.headers["Vary"].split(", "))
    found = re.search(r'<html lang="(\w+)" dir="(\w+)"', answer.text)
    assert answer.headers["Content-Language"] == found[1]
    return found[1], found[2]


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize(
    ("accept", "cookie", "wanted"),
    [
        ("", "", ("ar", "rtl")),
        ("fr-FR, de;q=0.5", "", ("ar", "rtl")),
        ("en-GB", "", ("en", "ltr")),
        ("fr, en;q=0.8, ar;q=0.5", "", ("en", "ltr")),
        ("ar-EG, en;q=0.8", "", ("ar", "rtl")),
        ("en;q=0, ar;q=0.1", "", ("ar", "rtl")),
        ("ar-EG", "basra_lang=en", ("en", "ltr")),
        ("en-GB", "basra_lang=ar", ("ar", "rtl")),
        ("en-GB", "basra_lang=tlh", ("en", "ltr")),
    ],
)
def test_a_page_comes_in_the_visitors_language(
    client: FlaskClient, path: str, accept: str, cookie: str, wanted: tuple[str, str]
) -> None:
    assert shown(client, path, accept, cookie) == wanted


@pytest.mark.parametrize(
    ("accept", "cookie", "wanted"),
    [
        ("ar-EG", "", "arab"),
        ("", "", "arab"),
        ("ar-MA", "", "latn"),
        ("fr, ar-DZ;q=0.5", "", "latn"),
        ("ar-EG", "basra_digits=latn", "latn"),
        ("ar-TN", "basra_digits=arab", "arab"),
    ],
)
def test_numbers_come_in_the_visitors_digits(client: FlaskClient, accept: str, cookie: str, wanted: str) -> None:
    headers = {name: value for name, value in (("Accept-Language", accept), ("Cookie", cookie)) if value}
    assert f'data-digits="{wanted}"' in client.get("/", headers=headers).text
    rules = client.get("/rules", headers=headers).text
    assert ("١٢١" in rules) == (wanted == "arab")
    assert ("121" in rules) == (wanted == "latn")


def test_a_link_changes_the_language_for_good_without_a_script(client: FlaskClient) -> None:
    answer = client.get("/rules?lang=en", headers={"Accept-Language": "ar"})
    assert '<html lang="en"' in answer.text
    assert "basra_lang=en" in answer.headers["Set-Cookie"]
    assert "Set-Cookie" not in client.get("/rules?lang=tlh").headers
