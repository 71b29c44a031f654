"""Generated phrase tables of any size, and texts to go with them.

They have invented words, frequent and rare ones, phrases with symbols, counts as in a corpus, and
probabilities with six digits, as Moses writes them.

    python -m tests.support.phrase_tables 1000000 FOLDER     writes phrase-table.gz, pivot.txt, target.txt
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow
import pyarrow.compute as compute

Integers = npt.NDArray[np.int64]
SYLLABLES = ["ka", "lo", "mi", "ru", "te", "sa", "no", "vé", "zu", "pi", "ä", "ö"]
ODD = [",", ".", "&apos;s", "co-lo", "mi.", "@-@", "(", "%", "ru'", "...", "]", "\\", "^"]
BLOCK = 1 << 17


class Side(NamedTuple):
    """The phrases of one language, and its words, the most frequent first."""

    phrases: Any
    words: list[str]


def _words(count: int, random: np.random.Generator, ending: str) -> list[str]:
    """Distinct words; some of the first hundred are symbols or numbers."""
    made: dict[str, None] = {}
    while len(made) < count:
        lengths = random.integers(1, 6, count)
        letters = random.integers(0, len(SYLLABLES), (count, 5))
        made |= dict.fromkeys(
            "".join(SYLLABLES[k] for k in row[:length]) + ending
            for row, length in zip(letters.tolist(), lengths.tolist(), strict=True)
        )
    words = list(made)[:count]
    for place, odd in zip(range(6, count, 40), ODD, strict=False):
        words[place] = odd
    return words


def _zipf(random: np.random.Generator, shape: Any, count: int) -> Integers:
    """Numbers below `count`; the k-th has a frequency of about 1/k."""
    drawn = np.power(float(count), random.random(shape)).astype(np.int64) - 1
    return np.asarray(np.minimum(drawn, count - 1))


def _side(count: int, random: np.random.Generator, ending: str) -> Side:
    words = _words(max(3_000, min(count // 4, 200_000)), random, ending)
    known = pyarrow.array(words)
    empty = pyarrow.array([""])
    found = []
    for _ in range(0, count, BLOCK):
        drawn = _zipf(random, (4, BLOCK), len(words))
        lengths = random.integers(1, 5, BLOCK)
        columns = [
            compute.if_else(pyarrow.array(lengths > place), known.take(pyarrow.array(drawn[place])), empty[0])
            for place in range(4)
        ]
        found.append(compute.ascii_rtrim_whitespace(compute.binary_join_element_wise(*columns, " ")))
    phrases = compute.unique(pyarrow.chunked_array(found))
    return Side(phrases[:count], words)


def _links(lines: int, sources: int, targets: int, random: np.random.Generator) -> tuple[Integers, Integers]:
    """Pairs of phrases that translate each other: neighbours, so that they share translations."""
    source = (sources * random.random(lines) ** 2).astype(np.int64)
    away = np.minimum(random.pareto(0.7, lines) * 2, targets).astype(np.int64)
    target = (source * targets // sources + away) % targets
    pairs = np.unique(source * targets + target)
    return pairs // targets, pairs % targets


def _digits(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Six significant digits."""
    scale = np.power(10.0, 5 - np.floor(np.log10(values)))
    return np.asarray(np.rint(values * scale) / scale)


def batches(lines: int, seed: int = 1) -> Iterator[Any]:
    """About `lines` entries, sorted by source, with the columns of `bolide.learning.phrase_table`."""
    from bolide.learning import phrase_table

    random = np.random.default_rng(seed)
    size = max(lines // 4, 20)
    source_side, target_side = _side(size, random, ""), _side(size, random, "e")
    source, target = _links(lines, len(source_side.phrases), len(target_side.phrases), random)
    counts = random.geometric(0.4, len(source)).astype(np.float64)
    of_source = np.bincount(source, counts)
    of_target = np.bincount(target, counts)
    schema = phrase_table.schema()
    for start in range(0, len(source), BLOCK):
        f, e, c = (column[start : start + BLOCK] for column in (source, target, counts))
        values = {
            "source": source_side.phrases.take(pyarrow.array(f)),
            "target": target_side.phrases.take(pyarrow.array(e)),
            "p_source_given_target": _digits(c / of_target[e]),
            "lex_source_given_target": np.full(len(c), 0.5),
            "p_target_given_source": _digits(c / of_source[f]),
            "lex_target_given_source": np.full(len(c), 0.5),
            "alignment": pyarrow.array(["0-0"] * len(c)),
            "count_source": of_source[f],
            "count_target": of_target[e],
            "count_joint": c,
            "line": np.arange(start + 1, start + 1 + len(c)),
        }
        columns = [
            column.combine_chunks() if isinstance(column, pyarrow.ChunkedArray) else pyarrow.array(column)
            for column in (values[field.name] for field in schema)
        ]
        yield pyarrow.record_batch(columns, schema=schema)


def text(lines: int, seed: int, ending: str) -> Iterator[str]:
    """Text with the words of one side, by their frequency, ten per line."""
    random = np.random.default_rng(seed)
    words = _side(max(lines, 20), np.random.default_rng(seed), ending).words
    for row in _zipf(random, (lines, 10), len(words)).tolist():
        yield " ".join(words[k] for k in row)


class Files(NamedTuple):
    """A table, and a text in each of its languages."""

    table: Path
    pivot: Path
    target: Path


def write(folder: Path, lines: int, seed: int = 1) -> Files:
    """Write the table and its texts. Every second target phrase is in the text."""
    from bolide.learning import phrase_table

    files = Files(*(folder / name for name in ("phrase-table.gz", "pivot.txt", "target.txt")))
    words: dict[Path, list[str]] = {files.pivot: [], files.target: []}

    def seen() -> Iterator[Any]:
        for batch in batches(lines, seed):
            words[files.pivot] += batch.column("source").to_pylist()[::2]
            words[files.target] += batch.column("target").to_pylist()[::2]
            yield batch

    phrase_table.write(seen(), files.table)
    for path, phrases in words.items():
        joined = (" ".join(phrases[k : k + 4]) for k in range(0, len(phrases), 4))
        path.write_text("".join(f"{line}\n" for line in joined), encoding="utf-8", newline="\n")
    return files


if __name__ == "__main__":
    write(Path(sys.argv[2]), int(sys.argv[1]))
