"""Compare profiles and matchers other than 1.5 with their peers, in one run on the same text.

    python -m bench.profiles               print the table
    python -m bench.profiles --docs        also write it into docs/benchmarks.md

- `1.3` (alignment proven optimal) beside the Java release: steady throughput with one thread, as in
  `bench.run`; the slowest of 1,000 segments; the share of proven alignments.
- `nltk` beside the real NLTK, on 10,000 segments given as tokens: scores must be equal.
- A custom matcher in Python, beside the same scorer without it.

Needs java, and nltk (in the extra `test`).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path

import numpy as np

from bench import corpus, run
from bolide import Meteor

Texts = tuple[list[str], list[str]]


class Beginning:
    """A custom matcher: words with the same first three letters match."""

    name = "beginning"

    def keys(self, word: str) -> Iterable[str]:
        return [word[:3]]


def best_of(times: int, work: Callable[[], object]) -> float:
    def once() -> float:
        start = time.perf_counter()
        work()
        return time.perf_counter() - start

    return min(once() for _ in range(times))


def exact(texts: Texts, folder: Path) -> list[str]:
    """Java and profile 1.3, run as programs."""
    bench = run.Bench(corpus.jar(), folder, *texts)
    segments = bench.text
    java = [bench.run("java", piece, best_of=2).seconds for piece in (segments[:1], segments)]
    hypotheses, references = folder / "hyp", folder / "ref"
    command = [
        str(Path(sys.executable).parent / "bolide"),
        *("score", str(hypotheses), "-r", str(references), "--profile", "1.3", "--threads", "1"),
    ]
    bolide = []
    for piece in (segments[:1], segments):
        bench.write(piece)
        bolide.append(min(run.measure(command, folder).seconds for _ in range(3)))
    steady = [(all_of - one) / len(segments) * 1e6 for one, all_of in (java, bolide)]
    meteor = Meteor("1.3", threads=1)
    score = meteor.corpus_score(*texts)
    times = []
    for hypothesis, reference in segments:
        start = time.perf_counter()
        meteor.sentence_score(hypothesis, reference)
        times.append(time.perf_counter() - start)
    slowest = np.quantile(times, 0.999) * 1e3
    proven = 1 - score.unproven / score.segment_count
    return [
        f"| Java 1.5 → `1.3`, 1 thread | {steady[0]:,.0f} µs/segment | {steady[1]:,.0f} µs/segment "
        f"| {steady[0] / steady[1]:.1f}× |",
        f"| `1.3`: slowest of 1,000 segments; proven optimal | | {slowest:.1f} ms; {proven:.3%} | |",
    ]


def nltk(texts: Texts) -> str:
    """NLTK and profile nltk, in this process."""
    single_meteor_score = import_module("nltk.translate.meteor_score").single_meteor_score

    from tests.support import nltk_wordnet

    tokenizer = Meteor()
    hypotheses, references = ([tokenizer.normalized(text).split() for text in side] for side in texts)
    pairs = list(zip(hypotheses, references, strict=True))
    expected: list[float] = []
    with nltk_wordnet.reader(nltk_wordnet.find()) as reader:
        single_meteor_score(["a"], ["b"], wordnet=reader)  # loads its files
        theirs = best_of(
            1, lambda: expected.extend(single_meteor_score(r, h, wordnet=reader) for h, r in pairs)
        )
    found = []
    # Each run uses a new scorer, because learning about words is part of the work.
    scorers = [Meteor("nltk") for _ in range(3)]
    ours = best_of(3, lambda: found.append(scorers.pop().corpus_score(hypotheses, references)))
    if any(score.segments is None or score.segments.tolist() != expected for score in found):
        sys.exit("the scores differ from NLTK's")
    count = len(pairs)
    return (
        f"| NLTK → `nltk`, {count:,} segments | {theirs / count * 1e6:,.0f} µs/segment "
        f"| {ours / count * 1e6:,.1f} µs/segment | {theirs / ours:.0f}× |"
    )


def own_matcher(texts: Texts) -> str:
    modules = ["exact", "stem", "synonym", "paraphrase"]
    weights = [1.0, 0.6, 0.8, 0.6]

    def scoring(more: bool) -> float:
        own = [Beginning()] if more else []
        scorers = [
            Meteor(modules=[*modules, *own], weights=[*weights, *[0.3 for _ in own]], threads=1)
            for _ in range(5)
        ]
        return best_of(5, lambda: scorers.pop().corpus_score(*texts))

    without, with_it = scoring(False), scoring(True)
    count = len(texts[0])
    return (
        f"| `1.5` → with a matcher in Python, {count:,} segments | {without / count * 1e6:.1f} µs/segment "
        f"| {with_it / count * 1e6:.1f} µs/segment | −{1 - without / with_it:.0%} throughput |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--segments", type=int, default=20000)
    parser.add_argument("--docs", action="store_true", help="write the table into docs/benchmarks.md")
    options = parser.parse_args()
    hypotheses, references, what = corpus.default(options.segments)
    texts = hypotheses[: options.segments], references[: options.segments]
    with tempfile.TemporaryDirectory() as folder:
        rows = [
            "| | peer | bolide | |",
            "|---|---:|---:|---:|",
            *exact(texts, Path(folder)),
            nltk((texts[0][:10000], texts[1][:10000])),
            own_matcher(texts),
        ]
    print(f"{len(texts[0]):,} segments: {what}", *rows, sep="\n")
    if options.docs:
        run.write(rows, "profiles")


if __name__ == "__main__":
    main()
