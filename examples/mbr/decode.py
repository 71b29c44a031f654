"""Minimum Bayes risk decoding of a decoder's n-best lists, compared with its one-best output.

    python examples/mbr/decode.py FOLDER

FOLDER holds the lists dev.run0.nbest.xz and test1.run0.nbest.xz, dev.en and test1.en (one reference per
line), and weights.run0, the weights that made these lists. For each METEOR, the scale of model
weights is chosen on dev, by METEOR 1.5. The program writes results.md beside itself:

- METEOR, BLEU and TER of the choices on test1, with intervals of their differences from the one-best output
- how far the methods `subset` and `prune` agree with the full matrix: the share of pairs that they compare,
  how often they choose the same text, and how much of the gain in expected METEOR they lose
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bolide import Meteor
from bolide.comparison import significance
from bolide.mert import MertProblem, NBest, Weights, make_objective, read_references
from bolide.mert.choices import SAMPLES
from bolide.mert.mbr import minimum_risk, posteriors
from bolide.mert.rerank import model_scores
from bolide.scoring.decision import MbrPlan, expected_scores

HERE = Path(__file__).parent
METRICS = {"meteor:rank": "METEOR", "bleu": "BLEU", "ter": "TER"}
# What is expected: the title of the row, and the arguments of `Meteor`.
EXPECTED = {
    "1.5, rank": ("1.5", "en", "rank"),
    "1.5, tune": ("1.5", "en", "tune"),
    "bolide-2": ("bolide-2", "en", None),
}
SCALES = (None, 0.1, 0.2, 0.5, 1.0, 2.0)
METHODS = [(name, keep) for name in ("subset", "prune") for keep in (4, 8, 16, 32)]


class Lists:
    """The lists of a set of sentences, and the statistics of all metrics."""

    def __init__(self, folder: Path, name: str, runs: str) -> None:
        references = read_references([str(folder / f"{name}.en")])
        paths = sorted(map(str, folder.glob(f"{name}.{runs}.nbest.xz")))
        self.nbest = NBest.read(paths, len(references))
        self.weights = Weights.read(str(folder / "weights.run0"))
        self.problem = MertProblem(self.nbest, make_objective(" ".join(METRICS), references))
        scores = model_scores(self.nbest, self.weights)
        self.one_best = np.array([a + int(np.argmax(scores[a:b])) for a, b in self.nbest.blocks])
        self.length = sum(len(each[0].split()) for each in references)

    def posteriors(self, scale: float | None) -> list[tuple[list[str], np.ndarray]]:
        return list(posteriors(self.nbest, scale, None if scale is None else self.weights))

    def hypotheses(self, chosen: Sequence[str]) -> np.ndarray:
        """The first hypothesis of each sentence that has the chosen text."""
        return np.array([
            next(k for k in range(a, b) if self.nbest.texts[self.nbest.text_of[k]] == text)
            for (a, b), text in zip(self.nbest.blocks, chosen, strict=True)
        ])  # fmt: skip

    def scores(self, hypotheses: np.ndarray) -> dict[str, float]:
        found = self.problem.objective.scores(self.problem.rows(hypotheses).sum(axis=0)).values()
        return dict(zip(METRICS, found, strict=True))

    def words(self, hypotheses: np.ndarray) -> float:
        return sum(len(text.split()) for text in self.nbest.texts_of(hypotheses)) / self.length

    def differences(self, hypotheses: np.ndarray) -> list[tuple[float, tuple[float, float], float]]:
        """For each metric the difference from the one-best output, its 95% interval, and a p-value, by a
        paired bootstrap of sentences."""
        rows = [self.problem.rows(each) for each in (self.one_best, hypotheses)]
        found = []
        for k, name in enumerate(METRICS):

            def score(sums: np.ndarray, k: int = k) -> np.ndarray:
                metric, part = self.problem.objective.apart(sums)[k]
                return np.asarray(metric.score(part))

            drawn = significance.bootstrap(rows, score, SAMPLES, significance.SEED, self.problem.threads)
            change = drawn[1] - drawn[0]
            actual = self.scores(hypotheses)[name] - self.scores(self.one_best)[name]
            # Two-sided: how often samples are as far from their mean as the difference is from 0.
            p = (np.sum(np.abs(change - change.mean()) >= abs(actual)) + 1) / (len(change) + 1)
            found.append((actual, significance.interval(change), float(p)))
        return found


@dataclass(frozen=True)
class Matrices:
    """All pairs of the texts of each sentence."""

    texts: list[list[str]]
    scores: list[np.ndarray]

    def choose(self, lists: Lists, scale: float | None) -> np.ndarray:
        chosen = []
        for (texts, weights), matrix in zip(lists.posteriors(scale), self.scores, strict=True):
            chosen.append(texts[int(np.argmax(expected_scores(matrix, weights)))])
        return lists.hypotheses(chosen)


def matrices(lists: Lists, scorer: Meteor) -> Matrices:
    texts = [texts for texts, _ in lists.posteriors(None)]
    return Matrices(texts, scorer.pairwise_batch(texts))


def best_scale(lists: Lists, scorer: Meteor) -> float | None:
    found = matrices(lists, scorer)
    return max(SCALES, key=lambda scale: lists.scores(found.choose(lists, scale))["meteor:rank"])


def decoding_table(dev: Lists, test: Lists) -> Iterator[str]:
    yield "| expected METEOR | weights | METEOR | BLEU | TER | length | METEOR | BLEU | TER |"
    yield "|---|---|" + "---:|" * 7
    one = test.scores(test.one_best)
    yield f"| *one-best* | | {cells(one)} | {test.words(test.one_best):.3f} | | | |"
    for title, arguments in EXPECTED.items():
        scorer = Meteor(*arguments)
        found, scale = matrices(test, scorer), best_scale(dev, scorer)
        for each in (None, scale) if scale is not None else (None,):
            chosen = found.choose(test, each)
            named = "equal" if each is None else f"scale {each:g}"
            changes = " | ".join(
                f"{change:+.2f} ({low:+.2f} to {high:+.2f}, p {p:.3f})"
                for change, (low, high), p in test.differences(chosen)
            )
            length = test.words(chosen)
            yield f"| {title} | {named} | {cells(test.scores(chosen))} | {length:.3f} | {changes} |"


def cells(scores: dict[str, float]) -> str:
    return " | ".join(f"{score:.2f}" for score in scores.values())


class Counter:
    """A scorer that counts pairs."""

    def __init__(self, scorer: Meteor) -> None:
        self.scorer, self.pairs = scorer, 0

    def pairwise_batch(self, *texts, symmetric: bool = False) -> list[np.ndarray]:
        found = self.scorer.pairwise_batch(*texts, symmetric=symmetric)
        self.pairs += sum(each.size for each in found)
        return found


def method_table(test: Lists) -> Iterator[str]:
    """Agreement of methods with the full matrix, with equal weights."""
    counter = Counter(Meteor())
    exact = minimum_risk(test.nbest, counter)
    every, expected = counter.pairs, [choice.expected for choice in exact]
    gain = np.mean([
        each.max() - each[texts.index(test.nbest.texts[test.nbest.text_of[best]])]
        for each, (texts, _), best in zip(expected, test.posteriors(None), test.one_best, strict=True)
    ])  # fmt: skip
    yield "| method | keep | pairs | same choice | lost gain | METEOR | BLEU | TER |"
    yield "|---|---:|" + "---:|" * 6
    scores = cells(test.scores(test.hypotheses([str(each.candidate) for each in exact])))
    yield f"| all | | 100% | 100% | 0% | {scores} |"
    for method, keep in METHODS:
        counter.pairs = 0
        found = minimum_risk(test.nbest, counter, MbrPlan(method, keep))
        same = np.mean([a.index == b.index for a, b in zip(found, exact, strict=True)])
        lost = np.mean([
            each.max() - each[choice.index] for each, choice in zip(expected, found, strict=True)
        ])  # fmt: skip
        scores = cells(test.scores(test.hypotheses([str(each.candidate) for each in found])))
        pairs = f"{counter.pairs / every:.0%}"
        yield f"| {method} | {keep} | {pairs} | {same:.1%} | {lost / gain:.1%} | {scores} |"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument(
        "--runs", default="run0", help="lists to use, for example 'run*' for all of them, merged"
    )
    parser.add_argument("--output", type=Path, default=HERE, help="folder of the results")
    options = parser.parse_args()
    test, dev = (Lists(options.folder, name, options.runs) for name in ("test1", "dev"))
    count, sentences = len(test.nbest.texts), test.nbest.sentences
    lines = [
        "# Minimum Bayes risk decoding",
        "",
        "Made by decode.py.",
        "",
        f"{sentences} sentences, {count:,} texts ({count / sentences:.0f} per sentence).",
        "",
        *decoding_table(dev, test),
        "",
        "Methods, with equal weights and 1.5, rank:",
        "",
        *method_table(test),
    ]
    (options.output / "results.md").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    main()
