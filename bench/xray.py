"""Measure the X-ray report of 3,003 segments × 5 systems: its size, the time to create it, and its speed.

    python -m bench.xray                    print the table
    python -m bench.xray --keep report.html also keep the report

The text is WMT12, German into English, if it is available, else generated. `bolide xray` creates the report
in a separate process. Chromium (Debian's `chromium`, through Playwright) opens it from disk. The browser
measures its own times: from the start of the navigation until the overview is painted, and from a change of
the filter until the list is painted. The table shows the slowest of all filters and all rounds. Needs the
extra `test`.
"""

from __future__ import annotations

import argparse
import gzip
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench import corpus

SEGMENTS, SYSTEMS, ROUNDS = 3003, 5, 5
# The measured actions, as changes of the page's state.
FILTERS: dict[str, dict[str, Any]] = {
    "text": {"text": "government"},
    "another text": {"text": "the"},
    "score": {"low": 0.2, "high": 0.5},
    "module": {"module": "synonym"},
    "length": {"shortest": 10, "longest": 20},
    "A beats B": {"margin": 0.05},
    "order by lead": {"order": "difference"},
    "order by spread": {"order": "spread", "reverse": True},
    "all at once": {"text": "a", "low": 0.1, "module": "stem", "shortest": 5, "margin": 0, "order": "length"},
}

# Milliseconds until a change is on the screen.
MEASURE = """async (change) => {
    const start = performance.now();
    xray.change(change);
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    return performance.now() - start;
}"""
SCROLL = """async () => {
    const list = document.getElementById("list");
    let most = 0;
    for (let k = 1; k <= 60; k++) {
        const start = performance.now();
        list.scrollTop = (k * 7919 * 62) % (list.scrollHeight - list.clientHeight);
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
        most = Math.max(most, performance.now() - start);
    }
    return most;
}"""


def texts() -> tuple[dict[str, list[str]], list[str], str]:
    """Hypotheses by system, references, and a description of them."""
    prefix = corpus.shared("wmt") / "wmt12.de-en"
    if not Path(f"{prefix}.hyp.tsv.gz").exists():
        hypotheses, references = corpus.made_up(SEGMENTS)
        systems = {f"system-{k}": [without(text, k + 4) for text in hypotheses] for k in range(SYSTEMS)}
        return systems, references, "made-up sentences"
    found: dict[str, list[str]] = {}
    for system, _, text in rows(Path(f"{prefix}.hyp.tsv.gz")):
        found.setdefault(system, []).append(text)
    names = sorted(found)[:SYSTEMS]
    references = [text for _, text in rows(Path(f"{prefix}.ref.tsv.gz"))]
    return {name: found[name] for name in names}, references, "WMT12 system outputs, German into English"


def without(text: str, step: int) -> str:
    """The text without every `step`-th word."""
    return " ".join(word for k, word in enumerate(text.split(), 1) if k % step)


def rows(path: Path) -> Iterator[list[str]]:
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as stream:
        lines = stream.read().split("\n")[1:]
    return (line.split("\t") for line in lines if line)


def make(folder: Path, systems: dict[str, list[str]], references: list[str]) -> tuple[Path, float]:
    """The report, and the seconds it took to create."""
    report = folder / "report.html"
    for name, lines in {**systems, "reference": references}.items():
        (folder / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    files = [str(folder / f"{name}.txt") for name in systems]
    command = [
        str(Path(sys.executable).parent / "bolide"),
        "xray",
        *files,
        "-r",
        str(folder / "reference.txt"),
    ]
    start = time.perf_counter()
    subprocess.run([*command, "-o", str(report)], check=True, stdout=subprocess.DEVNULL)
    return report, time.perf_counter() - start


def in_browser(report: Path) -> dict[str, float]:
    """Milliseconds by action: the maximum over all rounds."""
    from playwright.sync_api import sync_playwright

    most: dict[str, float] = {}

    def note(what: str, milliseconds: float) -> None:
        most[what] = max(milliseconds, most.get(what, 0.0))

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for _ in range(ROUNDS):
            page = browser.new_page(viewport={"width": 1400, "height": 900})
            page.goto(report.as_uri())
            page.wait_for_selector("body[data-ready=yes]", state="attached")
            page.locator("#plot-differences svg").wait_for(state="attached")
            note("first view", page.evaluate("performance.getEntriesByName('shown')[0].startTime"))
            measure(page, note)
            page.close()
        browser.close()
    return most


def measure(page: Any, note: Any) -> None:
    nothing = page.evaluate("(() => { const {view, ...rest} = xray.state; return rest; })()")
    note("opening the list", page.evaluate(MEASURE, {"view": "segments"}))
    for what, change in FILTERS.items():
        note(f"filter: {what}", page.evaluate(MEASURE, {**nothing, **change}))
        page.evaluate(MEASURE, nothing)
    note("scrolling, a step", page.evaluate(SCROLL))
    for drawing in ("matrix", "ribbons"):
        note(f"opening a segment, {drawing}", page.evaluate(MEASURE, {"segment": 1500, "drawing": drawing}))


def table(size: int, seconds: float, browser: dict[str, float]) -> Iterator[str]:
    yield "| | measured | limit |"
    yield "|---|---:|---:|"
    yield f"| size | {size / 1e6:.1f} MB | 20 MB |"
    yield f"| made in | {seconds:.1f} s | 30 s |"
    yield f"| first view | {browser.pop('first view') / 1000:.2f} s | 2 s |"
    slowest = max((name for name in browser if name.startswith("filter")), key=lambda name: browser[name])
    yield f"| slowest filter ({slowest.removeprefix('filter: ')}) | {browser[slowest]:.0f} ms | 200 ms |"
    for what, milliseconds in browser.items():
        yield f"| {what} | {milliseconds:.0f} ms | |"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--keep", type=Path, help="a file for the report")
    keep: Path | None = parser.parse_args().keep
    systems, references, what = texts()
    with tempfile.TemporaryDirectory() as folder:
        report, seconds = make(Path(folder), systems, references)
        print(f"{what}; {len(references):,} segments × {len(systems)} systems; {os.cpu_count()} cores.\n")
        for line in table(report.stat().st_size, seconds, in_browser(report)):
            print(line)
        if keep is not None:
            shutil.copy(report, keep)


if __name__ == "__main__":
    main()
