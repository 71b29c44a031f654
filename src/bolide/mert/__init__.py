"""Weights of a decoder, tuned to METEOR, BLEU or TER on n-best lists.

    lists ──read──▶ hypotheses ──count──▶ statistics ──search──▶ weights
         lists.py             objectives.py        och.py, mira.py, pro.py

    features.py, weights.py    names of features; files of weights        problem.py   what weights choose
    oracles.py                 the best and worst that lists hold         tuning.py    one run
    decoder.py                 decode, merge, tune, again                 report.py    what came out

A text is aligned with its references once. From then on a choice of hypotheses, one for each sentence, is a
sum of integer rows, and its score a function of that sum: a search never touches text.

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

__all__ = [
    "MertObjective",
    "MertPlan",
    "MertProblem",
    "NBest",
    "TunedWeights",
    "Weights",
    "make_objective",
    "oracle",
    "read_references",
    "tune",
]
