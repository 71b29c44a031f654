"""Compare Java Meteor 1.5 with bolide, in one run on the same text.

    python -m bench.run                    print the table
    python -m bench.run --docs             also write it into docs/benchmarks.md and README.md
    python -m bench.run --hyp H --ref R    use these texts

Both programs run as their users run them, in one process each: `java -Xmx2G -jar meteor-1.5.jar H R -l en
-norm -q` and `bolide java H R -l en -norm -q`. Throughput is *steady*: the time of the long run minus the
time of a run with one segment. Their outputs must be equal, or the benchmark fails. Needs java.

The rows of sets of CPU instructions compare every set that this CPU has. All other rows use the best one.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from bench import corpus

DOCUMENT = corpus.ROOT / "docs" / "benchmarks.md"
README = corpus.ROOT / "README.md"
# The rows that README.md shows: the headings, start-up, the whole run, and memory.
README_ROWS = (0, 1, 2, 5, 6)
OPTIONS = ["-l", "en", "-norm", "-q"]


@dataclass(frozen=True)
class Run:
    """Measurements of one process."""

    seconds: float
    megabytes: float
    output: bytes
    cpu: float = 0.0  # seconds of all threads


# Starts a command with its output in files. Prints its exit code, seconds, processor seconds and kilobytes.
# A process inherits the peak memory of its parent. So the parent must be small: not the benchmark itself.
LAUNCHER = """
import os, sys, time
out, err, *command = sys.argv[1:]
flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
actions = [(os.POSIX_SPAWN_OPEN, 1, out, flags, 0o644), (os.POSIX_SPAWN_OPEN, 2, err, flags, 0o644)]
start = time.perf_counter()
child = os.posix_spawnp(command[0], command, os.environ, file_actions=actions)
_, status, usage = os.wait4(child, 0)
print(status, time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss)
"""


def measure(command: list[str], folder: Path, threads: int = 1) -> Run:
    """Run a command to its end: wall-clock seconds, peak resident memory, standard output and error."""
    out, err = folder / "stdout", folder / "stderr"
    launcher = [sys.executable, "-I", "-S", "-c", LAUNCHER, str(out), str(err), *command]
    environment = {**os.environ, "BOLIDE_THREADS": str(threads)}
    done = subprocess.run(launcher, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    status, seconds, cpu, kilobytes = map(float, done.stdout.split())
    if status != 0:
        sys.exit(f"{' '.join(command)} failed:\n{err.read_text(encoding='utf-8', errors='replace')}")
    return Run(seconds, kilobytes / 1024, out.read_bytes() + err.read_bytes(), cpu)


class Bench:
    """The two programs, run on parts of one text."""

    def __init__(self, jar: Path, folder: Path, hypotheses: list[str], references: list[str]) -> None:
        self.folder = folder
        self.text = list(zip(hypotheses, references, strict=True))
        self.programs = {
            "java": ["java", "-Xmx2G", "-jar", str(jar)],
            "bolide": [str(Path(sys.executable).parent / "bolide"), "java"],
        }

    def write(self, segments: list[tuple[str, str]]) -> list[Path]:
        files = [self.folder / "hyp", self.folder / "ref"]
        for file, texts in zip(files, zip(*segments, strict=True), strict=True):
            file.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8", newline="\n")
        return files

    def run(self, program: str, segments: list[tuple[str, str]], threads: int = 1, best_of: int = 1) -> Run:
        command = [*self.programs[program], *map(str, self.write(segments)), *OPTIONS]
        runs = [measure(command, self.folder, threads) for _ in range(best_of)]
        return min(runs, key=lambda run: run.seconds)

    def both(self, segments: list[tuple[str, str]], best_of: int = 1) -> tuple[Run, Run, Run]:
        """Run Java, bolide with one thread, and bolide with two threads, and compare their outputs."""
        java = self.run("java", segments, best_of=min(best_of, 2))
        ones = self.run("bolide", segments, 1, best_of)
        twos = self.run("bolide", segments, 2, best_of)
        if not java.output == ones.output == twos.output:
            sys.exit("the outputs differ")
        return java, ones, twos

    def table(self, count: int) -> list[str]:
        text = (self.text * (count // len(self.text) + 1))[:count]
        start = [self.run(name, text[:1], best_of=3) for name in ("java", "bolide")]
        java, ones, twos = self.both(text, best_of=3)
        steady = [
            (run.seconds - base.seconds) / count
            for run, base in zip((java, ones, twos), (start[0], start[1], start[1]), strict=True)
        ]
        rows = [
            "| | Java 1.5 | bolide | ratio |",
            "|---|---:|---:|---:|",
            _row("start-up and one segment", start[0].seconds, start[1].seconds, "{:.2f} s"),
            _row(
                f"steady, {count:,} segments, 1 thread",
                1 / steady[0],
                1 / steady[1],
                "{:,.0f} segments/s",
                True,
            ),
            _row(
                f"steady, {count:,} segments, 2 threads",
                1 / steady[0],
                1 / steady[2],
                "{:,.0f} segments/s",
                True,
            ),
            _row(f"whole run, {count:,} segments, 2 threads", java.seconds, twos.seconds, "{:.2f} s"),
            _row("peak memory", java.megabytes, twos.megabytes, "{:,.0f} MB"),
            _row("start-up of `bolide score`", start[0].seconds, self.score(text[0]).seconds, "{:.2f} s"),
            *self.instructions(text, start, java),
        ]
        for size in (count // 4, count * 2):
            java, ones, _ = self.both((text * 2)[:size])
            rows.append(_row(f"{size:,} segments, 1 thread", java.seconds, ones.seconds, "{:.2f} s"))
            rows.append(_row(f"{size:,} segments, peak memory", java.megabytes, ones.megabytes, "{:,.0f} MB"))
        for joined in (1, 2, 4, 8):
            # Each row has the same number of words. With few segments, only noise would be measured.
            longer = corpus.join(text, joined)[: 8000 // joined]
            java, ones, _ = self.both(longer, best_of=3)
            words = sum(len(reference.split()) for _, reference in longer) / len(longer)
            steady = [
                (run.seconds - base.seconds) / len(longer) * 1e6
                for run, base in zip((java, ones), start, strict=True)
            ]
            what = f"segments of {words:.0f} words, 1 thread"
            rows.append(_row(what, steady[0], steady[1], "{:,.0f} µs/segment"))
        return rows

    def score(self, segment: tuple[str, str]) -> Run:
        """`bolide score` on one segment."""
        hypothesis, reference = map(str, self.write([segment]))
        command = [self.programs["bolide"][0], "score", hypothesis, "-r", reference]
        return min((measure(command, self.folder) for _ in range(3)), key=lambda run: run.seconds)

    def instructions(self, text: list[tuple[str, str]], start: list[Run], java: Run) -> list[str]:
        """Steady speed with each set of CPU instructions, one thread. The sets take turns."""
        from bolide import _core

        program = self.programs["bolide"]
        names = _core.available_instructions()[::-1]
        self.programs |= {name: ["env", f"BOLIDE_INSTRUCTIONS={name}", *program] for name in names}
        runs = [[self.run(name, text) for name in names] for _ in range(3)]
        if {run.output for turn in runs for run in turn} != {java.output}:
            sys.exit("the outputs differ")
        rows = []
        for name, *found in zip(names, *runs, strict=True):
            seconds = min(run.seconds for run in found) - start[1].seconds
            speeds = len(text) / (java.seconds - start[0].seconds), len(text) / seconds
            rows.append(_row(f"steady, 1 thread, `{name}`", *speeds, "{:,.0f} segments/s", True))
        return rows


def _row(what: str, java: float, bolide: float, form: str, more_is_better: bool = False) -> str:
    ratio = bolide / java if more_is_better else java / bolide
    return f"| {what} | {form.format(java)} | {form.format(bolide)} | {ratio:.1f}× |"


def write(rows: list[str], name: str, document: Path = DOCUMENT) -> None:
    """Put the table between the two markers of this name."""
    text = document.read_text(encoding="utf-8")
    before, _, rest = text.partition(f"<!-- {name} -->\n")
    _, _, after = rest.partition(f"<!-- /{name} -->")
    block = "\n".join([f"<!-- {name} -->", *rows, f"<!-- /{name} -->"])
    document.write_text(before + block + after, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--hyp", type=Path)
    parser.add_argument("--ref", type=Path)
    parser.add_argument("--segments", type=int, default=20000)
    parser.add_argument(
        "--docs", action="store_true", help="write the table into docs/benchmarks.md and README.md"
    )
    options = parser.parse_args()
    if options.hyp and options.ref:
        hypotheses, references, source = corpus.read(options.hyp), corpus.read(options.ref), options.hyp.name
    else:
        hypotheses, references, source = corpus.default(options.segments)
    with tempfile.TemporaryDirectory() as folder:
        rows = Bench(corpus.jar(), Path(folder), hypotheses, references).table(options.segments)
    about = f"{source}; {os.cpu_count()} cores; outputs compared and equal."
    print(about, "", *rows, sep="\n")
    if options.docs:
        write([about, "", *rows], "benchmark")
        write([rows[k] for k in README_ROWS], "benchmark", README)


if __name__ == "__main__":
    main()
