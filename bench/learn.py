"""Compare the jar's Parex with bolide on the same phrase table, in one run; and show the cost of learning.

    python -m bench.learn                                      a generated table of 2,000,000 lines
    python -m bench.learn --table T.gz --pivot F --target E    a Moses table and its corpora
    python -m bench.learn --large 50000000                     a generated table, pivoted within 4 GB
    python -m bench.learn --steps de.learning …                the cost of each step of `learn language`

Parex and `bolide learn paraphrases` run as their users run them, in one process each. Both get the same
corpora for common words and for the wanted phrases. They must find the same paraphrases, and probabilities
may differ by less than 1e-9, or the benchmark fails. Processor time is shown beside wall-clock time, which is
unreliable on a busy machine. Needs java.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pyarrow import parquet
from tests.support import parex, phrase_tables

from bench import corpus, run
from bolide.learning import phrase_table

TOLERANCE = 1e-9
MEMORY = "3500MB"  # limit for DuckDB; with Python and Arrow, the process needs 4 GB
BOLIDE = [sys.executable, "-m", "bolide", "learn", "paraphrases"]


def seconds(done: run.Run) -> str:
    return f"{done.seconds:,.1f} | {done.cpu:,.1f} | {done.megabytes:,.0f} MB"


def against_parex(files: phrase_tables.Files, folder: Path, heap: str, threads: int) -> Iterator[str]:
    """Run both programs and compare their results."""
    java = run.measure(parex.command(corpus.jar(), files, folder / "parex", memory=heap), folder)
    command = [*BOLIDE, str(files.table), "-o", str(folder / "bolide.gz"), "--threads", str(threads)]
    command += ["--corpus", str(files.target), "--pivot-corpus", str(files.pivot)]
    command += ["--occurring-in", str(files.target), "--temporary", str(folder)]
    ours = run.measure(command, folder)
    expected = parex.read_parex(folder / "parex" / "paraphrase.gz")
    found = parex.read_meteor(folder / "bolide.gz")
    if expected.keys() != found.keys():
        sys.exit(f"Parex has {len(expected)} paraphrases, bolide {len(found)}: they are not the same")
    most = max((abs(found[pair] - p) for pair, p in expected.items()), default=0.0)
    if most >= TOLERANCE:
        sys.exit(f"probabilities differ by {most}")
    yield "| program | seconds | processor | peak memory |"
    yield "|---|---|---|---|"
    yield f"| Parex (`-Xmx{heap}`) | {seconds(java)} |"
    yield f"| `bolide learn paraphrases` | {seconds(ours)} |"
    yield f"| ratio | {java.seconds / ours.seconds:.1f} | {java.cpu / ours.cpu:.1f} | |"
    yield ""
    yield f"{len(found):,} paraphrases, the same; probabilities differ by at most {most:.1g}."


def large(lines: int, folder: Path) -> Iterator[str]:
    """A table that is larger than the memory limit."""
    table = folder / "large.parquet"
    if not table.exists():  # about 73% of the drawn entries are distinct
        phrase_table.write(phrase_tables.batches(int(lines * 1.4)), table)
    rows = parquet.read_metadata(table).num_rows
    print(f"{rows:,} lines, {table.stat().st_size:,} bytes", file=sys.stderr, flush=True)
    place = folder / "spill"
    place.mkdir(exist_ok=True)
    command = [*BOLIDE, str(table), "-o", str(folder / "large.gz"), "--memory", MEMORY]
    with watched(place) as most:
        done = run.measure([*command, "--temporary", str(place)], folder)
    yield f"{rows:,} lines, memory_limit {MEMORY}:\n"
    yield "| seconds | processor | peak memory | on disk: database | spilled |\n|---|---|---|---|---|"
    database, spilled = (f"{most[kind] / 1e9:.1f} GB" for kind in ("database", "spilled"))
    yield f"| {seconds(done)} | {database} | {spilled} |\n"
    yield "```text"
    yield done.output.decode().rstrip("\n")
    yield "```"


@contextmanager
def watched(folder: Path) -> Iterator[dict[str, int]]:
    """Record the peak size in bytes of the engine's files in the folder, while the block runs."""
    most, ended = {"database": 0, "spilled": 0}, threading.Event()

    def watch() -> None:
        while not ended.wait(0.5):
            now = dict.fromkeys(most, 0)
            for path in folder.rglob("*"):
                try:
                    now["spilled" if path.parent.name == "spilled" else "database"] += path.stat().st_size
                except OSError:  # the file is already deleted
                    continue
            most.update({kind: max(most[kind], size) for kind, size in now.items()})

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield most
    finally:
        ended.set()
        watcher.join()


def steps(folders: list[Path]) -> Iterator[str]:
    """The cost of each step, one column per language: processor seconds and peak memory."""
    records = {
        folder.name.partition(".")[0]: {
            path.stem: json.loads(path.read_text(encoding="utf-8")) for path in folder.glob("*.json")
        }
        for folder in folders
    }
    yield f"| step | {' | '.join(records)} |\n|---|{'---|' * len(records)}"
    for step in ("corpus", "words", "alignment", "phrases", "paraphrases"):
        found = (own[step] for own in records.values())
        cells = (f"{r['seconds']:,.0f} s ({r['cpu']:,.0f}), {r['peak'] / 1e6:,.0f} MB" for r in found)
        yield f"| {step} | {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--lines", type=int, default=2_000_000)
    for name in ("table", "pivot", "target"):
        parser.add_argument(f"--{name}", type=Path)
    parser.add_argument("--heap", default="8G", help="of Java")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--large", type=int, metavar="LINES")
    parser.add_argument("--steps", type=Path, nargs="+", metavar="FOLDER")
    parser.add_argument("--folder", type=Path, help="for what is made meanwhile, and then kept")
    options = parser.parse_args()
    start = time.strftime("%Y-%m-%d")
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        folder.mkdir(exist_ok=True)
        if options.steps:
            lines = steps(options.steps)
        elif options.large:
            lines = large(options.large, folder)
        elif options.table:
            files = phrase_tables.Files(options.table, options.pivot, options.target)
            lines = against_parex(files, folder, options.heap, options.threads)
        else:
            files = phrase_tables.write(folder, options.lines)
            lines = against_parex(files, folder, options.heap, options.threads)
        print(f"{start}, {os.cpu_count()} cores\n")
        for line in lines:
            print(line, flush=True)


if __name__ == "__main__":
    main()
