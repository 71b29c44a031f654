"""All pairs of n-best lists: `Meteor.pairwise` beside `corpus_score`, the jar, and fastChrF, in one run.

    python -m bench.pairwise            print the table
    python -m bench.pairwise --docs     also write it into docs/benchmarks.md

Reads n-best lists from the folder of shared data (BOLIDE_SHARED, or beside the repository): 64 hypotheses of
each of 200 sentences. All times are of the processor, with one thread each; so they depend less on what else
the machine does. The rounds of the programs alternate, and the shortest counts. The jar gets some pairs only,
and its start-up is not counted. Scores must be equal to those of the jar. Needs java, and `pip install
fastchrf`, without which its row is left out.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from bench import corpus, run
from bolide import Meteor
from bolide.mert import NBest

SOURCES, HYPOTHESES = 200, 64
ROUNDS = 3
SCORE = re.compile(r"^Segment \d+ score:\s+(\S+)$", re.MULTILINE)


def lists() -> list[list[str]]:
    """The first texts of each sentence, for sentences with enough of them."""
    path = corpus.shared("nbest") / "test1.run0.nbest.xz"
    corpus.require([path])
    nbest = NBest.read([str(path)])
    found = [list(dict.fromkeys(nbest.texts_of(np.arange(*block)))) for block in nbest.blocks]
    return [texts[:HYPOTHESES] for texts in found if len(texts) >= HYPOTHESES][:SOURCES]


def shortest(works: Sequence[Callable[[], Any]], rounds: int) -> tuple[list[float], list[Any]]:
    """Processor seconds of each, and its last result."""
    times = [[] for _ in works]  # type: list[list[float]]
    results: list[Any] = [None] * len(works)
    for _ in range(rounds):
        for k, work in enumerate(works):
            start = time.process_time()
            results[k] = work()
            times[k].append(time.process_time() - start)
    return [min(each) for each in times], results


def jar(pairs: Sequence[tuple[str, str]]) -> tuple[float, list[float]]:
    """Processor seconds per pair, and the scores."""
    with tempfile.TemporaryDirectory() as folder:
        bench = run.Bench(corpus.jar(), Path(folder), ["x"], ["x"])
        command = [*bench.programs["java"]]
        options = ["-l", "en", "-norm"]
        runs = [
            run.measure([*command, *map(str, bench.write(list(some))), *options], Path(folder))
            for some in (pairs[:1], pairs)
        ]
    scores = [float(each) for each in SCORE.findall(runs[1].output.decode("utf-8", "replace"))]
    return (runs[1].cpu - runs[0].cpu) / (len(pairs) - 1), scores


def table(jar_pairs: int) -> list[str]:
    texts = lists()
    pairs = [pair for each in texts for pair in product(each, each)]
    sides = [a for a, _ in pairs], [b for _, b in pairs]
    meteor = Meteor(threads=1)
    meteor.pairwise_batch(texts, flat=True)  # all words are known now

    def corpus_score() -> Any:
        return meteor.corpus_score(*sides).segments

    works = [
        ("`corpus_score` on the same pairs", corpus_score),
        ("`pairwise`", lambda: meteor.pairwise_batch(texts, flat=True)[0]),
        ("`pairwise`, `symmetric=True`", lambda: meteor.pairwise_batch(texts, flat=True, symmetric=True)[0]),
    ]
    if find_spec("fastchrf") is not None:
        chrf = import_module("fastchrf").pairwise_chrf
        works.append(("fastChrF, `pairwise_chrf` (another metric)", lambda: chrf(texts, texts)))
    seconds, results = shortest([work for _, work in works], ROUNDS)
    if not np.array_equal(results[0], results[1]):
        sys.exit("the scores of pairwise and corpus_score differ")
    some = sorted(random.Random(1).sample(range(len(pairs)), jar_pairs))
    java, scores = jar([pairs[k] for k in some])
    if scores != results[1][some].tolist():
        sys.exit("the scores of pairwise and the jar differ")
    same = float(np.mean(results[1] == results[2]))
    base = seconds[0] / len(pairs)
    rows = [
        f"n-best lists of a phrase-based German–English system: {len(texts)} × {HYPOTHESES} × {HYPOTHESES} = "
        f"{len(pairs):,} pairs.",
        f"Scores compared and equal (with `symmetric=True`, {same:.2%} are).",
        "",
        "| | per pair | against `corpus_score` | against the jar |",
        "|---|---:|---:|---:|",
        f"| the jar, {len(some):,} of these pairs | {java * 1e6:,.0f} µs | | |",
    ]
    for (name, _), each in zip(works, seconds, strict=True):
        mine = each / len(pairs)
        rows.append(f"| {name} | {mine * 1e6:.2f} µs | {base / mine:.1f}× | {java / mine:,.0f}× |")
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--jar-pairs", type=int, default=20000)
    parser.add_argument("--docs", action="store_true", help="write the table into docs/benchmarks.md")
    options = parser.parse_args()
    rows = table(options.jar_pairs)
    print(*rows, sep="\n")
    if options.docs:
        run.write(rows, "pairwise")


if __name__ == "__main__":
    main()
