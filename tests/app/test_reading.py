"""The pages to read: the fair deal, and the leaderboard with its rows. Both are whole without a script."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.api import leaderboard_page
from app.api.assets import texts
from app.api.fair_deal_page import FORMULAS, fair_deal_page
from app.api.language import Language
from app.api.privacy_page import PrivacyWords
from app.auth import COOKIE_NAME
from engine.shuffle import SCHEME_2
from tests.app.people import Caller, guest
from tests.app.test_standings import change, established, nobody
from tests.privacy import FILES, privacy_document

__all__ = ["nobody"]

ENGLISH = {"Accept-Language": "en"}


def page(client: FlaskClient, path: str, caller: Caller | None = None, **headers: str) -> str:
    cookie = {"Cookie": f"{COOKIE_NAME}={caller.token}"} if caller else {}
    answer = client.get(path, headers={**ENGLISH, **cookie, **headers})
    assert answer.status_code == 200
    return html.unescape(answer.text)


def rows(text: str) -> list[tuple[str, str, str]]:
    """Give rank, name and value of each row."""
    found = re.findall(r'data-testid="leader" data-rank="([^"]*)" data-value="([^"]*)".*?<bdi>(.*?)</bdi>', text)
    return [(rank, name, value) for rank, value, name in found]


@pytest.mark.parametrize("lang", ["en", "ar"])
def test_the_fair_deal_is_told_whole(client: FlaskClient, lang: str) -> None:
    words = texts(f"fair.{lang}")
    shown = page(client, "/fair-deal", **{"Accept-Language": lang})
    say = fair_deal_page(words, Language(lang, "arab"))["say"]
    assert [key for key in words if say(key) not in shown] == []
    assert SCHEME_2 in shown
    assert [formula for formula in FORMULAS.values() if formula not in shown] == []
    assert "<script" not in shown


@pytest.mark.parametrize("path", ["/how-to-play", "/rules", "/leaderboard", "/fair-deal", "/privacy", "/api/docs"])
def test_every_page_to_read_leads_to_the_others(client: FlaskClient, path: str) -> None:
    foot = re.search(r'<footer class="page-foot">.*?</footer>', page(client, path), re.DOTALL)
    assert foot
    assert re.findall(r'href="([^"]+)">[^<]', foot[0]) == [
        "/how-to-play", "/rules", "/leaderboard", "/fair-deal", "/privacy", "/api/docs",
    ]  # fmt: skip


def test_the_question_whether_the_cards_are_fixed_leads_to_the_fair_deal(client: FlaskClient) -> None:
    answer = re.search(r"<summary>Are the cards fixed\?</summary>(.*?)</details>", page(client, "/how-to-play"))
    assert answer and 'href="/fair-deal"' in answer[1]


def test_a_formula_stands_beside_a_step_that_is_told() -> None:
    assert {f"exact.{step}" for step in FORMULAS} - texts("fair.en").keys() == set()


@pytest.mark.usefixtures("nobody")
@pytest.mark.parametrize("kind", ["rating", "week", "points"])
def test_an_empty_board_invites(client: FlaskClient, kind: str) -> None:
    shown = page(client, f"/leaderboard?board={kind}")
    assert 'data-testid="nobody"' in shown
    assert f'data-board="{kind}" aria-current="page"' in shown
    assert 'data-why="nobody"' in shown
    assert "<script" not in shown


@pytest.mark.usefixtures("nobody")
def test_the_best_stand_first_and_my_row_is_pinned_below_a_page_without_it(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = [guest(app, name) for name in ("Mona", "Karim", "Laila <b>")]
    for caller, value in zip(people, (1900, 1800, 1700), strict=True):
        change(app, caller.id, **established(value))
    shown = page(client, "/leaderboard", people[2])
    assert rows(shown) == [("1", "Mona", "1900"), ("2", "Karim", "1800"), ("3", "Laila <b>", "1700")]
    assert shown.count('aria-current="true"') == 1
    assert 'data-testid="pinned"' not in shown
    monkeypatch.setattr(leaderboard_page, "ROWS", 2)
    shown = page(client, "/leaderboard", people[2])
    assert rows(shown) == [("1", "Mona", "1900"), ("2", "Karim", "1800"), ("3", "Laila <b>", "1700")]
    assert shown.index('data-testid="pinned"') > shown.index("Karim")
    further = re.search(r'href="(\?[^"]*)" data-testid="next"', shown)[1]
    assert rows(page(client, f"/leaderboard{further}", people[0])) == [
        ("3", "Laila <b>", "1700"),
        ("1", "Mona", "1900"),
    ]


@pytest.mark.usefixtures("nobody")
@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({}, "guest"),
        ({"guest": False, "bot": True}, "bot"),
        ({"guest": False}, "provisional"),
        (established(1600), None),
    ],
)
def test_who_is_not_listed_is_told_why(app: Flask, client: FlaskClient, values: dict, why: str | None) -> None:
    mona = guest(app, "Mona")
    if values:
        change(app, mona.id, **values)
    told = re.findall(r'data-why="(\w+)"', page(client, "/leaderboard", mona))
    assert told == ([why] if why else [])


@pytest.mark.parametrize("after", ["x", "bnVsbA", "WzEsMl0"])
def test_an_address_that_was_made_up_begins_at_the_top(client: FlaskClient, after: str) -> None:
    assert page(client, f"/leaderboard?after={after}&board=nonsense") == page(client, "/leaderboard")


def test_the_board_is_written_in_the_digits_of_the_page(app: Flask, client: FlaskClient) -> None:
    mona = guest(app, "Mona")
    change(app, mona.id, **established(2345))
    assert "٢٣٤٥" in page(client, "/leaderboard", mona, **{"Accept-Language": "ar-EG"})
    assert "٢٣٤٥" not in page(client, "/leaderboard", mona, **{"Accept-Language": "ar-MA"})


@pytest.mark.parametrize("lang", ["en", "ar"])
def test_the_privacy_page_says_the_same_as_the_document(client: FlaskClient, lang: str) -> None:
    """The document is made of the page's texts: `python -m tests.privacy` writes it anew."""
    document = FILES[lang].read_text(encoding="utf-8")
    assert document == privacy_document(lang)
    shown = page(client, "/privacy", **{"Accept-Language": lang})
    told = [line.lstrip("-# *").split(".** ")[0] for line in document.splitlines() if line and not line.startswith("<")]
    assert [line for line in told if line not in shown] == []
    assert "<script" not in shown


@pytest.mark.parametrize("path", ["/", "/how-to-play", "/rules", "/leaderboard", "/fair-deal", "/history"])
def test_privacy_is_linked_from_every_page(client: FlaskClient, path: str) -> None:
    assert 'href="/privacy' in client.get(path).text


def test_the_privacy_page_goes_by_the_settings_of_its_server(make_app: Callable[..., Flask]) -> None:
    app = make_app(KEEP_REPORTS_DAYS="2", KEEP_ROOMS_DAYS="0", KEEP_GUESTS_DAYS="1", CONTACT="host@basra.example")
    said = {lang: app.test_client().get(f"/privacy?lang={lang}").text for lang in ("en", "ar")}
    assert "2 days, or until" in said["en"] and "1 day after the last visit" in said["en"]
    assert "يومين، أو لحد" in said["ar"] and "يوم واحد بعد آخر زيارة" in said["ar"]
    assert texts("privacy.en")["kept.for_ever"] in said["en"]
    assert all("host@basra.example" in text for text in said.values())


@pytest.mark.parametrize(
    ("number", "words"), [(3, "٣ أيام"), (10, "١٠ أيام"), (11, "١١ يوم"), (100, "١٠٠ يوم"), (103, "١٠٣ أيام")]
)
def test_a_number_of_days_agrees_in_arabic(number: int, words: str) -> None:
    assert PrivacyWords(texts("privacy.ar"), Language("ar", "arab")).days(number) == words
