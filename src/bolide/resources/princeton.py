"""Princeton's WordNet files (wndb(5WN), `dict` in a WordNet), turned into the arrays of `DictionaryArrays`.

    index.noun   word, part, how many synsets, pointer symbols, ..., byte offsets of the synsets in data.noun
    data.noun    byte offset, file, kind, how many words (hex), each with a number behind it, ..., | gloss
    noun.exc     an irregular form and its base forms; of two lines for a form the last holds (so does NLTK)

and so for verb, adj and adv. Synsets go by the offset printed in the line, not by where the line stands, so
that files with other line ends can be read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from bolide.errors import ResourceError
from bolide.resources import formats
from bolide.resources.formats import Arrays

if TYPE_CHECKING:
    from bolide.resources.distribution import Distribution

SUFFIXES = ("noun", "verb", "adj", "adv")  # in the order of dictionary.PARTS
FILES = tuple(name for suffix in SUFFIXES for name in (f"index.{suffix}", f"data.{suffix}", f"{suffix}.exc"))

_MARKER = re.compile(r"\([^()]*\)$")  # a syntactic marker: "galore(ip)"
_MOST = 1 << 16  # synsets of a word, words of a synset: far above what there is

Line = tuple[int, list[str]]  # number, fields


def compile_dictionary(distribution: Distribution) -> Arrays:
    """The arrays of `DictionaryArrays`, word lists with a dot in their names ("words.bytes")."""
    synsets: list[list[str]] = []
    starts = [0]
    ids: dict[str, list[int]] = {}
    bases: dict[str, list[tuple[int, str]]] = {}
    for part, suffix in enumerate(SUFFIXES):
        numbers: dict[str, int] = {}  # of synsets, by their offsets
        for line in _lines(distribution, f"data.{suffix}"):
            offset, names = _synset(line, distribution.where(f"data.{suffix}"))
            numbers[offset] = len(synsets)
            synsets.append(names)
        starts.append(len(synsets))
        for line in _lines(distribution, f"index.{suffix}"):
            word, found = _word(line, numbers, distribution.where(f"index.{suffix}"))
            ids.setdefault(word, []).extend(found)
        for form, found_bases in _exceptions(distribution, f"{suffix}.exc").items():
            bases.setdefault(form, []).extend((part, base) for base in found_bases)
    if not ids:
        raise ResourceError(f"{distribution.path} has WordNet's files, but they hold no words")
    return {**formats.synset_arrays(ids), **_exception_arrays(bases), **_member_arrays(starts, synsets)}


def _lines(distribution: Distribution, name: str) -> Iterator[Line]:
    """The lines but for the licence, which is indented."""
    for number, line in enumerate(formats.lines(distribution.read(name), distribution.where(name)), start=1):
        if line.strip() and not line.startswith(" "):
            yield number, line.partition("|")[0].split()


def _synset(line: Line, where: str) -> tuple[str, list[str]]:
    """Its offset and its words, without those of several words."""
    number, fields = line
    try:
        count = int(fields[3], 16)
        words = fields[4 : 4 + 2 * count : 2]
        if not 0 < count < _MOST or len(words) != count or not fields[0].isdecimal():
            raise ValueError
    except (ValueError, IndexError):
        raise ResourceError(f"{where}, line {number}: this is no synset") from None
    return fields[0], [_MARKER.sub("", word) for word in words if "_" not in word]


def _word(line: Line, numbers: dict[str, int], where: str) -> tuple[str, list[int]]:
    """A word and its synsets."""
    number, fields = line
    try:
        count, pointers = int(fields[2]), int(fields[3])
        offsets = fields[6 + pointers :]
        if not 0 < count < _MOST or pointers < 0 or len(offsets) != count:
            raise ValueError
    except (ValueError, IndexError):
        raise ResourceError(f"{where}, line {number}: this is no entry of an index") from None
    try:
        return fields[0], [numbers[offset] for offset in offsets]
    except KeyError as error:
        raise ResourceError(
            f"{where}, line {number}: no synset {error.args[0]}; is it of another WordNet than the data?"
        ) from None


def _exceptions(distribution: Distribution, name: str) -> dict[str, list[str]]:
    found = {}
    for number, fields in _lines(distribution, name):
        if len(fields) < 2:
            raise ResourceError(f"{distribution.where(name)}, line {number}: a form without a base form")
        found[fields[0]] = fields[1:]
    return found


def _exception_arrays(bases: dict[str, list[tuple[int, str]]]) -> Arrays:
    forms = formats.sorted_words(bases)
    rows = [row for form in forms for row in bases[form]]
    return {
        **formats.exception_arrays({form: [base for _, base in bases[form]] for form in forms}),
        "exception_parts": np.array([part for part, _ in rows], np.uint8),
    }


def _member_arrays(starts: list[int], synsets: list[list[str]]) -> Arrays:
    names = formats.sorted_words({name for synset in synsets for name in synset})
    number = {name: k for k, name in enumerate(names)}
    return {
        "part_starts": np.array(starts, np.int32),
        **formats.named("names", formats.word_arrays(names)),
        "member_offsets": formats.list_offsets(map(len, synsets)),
        "members": np.array([number[name] for synset in synsets for name in synset], np.int32),
    }
