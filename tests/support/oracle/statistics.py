"""Alignment -> statistics -> score.

Columns: hypothesis length, reference length, hypothesis and reference function words; for each of four stages
the hypothesis content, reference content, hypothesis function and reference function matches; chunks and the
matched words of the hypothesis and of the reference.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from .beam import hypothesis_words, reference_words
from .letters import Letters, common_letters, part
from .matchers import Match
from .power import power

STAGES = 4


class Parameters(NamedTuple):
    alpha: float
    beta: float
    gamma: float
    delta: float
    weights: tuple[float, ...]


class Evaluation(NamedTuple):
    precision: float
    recall: float
    f1: float
    fmean: float
    penalty: float
    score: float


def one(word: str) -> int:
    """How much a word counts: one word."""
    return 1


def characters(word: str) -> int:
    """How much a word counts with ``-ch``: its UTF-16 code units."""
    return len(word.encode("utf-16-le", "surrogatepass")) // 2


def count(
    hypothesis: Sequence[str],
    reference: Sequence[str],
    alignment: Sequence[Match],
    function_words: Collection[str],
    *,
    stages: int = STAGES,
    size: Callable[[str], int] = one,
    letters_of: Mapping[int, Callable[[str], Letters]] = {},  # of the stages that count parts of words
) -> list[int]:
    """The statistics of one hypothesis-reference pair."""

    def amount(sentence: Sequence[str], words: Collection[int], function: bool) -> int:
        return sum(size(sentence[w]) for w in words if (sentence[w].lower() in function_words) == function)

    everything = (range(len(hypothesis)), range(len(reference)))
    function_hypothesis = amount(hypothesis, everything[0], True)
    function_reference = amount(reference, everything[1], True)
    row = [sum(map(size, hypothesis)), sum(map(size, reference)), function_hypothesis, function_reference]
    for stage in range(stages):
        chosen = [match for match in alignment if match.stage == stage]
        h = frozenset[int]().union(*map(hypothesis_words, chosen))
        r = frozenset[int]().union(*map(reference_words, chosen))
        if stage in letters_of:
            row += parts(hypothesis, reference, chosen, function_words, size, letters_of[stage])
            continue
        row += [amount(hypothesis, h, False), amount(reference, r, False)]
        row += [amount(hypothesis, h, True), amount(reference, r, True)]
    row += [count_chunks(alignment)]
    row += [
        sum(match.hypothesis_length for match in alignment),
        sum(match.reference_length for match in alignment),
    ]
    return row


def parts(
    hypothesis: Sequence[str],
    reference: Sequence[str],
    chosen: Sequence[Match],
    function_words: Collection[str],
    size: Callable[[str], int],
    letters_of: Callable[[str], Letters],
) -> list[int]:
    """The columns of a stage that counts the common letters of words."""
    columns = [0, 0, 0, 0]
    for match in chosen:
        words = hypothesis[match.hypothesis_start], reference[match.reference_start]
        common = common_letters(*map(letters_of, words))
        for side, word in enumerate(words):
            column = side + 2 * (word.lower() in function_words)
            columns[column] += part(size(word), letters_of(word), common)
    return columns


def count_chunks(alignment: Sequence[Match]) -> int:
    """A chunk ends at an unmatched reference word, or where the hypothesis does not continue."""
    chunks = 0
    expected: tuple[int, int] | None = None
    for match in sorted(alignment):
        chunks += (match.reference_start, match.hypothesis_start) != expected
        expected = (
            match.reference_start + match.reference_length,
            match.hypothesis_start + match.hypothesis_length,
        )
    return chunks


def aggregate(rows: Sequence[Sequence[int]]) -> list[int]:
    """Corpus statistics: the sum of the columns, except that a perfect segment adds no chunk."""
    total = [0] * len(rows[0])
    for row in rows:
        for column, value in enumerate(row):
            total[column] += 0 if column == len(row) - 3 and is_perfect(row) else value
    return total


def is_perfect(row: Sequence[int]) -> bool:
    """Whether everything is matched on both sides, in one chunk."""
    hypothesis, reference = matched(row)
    return row[-3] == 1 and hypothesis == row[0] and reference == row[1]


def matched(row: Sequence[int]) -> tuple[int, int]:
    """Hypothesis and reference matches over all stages, in the unit of the lengths (words or characters)."""
    stages = row[4:-3]
    return sum(stages[0::2]), sum(stages[1::2])


def evaluate(row: Sequence[int], parameters: Parameters) -> Evaluation:
    """The METEOR score of statistics, with Java's treatment of divisions by zero."""
    alpha, beta, gamma, delta, weights = parameters
    precision = side(row, 0, delta, weights)
    recall = side(row, 1, delta, weights)
    f1 = divide(2 * precision * recall, precision + recall)
    fmean = divide(1.0, divide(1.0 - alpha, precision) + divide(alpha, recall))
    frag = 0.0 if is_perfect(row) else divide(row[-3], (row[-2] + row[-1]) / 2)
    penalty = gamma * (math.nan if math.isnan(frag) else power(frag, beta))
    score = fmean * (1.0 - penalty)
    return Evaluation(precision, recall, f1, fmean, penalty, score if score > 0.0 else 0.0)  # NaN is 0 too


def side(row: Sequence[int], which: int, delta: float, weights: Sequence[float]) -> float:
    """Precision (0, hypothesis) or recall (1, reference)."""
    length, function = row[which], row[2 + which]
    content_matches, function_matches = row[4 + which : -3 : 4], row[6 + which : -3 : 4]
    weighted = 0.0  # the order of these additions decides the last digit: all content matches come first
    for matches, weight in zip(content_matches, weights, strict=False):
        weighted += matches * weight * delta
    for matches, weight in zip(function_matches, weights, strict=False):
        weighted += matches * weight * (1.0 - delta)
    return divide(weighted, delta * (length - function) + (1.0 - delta) * function)


def divide(numerator: float, denominator: float) -> float:
    """IEEE division, as in Java: x/0 is infinite, and 0/0 is not a number."""
    if denominator != 0.0:
        return numerator / denominator
    if numerator == 0.0 or math.isnan(numerator):
        return math.nan
    return math.copysign(math.inf, numerator) * math.copysign(1.0, denominator)
