"""METEOR as a metric of mbrs, for minimum Bayes risk decoding:

    from bolide.compat.mbrs import MetricMETEOR
    from mbrs.decoders import DecoderMBR

    metric = MetricMETEOR(MetricMETEOR.Config(language="en"))
    decoder = DecoderMBR(DecoderMBR.Config(), metric)
    best = decoder.decode(hypotheses, references).sentence

Importing it registers the metric as "meteor" (`mbrs.metrics.get_metric`). All pairs of hypotheses and
references are scored in one call of the core, with threads; texts are tokenized once. Scores are 0 to 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import bolide
from bolide._support.arrays import Floats
from bolide._support.extras import extra
from bolide.inputs.segments import by_segment

with extra("mbrs"):
    from mbrs import timer
    from mbrs.metrics import Metric, register

    # isort: split
    import torch


@register("meteor")
class MetricMETEOR(Metric):  # type: ignore[misc]
    """The metric. Sources are not used."""

    @dataclass
    class Config(Metric.Config):  # type: ignore[misc]
        """Arguments of `bolide.Meteor`; "" is its default.

        - profile (str): METEOR to compute.
        - language (str): Language of the texts.
        - task (str): Task of the profile, which has the parameters.
        - modules (str): Modules with spaces between them, such as "exact stem".
        - normalize (str): How to normalize.
        - segmentation (str): How to find words in languages without spaces.
        - threads (int): Number of threads; 0 for all cores.
        """

        profile: str = "1.5"
        language: str = "en"
        task: str = ""
        modules: str = ""
        normalize: str = ""
        segmentation: str = ""
        threads: int = 0

    cfg: Config

    def __init__(self, cfg: MetricMETEOR.Config) -> None:
        super().__init__(cfg)
        self.scorer = bolide.Meteor(
            cfg.profile,
            cfg.language,
            cfg.task or None,
            modules=cfg.modules.split() or None,
            normalize=cfg.normalize or None,
            segmentation=cfg.segmentation or None,
            threads=cfg.threads or None,
        )

    def score(self, hypothesis: str, reference: str, source: str | None = None) -> float:
        """The score of a hypothesis against a reference."""
        return self.scorer.sentence_score(hypothesis, reference).score

    def scores(
        self, hypotheses: list[str], references: list[str], sources: list[str] | None = None
    ) -> torch.Tensor:
        """The score of each hypothesis against its reference."""
        with timer.measure("score") as measured:
            measured.set_delta_ncalls(len(hypotheses))
            return self._scores(hypotheses, references)

    def pairwise_scores(
        self, hypotheses: list[str], references: list[str], source: str | None = None
    ) -> torch.Tensor:
        """The scores of all pairs: one row per hypothesis, one column per reference."""
        with timer.measure("score") as measured:
            measured.set_delta_ncalls(len(hypotheses) * len(references))
            return _tensor(self.scorer.pairwise(hypotheses, references))

    def corpus_score(
        self, hypotheses: list[str], references_lists: list[list[str]], sources: Any = None
    ) -> float:
        """The score of the corpus. Each list has one reference per hypothesis."""
        return self.scorer.corpus_score(hypotheses, references_lists, layout="streams").score

    def _scores(self, hypotheses: list[str], references: list[str]) -> torch.Tensor:
        rows = self.scorer.measure(by_segment(hypotheses, [[text] for text in references])).statistics
        return _tensor(self.scorer.score(rows))


def _tensor(scores: Floats) -> torch.Tensor:
    """The scores with 32 bits, as all metrics of mbrs have them."""
    return torch.from_numpy(scores).float()
