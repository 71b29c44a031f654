"""METEOR as a metric of sacrebleu, for its reports and its significance tests:

    from bolide.compat.sacrebleu import METEOR
    from sacrebleu.significance import PairedTest

    METEOR().corpus_score(hypotheses, [references])
    PairedTest(systems, {"METEOR": METEOR()}, [references], test_type="bs")()

Scores are from 0 to 100, like all scores of sacrebleu. The statistics of all segments are counted once, so
that resampling needs only sums and the formula.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import bolide
from bolide._core import StatisticsLayout
from bolide._support.arrays import Floats
from bolide._support.extras import extra
from bolide.errors import InputError
from bolide.formula.statistics import contributions
from bolide.inputs.segments import by_segment
from bolide.scoring.score import components

with extra("sacrebleu"):
    from sacrebleu.metrics.base import Metric, Score, Signature


class METEORScore(Score):  # type: ignore[misc]
    """A score with its components: precision, recall, Fmean and penalty, from 0 to 1."""

    def __init__(self, score: float, parts: dict[str, float]) -> None:
        super().__init__("METEOR", score)
        self.precision, self.recall = parts["precision"], parts["recall"]
        self.fmean, self.penalty = parts["fmean"], parts["penalty"]
        self._verbose = (
            f"(P = {self.precision:.3f} R = {self.recall:.3f} "
            f"Fmean = {self.fmean:.3f} penalty = {self.penalty:.3f})"
        )


class METEORSignature(Signature):  # type: ignore[misc]
    """The fields of bolide's signature, with those of sacrebleu."""

    def __init__(self, args: dict[str, Any]) -> None:
        super().__init__(args)
        line = args["meteor"].get_signature(args["num_refs"] if args["num_refs"] > 0 else None)
        fields = dict(field.split(":", 1) for field in line.split("|")[1:])
        # In sacrebleu, version is that of sacrebleu, and lang is the language pair.
        fields = {"meteor": fields.pop("version"), **fields}
        fields["language"] = fields.pop("lang")
        del fields["refs"]
        self._abbr.update({name: name for name in fields})
        self.info.update(fields)


class METEOR(Metric):  # type: ignore[misc]
    """The metric. `profile`, `language` and `options` are those of `bolide.Meteor`; or give a scorer,
    `meteor`. `references` are used in calls without references."""

    _SIGNATURE_TYPE = METEORSignature

    def __init__(
        self,
        profile: str = "1.5",
        language: str = "en",
        *,
        references: Sequence[Sequence[str | None]] | None = None,
        meteor: bolide.Meteor | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self.meteor = meteor or bolide.Meteor(profile, language, **options)
        if references is not None:
            self._ref_cache = self._cache_references(references)

    # ---- methods that sacrebleu calls --------------------------------------------------------------

    def _preprocess_segment(self, sent: str) -> str:
        return sent  # the scorer normalizes it

    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        return {"references": list(refs)}

    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: dict[str, Any]) -> list[float]:
        rows: list[list[float]] = self._rows([hypothesis], [ref_kwargs["references"]]).tolist()
        return rows[0]

    def _cache_references(self, references: Sequence[Sequence[str | None]]) -> list[Any]:
        lengths = sorted({len(stream) for stream in references})
        if len(lengths) > 1:
            raise InputError(
                f"reference streams have {lengths[0]} to {lengths[-1]} segments; all must have equally many"
            )
        cache: list[Any] = super()._cache_references(references)
        return cache

    def _extract_corpus_statistics(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]] | None
    ) -> list[list[float]]:
        cache = self._cache_references(references) if references else self._ref_cache
        if not cache:
            raise RuntimeError("No references provided and the cache is empty.")
        rows: list[list[float]] = self._rows(hypotheses, [each["references"] for each in cache]).tolist()
        return rows

    def _rows(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> Floats:
        """Rows that can be summed. If the corpus score is the mean of segment scores (profile nltk), there
        are two more columns: the score, and 1."""
        statistics = self.meteor.measure(by_segment(hypotheses, references)).statistics
        rows = contributions(statistics, self.meteor.parameters.formula).astype(np.float64)
        if self.meteor.settings.profile.corpus != "mean":
            return rows
        return np.column_stack([rows, self.meteor.score(statistics), np.ones(len(rows))])

    def _aggregate_and_compute(self, stats: Any) -> METEORScore:
        return self._compute_score_from_stats(np.sum(np.asarray(stats, dtype=np.float64), axis=0))

    def _compute_score_from_stats(self, stats: Any) -> METEORScore:
        row: Any = np.asarray(stats, dtype=np.float64)
        width = StatisticsLayout(self.meteor.modules).width
        parts = components(row[:width], self.meteor.parameters)
        score = parts["score"]
        if len(row) > width:
            total, count = row[width:]
            score = float(total / count)
        return METEORScore(100 * score, parts)
