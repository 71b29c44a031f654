"""The options for metrics other than METEOR in X-rays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bolide.cli.input_options import check_inputs
from bolide.cli.option_groups import Panel
from bolide.comparison.sacrebleu_metrics import check_metrics, listed
from bolide.errors import ConfigurationError

if TYPE_CHECKING:
    from bolide.xray.scores import OtherScores

PANEL = Panel("Other metrics")


@dataclass(frozen=True)
class OtherMetricOptions:
    """Which other scores to show."""

    metrics: str | None = PANEL.option(
        "NAMES", "Also compute these, as sacrebleu does: bleu, chrf, chrf++, ter; for example bleu,chrf."
    )
    scores: list[str] | None = PANEL.option(
        "FILE",
        "Scores of segments by any metric: one column per system, or the columns system, segment and METRIC; "
        "repeat it for several files.",
    )
    lower_better: str | None = PANEL.option(
        "NAMES", "The metrics in these files whose low scores are good. Default: TER, WER and the like."
    )

    @property
    def names(self) -> tuple[str, ...]:
        return listed(self.metrics)

    def check(self) -> None:
        """Fails if a metric does not exist, or a file cannot be read."""
        check_metrics(self.names)
        check_inputs(*(self.scores or ()))
        if self.lower_better is not None and not self.scores:
            raise ConfigurationError("--lower-better needs --scores")

    def read(self, systems: Sequence[str], files: Sequence[str | None], segments: int) -> list[OtherScores]:
        """The scores of these systems in the files."""
        from bolide.xray.score_files import aliases, read_score_file

        known, lower = aliases(systems, files), listed(self.lower_better)
        found = [
            scores for name in self.scores or () for scores in read_score_file(name, known, segments, lower)
        ]
        names = [scores.name.lower() for scores in found]
        for name in lower:
            if name.lower() not in names:
                raise ConfigurationError(
                    f"--lower-better names '{name}', but the files have: {', '.join(s.name for s in found)}"
                )
        return found
