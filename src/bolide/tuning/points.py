"""Writes the points of a search as a table: parameters, the value of each data set, and the overall value."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from bolide._support.arrays import Floats
from bolide._support.extras import extra, require
from bolide._support.writing import atomic_path, check_target
from bolide.errors import ConfigurationError
from bolide.tuning.objectives import Objective
from bolide.tuning.problem import Watch
from bolide.tuning.space import Indices, Space

Write = Callable[[Floats], None]  # rows
ENDINGS = (".tsv", ".parquet")


def check_file(path: str | os.PathLike[str]) -> None:
    """Raises an error if points cannot be written to a file of this name."""
    place = Path(path)
    if place.suffix not in ENDINGS:
        raise ConfigurationError(
            f"the name of a file of points must end in {' or '.join(ENDINGS)}, not '{place.name}'"
        )
    check_target(place)
    if place.suffix == ".parquet":
        require("parquet", "pyarrow")


@contextmanager
def writing(path: str | os.PathLike[str], space: Space, objective: Objective) -> Iterator[Watch]:
    """Yields the callback for a `Problem` that writes its points. The file exists when the block ends."""
    check_file(path)
    place = Path(path)
    named = zip(objective.measures, objective.data, strict=True)
    columns = [*space.names, *(f"{measure}:{each.name}" for measure, each in named), objective.name]
    form = _parquet if place.suffix == ".parquet" else _tsv
    with atomic_path(place) as new, form(new, columns) as write:

        def watch(indices: Indices, values: Floats) -> None:
            overall = objective.overall(values)[:, None]
            write(np.concatenate([space.points(indices), values, overall], axis=1))

        yield watch


@contextmanager
def _tsv(path: Path, columns: list[str]) -> Iterator[Write]:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write("\t".join(columns) + "\n")
        yield lambda rows: file.writelines("\t".join(map(repr, row)) + "\n" for row in rows.tolist())


@contextmanager
def _parquet(path: Path, columns: list[str]) -> Iterator[Write]:
    with extra("parquet"):
        import pyarrow
        import pyarrow.parquet as parquet
    schema = pyarrow.schema([(name, pyarrow.float64()) for name in columns])
    with parquet.ParquetWriter(path, schema) as writer:
        yield lambda rows: writer.write_table(pyarrow.table(list(rows.T), schema=schema))
