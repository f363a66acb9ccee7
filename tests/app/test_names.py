"""Names: what is cleaned out of them, what is refused, and what may stay because a script needs it."""

from __future__ import annotations

import unicodedata

import pytest
from flask import Flask

from app import names
from app.services.departures import NAME as DELETED
from tests.app.people import Caller, guest, ok, refused

NEEDED = {
    "Persian, a part of a word": "می\u200cخواهم",
    "Persian, a plural": "بچه\u200cها",
    "Arabic, a letter's first form": "ه\u200d",
    "Hindi, half a letter": "क\u094d\u200dष",
    "Hindi, a visible virama": "क\u094d\u200cष",
    "Malayalam, an old chillu": "ന\u0d4d\u200d",
    "a family": "👨\u200d👩\u200d👧",
    "a skin and a trade": "👩🏽\u200d💻",
    "a red heart": "❤\ufe0f",
    "a key": "1\ufe0f\u20e3 #\ufe0f\u20e3",
    "a form of an ideograph": "葛\U000e0100",
    "Hindi, vowels": "नमस्ते",
    "Arabic, three marks": "اللَّٰه",
    "Vietnamese": "Nguyễn",
    "Burmese, a syllable": "လွှို့",
    "Thai": "ที่รัก",
    "Hebrew": "שָׁלוֹם",
    "an emoji alone": "🃏",
}


@pytest.mark.parametrize("name", NEEDED.values(), ids=NEEDED.keys())
def test_what_a_script_needs_stays(name: str) -> None:
    name = unicodedata.normalize("NFC", name)
    assert (names.cleaned(name), names.fault(name)) == (name, None)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("\u200eMona\u200f", "Mona"),
        ("\u061cمنى\u200e", "منى"),
        ("Mo\u200ena", "Mona"),
        ("a\u200db", "ab"),
        ("د\u200cا", "دا"),
        ("Mona\u200d\u200d", "Mona"),
        ("a\ufe0fb\U000e0100", "ab"),
        ("👩\u200d\u200d💻", "👩💻"),
        ("e\u200e\u0301", "\u00e9"),
    ],
)
def test_what_nobody_sees_is_cleaned_out(app: Flask, given: str, kept: str) -> None:
    assert ok(Caller(app).post("/players", {"name": given}), 201)["player"]["name"] == kept


@pytest.mark.parametrize(
    ("fault", "refused_names"),
    [
        (
            names.INVALID,
            ["a\u200bb", "a\u00adb", "a\u2060b", "a\ufeffb", "a\u034fb", "a\u180eb", "a\u3164b", "a\u2800b", "a\u115f",
             "Mona\U000e0041", "🏴\U000e0067\U000e007f", "a\ue000", "a\ufff9b", "a\U0001d173", "a\u206f"],
        ),
        (names.LONE, ["\u0301a", "a \u0301b", "😀\u0301", "\u0654", "-\u093e"]),
        (
            names.STACKED,
            ["a\u0300\u0301\u0302\u0303", "a" + "\u0335" * 4, "ก\u0e47\u0e47\u0e47\u0e47", "ل" + "\u064e" * 4,
             "a\u0316\u0317\u093e\u0318\u0319", "a\u20dd\u20dd\u20dd\u20dd", "ည" + "\u103e" * 7],
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused(fault: str, refused_names: list[str]) -> None:
    found = {ascii(name): names.fault(names.cleaned(name)) for name in refused_names}
    assert found == dict.fromkeys(found, fault)


PRETENDING = [
    # Plainly, in any case, among other words.
    "admin", "ADMIN", "The Admin", "Admin-Mona", "admin_1", "xX_admin_Xx", "Administrator", "moderator", "Moderators",
    "Support", "support team", "Official", "Basra Official", "BasraAdmin", "SupportTeam",
    "أدمن", "ادمن", "الأدمن", "أدمن البصرة", "مشرف", "المشرفة", "المشرفين", "الدعم", "الدعم الفني", "رسمي", "الرسمية",
    # As other letters, or none, say it.
    "аdmin", "ΑDΜΙΝ", "ａｄｍｉｎ", "𝐚𝐝𝐦𝐢𝐧", "ⓐⓓⓜⓘⓝ", "🅰🅳🅼🅸🅽", "ᴀᴅᴍɪɴ", "ádmín", "Adm1n", "@dmin", "m0derator",
    "5upport", "Admln", "offlcial", "a.d.m.i.n", "S u p p o r t", "аdмin", "أَدمِن", "مشـــرف", "مشرف\u200d",
    "ﻣﺸﺮﻑ", "رسمی",
    # What the service itself calls somebody.
    DELETED, "deleted  player", "DeletedPlayer", "DELETED PLAYER 2", "Dеlеtеd рlауеr", "لاعب ممسوح",
    "Easy bot", "easy BOT", "Medium bot", "Easy bot 2", "كمبيوتر سهل", "کمبیوتر متوسط",
]  # fmt: skip
HONEST = [
    "Basra", "البصرة", "علي البصري", "Basra 2024", "Administrata", "Supporter", "Supportive", "Badminton",
    "Officialdom", "Immoderate", "رسمة", "رسام", "دعماء", "مشرفي", "Tea bot", "Bob the bot", "Bot", "Robot", "Player",
    "Player 2", "Guest 1234", "Easy", "easy peasy", "Мария", "Дмитрий", "Καλημέρα", "山田太郎", "מונה",
    "Aдминка", "O'Neil", "3mo_7amada", "سهل",
]  # fmt: skip


@pytest.mark.parametrize("name", PRETENDING)
def test_a_name_that_pretends_is_refused(name: str) -> None:
    assert names.fault(names.cleaned(name)) == names.RESERVED


@pytest.mark.parametrize("name", HONEST)
def test_a_name_like_any_other_is_one(name: str) -> None:
    assert names.fault(names.cleaned(name)) is None


def test_every_name_that_people_choose_is_looked_at(app: Flask) -> None:
    mona = guest(app)
    for name, fault in (("Admin", names.RESERVED), ("a\u200bb", names.INVALID)):
        for answer in (
            Caller(app).post("/players", {"name": name}),
            mona.send("PATCH", "/players/me", {"name": name}),
            mona.post("/rooms", {"name": name}),
        ):
            assert refused(answer, 422, "request.invalid")["errors"] == {"name": [fault]}


def test_a_name_is_measured_as_it_is_kept(app: Flask) -> None:
    assert len(ok(Caller(app).post("/players", {"name": "\u200e" + "a" * 24 + "\u200d"}), 201)["player"]["name"]) == 24
    problem = refused(Caller(app).post("/players", {"name": "\u200e\u200d"}), 422, "request.invalid")
    assert problem["errors"] == {"name": ["Must have 1 to 24 characters."]}
