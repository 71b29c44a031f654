"""Converts Meteor's text files to sorted arrays.

    function words   one per line, without comments or trimming, as in Java
    prefixes         one per line; `#` starts a comment; `No #NUMERIC_ONLY#` is valid before a digit only
    synsets          pairs of lines: a word, then its synset ids; the last entry for a word is used
    exceptions       pairs of lines: a base form, then its irregular forms
    paraphrases      gzip; three lines per entry: probability, left phrase, right phrase (for the core)

A list of words becomes two arrays, `bytes` and `offsets`: word k is bytes[offsets[k]:offsets[k+1]] in UTF-8.
Words are sorted by bytes and unique.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from bolide.errors import ResourceError

LONGEST = 1 << 20  # bytes of a line of a table of paraphrases, about; a phrase has at most 255 words

PackArrays = dict[str, npt.NDArray[Any]]

_END_OF_LINE = re.compile("\r\n|\r|\n")  # as in Java; str.splitlines would also split at U+2028 and others
_NUMERIC_ONLY = "#NUMERIC_ONLY#"


def lines(data: bytes, where: str) -> list[str]:
    """The lines of a UTF-8 file; `where` names it in errors."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _not_utf8(where, data.count(b"\n", 0, error.start) + 1) from None
    found = _END_OF_LINE.split(text)
    return found[:-1] if not found[-1] else found


def checked_text(chunks: Iterable[bytes], where: str) -> Iterator[bytes]:
    """Yields the pieces of a file unchanged, and checks that they are UTF-8 and have lines."""
    decoder, number, length = codecs.getincrementaldecoder("utf-8")(), 1, 0
    try:
        for chunk in chunks:
            length = length + len(chunk) if b"\n" not in chunk else len(chunk) - chunk.rindex(b"\n") - 1
            if length > LONGEST:
                raise too_long(where, number + chunk.count(b"\n"))
            decoder.decode(chunk)
            yield chunk
            number += chunk.count(b"\n")
        decoder.decode(b"", final=True)
    except UnicodeDecodeError as error:
        raise _not_utf8(where, number + error.object.count(b"\n", 0, error.start)) from None


def too_long(where: str, line: int) -> ResourceError:
    return ResourceError(f"{where}, line {line}: longer than {LONGEST:,} bytes; is it the right file?")


def _not_utf8(where: str, line: int) -> ResourceError:
    return ResourceError(f"{where}, line {line}: not valid UTF-8; convert the file")


def function_words(data: bytes, where: str) -> list[str]:
    return [line for line in lines(data, where) if line]


def prefixes(data: bytes, where: str) -> tuple[list[str], list[str]]:
    """The prefixes that never end a sentence, and those that do not end one before a digit."""
    always: list[str] = []
    numeric: list[str] = []
    for line in lines(data, where):
        text = line.strip()
        if text and not text.startswith("#"):
            word, marker, _ = text.partition(_NUMERIC_ONLY)
            (numeric if marker else always).append(word.strip())
    return always, numeric


def word_arrays(words: Iterable[str]) -> PackArrays:
    """Converts a list of words to `bytes` and `offsets`."""
    encoded = sorted({word.encode("utf-8") for word in words})
    return {"bytes": np.frombuffer(b"".join(encoded), np.uint8), "offsets": list_offsets(map(len, encoded))}


def words_of(data: npt.NDArray[Any], offsets: npt.NDArray[Any]) -> list[str]:
    """Converts `bytes` and `offsets` back to words."""
    text, bounds = data.tobytes(), offsets.tolist()
    return [text[start:end].decode("utf-8") for start, end in pairwise(bounds)]


def synonyms(synsets: Sequence[str], exceptions: Sequence[str], where: Sequence[str]) -> PackArrays:
    """The arrays of `SynonymArrays`, word lists with a dot in their names ("words.bytes")."""
    ids = _synset_ids(synsets, where[0])
    bases = _bases_by_form(exceptions, where[1])
    return {**synset_arrays(ids), **exception_arrays(bases)}


def synset_arrays(ids: Mapping[str, Sequence[int]]) -> PackArrays:
    """Words and their synsets: the arrays of `SynsetArrays`."""
    words = sorted_words(ids)
    return {
        **named("words", word_arrays(words)),
        "offsets": list_offsets(len(ids[word]) for word in words),
        "ids": np.fromiter((k for word in words for k in ids[word]), np.int32),
    }


def exception_arrays(bases: Mapping[str, Sequence[str]]) -> PackArrays:
    """Irregular forms and their base forms."""
    forms = sorted_words(bases)
    base_words = sorted_words({base for found in bases.values() for base in found})
    number = {base: k for k, base in enumerate(base_words)}
    return {
        **named("exceptions", word_arrays(forms)),
        "exception_offsets": list_offsets(len(bases[form]) for form in forms),
        "exception_bases": np.fromiter((number[base] for form in forms for base in bases[form]), np.int32),
        **named("bases", word_arrays(base_words)),
    }


def _synset_ids(text: Sequence[str], where: str) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for number, word, listed in _pairs(text, where):
        try:
            found[word] = [int(np.int32(int(part))) for part in listed.split()]
        except (ValueError, OverflowError):
            raise ResourceError(f"{where}, line {number + 1}: {listed!r} are not synset ids") from None
    return found


def _bases_by_form(text: Sequence[str], where: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for _, base, forms in _pairs(text, where):
        for form in forms.split():
            bases = found.setdefault(form, [])
            if base not in bases:
                bases.append(base)
    return found


def _pairs(text: Sequence[str], where: str) -> Iterable[tuple[int, str, str]]:
    """For each pair of lines: the number of the first line, and both lines."""
    if len(text) % 2:
        raise ResourceError(
            f"{where}, line {len(text)}: the last entry lacks its second line; is the file complete?"
        )
    return zip(range(1, len(text), 2), text[0::2], text[1::2], strict=True)


def sorted_words(words: Iterable[str]) -> list[str]:
    return sorted(words, key=lambda word: word.encode("utf-8"))


def list_offsets(lengths: Iterable[int]) -> npt.NDArray[np.uint32]:
    return np.fromiter(accumulate(lengths, initial=0), np.uint32)


def named(name: str, arrays: PackArrays) -> PackArrays:
    """The same arrays with a prefix: "bytes" becomes "words.bytes"."""
    return {f"{name}.{key}": array for key, array in arrays.items()}
