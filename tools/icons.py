"""Draws the icons of an installed Basra from static/img/icon.svg: `python tools/icons.py` (needs Chromium)."""

from __future__ import annotations

import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

IMAGES = Path(__file__).resolve().parents[1] / "static" / "img"
# Name, size in px, and whether the ground goes to the edge: systems that cut icons to a shape of their own want it so,
# with the picture in the middle, where nothing is cut off.
ICONS = (("icon-180", 180, True), ("icon-192", 192, False), ("icon-512", 512, False), ("icon-full", 512, True))
GROUND = 'rx="14" '
PART_KEPT = 0.8


def picture(full: bool) -> str:
    """Give the drawing, with its ground to the edge if need be."""
    drawing = (IMAGES / "icon.svg").read_text()
    if not full:
        return drawing
    start, _, rest = drawing.partition("/>")
    shrunk = f'<g transform="translate(32 32) scale({PART_KEPT}) translate(-32 -32)">'
    return f"{start.replace(GROUND, '')}/>{shrunk}{rest.replace('</svg>', '</g></svg>')}"


def main() -> None:
    """Write every icon beside the drawing."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, size, full in ICONS:
            page = browser.new_page(viewport={"width": size, "height": size})
            page.set_content(
                f"<style>body {{ margin: 0 }} svg {{ display: block; width: 100vw }}</style>{picture(full)}"
            )
            page.screenshot(path=IMAGES / f"{name}.png", omit_background=True)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
