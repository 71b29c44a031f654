"""Converts Princeton's WordNet files (wndb(5WN), folder `dict`) to the arrays of `DictionaryArrays`.

    index.noun   word, part, number of synsets, pointer symbols, ..., byte offsets of the synsets in data.noun
    data.noun    byte offset, file, kind, number of words (hex), each word with a number, ..., | gloss
    noun.exc     an irregular form and its base forms; the last line for a form is used, as in NLTK

The same holds for verb, adj and adv. Synsets are identified by the offset that the line states, not by its
position, so that files with other line ends can be read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from bolide.errors import ResourceError
from bolide.resources import formats
from bolide.resources.formats import PackArrays

if TYPE_CHECKING:
    from bolide.resources.distribution import Distribution

SUFFIXES = ("noun", "verb", "adj", "adv")  # in the order of dictionary.PARTS
FILES = tuple(name for suffix in SUFFIXES for name in (f"index.{suffix}", f"data.{suffix}", f"{suffix}.exc"))

_MARKER = re.compile(r"\([^()]*\)$")  # a syntactic marker: "galore(ip)"

T = TypeVar("T")


def compile_dictionary(distribution: Distribution) -> PackArrays:
    """The arrays of `DictionaryArrays`, word lists with a dot in their names ("words.bytes")."""
    synsets: list[list[str]] = []
    starts = [0]
    ids: dict[str, list[int]] = {}
    bases: dict[str, list[tuple[int, str]]] = {}
    for part, suffix in enumerate(SUFFIXES):
        numbers: dict[str, int] = {}  # of synsets, by their offsets
        for offset, names in _rows(distribution, f"data.{suffix}", _synset):
            numbers[offset] = len(synsets)
            synsets.append(names)
        starts.append(len(synsets))
        for word, offsets in _rows(distribution, f"index.{suffix}", _entry):
            if unknown := [offset for offset in offsets if offset not in numbers]:
                where = distribution.where(f"index.{suffix}")
                raise ResourceError(
                    f"{where}: {word} is in synset {unknown[0]}, which data.{suffix} does not have; "
                    "are they from different WordNets?"
                )
            ids.setdefault(word, []).extend(numbers[offset] for offset in offsets)
        for form, found in dict(_rows(distribution, f"{suffix}.exc", _exception)).items():
            bases.setdefault(form, []).extend((part, base) for base in found)
    if not ids:
        raise ResourceError(f"{distribution.path} has WordNet's files, but they contain no words")
    return {**formats.synset_arrays(ids), **_exception_arrays(bases), **_member_arrays(starts, synsets)}


def _rows(distribution: Distribution, name: str, parse: Callable[[list[str]], T]) -> Iterator[T]:
    """Parses the lines of a file, without the licence, which is indented."""
    where = distribution.where(name)
    for number, line in enumerate(formats.lines(distribution.read(name), where), start=1):
        if line and not line.startswith(" "):
            try:
                yield parse(line.partition("|")[0].split())
            except (ValueError, IndexError):
                raise ResourceError(f"{where}, line {number}: {_WANTED[parse.__name__]}") from None


def _synset(fields: list[str]) -> tuple[str, list[str]]:
    """The offset of a synset and its words, without terms of several words."""
    count = int(fields[3], 16)
    words = fields[4 : 4 + 2 * count : 2]
    if not 0 < len(words) == count or not fields[0].isdecimal():
        raise ValueError
    return fields[0], [_MARKER.sub("", word) for word in words if "_" not in word]


def _entry(fields: list[str]) -> tuple[str, list[str]]:
    """A word and the offsets of its synsets."""
    count, pointers = int(fields[2]), int(fields[3])
    offsets = fields[6 + pointers :]
    if not 0 < len(offsets) == count or pointers < 0:
        raise ValueError
    return fields[0], offsets


def _exception(fields: list[str]) -> tuple[str, list[str]]:
    form, *bases = fields
    if not bases:
        raise ValueError
    return form, bases


_WANTED = {
    "_synset": "this is not a synset",
    "_entry": "this is not an entry of an index",
    "_exception": "expected a form and its base forms",
}


def _exception_arrays(bases: dict[str, list[tuple[int, str]]]) -> PackArrays:
    forms = formats.sorted_words(bases)
    rows = [row for form in forms for row in bases[form]]
    return {
        **formats.exception_arrays({form: [base for _, base in bases[form]] for form in forms}),
        "exception_parts": np.array([part for part, _ in rows], np.uint8),
    }


def _member_arrays(starts: list[int], synsets: list[list[str]]) -> PackArrays:
    names = formats.sorted_words({name for synset in synsets for name in synset})
    number = {name: k for k, name in enumerate(names)}
    return {
        "part_starts": np.array(starts, np.int32),
        **formats.named("names", formats.word_arrays(names)),
        "member_offsets": formats.list_offsets(map(len, synsets)),
        "members": np.array([number[name] for synset in synsets for name in synset], np.int32),
    }
