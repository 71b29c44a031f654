"""Agreement of metrics with human judgments.

from bolide import evaluation

judgments = evaluation.read_judgments("wmt13.cs-en.pairs.tsv.gz")
scores = evaluation.read_scores("wmt13.cs-en.scores.tsv.gz")
print(evaluation.correlate(scores, judgments, confidence=True))

judgments      human judgments: pairs and ties, or ratings
formats        reading files of judgments; writing writes them
scores         scores of metrics: segments × systems
texts, metrics reading texts, and computing the scores of metrics
correlation    correlation coefficients; soft is soft pairwise accuracy
measures       named measures, in groups (grouping)
normalise      normalization of ratings per judge
significance   confidence intervals, permutation and Williams tests
study          a whole evaluation, printed by tables and plots
ablation       the tables of the 2005 paper
"""

from __future__ import annotations

from bolide.evaluation.ablation import ablate
from bolide.evaluation.correlation import (
    calibrated_accuracy,
    kendall_b,
    kendall_pairs,
    pairwise_accuracy,
    pearson,
    spearman,
)
from bolide.evaluation.formats import read as read_judgments
from bolide.evaluation.formats import read_all as read_all_judgments
from bolide.evaluation.judgments import Judgments
from bolide.evaluation.metrics import compute, meteor_scores
from bolide.evaluation.normalise import normalised
from bolide.evaluation.scores import Scores, human_scores, read_scores, write_seg_scores, write_sys_scores
from bolide.evaluation.soft import soft_pairwise_accuracy
from bolide.evaluation.study import Study, correlate
from bolide.evaluation.texts import Texts, read_texts
from bolide.evaluation.writing import write_judgments

__all__ = ["Judgments", "Scores", "Study", "Texts", "ablate", "calibrated_accuracy", "compute"]
__all__ += ["correlate", "human_scores", "kendall_b", "kendall_pairs", "meteor_scores", "normalised"]
__all__ += ["pairwise_accuracy", "pearson", "read_all_judgments", "read_judgments", "read_scores"]
__all__ += ["read_texts", "soft_pairwise_accuracy", "spearman", "write_judgments", "write_seg_scores"]
__all__ += ["write_sys_scores"]
