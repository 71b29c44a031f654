"""What was tried for bolide-2 and did not help: mean agreement by field with one change each.

    python examples/bolide-2/tried.py FOLDER [--output RESULTS]

FOLDER is that of agreement.py. The result is the table tried.md. All other parameters stay those of the
profile. Some changes are not in the library: they compute scores from the statistics of each reference, or
replace the sizes of words.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from agreement import OURS, scorer
from ingredients import Variant, again, given, write
from sets import FIELDS, JudgedSet

from bolide import Meteor, evaluation
from bolide.evaluation.judged_texts import JudgedTexts
from bolide.evaluation.scores import Scores
from bolide.formula.layout import layout_of
from bolide.matching import lexicon

TRIED_ON = ("captions", "summaries", "data-to-text", "into-english")
LETTERS = ("most-letters", "half-letters", "some-letters")
Floats = np.ndarray
# The scores of texts with their references.
Metric = Callable[[Meteor, list[str], list[list[str]]], Floats]


def plain(meteor: Meteor, texts: list[str], references: list[list[str]]) -> Floats:
    return meteor.score(meteor.statistics(texts, references, layout="segments"))


def of(variant: Variant) -> Metric:
    return lambda meteor, texts, references: plain(variant(meteor), texts, references)


def mean_over_references(meteor: Meteor, texts: list[str], references: list[list[str]]) -> Floats:
    counts = np.array([len(each) for each in references])
    alone = meteor.score(
        meteor.statistics(
            [text for text, count in zip(texts, counts, strict=True) for _ in range(count)],
            [reference for each in references for reference in each],
        )
    )
    return np.add.reduceat(alone, np.cumsum(counts) - counts) / counts


def combined(mean: Callable[[Floats, Floats, float], Floats]) -> Metric:
    """Another mean of precision and recall."""

    def metric(meteor: Meteor, texts: list[str], references: list[list[str]]) -> Floats:
        precision, recall, _, _, penalty, _ = np.nan_to_num(
            meteor.evaluate(meteor.statistics(texts, references, layout="segments")).T
        )
        return mean(precision, recall, meteor.parameters.alpha) * (1 - penalty)

    return metric


def possible_breaks(meteor: Meteor, texts: list[str], references: list[list[str]]) -> Floats:
    """Breaks divided by matches minus one."""
    rows = meteor.statistics(texts, references, layout="segments")
    layout, p = layout_of(rows), meteor.parameters
    matches = rows[:, layout.hypothesis_matches] + rows[:, layout.reference_matches]
    fmean = np.nan_to_num(meteor.evaluate(rows)[:, 3])
    times = np.array([len(each) for each in references])
    return fmean * (1 - p.gamma * (rows[:, layout.chunks] / np.maximum(matches / 2 - times, 1)) ** p.beta)


def with_length(meteor: Meteor, texts: list[str], references: list[list[str]]) -> Floats:
    """Texts longer than their references lose a tenth of the logarithm of the ratio."""
    rows = meteor.statistics(texts, references, layout="segments").astype(float)
    layout = layout_of(rows)
    ratio = rows[:, layout.hypothesis_length] / np.maximum(rows[:, layout.reference_length], 1)
    return meteor.score(rows) - 0.1 * np.log(np.maximum(ratio, 1))


@contextmanager
def sizes(change: Callable[[Any, list[str], np.ndarray], np.ndarray]) -> Iterator[None]:
    """Changes the sizes of words."""
    before = lexicon.PythonAnalyst._sizes

    def after(self: Any, words: list[str], lower: list[str]) -> np.ndarray:
        found = change(self, words, before(self, words, lower))
        return np.maximum(np.rint(found), 1).astype(np.int32)

    lexicon.PythonAnalyst._sizes = after  # type: ignore[method-assign]
    try:
        yield
    finally:
        lexicon.PythonAnalyst._sizes = before  # type: ignore[method-assign]


def resized(change: Callable[[Any, list[str], np.ndarray], np.ndarray], unit: str | None = None) -> Metric:
    def metric(meteor: Meteor, texts: list[str], references: list[list[str]]) -> Floats:
        with sizes(change):
            return plain(again(meteor, unit=unit), texts, references)

    return metric


def times(factor: float, chosen: Callable[[str], bool]) -> Metric:
    """Some words count more."""
    return resized(lambda _, words, own: own * np.array([factor if chosen(word) else 1 for word in words]))


def weights(**changed: float) -> Metric:
    """Other weights of modules."""

    def variant(meteor: Meteor) -> Meteor:
        own = dict(zip(meteor.modules, meteor.parameters.weights, strict=True))
        new = {name.replace("_", "-"): weight for name, weight in changed.items()}
        return again(meteor, weights=[new.get(name, weight) for name, weight in own.items()])

    return of(variant)


def more_letters(meteor: Meteor) -> Meteor:
    own = {**dict(zip(meteor.modules, meteor.parameters.weights, strict=True)), **dict.fromkeys(LETTERS, 0.3)}
    return again(meteor, modules=list(own), weights=list(own.values()))


VARIANTS: dict[str, Metric] = {
    "bolide-2": plain,
    "breaks / (matches − 1)": possible_breaks,
    "no penalty": of(given(gamma=0.0)),
    "mean of the scores with each reference": mean_over_references,
    "geometric mean of P and R": combined(lambda p, r, alpha: p ** (1 - alpha) * r**alpha),
    "arithmetic mean of P and R": combined(lambda p, r, alpha: (1 - alpha) * p + alpha * r),
    "penalty for long texts": with_length,
    "size of words: (letters and bits)²": resized(
        lambda _, words, own: own.astype(float) ** 2, "information"
    ),
    "size of words: letters and bits, minus 6": resized(lambda _, words, own: own - 6, "information"),
    "words with capitals count twice": times(2, lambda word: word[:1].isupper()),
    "words with digits count twice": times(2, lambda word: any(map(str.isdigit, word))),
    "punctuation counts 1": times(0, lambda word: not any(map(str.isalnum, word))),
    "punctuation counts twice": times(2, lambda word: not any(map(str.isalnum, word))),
    "more letter modules": of(more_letters),
    "synonyms with weight 1": weights(synonym=1.0),
    "paraphrases with weight 0.3": weights(paraphrase=0.3),
    "half-letters with weight 0": weights(half_letters=0.0),
    "half-letters with weight 0.6": weights(half_letters=0.6),
}


@cache
def read(file: Path, judged: JudgedSet) -> JudgedTexts:
    return evaluation.read_judged_texts(file, where=judged.where, own_references=judged.own_references)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "results")
    options = parser.parse_args()

    def value(task: str, judged: JudgedSet, metric: Metric) -> float:
        texts = read(options.folder / judged.file, judged)
        (own,) = texts.texts.hypotheses.values()
        references = [list(each) for each in texts.texts.references]
        found = metric(scorer(OURS, task, judged), list(own), references)
        scores = texts.score(lambda all_: [Scores("", all_.segments, ("1",), found[:, np.newaxis])])
        return evaluation.correlate(scores, texts.judgments, measures=[judged.measure]).results[0].value

    def mean(field: str, metric: Metric) -> float:
        task, sets = FIELDS[field]
        return float(np.mean([value(task, judged, metric) for judged in sets]))

    write(options.output / "tried.md", VARIANTS, TRIED_ON, mean)


if __name__ == "__main__":
    main()
