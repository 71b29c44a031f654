"""Tunes the weights of a decoder to METEOR, BLEU or TER on n-best lists.

    lists ──read──▶ hypotheses ──count──▶ statistics ──search──▶ weights
         lists.py             objectives.py        och.py, mira.py, pro.py

    features, weights    names of features; files of weights
    metrics, objectives  what is tuned to
    problem              the hypotheses that weights choose, and their objective
    tuning               one run; decoder repeats decoding and tuning
    oracles, rerank      best and worst hypotheses; lists in a new order
    mbr                  the hypotheses with the highest expected METEOR
    choices, report      results

A text is aligned with its references once. Then a choice of hypotheses, one per sentence, is a sum of integer
rows, and its score is a function of that sum. A search does not read any text.

>>> from bolide import Meteor
>>> lists = NBest.of([
...     [("a b c", {"lm": -4.0, "tm": -1.0}), ("a x c", {"lm": -2.0, "tm": -2.0})],
...     [("d e", {"lm": -3.0, "tm": -2.0}), ("d", {"lm": -1.0, "tm": -4.0})],
... ])
>>> meteor = Meteor("linear", modules=["exact"], normalize="lower")
>>> tuned = tune(lists, [["a b c"], ["d e"]], {"lm": 1.0, "tm": 0.5}, objective=meteor)
>>> tuned.problem.texts(tuned.vector)
['a b c', 'd e']
>>> round(tuned.before.value, 2), round(tuned.after.value, 2)
(30.61, 80.0)
"""

from __future__ import annotations

from bolide.mert.lists import NBest, read_references
from bolide.mert.objectives import MertObjective, make_objective
from bolide.mert.oracles import oracle
from bolide.mert.problem import MertProblem
from bolide.mert.tuning import MertPlan, TunedWeights, tune
from bolide.mert.weights import Weights

__all__ = ["MertObjective", "MertPlan", "MertProblem", "NBest", "TunedWeights", "Weights"]
__all__ += ["make_objective", "oracle", "read_references", "tune"]
