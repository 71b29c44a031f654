"""Reads data sets from a TOML file. Paths are relative to that file:

    [[set]]
    name = "wmt12.{}"                              # {} stands for each of the names in `each`
    each = ["cs-en", "de-en"]                      # without it there is one set
    judgments = "wmt12.{}.pairs.tsv.gz"            # see bolide.evaluation.formats
    hypotheses = ["wmt12.{}.hyp.tsv.gz"]           # see bolide.evaluation.texts
    references = ["wmt12.{}.ref.tsv.gz"]
    language_pair = "{}"                           # for folds
    test_set = "wmt12"

Instead of texts, a set may have statistics: `statistics` is a file .npy or .npz, or the output of Java's
-ssOut; `rows` is a table with the columns system and segid for each row of statistics. Or one file has
judgments and texts:

    [[set]]
    name = "captions"
    data = "captions.jsonl.gz"                     # see bolide.evaluation.judged_texts
    where = ["is_reference=false"]                 # rows to keep
    human = ["relevance"]                          # named scores to average
    own_references = "drop"                        # texts that are one of their own references
    language = "es"                                # default: that of the scorer
    modules = "exact stem"                         # those the language has; default: all of the scorer
    field = "captions"                             # for folds
    measure = "kendall-b"                          # default: the objective of the search
    weight = 2                                     # in the mean over sets

`language`, `modules`, `field`, `measure` and `weight` are for all kinds of sets.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from bolide._support import checks
from bolide._support import toml as _toml
from bolide._support.arrays import Statistics
from bolide._support.progress import Progress, no_progress
from bolide._support.staging import remove_leftovers
from bolide._support.writing import atomic_path
from bolide.errors import InputError
from bolide.evaluation import formats
from bolide.evaluation.judged_texts import OWN_REFERENCES, JudgedTexts, read_judged_texts
from bolide.evaluation.judgments import Judgments
from bolide.evaluation.rows import Condition
from bolide.evaluation.texts import read_texts
from bolide.formula.layout import columns
from bolide.inputs.files import check_archive, check_readable, reason
from bolide.inputs.text_files import read_lines
from bolide.scoring.meteor import Meteor
from bolide.tuning.data import DataSet
from bolide.tuning.kinds import OBJECTIVES
from bolide.tuning.objectives import check_pool

FILES = ("data", "judgments", "hypotheses", "references", "statistics", "rows")
# The types of the values, by key.
TEXTS = (str, list)
OF_DATA = {"where": TEXTS, "human": TEXTS, "own_references": str}
LABELS = {"language_pair": str, "test_set": str, "field": str, "measure": str, "weight": (int, float)}
KEYS: dict[str, Any] = {
    "name": str, "each": list, "data": str, **OF_DATA, "judgments": str, "format": str, "hypotheses": TEXTS,
    "references": TEXTS, "statistics": str, "rows": str, "language": str, "modules": TEXTS, **LABELS,
}  # fmt: skip


_LARGEST = 2**53  # larger numbers are not exact as floating-point numbers

# A language and modules; empty if they are those of the scorer.
Scorer = tuple[str, tuple[str, ...]]


@dataclass(frozen=True)
class SetList:
    """The data sets that a TOML file names, one table each."""

    place: Path
    rows: tuple[dict[str, Any], ...]

    def files(self) -> list[str]:
        found = []
        for row in self.rows:
            for key in FILES:
                found += [str(self.place.parent / name) for name in _listed(row.get(key, []))]
        return found

    @property
    def scorers(self) -> list[Scorer]:
        """The languages and modules of sets that differ from those of the scorer."""
        return [scorer for scorer in dict.fromkeys(map(_scorer, self.rows)) if scorer != ("", ())]

    def check(self, objective: str, pool: str | None) -> None:
        """Raises an error if the sets have different measures that cannot be pooled."""
        check_pool([row.get("measure") or objective for row in self.rows], pool)

    def judgments(self) -> list[Judgments | JudgedTexts]:
        """Reads the judgments of all sets."""
        return [_judgments(self.place, row) for row in self.rows]

    def read(
        self,
        meteor: Meteor,
        cache: Path | None = None,
        others: Mapping[Scorer, Meteor] | None = None,
        judged: Sequence[Judgments | JudgedTexts] | None = None,
        progress: Progress = no_progress,
    ) -> list[DataSet]:
        """Reads the data sets. `meteor` aligns the texts, or one of `others` for `scorers`. The folder
        `cache` keeps their statistics, by the signature and the texts. `judged` are the judgments, if they
        were read before."""
        known = others or {}
        found: list[DataSet] = []
        for row, own in zip(self.rows, judged or self.judgments(), strict=True):
            progress("scoring data sets", len(found), len(self.rows))
            found.append(_read(self.place, row, own, known.get(_scorer(row), meteor), meteor, cache))
        progress("scoring data sets", len(found), len(self.rows))
        return found


def _scorer(row: dict[str, Any]) -> Scorer:
    named = (name for text in _listed(row.get("modules", [])) for name in text.replace(",", " ").split())
    return row.get("language", ""), tuple(named)


def read_sets(path: str | os.PathLike[str]) -> SetList:
    """The data sets that a file names. Raises an error if one of their files cannot be read."""
    place = Path(path)
    try:
        table = _toml.read(place)
    except OSError as error:
        raise InputError(f"cannot read {place}: {error.strerror}") from None
    except ValueError as error:
        raise InputError(f"{place} is not a TOML file with tables [[set]]: {error}") from None
    given = table.get("set")
    tables = given if isinstance(given, list) else []
    if set(table) != {"set"} or not tables or not all(isinstance(each, dict) for each in tables):
        raise InputError(f"{place}: the file must have only tables [[set]], one per data set")
    found = SetList(place, tuple(row for each in tables for row in _expanded(place, each)))
    check_readable([*dict.fromkeys(found.files())], [])
    return found


def _listed(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else list(value)


def _expanded(place: Path, row: dict[str, Any]) -> Iterator[dict[str, Any]]:
    _check(place, row)

    def filled(value: Any, name: str) -> Any:
        if isinstance(value, list):
            return [text.replace("{}", name) for text in value]
        return value.replace("{}", name) if isinstance(value, str) else value

    for name in row.get("each", [""]):
        yield {key: filled(value, name) for key, value in row.items() if key != "each"}


def _check(place: Path, row: dict[str, Any]) -> None:
    """Raises an error if a set has an unknown key, a value of another type, or no judgments."""
    wrong = next((key for key in row if key not in KEYS), None)
    if wrong is not None:
        raise InputError(f"{place}: unknown key '{wrong}' in a set; the keys are: {', '.join(KEYS)}")
    if not isinstance(row.get("name"), str):
        raise InputError(f"{place}: every set needs a string 'name'")
    where = f"{place}: set {row['name']}"
    for key, value in row.items():
        listed = isinstance(value, list) and not all(isinstance(each, str) for each in value)
        if listed or not isinstance(value, KEYS[key]) or isinstance(value, bool):
            raise InputError(f"{where}: '{key}' has a value of the wrong type: {value!r}")
    if ("data" in row) == ("judgments" in row):
        raise InputError(f"{where} needs either a string 'judgments', or 'data' (texts with judgments)")
    allowed = ("judgments", "format", *FILES[2:]) if "data" in row else OF_DATA
    useless = next((key for key in allowed if key in row), None)
    if useless is not None:
        raise InputError(f"{where}: '{useless}' is for sets {'without' if 'data' in row else 'with'} 'data'")
    for text in _listed(row.get("where", [])):
        Condition.of(text)
    for key, choices in (("measure", list(OBJECTIVES)), ("own_references", list(OWN_REFERENCES))):
        if key in row:
            checks.choice(key, row[key], choices)
    if not 0 < row.get("weight", 1) < np.inf:
        raise InputError(f"{where}: the weight must be a number above 0, not {row['weight']}")


def _judgments(place: Path, row: dict[str, Any]) -> Judgments | JudgedTexts:
    if "data" in row:
        return read_judged_texts(
            place.parent / row["data"],
            where=_listed(row.get("where", [])),
            human=_listed(row.get("human", [])),
            own_references=row.get("own_references", "keep"),
        )
    file = str(place.parent / row["judgments"])
    return formats.read(file, row.get("format"), language_pair=row.get("language_pair"))


def _read(
    place: Path,
    row: dict[str, Any],
    judged: Judgments | JudgedTexts,
    meteor: Meteor,
    main: Meteor,
    cache: Path | None,
) -> DataSet:
    def path(name: str) -> str:
        return str(place.parent / name)

    labels = {key: row[key] for key in LABELS if key in row}
    if isinstance(judged, JudgedTexts):
        (hypotheses,) = judged.texts.hypotheses.values()
        rows, counts = _counted(meteor, main, hypotheses, judged.texts.references, cache)
        return DataSet.of(row["name"], judged.judgments, rows, judged.places, counts, **labels)
    if "statistics" in row:
        if "rows" not in row:
            raise InputError(f"{place}: set {row['name']} has statistics, but no 'rows'")
        rows = read_statistics(path(row["statistics"]))
        places = {key: k for k, key in enumerate(_row_names(path(row["rows"])))}
        if len(places) != len(rows):
            raise InputError(f"{path(row['rows'])} names {len(places)} rows, the statistics have {len(rows)}")
        return DataSet.of(row["name"], judged, rows, places, **labels)
    if "hypotheses" not in row:
        raise InputError(f"{place}: set {row['name']} needs hypotheses and references, or statistics")
    texts = read_texts(
        [path(name) for name in _listed(row["hypotheses"])],
        [path(name) for name in _listed(row.get("references", []))],
    ).only(judged.systems)
    names = [(system, segment) for system in texts.systems for segment in texts.segments]
    rows, counts = _counted(
        meteor,
        main,
        list(chain.from_iterable(texts.hypotheses.values())),
        texts.references * len(texts.systems),
        cache,
    )
    return DataSet.of(row["name"], judged, rows, {key: k for k, key in enumerate(names)}, counts, **labels)


def _counted(
    meteor: Meteor,
    main: Meteor,
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    cache: Path | None,
) -> tuple[Statistics, list[int]]:
    """The statistics of texts, and their number of rows each: one per reference, because the best one depends
    on the parameters; or one, if the scorer counts all references together."""
    if meteor.settings.references != "best":
        rows = _cached(meteor, list(hypotheses), references, cache)
        counts = [1] * len(hypotheses)
    else:
        counts = [len(each) for each in references]
        repeated = [text for text, count in zip(hypotheses, counts, strict=True) for _ in range(count)]
        rows = _cached(meteor, repeated, list(chain.from_iterable(references)), cache)
    return _spread(rows, meteor.modules, main.modules), counts


def _spread(rows: Statistics, own: Sequence[str], modules: Sequence[str]) -> Statistics:
    """The rows with the columns of these modules. Modules that a language lacks match nothing."""
    if tuple(own) == tuple(modules):
        return rows
    names = columns(modules)
    found = np.zeros((len(rows), len(names)), dtype=rows.dtype)
    found[:, [names.index(name) for name in columns(own)]] = rows
    return found


def read_statistics(path: str) -> Statistics:
    """Reads rows of statistics in the format of NumPy or Java."""
    if path.endswith((".npy", ".npz")):
        return _array(path)
    found = []
    for number, line in enumerate(read_lines(path, whole=True), 1):
        try:
            found.append([float(word) for word in line.split()])
        except ValueError:
            raise InputError(f"{path}, line {number}: statistics must be numbers, not '{line}'") from None
        if len(found[-1]) != len(found[0]):
            raise InputError(
                f"{path}, line {number}: {len(found[-1])} numbers, but line 1 has {len(found[0])}"
            )
    return _checked(path, np.array(found)).astype(np.int64)


def _array(path: str) -> Statistics:
    try:
        with Path(path).open("rb") as stream:
            check_archive(stream)
            found = np.load(stream, allow_pickle=False)
            if not isinstance(found, np.ndarray):  # an archive
                found = found["stats" if "stats" in found else found.files[0]]
    except Exception as error:  # NumPy raises many kinds of errors for damaged files
        raise InputError(f"cannot read statistics from {path}: {reason(error)}") from None
    return _checked(path, found)


def _checked(path: str, rows: Any) -> Statistics:
    """Fails if there is a value that no statistics have."""
    if rows.dtype.kind not in "iuf" or not (np.abs(rows, dtype=np.float64) <= _LARGEST).all():
        raise InputError(f"{path}: statistics must be numbers of at most {_LARGEST:,}")
    return np.asarray(rows)


def _row_names(path: str) -> list[tuple[str, str]]:
    source = formats.table(path)
    rows = source.rows()
    header = formats.Header(source, rows)
    system, segment = header.column(formats.SYSTEM), header.column(formats.SEGMENT)
    return [(row[system], row[segment]) for row in header.checked(rows)]


def _cached(
    meteor: Meteor, hypotheses: list[str], references: Sequence[Any], cache: Path | None
) -> Statistics:
    if cache is None:
        return meteor.statistics(hypotheses, references)
    digest = hashlib.sha256(meteor.get_signature().encode())
    for text in (*hypotheses, "", *_lines(references)):
        digest.update(text.encode("utf-8", "surrogatepass") + b"\n")
    file = cache / f"{digest.hexdigest()}.npy"
    if file.exists():
        remove_leftovers(cache)  # no file is written here, which would do it
        return read_statistics(str(file))
    found = meteor.statistics(hypotheses, references)
    cache.mkdir(parents=True, exist_ok=True)
    with atomic_path(file) as new:
        np.save(new, found)
    return found


def _lines(references: Sequence[Any]) -> Iterator[str]:
    """References as lines: those of each text, after their number if it is not one."""
    for each in references:
        yield from [each] if isinstance(each, str) else [f"{len(each)} references", *each]
