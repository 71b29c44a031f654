"""Compare builds of bolide, or sets of CPU instructions, in one run on the same text.

    python -m bench.builds OLD/bin/bolide NEW/bin/bolide
    python -m bench.builds --instructions       the sets that this CPU has, with the installed bolide

Each program runs `bolide java H R -l en -norm -q`. They take turns, so that all meet the same load. The
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
    commands: list[list[str]], files: list[str], threads: int, rounds: int, folder: Path
) -> list[list[Run]]:
    """All runs of each command."""
    runs: list[list[Run]] = [[] for _ in commands]
    for _ in range(rounds):
        for command, done in zip(commands, runs, strict=True):
            done.append(measure([*command, "java", *files, *OPTIONS], folder, threads))
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


def instructions() -> dict[str, list[str]]:
    """The installed bolide, once for each set of instructions, the best first."""
    from bolide import _core

    bolide = str(Path(sys.executable).parent / "bolide")
    names = reversed(_core.available_instructions())
    return {name: ["env", f"BOLIDE_INSTRUCTIONS={name}", bolide] for name in names}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help="the command `bolide` of a build")
    parser.add_argument("--instructions", action="store_true", help="compare sets of CPU instructions")
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    if options.instructions == bool(options.programs):
        parser.error("give either programs or --instructions")
    commands = instructions() if options.instructions else {name: [name] for name in options.programs}
    hypotheses, references, _ = corpus.default(20_000)
    text = list(zip(hypotheses, references, strict=True))
    print(f"| | {' | '.join(commands)} |")
    print(f"|---|{'---:|' * len(commands)}", flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = [folder / "hyp", folder / "ref"]
        for what, count, threads in RUNS:
            part = (text * (count // len(text) + 1))[:count]
            for file, texts in zip(files, zip(*part, strict=True), strict=True):
                file.write_text("".join(f"{each}\n" for each in texts), encoding="utf-8", newline="\n")
            runs = take_turns([*commands.values()], [*map(str, files)], threads, options.rounds, folder)
            print(*rows(what, runs), sep="\n", flush=True)


if __name__ == "__main__":
    main()
