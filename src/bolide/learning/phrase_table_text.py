"""Reads and writes phrase tables as text: `source ||| target ||| scores ||| alignment ||| counts`.

Arrow splits blocks of lines and parses their numbers, column by column. If that fails, a slow reader checks
the lines one by one, and reports the first error.

A grammar of cdec has a symbol before the phrases, and names before the scores. Scores are −log10 of
probabilities, or log10 of one plus a count (`FEATURES`):

    [X] ||| le chat ||| the cat ||| EgivenFCoherent=0.30103 SampleCountF=0.47712 CountEF=0.30103 ||| 0-0 1-1

It has no p(s|t), which is computed from the counts if necessary. Rules with gaps are left out.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np

from bolide._support.arrays import Floats
from bolide._support.extras import extra
from bolide.errors import InputError
from bolide.inputs.files import Stream, shown
from bolide.inputs.line_reader import MARK, remedy

SEPARATOR = "|||"
EXPECTED = "expected: source ||| target ||| p(s|t) lex(s|t) p(t|s) lex(t|s)"
BLOCK = 1 << 22  # bytes
LONGEST = 1 << 20  # bytes of a line
LEVEL = 4  # of gzip: a third of the time of level 6, with files 7% larger
# Largest probability: the program that made a table may round to a little more than 1.
LARGEST = 1 + 1e-4
# Scores in their order, and counts.
SCORES = (
    "p_source_given_target",
    "lex_source_given_target",
    "p_target_given_source",
    "lex_target_given_source",
)
PROBABILITIES = (SCORES[0], SCORES[2])  # required
COUNTS = ("count_target", "count_source", "count_joint")

PhraseColumns = dict[str, Any]


def _probability(score: Floats) -> Floats:
    return np.asarray(np.power(10.0, -score))


def _count(score: Floats) -> Floats:
    return np.asarray(np.rint(np.power(10.0, score) - 1))


# Names in cdec: the column of each, and how it is computed.
FEATURES: dict[str, tuple[str, Callable[[Floats], Floats]]] = {
    "EgivenF": ("p_target_given_source", _probability),
    "EgivenFCoherent": ("p_target_given_source", _probability),
    "FgivenE": ("p_source_given_target", _probability),
    "MaxLexEgivenF": ("lex_target_given_source", _probability),
    "MaxLexFgivenE": ("lex_source_given_target", _probability),
    "CountEF": ("count_joint", _count),
    "SampleCountF": ("count_source", _count),
}
# A gap, such as [X,1], with the start of its word: without that, many brackets would take quadratic time.
GAP = r"(?:^|[ \],])[^ \],\[]*\[[^ \],]+,[0-9]+\]"


def blocks(name: str) -> Iterator[tuple[int, PhraseColumns]]:
    """Yields the columns of blocks of lines, with the number of their first line."""
    with extra("learning"):
        import pyarrow
    with Stream(name) as stream:
        first, cdec = 1, False
        for block in _whole_lines(stream, name):
            cdec = cdec if first > 1 else block.startswith(b"[")
            try:
                count, columns = _parse(block, cdec, first)
            except (pyarrow.ArrowInvalid, _UnlikeATableError) as error:
                raise _first_mistake(block, name, first, cdec) or InputError(f"{name}: {error}") from None
            yield first, columns
            first += count


def _whole_lines(stream: Stream, name: str) -> Iterator[bytes]:
    block = _some(stream)
    read, block = len(block), block.removeprefix(MARK)
    while read == BLOCK:
        end = block.rfind(b"\n") + 1
        if len(block) - end > LONGEST:
            raise InputError(f"{shown(name)} has a line of more than {LONGEST:,} bytes; is it text?")
        if end:
            yield block[:end]
        more = _some(stream)
        read, block = len(more), block[end:] + more
    if block:
        yield block


def _some(stream: Stream) -> bytes:
    """Reads a whole block; fewer bytes only at the end."""
    pieces, missing = [], BLOCK
    while missing > 0 and (piece := stream.read(missing)):
        pieces.append(piece)
        missing -= len(piece)
    return b"".join(pieces)


class _UnlikeATableError(Exception):
    """A line that is not in the format of a phrase table."""


def _check(fine: Any) -> None:
    if not fine:
        raise _UnlikeATableError(EXPECTED)


def _parse(block: bytes, cdec: bool, first: int) -> tuple[int, PhraseColumns]:
    """The number of lines, and their columns."""
    import pyarrow
    import pyarrow.compute as compute

    columns: PhraseColumns = {}
    whole = pyarrow.array([block.removesuffix(b"\n")], pyarrow.binary()).cast(pyarrow.string())
    lines = compute.split_pattern(whole, "\n").flatten()
    count = len(lines)
    if cdec:
        with_gap = compute.match_substring_regex(lines, GAP).to_numpy(zero_copy_only=False)
        kept = np.flatnonzero(~with_gap)
        lines = lines.take(pyarrow.array(kept))
        columns["line"] = kept + first
    fields = _Fields(compute.split_pattern(lines, SEPARATOR), passed_over=int(cdec))
    for place, side in enumerate(("source", "target")):
        columns[side] = fields.field(place)
        _check(columns[side].null_count == 0)
    scores = fields.field(2)
    _check(scores.null_count == 0)
    columns |= _named_scores(scores) if cdec else _numbers(scores, SCORES, at_least=3)
    for column in PROBABILITIES:
        if column in columns:
            _check(np.all((columns[column] >= 0) & (columns[column] <= LARGEST)))
    columns["alignment"] = fields.field(3)
    counts = fields.field(4)
    if not cdec and counts.null_count < len(counts):
        columns |= _numbers(counts, COUNTS)
    return count, columns


class _Fields:
    """The fields between the separators of each line, without surrounding spaces."""

    def __init__(self, lists: Any, passed_over: int) -> None:
        self._offsets = lists.offsets.to_numpy().astype(np.int64)[:-1] + passed_over
        self._counts = np.diff(lists.offsets.to_numpy()) - passed_over
        self._flat = _tidy(lists.flatten())

    def field(self, place: int) -> Any:
        """One field of all lines, by its position; null if it is missing or empty."""
        import pyarrow
        import pyarrow.compute as compute

        found = self._flat.take(pyarrow.array(self._offsets + place, mask=self._counts <= place))
        return compute.if_else(compute.equal(found, ""), pyarrow.scalar(None, found.type), found)


def _tidy(texts: Any) -> Any:
    """Replaces white space by single spaces."""
    import pyarrow.compute as compute

    texts = compute.ascii_trim_whitespace(texts)
    if compute.any(compute.match_substring_regex(texts, r"  |[\t\f\r]")).as_py():
        texts = compute.replace_substring_regex(texts, r"[ \t\f\r]+", " ")
    return texts


def _numbers(texts: Any, names: tuple[str, ...], at_least: int = 0) -> PhraseColumns:
    """Numbers separated by spaces, as columns; NaN for missing ones."""
    import pyarrow
    import pyarrow.compute as compute

    lists = compute.split_pattern(compute.fill_null(texts, ""), " ")
    flat = lists.flatten()
    flat = compute.if_else(compute.equal(flat, ""), pyarrow.scalar(None, flat.type), flat)
    values = np.append(flat.cast(pyarrow.float64()).to_numpy(zero_copy_only=False), np.nan)
    offsets = lists.offsets.to_numpy().astype(np.int64)
    counts = np.diff(offsets)
    _check(len(counts) == 0 or counts.min() >= at_least)
    places = {name: np.where(counts > k, offsets[:-1] + k, len(values) - 1) for k, name in enumerate(names)}
    return {name: values[where] for name, where in places.items()}


def _named_scores(texts: Any) -> PhraseColumns:
    """The scores of cdec."""
    import pyarrow
    import pyarrow.compute as compute

    found: PhraseColumns = {}
    for name, (column, value) in FEATURES.items():
        matched = compute.extract_regex(texts, f"(?:^| ){name}=(?P<score>[^ ]+)")
        if matched.null_count < len(matched):
            scores = compute.struct_field(matched, "score").cast(pyarrow.float64())
            found[column] = value(scores.to_numpy(zero_copy_only=False))
    _check("p_target_given_source" in found or len(texts) == 0)
    return found


# ---- errors --------------------------------------------------------------------------------------


def _first_mistake(block: bytes, name: str, first: int, cdec: bool) -> InputError | None:
    """The error of the first wrong line."""
    where = shown(name)
    for number, line in enumerate(block.removesuffix(b"\n").split(b"\n"), first):
        try:
            problem = _problem(line.decode("utf-8"), cdec)
        except UnicodeDecodeError as error:
            byte = f"byte 0x{line[error.start]:02x} at column {error.start + 1}"
            problem = f"not UTF-8 ({byte}); {remedy(block)}"
        if problem:
            return InputError(f"{where}, line {number}: {problem}")
    return None


def _problem(line: str, cdec: bool) -> str | None:
    fields = [field.strip() for field in line.split(SEPARATOR)][int(cdec) :]
    if cdec and re.search(GAP, line):
        return None
    if len(fields) < 3:
        return f"{EXPECTED}; found {_cut(line)!r}"
    if not all(fields[:2]):
        return f"the {'target' if fields[0] else 'source'} phrase has no words"
    scores = fields[2].split()
    if cdec:
        return _problem_of_features(scores)
    if len(scores) < 3:
        return f"{len(scores)} scores; {EXPECTED}"
    wrong = next((score for score in (scores[0], scores[2]) if not _is_probability(score)), None)
    if wrong is not None:
        return f"{_cut(wrong)!r} is not a probability (0 to 1); {EXPECTED}"
    counts = fields[4].split() if len(fields) > 4 else []
    wrong = next((count for count in [*scores, *counts] if _number(count) is None), None)
    return None if wrong is None else f"{_cut(wrong)!r} is not a number; {EXPECTED}"


def _problem_of_features(scores: list[str]) -> str | None:
    features = dict(score.partition("=")[::2] for score in scores)
    wrong = next((key for key in FEATURES if key in features and _number(features[key]) is None), None)
    if wrong is not None:
        return f"{wrong}={_cut(features[wrong])} is not a number"
    wanted = [key for key, (column, _) in FEATURES.items() if column == "p_target_given_source"]
    if not any(key in features for key in wanted):
        return f"a grammar of cdec needs the feature {' or '.join(wanted)}"
    wrong = next(
        (key for key in (*wanted, "FgivenE") if not (_number(features.get(key, "0")) or 0) >= 0), None
    )
    return None if wrong is None else f"{wrong}={features[wrong]} is not −log10 of a probability"


def _is_probability(text: str) -> bool:
    return 0 <= (_number(text) or 0) <= LARGEST and _number(text) is not None


def _number(text: str) -> float | None:
    """The number, or None. NaN is None, too."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if value == value and "_" not in text else None


def _cut(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."


# ---- writing -------------------------------------------------------------------------------------


def _open_plain(path: Path) -> IO[bytes]:
    return path.open("wb")


@contextmanager
def _gzip(path: Path) -> Iterator[IO[bytes]]:
    """Gzip without name and time in the header, so that equal tables are equal files."""
    with path.open("wb") as raw, gzip.GzipFile("", "wb", LEVEL, raw, mtime=0) as stream:
        yield stream  # type: ignore[misc]


WRITERS: dict[str, Callable[[Path], Any]] = {"": _open_plain, ".txt": _open_plain, ".gz": _gzip}


def open_to_write(path: Path) -> Any:
    """Opens a new text file, compressed if its name ends in .gz."""
    return WRITERS.get(path.suffix, _open_plain)(path)


def write(rows: Iterable[Any], path: Path) -> int:
    """Writes record batches in the format of Moses, and returns the number of lines. An unknown lexical
    weight is written as 1, which does not change products."""
    count = 0
    with open_to_write(path) as stream:
        for each in rows:
            for batch in each.to_batches() if hasattr(each, "to_batches") else [each]:
                write_lines(stream, _lines(batch))
                count += batch.num_rows
    return count


def write_lines(stream: Any, texts: Any) -> None:
    """Writes an array of texts, one per line."""
    if len(texts):
        stream.write("\n".join(texts.to_pylist()).encode())
        stream.write(b"\n")


def _lines(batch: Any) -> Any:
    import pyarrow.compute as compute

    if batch.column("p_source_given_target").null_count:
        raise InputError("this table has no p(s|t), which the format of Moses needs; write Parquet instead")
    counts, scores = _joined(batch, COUNTS, ""), _joined(batch, SCORES, "1")
    fields = [batch.column("source"), batch.column("target"), scores]
    counted = batch.column("count_target").null_count < batch.num_rows
    if counted or batch.column("alignment").null_count < batch.num_rows:
        fields.append(compute.fill_null(batch.column("alignment"), ""))
    if counted:
        fields.append(counts)
    return compute.binary_join_element_wise(*fields, f" {SEPARATOR} ")


def _joined(batch: Any, names: tuple[str, ...], unknown: str) -> Any:
    import pyarrow.compute as compute

    texts = (compute.fill_null(batch.column(name).cast("string"), unknown) for name in names)
    return compute.ascii_rtrim_whitespace(compute.binary_join_element_wise(*texts, " "))
