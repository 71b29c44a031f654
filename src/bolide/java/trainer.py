"""The Trainer of the Java release: prints the same lines, `score α β γ δ w…`, for the same files and grid.

    rank                LP.SYSTEM.sgm, LP.ref.sgm, LP.rank: segment, LP, better, LP, worse, separated by tabs
    segcor, spearman    NAME.tst, NAME.ref (both SGML), NAME.ter: document, segment, rating

Details of Java that are kept: the values of an axis are computed by adding the step, with its rounding
errors, up to the final value plus 0.001. The last weight varies fastest. Rankings use the modules exact and
paraphrase only, on lower-cased text, in the target language of LP; so the second weight is that of
paraphrases. Ratings use all modules; Pearson's r is weighted by the number of words in the reference. All
files are pooled. A tie of the metric is discordant, and scores are not rounded.

Not kept: a judged system without a file, a system ranked above itself, and a segment without a rating are
errors.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from pathlib import Path
from typing import Any

import numpy as np

from bolide._support import checks
from bolide._support.arrays import Statistics
from bolide._support.java_number import java_double
from bolide.errors import ConfigurationError, InputError
from bolide.evaluation import formats
from bolide.formula.layout import widened
from bolide.inputs.text_files import read_lines as text_lines
from bolide.java import sgml_reader
from bolide.scoring.meteor import Meteor
from bolide.tuning.data import DataSet
from bolide.tuning.objectives import Objective

# task → objective
TASKS = {"rank": "tau-wmt12", "segcor": "weighted-pearson", "spearman": "spearman"}
# The default grid of the release.
INITIAL = (0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0)
FINAL = (1.0, 2.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0)
STEPS = (0.05,) * 8
BEYOND = 0.001
CHUNK = 1 << 16
RANK_MODULES = ("exact", "paraphrase")
MODULES = 4  # Java's statistics always have four modules


@dataclass(frozen=True)
class Grid:
    """Eight numbers each: α β γ δ and four weights."""

    initial: Sequence[float] = INITIAL
    final: Sequence[float] = FINAL
    steps: Sequence[float] = STEPS

    def __post_init__(self) -> None:
        for what in ("initial", "final", "steps"):
            if len(getattr(self, what)) != 8:
                raise ConfigurationError(
                    f"the {what} of Java's grid must be 8 numbers: α β γ δ and four weights"
                )
        if not min(self.steps) > 0:
            raise ConfigurationError("the steps of Java's grid must be above 0")

    def axes(self) -> list[list[float]]:
        found = []
        for value, last, step in zip(self.initial, self.final, self.steps, strict=True):
            axis = []
            while value <= last + BEYOND:
                axis.append(value)
                value += step
            found.append(axis)
        return found

    @property
    def size(self) -> int:
        return int(np.prod([len(axis) for axis in self.axes()]))

    def points(self) -> Iterator[tuple[float, ...]]:
        return product(*self.axes())


def lines(
    folder: Path | str,
    task: str = "rank",
    grid: Grid | None = None,
    *,
    language: str = "en",
    modules: Sequence[str] | None = None,
    threads: int | None = None,
) -> Iterator[str]:
    """Yields the lines that the Trainer prints. `language` and `modules` are for ratings. Given `modules` are
    also used for rankings, for packs without paraphrases."""
    checks.choice("task of Java's Trainer", task, TASKS)
    place = Path(folder)
    if not place.is_dir():
        raise InputError(f"{place} is not a folder; Java's Trainer reads one")
    data = rankings(place, modules, threads) if task == "rank" else ratings(place, language, modules, threads)
    objective = Objective(data, TASKS[task], decimals=None, threads=threads)
    points = (Grid() if grid is None else grid).points()
    while chunk := list(islice(points, CHUNK)):
        for value, point in zip(objective(chunk)[:, 0].tolist(), chunk, strict=True):
            yield f"{java_double(value)} {' '.join(f'{number:.2f}' for number in point)}"


def rankings(folder: Path, modules: Sequence[str] | None, threads: int | None) -> list[DataSet]:
    """All .rank files, pooled."""
    names = RANK_MODULES if modules is None else tuple(modules)
    better: list[int] = []
    worse: list[int] = []
    parts, start = [], 0
    for file in _files(folder, "*.rank"):
        for pair, judged in sorted(formats.read_all(file, "rank").items()):
            reference = _read(folder / f"{pair}.ref.sgm")
            outputs = {system: _read(folder / f"{pair}.{system}.sgm") for system in judged.systems}
            meteor = _rank_meteor(pair.rpartition("-")[2], names, threads)
            places: dict[tuple[str, str], int] = {}
            for system, texts in outputs.items():
                parts.append(_statistics(meteor, texts, reference, f"{pair}.{system}.sgm"))
                places.update({(system, key[1]): start + k for k, key in enumerate(texts)})
                start += len(texts)
            for side, systems in ((better, judged.pairs.better), (worse, judged.pairs.worse)):
                for segment, system in zip(judged.pairs.segments, systems, strict=True):
                    key = judged.systems[system], judged.segments[segment]
                    if key not in places:
                        raise InputError(f"{file}: {pair}.{key[0]}.sgm has no segment {key[1]}")
                    side.append(places[key])
    return [DataSet(str(folder), widened(np.concatenate(parts), MODULES), better, worse)]


def ratings(folder: Path, language: str, modules: Sequence[str] | None, threads: int | None) -> list[DataSet]:
    """All .ter files, pooled."""
    found = _files(folder, "*.ter")
    given = [(file, _read(file.with_suffix(".tst")), _read(file.with_suffix(".ref"))) for file in found]
    meteor = Meteor("1.5", language, modules=modules, threads=threads)
    parts, values = [], []
    for file, texts, reference in given:
        rated = dict(_ratings(file))
        for key in texts:
            if key not in rated:
                raise InputError(f"{file}: segment {key[1]} of document {key[0]} has no rating")
            values.append(rated[key])
        parts.append(_statistics(meteor, texts, reference, f"{file.stem}.tst"))
    rows = widened(np.concatenate(parts), MODULES)
    return [DataSet(str(folder), rows, rated=np.arange(len(rows)), ratings=values)]


def _rank_meteor(language: str, modules: tuple[str, ...], threads: int | None) -> Meteor:
    weights = [1.0, 0.5, 0.5, 0.5][: len(modules)]
    half: dict[str, Any] = dict.fromkeys(("alpha", "beta", "gamma", "delta"), 0.5)
    return Meteor(
        "1.5", language, modules=modules, weights=weights, normalize="lower", threads=threads, **half
    )


def _files(folder: Path, pattern: str) -> list[Path]:
    found = sorted(folder.glob(pattern))
    if not found:
        raise InputError(f"{folder} has no file {pattern}")
    return found


def _read(path: Path) -> dict[tuple[str, str], list[str]]:
    """The texts of a file by document and segment: one in a file of a system, several in one of
    references."""
    if not path.is_file():
        raise InputError(f"{path} does not exist; the judgments in the same folder name it")
    found: dict[tuple[str, str], list[str]] = {}
    for systems in sgml_reader.read(str(path)).values():
        for documents in systems.values():
            for document, segments in documents.items():
                for segment, text in segments.items():
                    found.setdefault((document, segment), []).append(text)
    return found


def _statistics(
    meteor: Meteor,
    texts: dict[tuple[str, str], list[str]],
    references: dict[tuple[str, str], list[str]],
    name: str,
) -> Statistics:
    missing = next((key for key in texts if key not in references), None)
    if missing is not None:
        raise InputError(f"{name}: segment {missing[1]} of document {missing[0]} has no reference")
    return meteor.statistics([each[0] for each in texts.values()], [references[key] for key in texts])


def _ratings(file: Path) -> Iterator[tuple[tuple[str, str], float]]:
    for number, line in enumerate(text_lines(str(file)), 1):
        if not line.strip():
            continue
        fields = re.split(r"\s+", line.strip())
        try:
            document, segment, rating = fields[0], fields[1], float(fields[2])
        except (IndexError, ValueError):
            raise InputError(
                f"{file}, line {number}: must be document, segment and rating, not '{line}'"
            ) from None
        yield (document, segment), rating
