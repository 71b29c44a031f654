"""Compare the cost of resampling in bolide and in sacrebleu, on the same statistics and in one run.

    python -m bench.compare

20 systems of 3,000 segments are scored once; this is not measured. Then bolide runs both paired tests of all
systems against the first, with 10,000 samples. sacrebleu runs the same tests through a `Metric` subclass that
has the statistics ready. sacrebleu's work grows with the number of samples. So it gets fewer samples
(--peer-samples), and its time is multiplied. Where both use the same samples, p-values must be equal, or the
program stops. Both draw the same number of samples for the intervals as for the test.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from bench import corpus
from bolide import CorpusScore, Meteor
from bolide.comparison.compare import TESTS, ComparisonOptions, compare_scores
from bolide.compat.sacrebleu import METEOR
from bolide.formula.statistics import contributions


def systems(count: int, segments: int, meteor: Meteor) -> dict[str, CorpusScore]:
    """The same outputs; from each system, words are removed with a different probability."""
    hypotheses, references, what = corpus.default(segments)
    hypotheses, references = hypotheses[:segments], references[:segments]
    print(f"{count} systems x {len(hypotheses)} segments: {what}, with words left out\n")
    choose = random.Random(1)

    def worse(text: str, chance: float) -> str:
        return " ".join(word for word in text.split() if choose.random() >= chance)

    return {
        f"system {k}": meteor.corpus_score([worse(text, 0.002 * k) for text in hypotheses], references)
        for k in range(count)
    }


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    found = work()
    return time.perf_counter() - start, found


def ready(meteor: Meteor, scores: dict[str, CorpusScore]) -> Any:
    """The metric with precomputed statistics. The name of the system takes the place of a hypothesis."""
    rows = {
        name: contributions(score.statistics, meteor.parameters.formula)
        for name, score in scores.items()
        if score.statistics is not None
    }
    metric: Any = METEOR(meteor=meteor)
    metric.num_refs = 1  # sacrebleu sets this when it sees references
    metric._extract_corpus_statistics = lambda hypotheses, references: rows[hypotheses[0]]
    return metric


def peer(
    meteor: Meteor, scores: dict[str, CorpusScore], test: str, samples: int, segments: int
) -> Sequence[Any]:
    from sacrebleu.significance import PairedTest

    named: list[tuple[str, Sequence[str]]] = [(name, [name] * segments) for name in scores]
    kind = {"bootstrap": "bs", "randomization": "ar"}[test]
    paired = PairedTest(
        named, {"METEOR": ready(meteor, scores)}, None, kind, n_samples=samples, n_ar_confidence=samples
    )
    found: Sequence[Any] = paired()[1]["METEOR"]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--systems", type=int, default=20)
    parser.add_argument("--segments", type=int, default=3000)
    parser.add_argument("--samples", type=int, default=10_000)
    parser.add_argument("--peer-samples", type=int, default=200, help="sacrebleu's; default: 200")
    options = parser.parse_args()
    meteor = Meteor()
    scores = systems(options.systems, options.segments, meteor)
    count = next(iter(scores.values())).segment_count
    factor = options.samples / options.peer_samples
    print(f"| {options.samples:,} samples | sacrebleu (measured x {factor:g}) | bolide | |")
    print("|---|---:|---:|---:|")
    for test in TESTS[:2]:
        few = ComparisonOptions(test=test, samples=options.peer_samples)
        seconds, theirs = timed(lambda: peer(meteor, scores, test, options.peer_samples, count))  # noqa: B023
        ours = compare_scores(scores, meteor, few).systems
        if [system.p_value for system in ours] != [result.p_value for result in theirs]:
            sys.exit(f"{test}: p-values differ")
        for pairs in (False, True):
            full = ComparisonOptions(test=test, samples=options.samples, all_pairs=pairs)
            own = min(timed(lambda: compare_scores(scores, meteor, full))[0] for _ in range(3))  # noqa: B023
            what = "all pairs, and clusters" if pairs else "against one baseline"
            times = ["", ""] if pairs else [f"{seconds * factor:,.0f} s", f"{seconds * factor / own:,.0f}×"]
            print(f"| {test}, {what}, with intervals | {times[0]} | {own:.2f} s | {times[1]} |")


if __name__ == "__main__":
    main()
