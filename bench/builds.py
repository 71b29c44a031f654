"""Compare builds of bolide, in one run on the same text.

    python -m bench.builds OLD/bin/bolide NEW/bin/bolide

Each program runs `bolide java H R -l en -norm -q`. They take turns, so that both meet the same load. The
table has the shortest time of each program, and the ratio to the first one: above 1 is faster or smaller.
The outputs must be equal, or the benchmark fails.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from bench import corpus
from bench.run import OPTIONS, Run, measure

# Name of the row, number of segments, threads.
RUNS = [
    ("start-up and one segment", 1, 1),
    ("whole run, 20,000 segments, 1 thread", 20_000, 1),
    ("whole run, 20,000 segments, 2 threads", 20_000, 2),
    ("whole run, 100,000 segments, 1 thread", 100_000, 1),
]
# Values of a run: how the table names them, how it shows them.
VALUES: list[tuple[str, str, Callable[[Run], float]]] = [
    ("", "{:.3f} s", lambda run: run.seconds),
    (", processor time", "{:.3f} s", lambda run: run.cpu),
    (", peak memory", "{:.0f} MB", lambda run: run.megabytes),
]


def take_turns(
    programs: list[str], files: list[str], threads: int, rounds: int, folder: Path
) -> list[list[Run]]:
    """All runs of each program."""
    runs: list[list[Run]] = [[] for _ in programs]
    for _ in range(rounds):
        for program, done in zip(programs, runs, strict=True):
            done.append(measure([program, "java", *files, *OPTIONS], folder, threads))
    if len({run.output for done in runs for run in done}) > 1:
        sys.exit("the outputs differ")
    return runs


def rows(name: str, runs: list[list[Run]]) -> list[str]:
    found = []
    for what, form, value in VALUES:
        best = [min(map(value, done)) for done in runs]
        cells = [form.format(best[0])]
        cells += [f"{form.format(other)} ({best[0] / other:.3f})" for other in best[1:]]
        found.append(f"| {name}{what} | {' | '.join(cells)} |")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("programs", nargs="+", metavar="PROGRAM", help="the command `bolide` of a build")
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    hypotheses, references, _ = corpus.default(20_000)
    text = list(zip(hypotheses, references, strict=True))
    print(f"| | {' | '.join(options.programs)} |")
    print(f"|---|{'---:|' * len(options.programs)}", flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = [folder / "hyp", folder / "ref"]
        for what, count, threads in RUNS:
            part = (text * (count // len(text) + 1))[:count]
            for file, texts in zip(files, zip(*part, strict=True), strict=True):
                file.write_text("".join(f"{each}\n" for each in texts), encoding="utf-8", newline="\n")
            runs = take_turns(options.programs, [*map(str, files)], threads, options.rounds, folder)
            print(*rows(what, runs), sep="\n", flush=True)


if __name__ == "__main__":
    main()
