"""Agreement with people: scores beside human judgments.

    judgments.py     what people said: pairs and ties, or ratings          formats.py    files of it
    scores.py        what metrics say: segments × systems                  metrics.py    scores of text
    correlation.py   coefficients                                          soft.py       soft pairwise accuracy
    measures.py      which coefficient of what, in which groups            normalise.py  ratings per judge
    significance.py  intervals, permutation, Williams                      study.py      all of it, as a table
"""

from __future__ import annotations
