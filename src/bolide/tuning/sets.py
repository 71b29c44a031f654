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
-ssOut; `rows` is a table with the columns system and segid for each row of statistics.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bolide._support import toml as _toml
from bolide._support.arrays import Statistics
from bolide._support.staging import remove_leftovers
from bolide._support.writing import atomic_path
from bolide.errors import InputError
from bolide.evaluation import formats
from bolide.evaluation.texts import read_texts
from bolide.inputs.files import check_readable
from bolide.inputs.text_files import read_lines
from bolide.scoring.meteor import Meteor
from bolide.tuning.data import DataSet

FILES = ("judgments", "hypotheses", "references", "statistics", "rows")
KEYS = ("name", "each", *FILES[:1], "format", *FILES[1:], "language_pair", "test_set")


@dataclass(frozen=True)
class SetList:
    """The data sets that a TOML file names, one table each."""

    place: Path
    rows: tuple[dict[str, Any], ...]

    def files(self) -> list[str]:
        found = []
        for row in self.rows:
            for key in FILES:
                names = row.get(key, [])
                found += [str(self.place.parent / n) for n in ([names] if isinstance(names, str) else names)]
        return found

    def read(self, meteor: Meteor, cache: Path | None = None) -> list[DataSet]:
        """Reads the data sets. `meteor` aligns the texts; the folder `cache` keeps their statistics, by the
        signature and the texts."""
        return [_read(self.place, row, meteor, cache) for row in self.rows]


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
    if set(table) != {"set"} or not isinstance(given, list) or not given:
        raise InputError(f"{place}: the file must have only tables [[set]], one per data set")
    found = SetList(place, tuple(row for each in given for row in _expanded(place, each)))
    check_readable([*dict.fromkeys(found.files())], [])
    return found


def _expanded(place: Path, row: dict[str, Any]) -> Iterator[dict[str, Any]]:
    wrong = next((key for key in row if key not in KEYS), None)
    if wrong is not None:
        raise InputError(f"{place}: unknown key '{wrong}' in a set; the keys are: {', '.join(KEYS)}")
    for key in ("name", "judgments"):
        if not isinstance(row.get(key), str):
            raise InputError(f"{place}: every set needs a string '{key}'")
    names = row.get("each", [""])
    for name in names:
        yield {
            key: [text.replace("{}", name) for text in value]
            if isinstance(value, list)
            else value.replace("{}", name)
            for key, value in row.items()
            if key != "each"
        }


def _read(place: Path, row: dict[str, Any], meteor: Meteor, cache: Path | None) -> DataSet:
    def path(name: str) -> str:
        return str(place.parent / name)

    judged = formats.read(path(row["judgments"]), row.get("format"), language_pair=row.get("language_pair"))
    labels = {key: row.get(key, "") for key in ("language_pair", "test_set")}
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
        [path(name) for name in row["hypotheses"]], [path(n) for n in row.get("references", ())]
    )
    texts = texts.only(judged.systems)
    counts = [len(each) for each in texts.references]
    places, start = {}, 0
    hypotheses, references = [], []
    for system, outputs in texts.hypotheses.items():
        for segment, output, of_segment in zip(texts.segments, outputs, texts.references, strict=True):
            places[system, segment], start = start, start + 1
            hypotheses += [output] * len(of_segment)
            references += of_segment
    rows = _cached(meteor, hypotheses, references, cache)
    return DataSet.of(row["name"], judged, rows, places, counts * len(texts.hypotheses), **labels)


def read_statistics(path: str) -> Statistics:
    """Reads rows of statistics in the format of NumPy or Java."""
    try:
        if path.endswith(".npy"):
            return np.asarray(np.load(path, allow_pickle=False))
        if path.endswith(".npz"):
            with np.load(path, allow_pickle=False) as file:
                return np.asarray(file["stats" if "stats" in file else file.files[0]])
    except (OSError, ValueError, IndexError) as error:
        raise InputError(f"cannot read statistics from {path}: {error}") from None
    found = []
    for number, line in enumerate(read_lines(path), 1):
        try:
            found.append([float(word) for word in line.split()])
        except ValueError:
            raise InputError(f"{path}, line {number}: statistics must be numbers, not '{line}'") from None
        if len(found[-1]) != len(found[0]):
            raise InputError(
                f"{path}, line {number}: {len(found[-1])} numbers, but line 1 has {len(found[0])}"
            )
    return np.array(found).astype(np.int64)


def _row_names(path: str) -> list[tuple[str, str]]:
    source = formats.table(path)
    rows = source.rows()
    header = formats.Header(source, rows)
    system, segment = header.column(formats.SYSTEM), header.column(formats.SEGMENT)
    return [(row[system], row[segment]) for row in header.checked(rows)]


def _cached(meteor: Meteor, hypotheses: list[str], references: list[str], cache: Path | None) -> Statistics:
    if cache is None:
        return meteor.statistics(hypotheses, references)
    digest = hashlib.sha256(meteor.get_signature().encode())
    for text in (*hypotheses, "", *references):
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
