"""A metric for sacrebleu's own tests of significance: the judge of bolide's."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from bolide import Meteor
from bolide.score import contributions, evaluate


def metric(meteor: Meteor) -> Any:
    """A sacrebleu `Metric` that scores with this scorer."""
    base = pytest.importorskip("sacrebleu.metrics.base")

    class Metric(base.Metric):  # type: ignore[misc, name-defined]
        num_refs = 1

        def _preprocess_segment(self, sent: str) -> str:
            return sent

        def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
            return {"refs": list(refs)}

        def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: dict[str, Any]) -> list[int]:
            raise NotImplementedError

        def _extract_corpus_statistics(
            self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]
        ) -> Any:
            statistics = meteor.statistics(hypotheses, references, layout="streams")
            return contributions(statistics, meteor.parameters.formula)

        def _compute_score_from_stats(self, stats: Any) -> Any:
            return base.Score("METEOR", float(evaluate(stats, meteor.parameters)[0, -1]))

        def _aggregate_and_compute(self, stats: Any) -> Any:
            return self._compute_score_from_stats(stats.sum(axis=0))

        def get_signature(self) -> Any:
            return base.Signature({"num_refs": 1})

    return Metric()


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """sacrebleu's seed is in the environment."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(os.environ, "SACREBLEU_SEED", str(seed))
        yield


def paired_test(
    meteor: Meteor,
    systems: Mapping[str, Sequence[str]],
    references: Sequence[str],
    test: str,
    samples: int,
    seed: int,
) -> list[Any]:
    """sacrebleu's results, the baseline first: `score`, `p_value`, `mean`, `ci`."""
    significance = pytest.importorskip("sacrebleu.significance")
    with seeded(seed):
        paired = significance.PairedTest(
            list(systems.items()),
            {"METEOR": metric(meteor)},
            [list(references)],
            {"bootstrap": "bs", "randomization": "ar"}[test],
            n_samples=samples,
        )
        found: list[Any] = paired()[1]["METEOR"]
    return found
