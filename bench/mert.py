"""Score the hypotheses of n-best lists with the jar's `-stdio` and with bolide, in one run; and time tuning.

    python -m bench.mert                    print the tables
    python -m bench.mert --docs             also write them into docs/guides/mert.md
    python -m bench.mert --lines 40000      send only some lines to the jar: quicker, but it warms up less

Reads the development lists from the folder of shared data (BOLIDE_SHARED, or beside the repository). A thread
sends the lines to the jar without waiting for answers. This is faster for the jar than the dialogue that
tuners use. Its start-up time is not counted. `bolide java` gets its lines in the same way. `bolide.mert`
counts each distinct text once, for all lists. Statistics must be equal. Needs java.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from bench import corpus, run
from bolide.inputs.text_files import read_lines as lines_of
from bolide.mert import MertPlan, MertProblem, NBest, Weights, make_objective, read_references, tune
from bolide.mert.problem import TextCounts

OPTIONS = ["-", "-", "-stdio", "-l", "en", "-norm", "-t", "tune"]
DOCUMENT = corpus.ROOT / "docs" / "guides" / "mert.md"
OBJECTIVES = ("meteor:tune", "bleu", "ter", "ter-bleu/2")
WARM = 4000  # lines before the clock starts, so that the Java virtual machine has compiled the code


def answers(command: list[str], requests: Sequence[str], warm: int) -> tuple[list[str], float]:
    """A server's answers, and its lines per second after the first `warm` lines."""
    found: list[str] = []
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        stdin = server.stdin

        def feed() -> None:
            stdin.write("".join(f"{request}\n" for request in requests))
            stdin.close()

        feeder = threading.Thread(target=feed)
        feeder.start()
        start = 0.0
        for answer in server.stdout:
            found.append(answer.rstrip("\n"))
            if len(found) == warm:
                start = time.perf_counter()
        seconds = time.perf_counter() - start
        feeder.join()
    return found, (len(found) - warm) / seconds


def seconds_of(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    found = work()
    return time.perf_counter() - start, found


def scoring(lists: list[str], references: list[list[str]], count: int) -> list[str]:
    """Score all hypotheses of the lists with three programs."""
    hypotheses = [line.split("|||")[:2] for path in lists for line in lines_of(path)]
    requests = [f"SCORE ||| {references[int(k)][0]} ||| {text.strip()}" for k, text in hypotheses]
    some = np.linspace(0, len(requests) - 1, min(count, len(requests)) if count else len(requests)).astype(
        int
    )
    part = [requests[k] for k in some]
    java = ["java", "-Xmx2G", "-Dfile.encoding=UTF-8", "-jar", str(corpus.jar()), *OPTIONS]
    bolide = [sys.executable, "-c", "from bolide.cli import main; main()", "java", *OPTIONS]
    theirs, java_rate = answers(java, part, WARM)
    ours, stdio_rate = answers(bolide, requests, WARM)
    if theirs != [ours[k] for k in some]:
        sys.exit("bolide's statistics differ from the jar's")
    nbest = NBest.read(lists, len(references))
    objective = make_objective("meteor:tune", references)
    seconds, rows = seconds_of(lambda: objective.statistics(nbest.texts, nbest.sentence_of, nbest.sentences))
    check(nbest, rows, hypotheses, ours)
    rate = len(requests) / seconds
    some_of = f" ({len(part):,} of them)" if len(part) < len(requests) else ""
    return [
        f"| the jar, `-stdio`{some_of} | {java_rate:,.0f} | {len(requests) / java_rate:,.0f} s | |",
        f"| `bolide java`, `-stdio` | {stdio_rate:,.0f} | {len(requests) / stdio_rate:,.1f} s "
        f"| {stdio_rate / java_rate:.0f}× |",
        f"| `bolide.mert`, {len(nbest.texts):,} distinct texts | {rate:,.0f} | {seconds:.1f} s "
        f"| {rate / java_rate:.0f}× |",
    ]


def check(nbest: NBest, rows: Any, hypotheses: list[list[str]], ours: list[str]) -> None:
    """Check that bolide.mert's rows equal those of -stdio, except that a perfect segment adds no chunk."""
    places = {key: k for k, key in enumerate(zip(nbest.sentence_of, nbest.texts, strict=True))}
    for (sentence, text), answer in zip(hypotheses, ours, strict=True):
        row = rows[places[int(sentence), text.strip(" \t")]].tolist()
        told = [int(float(number)) for number in answer.split()]
        if row[:20] + row[21:] != told[:20] + told[21:]:
            sys.exit(f"statistics differ: {text}")


def tuning(lists: list[str], references: list[list[str]], weights: str) -> list[str]:
    seconds, nbest = seconds_of(lambda: NBest.read(lists, len(references)))
    rows = [f"| reading {nbest.lines:,} lines | {seconds:.1f} s | | |"]
    for name in OBJECTIVES:
        objective = make_objective(name, references)
        counted = TextCounts(objective, nbest.sentences)
        counting, _ = seconds_of(lambda counted=counted: counted.update(nbest))  # type: ignore[misc]
        for method in ("mert", "mira", "pro") if name == OBJECTIVES[0] else ("mert",):
            searching, tuned = seconds_of(
                lambda objective=objective, counted=counted, method=method: tune(  # type: ignore[misc]
                    nbest, references, Weights.read(weights), objective=objective, counted=counted,
                    plan=MertPlan(method),
                )
            )  # fmt: skip
            gain = f"{tuned.before.value:.2f} → {tuned.after.value:.2f}"
            rows.append(
                f"| {objective.formula()}, {method} | {counting:.1f} s | {searching:.1f} s | {gain} |"
            )
    return rows


def line_searches(lists: list[str], references: list[list[str]], weights: str) -> str:
    nbest = NBest.read(lists, len(references))
    problem = MertProblem(nbest, make_objective("meteor:tune", references))
    start, axes = Weights.read(weights).vector(nbest.layout), np.eye(len(nbest.layout))
    seconds, found = seconds_of(lambda: [problem.surface(start, axis) for axis in axes])
    intervals = sum(len(values) for _, values in found)
    return (
        f"One exact line search over {len(nbest):,} hypotheses: {1000 * seconds / len(axes):.1f} ms, "
        f"{intervals / len(axes):,.0f} intervals."
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--lines", type=int, default=0, help="of the jar; default: all")
    parser.add_argument("--docs", action="store_true", help="write the tables into docs/guides/mert.md")
    options = parser.parse_args()
    names = [*(f"dev.run{k}.nbest.xz" for k in range(4)), "dev.en", "weights.run0"]
    files = [corpus.shared("nbest") / name for name in names]
    corpus.require(files)
    *lists, texts, weights = map(str, files)
    references = read_references([texts])
    cores = len(os.sched_getaffinity(0))
    table = [
        f"German–English, 600 sentences, 4 lists; {cores} cores; statistics compared and equal.",
        "",
        "| | hypotheses/s | all of them | |",
        "|---|---:|---:|---:|",
        *scoring(lists, references, options.lines),
        "",
        "| | counting | search | on the lists |",
        "|---|---:|---:|---|",
        *tuning(lists, references, weights),
        "",
        line_searches(lists, references, weights),
    ]
    print("\n".join(table))
    if options.docs:
        run.write(table, "mert", DOCUMENT)


if __name__ == "__main__":
    main()
