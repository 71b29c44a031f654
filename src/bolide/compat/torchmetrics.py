"""METEOR as a metric of torchmetrics, with the interface of its text metrics:

    from bolide.compat.torchmetrics import MeteorScore

    metric = MeteorScore()
    for predictions, targets in batches:
        metric.update(predictions, targets)
    metric.compute()

`METEORScore` and `meteor_score` have the names, arguments and defaults of torchmetrics' own METEOR (its pull
request 3477), which computes NLTK's scores. They need no NLTK.

The state is the sum of the statistics of all segments. These are integers, so the sum over several processes
is exact in any order, and the score of the corpus is the same as in one process.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import bolide
from bolide._core import StatisticsLayout
from bolide._support.extras import extra
from bolide.errors import InputError
from bolide.formula.statistics import aggregate
from bolide.inputs.segments import by_segment
from bolide.scoring.score import components

with extra("torch"):
    import torch
    from torchmetrics import Metric


# The options of `torchmetrics.Metric`. It takes them from its keywords, so that they cannot be looked up.
METRIC_OPTIONS = (
    *("compute_on_cpu", "compute_with_cache", "dist_sync_fn", "dist_sync_on_step"),
    *("distributed_available_fn", "process_group", "sync_on_compute"),
)


class MeteorScore(Metric):  # type: ignore[misc]
    """The metric. `profile`, `language` and `options` are those of `bolide.Meteor`. Options of
    `torchmetrics.Metric`, such as `dist_sync_on_step`, may be among them, or in `metric_options`. With
    `return_sentence_level_score`, `compute` also returns the scores of segments, in the order of the
    updates."""

    is_differentiable = False
    higher_is_better = True
    full_state_update = False
    plot_lower_bound = 0.0
    plot_upper_bound = 1.0

    statistics: torch.Tensor
    segments: torch.Tensor
    total: torch.Tensor
    sentence_scores: list[torch.Tensor]

    def __init__(
        self,
        profile: str = "1.5",
        language: str = "en",
        *,
        return_sentence_level_score: bool = False,
        metric_options: dict[str, Any] | None = None,
        **options: Any,
    ) -> None:
        of_metric = {name: options.pop(name) for name in METRIC_OPTIONS if name in options}
        super().__init__(**of_metric, **(metric_options or {}))
        self.meteor = bolide.Meteor(profile, language, **options)
        self.return_sentence_level_score = return_sentence_level_score
        width = StatisticsLayout(self.meteor.modules).width
        self.add_state("statistics", torch.zeros(width, dtype=torch.int64), dist_reduce_fx="sum")
        self.add_state("segments", torch.tensor(0, dtype=torch.int64), dist_reduce_fx="sum")
        # The sum of segment scores, for profiles whose corpus score is their mean.
        self.add_state("total", torch.tensor(0.0, dtype=torch.float64), dist_reduce_fx="sum")
        if return_sentence_level_score:
            self.add_state("sentence_scores", [], dist_reduce_fx="cat")

    def update(self, preds: str | Sequence[str], target: Sequence[str | Sequence[str]]) -> None:
        """Adds segments: predictions, and a reference or list of references for each."""
        hypotheses = [preds] if isinstance(preds, str) else list(preds)
        references: list[Any] = [target] if isinstance(target, str) else list(target)
        if isinstance(preds, str) and all(isinstance(text, str) for text in references):
            references = [references]
        groups = [[group] if isinstance(group, str) else list(group) for group in references]
        if len(groups) != len(hypotheses):
            raise InputError(
                f"{len(hypotheses)} predictions but {len(groups)} targets; a target must be a text or a list "
                "of texts"
            )
        rows = self.meteor.measure(by_segment(hypotheses, groups)).statistics
        scores = torch.from_numpy(self.meteor.score(rows)).to(self.device)
        self.statistics += torch.from_numpy(aggregate(rows, self.meteor.parameters.formula)).to(self.device)
        self.segments += len(rows)
        self.total += scores.sum()
        if self.return_sentence_level_score:
            self.sentence_scores.append(scores)

    def compute(self) -> torch.Tensor | tuple[torch.Tensor, torch.Tensor]:
        """The corpus score, a 64-bit float; 0 if there are no segments."""
        if self.meteor.settings.profile.corpus == "mean":
            score = self.total / self.segments.clamp(min=1)
        else:
            parts = components(self.statistics.cpu().numpy(), self.meteor.parameters)
            score = torch.tensor(parts["score"], dtype=torch.float64, device=self.device)
        if not self.return_sentence_level_score:
            return score
        return score, _joined(self.sentence_scores)


class METEORScore(MeteorScore):
    """METEOR with the arguments of `torchmetrics.text.METEORScore`, and its default: NLTK's METEOR. `kwargs`
    are those of `MeteorScore` and `torchmetrics.Metric`."""

    def __init__(
        self,
        alpha: float = 0.9,
        beta: float = 3.0,
        gamma: float = 0.5,
        return_sentence_level_score: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            **{"profile": "nltk", **kwargs},
            alpha=alpha,
            beta=beta,
            gamma=gamma,
            return_sentence_level_score=return_sentence_level_score,
        )


def meteor_score(
    preds: str | Sequence[str],
    target: Sequence[str | Sequence[str]],
    alpha: float = 0.9,
    beta: float = 3.0,
    gamma: float = 0.5,
    return_sentence_level_score: bool = False,
) -> torch.Tensor | tuple[torch.Tensor, torch.Tensor]:
    """The score of texts, as `torchmetrics.functional.text.meteor_score`."""
    metric = METEORScore(alpha, beta, gamma, return_sentence_level_score)
    metric.update(preds, target)
    return metric.compute()


def _joined(scores: list[torch.Tensor] | torch.Tensor) -> torch.Tensor:
    """Joins scores. With several processes, torchmetrics has joined them already."""
    if isinstance(scores, torch.Tensor):
        return scores
    return torch.cat(scores) if scores else torch.zeros(0, dtype=torch.float64)
