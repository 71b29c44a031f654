"""Checkpoints: a search saves the values it has computed, and resumes after an interruption.

Searches are deterministic. A search that starts again with the saved values takes the same steps, only
faster.
"""

from __future__ import annotations

import hashlib
import os
import time
from pathlib import Path
from typing import Any

import numpy as np

from bolide._support.writing import atomic_path
from bolide.errors import ConfigurationError, InputError
from bolide.inputs.files import check_archive
from bolide.tuning.objectives import Objective
from bolide.tuning.space import Space

SECONDS = 10.0  # between two saves


def key_of(objective: Objective, space: Space, *others: object) -> str:
    """Identifies a problem: data, judgments, objective, axes, and all else that a search depends on."""
    digest = hashlib.sha256(repr((objective.measures, objective.pool, objective.sign, objective.decimals,
                                objective.formula, space, others)).encode())  # fmt: skip
    for each in objective.data:
        digest.update(repr(each.weight).encode())
        for array in (each.statistics, each.offsets, each.better, each.worse, each.tied_first,
                      each.tied_second, each.rated, each.ratings):  # fmt: skip
            digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


class Checkpoint:
    """Known values by the numbers of points. For a grid search: the number of points done and the best
    one."""

    def __init__(self, path: str | os.PathLike[str], key: str) -> None:
        self.path, self.key = Path(path), key
        self.known: dict[int, float] = {}
        self.done, self.best = 0, (-1, -np.inf)
        self._saved = time.monotonic()
        if self.path.exists():
            self._load()

    def _load(self) -> None:
        try:
            with self.path.open("rb") as stream:
                check_archive(stream)
                with np.load(stream, allow_pickle=False) as file:
                    key = str(file["key"])
                    self.known = dict(zip(file["numbers"].tolist(), file["values"].tolist(), strict=True))
                    self.done = int(file["done"])
                    self.best = int(file["best"]), float(file["best_value"])
        except OSError as error:
            raise InputError(f"cannot read {self.path}: {error.strerror or error}") from None
        except MemoryError:
            raise
        except Exception:  # NumPy raises many kinds of errors for damaged files
            raise InputError(f"{self.path} is not a checkpoint of a search; name another file") from None
        if key != self.key:
            raise ConfigurationError(
                f"{self.path} belongs to a search with other data or settings; delete it or name another file"
            )

    def save(self, *, now: bool = False) -> None:
        """Saves if the last save was some seconds ago."""
        if not now and time.monotonic() - self._saved < SECONDS:
            return
        arrays: dict[str, Any] = {
            "key": np.array(self.key),
            "numbers": np.array(list(self.known), dtype=np.int64),
            "values": np.array(list(self.known.values())),
            "done": np.array(self.done),
            "best": np.array(self.best[0]),
            "best_value": np.array(self.best[1]),
        }
        with atomic_path(self.path) as new, new.open("wb") as file:  # a path would get the ending .npz
            np.savez(file, **arrays)
        self._saved = time.monotonic()
