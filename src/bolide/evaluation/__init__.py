"""Agreement of metrics with human judgments.

from bolide import evaluation

judgments = evaluation.read_judgments("wmt13.cs-en.pairs.tsv.gz")
scores = evaluation.read_scores("wmt13.cs-en.scores.tsv.gz")
print(evaluation.correlate(scores, judgments, confidence=True))

judgments      human judgments: pairs and ties, or ratings
formats        reading files of judgments; writing writes them
scores         scores of metrics: segments × systems
texts, metrics reading texts, and computing the scores of metrics (rouge: ROUGE-L)
judged_texts   texts together with judgments, in JSON Lines; rows are their lines
correlation    correlation coefficients; kendall is τ-b and τ-c, soft is soft pairwise accuracy
measures       named measures, in groups (grouping)
normalise      normalization of ratings per judge
significance   confidence intervals, permutation and Williams tests
study          a whole evaluation, printed by tables and plots; study_sets: of several data sets
ablation       the tables of the 2005 paper
"""

from __future__ import annotations

from bolide.evaluation.ablation import ablate
from bolide.evaluation.correlation import (
    calibrated_accuracy,
    kendall_b,
    kendall_c,
    kendall_pairs,
    pairwise_accuracy,
    pearson,
    spearman,
)
from bolide.evaluation.formats import read as read_judgments
from bolide.evaluation.formats import read_all as read_all_judgments
from bolide.evaluation.judged_texts import JudgedTexts, read_judged_texts
from bolide.evaluation.judgments import Judgments
from bolide.evaluation.metrics import compute, meteor_scores
from bolide.evaluation.normalise import normalised
from bolide.evaluation.scores import Scores, human_scores, read_scores, write_seg_scores, write_sys_scores
from bolide.evaluation.soft import soft_pairwise_accuracy
from bolide.evaluation.study import Study, correlate
from bolide.evaluation.study_sets import StudySets
from bolide.evaluation.texts import Texts, read_texts
from bolide.evaluation.writing import write_judgments

__all__ = ["JudgedTexts", "Judgments", "Scores", "Study", "StudySets", "Texts", "ablate"]
__all__ += ["calibrated_accuracy", "compute", "correlate", "human_scores", "kendall_b", "kendall_c"]
__all__ += ["kendall_pairs", "meteor_scores", "normalised", "pairwise_accuracy", "pearson"]
__all__ += ["read_all_judgments", "read_judged_texts", "read_judgments", "read_scores", "read_texts"]
__all__ += ["soft_pairwise_accuracy", "spearman", "write_judgments", "write_seg_scores", "write_sys_scores"]
