"""Types of NumPy arrays."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Statistics = npt.NDArray[np.integer]
Flags = npt.NDArray[np.uint8]
