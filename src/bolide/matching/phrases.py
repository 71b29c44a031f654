"""Custom phrases: a matcher of phrase pairs from a table.

    Meteor(modules=["exact", "stem", Phrases([("a lot of", "many"), ("at once", "immediately")], weight=0.6)])

A table may also come from a file, plain or gzipped, in one of three formats, recognised by the first line:

    0.25                     as Meteor's tables: probability (not used), left phrase, right phrase, three
    a lot of                 lines per pair
    many

    a lot of ||| many        one pair per line

    a lot of <tab> many      one pair per line

A pair works in both directions, as in Meteor's tables: either side may be in the hypothesis. Phrases are
lower-cased and split at white space. Their words must be words as the scorer sees them: with its tokeniser
"don't" is "don 't" (`Meteor.normalized` shows this).
"""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, ClassVar

from bolide import _core
from bolide.errors import BolideError, InputError
from bolide.inputs.files import LimitedLines, reason
from bolide.matching.matchers import KeyArrays, one_or_none

LONGEST = 255  # words of a phrase, the limit of the core
PIECE = 1 << 20  # characters of a file that are read at a time, about

PhraseArrays = dict[str, Any]  # the arrays of a phrase table, by name
_ORDER = ("words.bytes", "words.offsets", "nodes", "starts", "entries")


class Phrases:
    """A matcher of phrase pairs, given as pairs or as a file. It is immutable and can be pickled."""

    kind: ClassVar[str] = "phrase"

    def __init__(
        self,
        source: str | os.PathLike[str] | Iterable[tuple[str, str]],
        *,
        name: str = "phrases",
        weight: float | None = None,
    ) -> None:
        if not isinstance(source, (str, os.PathLike)):
            arrays = _from_pairs(source)
        else:
            path = Path(source)
            with reading("phrases", path), open_text(path) as file:
                arrays = _read(file, path)
        self._set(arrays, name, weight)

    def _set(self, arrays: PhraseArrays, name: str, weight: float | None) -> None:
        self._arrays = arrays
        self.name = name
        self.weight = weight
        self.table = _core.PhraseTable(*(arrays[key] for key in _ORDER))
        digest = hashlib.sha256()
        for key in _ORDER:
            digest.update(arrays[key].data)
        self.hash = digest.hexdigest()[:8]

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (self._arrays, self.name, self.weight)

    def __repr__(self) -> str:
        return f"<Phrases {self.name} {self.hash}>"

    @property
    def resource(self) -> _core.PhraseTable:
        return self.table

    def columns(self, words: list[str]) -> list[KeyArrays]:
        """The number of each word in the table."""
        return [one_or_none(self.table.words.find(words))]


def _rebuild(arrays: PhraseArrays, name: str, weight: float | None) -> Phrases:
    phrases = Phrases.__new__(Phrases)
    phrases._set(arrays, name, weight)
    return phrases


def _from_pairs(pairs: Iterable[tuple[str, str]]) -> PhraseArrays:
    builder = _core.PhraseTableBuilder()
    if not isinstance(pairs, Iterable):
        raise InputError(f"phrases must be pairs of phrases or a file, not {pairs!r}")
    for number, pair in enumerate(pairs, 1):
        fits = isinstance(pair, (tuple, list)) and len(pair) == 2 and all(isinstance(p, str) for p in pair)
        if not fits:
            raise InputError(f"phrase pair {number} must be two strings, not {pair!r}")
        _add(builder, *pair, where=f"phrase pair {number}")
    return _finish(builder, "phrases")


def _add(builder: _core.PhraseTableBuilder, left: str, right: str, *, where: str) -> None:
    phrases = [_core.split(side.lower()) if _is_text(side) else None for side in (left, right)]
    for side, words in zip((left, right), phrases, strict=True):
        if words is None:
            raise InputError(f"{where}: {side!r} has a lone surrogate, which is not a character")
        if not words:
            raise InputError(f"{where}: a phrase has no words")
        if len(words) > LONGEST:
            raise InputError(f"{where}: a phrase has {len(words)} words; the longest allowed has {LONGEST}")
    builder.add(*(" ".join(words or ()) for words in phrases))


def _is_text(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _finish(builder: _core.PhraseTableBuilder, where: str) -> PhraseArrays:
    if builder.entries == 0:
        raise InputError(f"{where}: no phrase pairs")
    return builder.finish()


# ---- files ---------------------------------------------------------------------------------------


@contextmanager
def reading(what: str, path: Path) -> Iterator[None]:
    """Turns errors while a file is read into an `InputError` that names the file."""
    try:
        yield
    except BolideError:
        raise
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"cannot read {what} from {path}: {reason(error)}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 ({error.reason})") from None


def _read(file: IO[str], path: Path) -> PhraseArrays:
    builder = _core.PhraseTableBuilder()
    first = file.readline()
    separator = next((mark for mark in ("|||", "\t") if mark in first), None)
    file.seek(0)
    if separator is None:
        try:
            for piece in _pieces(file):
                builder.feed(piece.lower().encode())
            arrays = builder.finish()
        except ValueError as error:
            expected = (
                "a table has lines 'left ||| right', tab-separated pairs, or three lines per pair as Meteor's"
            )
            raise InputError(f"{path}: {error}; {expected}") from None
        if builder.entries == 0:
            raise InputError(f"{path}: no phrase pairs")
        return arrays
    for number, line in enumerate(file, 1):
        if not line.strip():
            continue
        sides = line.split(separator)
        where = f"{path}: line {number}"
        if len(sides) != 2:
            shown = "|||" if separator == "|||" else "a tab"
            raise InputError(f"{where}: expected two phrases with {shown} between them, found {len(sides)}")
        _add(builder, *sides, where=where)
    return _finish(builder, str(path))


def _pieces(file: IO[str]) -> Iterator[str]:
    """The text in pieces of whole lines, so that lower-casing sees whole words."""
    while lines := file.readlines(PIECE):
        yield "".join(lines)


def open_text(path: Path) -> IO[str]:
    """Opens a text file, plain or gzipped, as its first bytes tell. Lines end with LF."""
    with path.open("rb") as file:
        zipped = file.read(2) == b"\x1f\x8b"
    stream: Any = (gzip.open if zipped else Path.open)(path, "rb")
    lines = io.BufferedReader(LimitedLines(stream, str(path)), 1 << 16)
    return io.TextIOWrapper(lines, encoding="utf-8", newline="\n")
