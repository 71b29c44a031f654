"""The threads of NumPy's matrix library, which reads its variable when it is loaded."""

from __future__ import annotations

import os

THREADS = "OPENBLAS_NUM_THREADS"
THREADS_GIVEN = THREADS in os.environ


def limit() -> None:
    """Limits the library to one thread, unless the user has set the variable. Otherwise it starts one thread
    per core, and these threads wait actively. Only the significance tests multiply matrices. More threads do
    not make them faster, because they spend most of their time on random numbers."""
    os.environ.setdefault(THREADS, "1")
