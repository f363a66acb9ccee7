"""`python -m tests.privacy` writes docs/privacy.md and docs/privacy.ar.md from the texts of the page."""

from __future__ import annotations

from pathlib import Path

from app.api.assets import texts
from app.api.language import Language
from app.api.privacy_page import privacy_page
from app.config import read_settings

DOCS = Path(__file__).parents[1] / "docs"
FILES = {"en": DOCS / "privacy.md", "ar": DOCS / "privacy.ar.md"}


def privacy_document(lang: str) -> str:
    """The document in a language, with the periods that a server has unless it is told otherwise."""
    page = privacy_page(texts(f"privacy.{lang}"), Language(lang, "arab"), read_settings({}))
    say = page["say"]
    lines = [f"# {say('privacy.title')}", "", say("privacy.lead"), ""]
    for part in page["parts"]:
        lines += [f"## {say(f'part.{part}')}", ""]
        if part == "kept":
            lines += [f"- **{what}.** {long}." for what, long in page["kept"]]
        elif part == "contact":
            lines += [f"{say('contact.1')} {page['contact'] or say('contact.nobody')}"]
        else:
            lines += [f"- {line}" for line in page[part]]
        lines.append("")
    text = "\n".join(lines).rstrip() + "\n"
    return text if lang == "en" else f'<div dir="rtl">\n\n{text}\n</div>\n'


if __name__ == "__main__":
    for language, path in FILES.items():
        path.write_text(privacy_document(language), encoding="utf-8")
