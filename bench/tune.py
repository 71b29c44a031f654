"""Compare Java's Trainer with bolide on the same judgments, in one run: points per second.

    python -m bench.tune                   print the table
    python -m bench.tune --pairs cs-en     use only these language pairs

Reads WMT12's rankings into English from the folder of shared data (BOLIDE_SHARED, or beside the repository),
and writes them in the layout of Java's Trainer. Both programs sweep the same grid, and their lines must be
equal. The jar gets a paraphrase table of one entry, because it would load the whole table for each of 49
systems. The benchmark measures the sweep, which does not use texts. Java's points per second are those
between its first and last line. bolide's are those of a sweep over a larger part of the same grid, with
statistics in memory, as in Java. Needs java.
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
from html import escape
from pathlib import Path

import numpy as np

from bench import corpus
from bolide.java.trainer import Grid, lines, rankings
from bolide.tuning.objectives import Objective

# The last weights belong to modules that rankings do not use.
SMALL = Grid(
    (0.5, 0.2, 0.0, 0.5, 1, 0.5, 0, 0), (0.9, 1.0, 1.0, 0.7, 1, 0.6, 0, 0), (0.2, 0.4, 0.5, 0.2, 1, 0.1, 1, 1)
)
LARGE = Grid(
    (0.5, 0.0, 0.0, 0.0, 1, 0.5, 0, 0),
    (0.9, 2.0, 1.0, 1.0, 1, 0.6, 0, 0),
    (0.2, 0.05, 0.05, 0.1, 1, 0.1, 1, 1),
)


def table(path: Path) -> list[list[str]]:
    rows = gzip.decompress(path.read_bytes()).decode().removesuffix("\n").split("\n")
    return [row.split("\t") for row in rows[1:]]


def write_sgml(path: Path, kind: str, system: str, texts: dict[str, str]) -> None:
    segments = "".join(f'<seg id="{key}">{escape(text, quote=False)}</seg>\n' for key, text in texts.items())
    name = "sysid" if kind == "tstset" else "refid"
    path.write_text(
        f'<{kind} setid="wmt" srclang="any" trglang="en">\n<doc {name}="{system}" docid="all">\n'
        f"{segments}</doc>\n</{kind}>\n",
        encoding="utf-8",
        newline="\n",
    )


def write_layout(data: Path, folder: Path, pair: str) -> int:
    """Write the files of a language pair as Java's Trainer reads them; return the number of judgments."""
    judged = table(data / f"wmt12.{pair}.pairs.tsv.gz")
    systems = sorted({name for row in judged for name in row[1:3]})
    outputs: dict[str, dict[str, str]] = {name: {} for name in systems}
    for system, segment, text in table(data / f"wmt12.{pair}.hyp.tsv.gz"):
        if system in outputs:
            outputs[system][segment] = text
    for system, texts in outputs.items():
        write_sgml(folder / f"{pair}.{system}.sgm", "tstset", system, texts)
    references = {row[0]: row[1] for row in table(data / f"wmt12.{pair}.ref.tsv.gz")}
    write_sgml(folder / f"{pair}.ref.sgm", "refset", "ref", references)
    rows = [f"{segment}\t{pair}\t{better}\t{pair}\t{worse}\n" for segment, better, worse in judged]
    (folder / f"{pair}.rank").write_text("".join(rows), encoding="utf-8", newline="\n")
    return len(judged)


def jar_without_paraphrases(folder: Path) -> Path:
    (folder / "data").mkdir()
    with gzip.open(folder / "data" / "paraphrase-en.gz", "wt") as file:
        file.write("0.5\nqqqq\nzzzz\n")
    return Path(shutil.copy(corpus.jar(), folder))


def run_java(jar: Path, folder: Path, grid: Grid) -> tuple[list[str], float]:
    """The printed lines, and points per second."""
    numbers = (" ".join(map(str, each)) for each in (grid.initial, grid.final, grid.steps))
    options = [text for pair in zip(("-i", "-f", "-s"), numbers, strict=True) for text in pair]
    command = [
        "java",
        "-Xmx2G",
        "-Dfile.encoding=UTF-8",
        "-cp",
        str(jar),
        "Trainer",
        "rank",
        str(folder),
        *options,
    ]
    found, first = [], 0.0
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            found.append(line.rstrip("\n"))
            first = first or time.perf_counter()
        last = time.perf_counter()
    return found, (len(found) - 1) / (last - first)


def run_bolide(folder: Path, threads: int) -> tuple[int, float]:
    """The number of points, and points per second."""
    objective = Objective(rankings(folder, ("exact",), threads), "tau-wmt12", decimals=None, threads=threads)
    points = np.array(list(LARGE.points()))
    objective(points[:100])
    start = time.perf_counter()
    objective(points)
    return len(points), len(points) / (time.perf_counter() - start)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pairs", nargs="+", default=["cs-en", "de-en", "es-en", "fr-en"])
    arguments = parser.parse_args()
    data = corpus.shared("wmt")
    parts = ("pairs", "hyp", "ref")
    corpus.require(data / f"wmt12.{pair}.{part}.tsv.gz" for pair in arguments.pairs for part in parts)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "judged"
        folder.mkdir()
        judgments = sum(write_layout(data, folder, pair) for pair in arguments.pairs)
        java_lines, java_rate = run_java(jar_without_paraphrases(Path(name)), folder, SMALL)
        own = list(lines(folder, "rank", SMALL, modules=("exact",)))
        if own != java_lines:
            different = [pair for pair in zip(java_lines, own, strict=False) if pair[0] != pair[1]]
            sys.exit(f"the lines differ: {len(java_lines)} and {len(own)} lines, {different[:3]}")
        print(f"WMT12 {' '.join(arguments.pairs)}, {judgments:,} judgments; {len(own)} lines equal Java's\n")
        print("| program | points per second | |\n|---|---|---|")
        print(f"| Java's Trainer | {java_rate:,.0f} | |")
        for threads in sorted({1, len(os.sched_getaffinity(0))}):
            _, rate = run_bolide(folder, threads)
            title = f"bolide, {threads} thread{'s' * (threads > 1)}"
            print(f"| {title} | {rate:,.0f} | {rate / java_rate:,.0f}× |", flush=True)


if __name__ == "__main__":
    main()
