"""Measure X-ray reports of 5 and of 23 systems: their size, the time to create them, and their speed.

    python -m bench.xray                    print a table of the report of 5 systems
    python -m bench.xray --systems 23       print that of 23 systems
    python -m bench.xray --keep report.html also keep the report

The text is WMT12 (5 systems) or WMT13 (23), German into English, if it is available, else generated. `bolide
xray` creates the report in a separate process. Chromium (Debian's `chromium`, through Playwright) opens it
from disk. The browser measures its own times: from the start of the navigation until the overview is painted,
and from a change of the filter until the list is painted. The table shows the slowest of all filters and all
rounds. Needs the extra `test`.
"""

from __future__ import annotations

import argparse
import gzip
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench import corpus

SEGMENTS, ROUNDS = 3003, 5


@dataclass(frozen=True)
class Limits:
    """What a report must not exceed: megabytes, seconds."""

    size: float
    processor: float
    first_view: float


LIMITS = {5: Limits(20, 30, 2), 23: Limits(20, 15, 3)}
SETS = {5: ("wmt12.de-en", "WMT12"), 23: ("wmt13.de-en", "WMT13")}
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


def texts(count: int) -> tuple[dict[str, list[str]], list[str], str]:
    """Hypotheses by system, references, and a description of them."""
    name, year = SETS[count]
    prefix = corpus.shared("wmt") / name
    if not Path(f"{prefix}.hyp.tsv.gz").exists():
        hypotheses, references = corpus.made_up(SEGMENTS)
        systems = {f"system-{k}": [without(text, k + 4) for text in hypotheses] for k in range(count)}
        return systems, references, "made-up sentences"
    found: dict[str, list[str]] = {}
    for system, _, text in rows(Path(f"{prefix}.hyp.tsv.gz")):
        found.setdefault(system, []).append(text)
    names = sorted(found)[:count]
    references = [text for _, text in rows(Path(f"{prefix}.ref.tsv.gz"))]
    return {name: found[name] for name in names}, references, f"{year} system outputs, German into English"


def without(text: str, step: int) -> str:
    """The text without every `step`-th word."""
    return " ".join(word for k, word in enumerate(text.split(), 1) if k % step)


def rows(path: Path) -> Iterator[list[str]]:
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as stream:
        lines = stream.read().split("\n")[1:]
    return (line.split("\t") for line in lines if line)


def make(folder: Path, systems: dict[str, list[str]], references: list[str]) -> tuple[Path, float, float]:
    """The report, and the seconds and processor seconds that it took to create."""
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
    start, before = time.perf_counter(), processor_time()
    subprocess.run([*command, "-o", str(report)], check=True, stdout=subprocess.DEVNULL)
    return report, time.perf_counter() - start, processor_time() - before


def processor_time() -> float:
    """Of the processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def in_browser(report: Path, rounds: int) -> dict[str, float]:
    """Milliseconds by action: the maximum over all rounds."""
    from playwright.sync_api import sync_playwright

    most: dict[str, float] = {}

    def note(what: str, milliseconds: float) -> None:
        most[what] = max(milliseconds, most.get(what, 0.0))

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for _ in range(rounds):
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
    for view in ("words", "groups"):
        note(f"opening {view}", page.evaluate(MEASURE, {"view": view}))
    note("opening the list", page.evaluate(MEASURE, {"view": "segments"}))
    for what, change in FILTERS.items():
        note(f"filter: {what}", page.evaluate(MEASURE, {**nothing, **change}))
        page.evaluate(MEASURE, nothing)
    note("scrolling, a step", page.evaluate(SCROLL))
    for drawing in ("matrix", "ribbons"):
        note(f"opening a segment, {drawing}", page.evaluate(MEASURE, {"segment": 1500, "drawing": drawing}))


def table(
    limits: Limits, size: int, seconds: float, processor: float, browser: dict[str, float]
) -> Iterator[str]:
    yield "| | measured | limit |"
    yield "|---|---:|---:|"
    yield f"| size | {size / 1e6:.1f} MB | {limits.size:.0f} MB |"
    yield f"| made in: processor time | {processor:.1f} s | {limits.processor:.0f} s |"
    yield f"| made in | {seconds:.1f} s | |"
    yield f"| first view | {browser.pop('first view') / 1000:.2f} s | {limits.first_view:.0f} s |"
    slowest = max((name for name in browser if name.startswith("filter")), key=lambda name: browser[name])
    yield f"| slowest filter ({slowest.removeprefix('filter: ')}) | {browser[slowest]:.0f} ms | 200 ms |"
    for what, milliseconds in browser.items():
        yield f"| {what} | {milliseconds:.0f} ms | |"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--keep", type=Path, help="a file for the report")
    parser.add_argument("--systems", type=int, choices=SETS, default=5)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    given = parser.parse_args()
    keep: Path | None = given.keep
    systems, references, what = texts(given.systems)
    with tempfile.TemporaryDirectory() as folder:
        report, seconds, processor = make(Path(folder), systems, references)
        print(f"{what}; {len(references):,} segments × {len(systems)} systems; {os.cpu_count()} cores.\n")
        for line in table(
            LIMITS[given.systems], report.stat().st_size, seconds, processor, in_browser(report, given.rounds)
        ):
            print(line)
        if keep is not None:
            shutil.copy(report, keep)


if __name__ == "__main__":
    main()
