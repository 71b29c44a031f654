"""Tunes the parameters of METEOR to human judgments, by sweeps over statistics that are counted once.

    data          statistics with judgments; sets reads them from files
    objectives    agreement with the judgments at points of parameters; kinds computes each measure
    space         axes of parameters, fixed or free
    searches      the point with the best agreement; problem is what they search, checkpoint saves them
    tuning        a run: search, then cross-validation
    report, plots, profile_file, points    output

>>> import numpy as np
>>> rows = np.array([[2, 2, 0, 0, 2, 2, 0, 0, 1, 2, 2], [2, 2, 0, 0, 1, 1, 0, 0, 1, 1, 1]])
>>> data = DataSet("tiny", rows, better=[0], worse=[1])
>>> sweep([data], [[0.5, 1.0, 0.5, 0.5, 1.0]], "tau").tolist()
[[1.0]]
"""

from __future__ import annotations

from bolide.tuning.data import DataSet
from bolide.tuning.kinds import OBJECTIVES
from bolide.tuning.objectives import Objective, sweep
from bolide.tuning.space import Axis, Space

__all__ = ["OBJECTIVES", "Axis", "DataSet", "Objective", "Space", "sweep"]
