"""Regenerate the pictures of README.md and docs/guides/xray*.md: python tools/xray_gallery.py

Needs the extra `test` and Debian's `chromium`. All texts were written for this project.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from bolide import Meteor
from bolide.xray import of_texts, report, write_figure, write_report

ROOT = Path(__file__).parent.parent
FIGURES = ROOT / "docs" / "images"
IMAGES = FIGURES / "xray"
PLAIN = Meteor("linear", modules=["exact"], normalize="lower")
# name: report, link, theme, window; element to point at
PICTURES: dict[str, tuple[str, str, str, tuple[int, int], str | None]] = {
    "overview": ("bridge", "#overview", "light", (1280, 1180), None),
    "compared": ("bridge", "#overview", "dark", (1280, 760), ".compared"),
    "words": ("bridge", "#words", "light", (1280, 1180), None),
    "matrix": ("bridge", "#segment=2", "light", (1280, 800), ".match.stage-2"),
    "ribbons": ("bridge", "#segment=2&drawing=ribbons", "dark", (1280, 800), None),
    "narrow": ("bridge", "#segment=7", "light", (420, 800), None),
    "right-to-left": ("hebrew", "#segment=1", "light", (1280, 620), None),
    "chinese": ("chinese", "#segment=1", "light", (1280, 620), None),
}


def lines(name: str) -> list[str]:
    return (ROOT / "examples" / name).read_text(encoding="utf-8").splitlines()


def reports(folder: Path) -> None:
    systems = {name: lines(f"{name}.txt") for name in ("system-1", "system-2")}
    references = list(zip(lines("reference.txt"), lines("reference-2.txt"), strict=True))
    report(systems, references, output=folder / "bridge.html", layout="segments", title="The bridge")
    plain(folder / "hebrew.html", "ראש העיר פתח את הגשר החדש ביום שני בבוקר .",
          "ביום שני בבוקר פתח ראש העיר את הגשר החדש .", "ראש העיר פתח גשר חדש ביום שני .")  # fmt: skip
    plain(folder / "chinese.html", "市长 星期一 早上 为 新 桥 揭幕 。", "市长 为 新 桥 星期一 早上 揭幕 。",
          "星期一 市长 打开 新 桥 。")  # fmt: skip


def plain(path: Path, reference: str, *hypotheses: str) -> None:
    systems = {f"system-{k}": [text] for k, text in enumerate(hypotheses, 1)}
    found = of_texts(systems, [[reference]], PLAIN, layout="segments", title="The bridge")
    write_report(found, path)


def figures() -> None:
    """Segment 2 of the example systems, as three drawings."""
    systems = {f"system {k}": lines(f"system-{k}.txt") for k in (1, 2)}
    found = of_texts(systems, lines("reference.txt"))
    both = list(systems)
    write_figure(found, "alignment:2", FIGURES / "alignment.svg", systems=both, style="ribbons")
    write_figure(found, "alignment:2", FIGURES / "xray-ribbons.svg", systems=both[:1], style="ribbons")
    write_figure(found, "alignment:2", FIGURES / "xray-matrix.svg", systems=both)


def picture(browser: Any, folder: Path, name: str) -> None:
    which, link, theme, (width, height), pointed = PICTURES[name]
    page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=theme)
    page.goto(f"{(folder / f'{which}.html').as_uri()}{link}")
    page.wait_for_selector("body[data-ready=yes]", state="attached")
    if link == "#overview":
        page.locator("#plot-differences svg").wait_for(state="attached")
    if pointed == ".compared":
        page.locator("#about-systems-compared").evaluate("(node) => node.scrollIntoView()")
    elif pointed is not None:
        page.locator(f"svg.drawing {pointed}").first.hover()
    page.wait_for_timeout(500)
    page.screenshot(path=IMAGES / f"{name}.png")
    page.close()


def main() -> None:
    IMAGES.mkdir(parents=True, exist_ok=True)
    figures()
    with tempfile.TemporaryDirectory() as name, sync_playwright() as driver:
        folder = Path(name)
        reports(folder)
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for each in PICTURES:
            picture(browser, folder, each)
        browser.close()


if __name__ == "__main__":
    main()
