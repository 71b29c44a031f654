"""Converts MyThes thesauri (LibreOffice's th_*.dat) to the arrays of `SynsetArrays`.

    UTF-8                       the encoding of the file
    house|2                     an entry with two meanings, one line per meaning
    (noun)|dwelling|abode       part of speech or nothing, then synonyms
    -|firm (informal)|company   a remark may follow a synonym

Each meaning is a synset: the entry and its synonyms, in lower case. Terms of several words are left out,
because single words are matched. So are terms with a remark such as antonym, broader, narrower or related
(thesauri.toml). A synset that occurs in several entries counts once.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Collection, Iterator

from bolide.errors import ResourceError
from bolide.resources import formats
from bolide.resources.formats import PackArrays

# The encodings of spelling dictionaries. Python knows more, and some of these are not for text.
_ENCODING = re.compile(
    r"utf-?8|us-ascii|iso-?8859-?\d+|(?:microsoft-)?cp\d+|windows-\d+|koi8-?[ru]|tis-?620", re.IGNORECASE
)
_HEADER = re.compile(r"(.*)\|\s*([0-9]{1,9})\s*")
_REMARK = re.compile(r"\(([^()]*)\)")


def compile_thesaurus(data: bytes, where: str, not_synonyms: Collection[str]) -> PackArrays:
    """The arrays of `SynsetArrays`; `where` names the file in errors."""
    numbers: dict[frozenset[str], int] = {}
    for entry, part, terms in _meanings(_decoded(data, where), where):
        if part.strip("()[] ").lower() in not_synonyms:
            continue
        words = {word for term in (entry, *terms) if (word := _single_word(term, not_synonyms))}
        if len(words) > 1:
            numbers.setdefault(frozenset(words), len(numbers))
    if not numbers:
        raise ResourceError(f"{where} has no synonyms: is it a MyThes thesaurus (.dat)?")
    ids: dict[str, list[int]] = {}
    for synset, number in numbers.items():
        for word in synset:
            ids.setdefault(word, []).append(number)
    return formats.synset_arrays(ids)


def _decoded(data: bytes, where: str) -> list[str]:
    """The lines of the file, decoded. The first line names the encoding."""
    data = data.removeprefix(codecs.BOM_UTF8)
    name = data.partition(b"\n")[0][:40].decode("ascii", "replace").strip()
    if not _ENCODING.fullmatch(name):
        raise ResourceError(f"{where}, line 1: unknown encoding {name!r}: is it a MyThes thesaurus?")
    try:
        text = data.decode(name.lower().removeprefix("microsoft-"))
    except LookupError:
        raise ResourceError(f"{where}, line 1: the encoding {name} is unknown: convert the file") from None
    except UnicodeDecodeError as error:
        number = data.count(b"\n", 0, error.start) + 1
        raise ResourceError(f"{where}, line {number}: not valid {name}: convert the file") from None
    return [line.rstrip("\r") for line in text.split("\n")]


def _meanings(lines: list[str], where: str) -> Iterator[tuple[str, str, list[str]]]:
    """Yields the entry, part of speech and terms of each meaning."""
    place = 1
    while place < len(lines):
        header = lines[place]
        place += 1
        if not header.strip():
            continue
        found = _HEADER.fullmatch(header)
        if found is None:
            raise ResourceError(f"{where}, line {place}: expected `entry|number of meanings`")
        count = int(found[2])
        meanings = lines[place : place + count]
        if len(meanings) < count:
            raise ResourceError(f"{where}, line {place}: the entry lacks some of its {count} meanings")
        for meaning in meanings:
            part, *terms = meaning.split("|")
            yield found[1], part, terms
        place += count


def _single_word(term: str, not_synonyms: Collection[str]) -> str:
    """The word without remarks; "" if it is not a single word, or not a synonym."""
    if any(remark.strip().lower() in not_synonyms for remark in _REMARK.findall(term)):
        return ""
    words = _REMARK.sub(" ", term).split()
    return words[0].lower() if len(words) == 1 else ""
