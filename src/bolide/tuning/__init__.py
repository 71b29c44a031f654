"""Parameters that agree with people: sweeps over statistics, which are counted once.

    data.py        statistics beside judgments               objectives.py  agreement at points
    space.py       axes of parameters, fixed or free         searches.py    where agreement is highest
    tuning.py      one run: search, folds, held-out checks   java_trainer.py  the Trainer of the Java release
    report.py, plots.py, profile_file.py, points.py          what is written

>>> import numpy as np
>>> rows = np.array([[2, 2, 0, 0, 2, 2, 0, 0, 1, 2, 2], [2, 2, 0, 0, 1, 1, 0, 0, 1, 1, 1]])
>>> data = DataSet("tiny", rows, better=[0], worse=[1])
>>> sweep([data], [[0.5, 1.0, 0.5, 0.5, 1.0]], "tau").tolist()
[[1.0]]
"""

from __future__ import annotations

from bolide.tuning.data import DataSet
from bolide.tuning.objectives import OBJECTIVES, Objective, sweep
from bolide.tuning.space import Axis, Space

__all__ = ["OBJECTIVES", "Axis", "DataSet", "Objective", "Space", "sweep"]
