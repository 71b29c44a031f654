"""Comparisons of an X-ray with compare-mt on the same words: `check_…` fails if they differ.

compare-mt matches equal words only, so bolide uses the module `exact` here. Used by tests/parity and bench.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pytest
from compare_mt import compare_mt_main, ngram_utils, reporters, stat_utils

from bolide import Meteor
from bolide.analysis.classes import reference_bands
from bolide.analysis.words import ClassRow
from bolide.comparison.compare import ComparisonOptions
from bolide.xray import Annotations, Xray, of_texts

Texts = list[list[str]]
# References, and the outputs of systems.
Systems = tuple[Texts, list[Texts]]

CASED = Meteor("linear", modules=["exact"], normalize="none", aligner="exact")
LOWERED = Meteor("linear", modules=["exact"], normalize="lower", aligner="exact")


def xray(
    references: Texts, outs: Sequence[Texts], meteor: Meteor, sources: Texts | None = None, **annotations: Any
) -> Xray:
    joined = {f"sys{k}": [" ".join(text) for text in out] for k, out in enumerate(outs)}
    about = Annotations(**annotations) if annotations else None
    texts = [" ".join(text) for text in references]
    own = None if sources is None else [" ".join(text) for text in sources]
    options = ComparisonOptions(test="none")
    return of_texts(joined, texts, meteor, options, sources=own, annotations=about)


def word_report(references: Texts, outs: Sequence[Texts], **options: Any) -> Any:
    reporters.sys_names = [f"sys{k}" for k in range(len(outs))]
    return compare_mt_main.generate_word_accuracy_report(references, outs, **options)


def check_word_classes(rows: Sequence[ClassRow], names: Sequence[str], statistics: Sequence[Any]) -> int:
    """Returns the number of equal numbers. bolide leaves out classes without words; a share of nothing is 0
    in compare-mt."""
    found = {row.name: row for row in rows}
    assert set(found) <= set(names)
    for name, (matched, reference, output, recall, precision, f1) in zip(names, statistics, strict=True):
        row = found.get(name)
        if row is None:
            assert (matched, reference, output) == (0, 0, 0)
            continue
        assert (row.reference, row.hypothesis) == (reference, output)
        assert row.reference - row.missed == row.hypothesis - row.over == matched
        for own, other in ((row.recall, recall), (row.precision, precision), (row.f1, f1)):
            assert other == (0.0 if math.isnan(own) else pytest.approx(own, rel=1e-12))
    return 6 * len(names)


def check_frequencies(given: Systems, meteor: Meteor, *, lowered: bool) -> None:
    references, outs = given
    report = word_report(references, outs, bucket_type="freq", case_insensitive=lowered)
    analysis = xray(references, outs, meteor).words()
    for k, statistics in enumerate(report.statistics):
        check_word_classes(analysis.classes(k, "frequency"), reference_bands(), statistics)


# bolide's contrasts, and the statistic and the lengths that compare-mt has for them. compare-mt's numbers:
# total, match, over, under.
CONTRASTS = {"missed": (3, 1, 1), "over": (2, 1, 1), "ngrams": (1, 2, 4), "extra": (2, 2, 4)}


def check_ngrams(references: Texts, outs: Sequence[Texts]) -> int:
    """Returns the number of equal rows."""
    checked = 0
    words = xray(references, outs, CASED).words()
    for what, (which, shortest, longest) in CONTRASTS.items():
        one, two = (
            ngram_utils.compare_ngrams(references, out, min_length=shortest, max_length=longest)[which]
            for out in outs
        )
        scores = stat_utils.extract_salient_features(one, two, alpha=1.0)
        rows = words.differences(0, 1, what, None)
        for row in rows:
            assert row.counts == (one[row.words], two[row.words])
            assert row.odds == scores[row.words]
        # bolide also lists what differs in segments, but not in total.
        listed = {row.words for row in rows}
        assert {words for words in scores if one[words] != two[words]} <= listed <= set(scores)
        checked += len(rows)
    return checked
