"""Draws the pictures that chat programs show beside a link: `python tools/invitations.py` (needs Chromium)."""

from __future__ import annotations

import base64
import json
import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

STATIC = Path(__file__).resolve().parents[1] / "static"
SIZE = {"width": 1200, "height": 630}
CARDS = (("h", "J", "walad"), ("d", "7", ""), ("s", "Q", "bint"), ("c", "2", ""))
LOOK = """
body { overflow: hidden; background: var(--night); block-size: 630px; }
.star { position: absolute; inset: -110px auto auto 290px; inline-size: 620px; block-size: 620px; opacity: .45; }
main { position: relative; min-block-size: 0; align-items: center; padding-top: 40px; text-align: center; }
h1 { font-size: 190px; line-height: 1.2; color: var(--paper); text-shadow: 0 9px 0 var(--them); }
p { font-size: 40px; color: var(--saffron); margin-top: 4px; }
.cards { position: absolute; inset: 420px 0 auto; display: flex; justify-content: center; gap: 22px; }
.card { --card-w: 190px; }
.cards > * { transform: rotate(var(--turn)); margin-top: var(--down); }
.cards > :nth-child(1) { --turn: -9deg; --down: 26px; }
.cards > :nth-child(2) { --turn: -3deg; }
.cards > :nth-child(3) { --turn: 3deg; }
.cards > :nth-child(4) { --turn: 9deg; --down: 26px; }
"""


def font(name: str, letters: str) -> str:
    """Give a font of the page as a rule that needs no other file."""
    data = base64.b64encode((STATIC / "fonts" / f"{name}.woff2").read_bytes()).decode()
    return f'@font-face {{ font-family: Rakkas; src: url("data:font/woff2;base64,{data}"); unicode-range: {letters}; }}'


def card(suit: str, rank: str, court: str) -> str:
    """Give the markup of a face."""
    shape, picture = ("figure", court) if court else ("big", f"suit-{suit}")
    big = f'<svg class="{shape}"><use href="#{picture}"/></svg>'
    kind = " court" if court else ""
    pip = f'<svg class="pip"><use href="#suit-{suit}"/></svg>'
    return f'<span class="card suit-{suit}{kind}" data-face="{rank}"><span class="rank">{rank}</span>{pip}{big}</span>'


def document(lang: str) -> str:
    """Give the picture as a page."""
    texts = json.loads((STATIC / "i18n" / f"{lang}.json").read_text())
    styles = "".join((STATIC / "css" / f"{name}.css").read_text() for name in ("base", "screens", "cards"))
    fonts = font("rakkas-latin", "U+20-7E") + font("rakkas-arabic", "U+60C-66C")
    cards = "".join(card(*one) for one in CARDS)
    return f"""<!doctype html><html lang="{lang}" dir="{"rtl" if lang == "ar" else "ltr"}">
<style>{styles}{fonts}{LOOK}</style><body>{(STATIC / "sprite.html").read_text()}
<svg class="star"><use href="#star"/></svg>
<main><h1 class="display">{texts["home.title"]}</h1><p>{texts["home.subtitle"]}</p></main>
<div class="cards" dir="ltr">{cards}</div></body></html>"""


def main() -> None:
    """Write both pictures beside the page's other ones."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport=SIZE)
        for lang in ("ar", "en"):
            page.set_content(document(lang))
            page.evaluate("document.fonts.ready.then(() => true)")
            page.screenshot(path=STATIC / "img" / f"invitation-{lang}.png")
        browser.close()


if __name__ == "__main__":
    main()
