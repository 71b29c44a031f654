"""Compiles the files of a Meteor distribution into the arrays of a pack, in a folder.

Each part of a pack (catalogue.toml, thesauri.toml, frequencies.toml) has a compiler here. Array A of part P
is stored as `P.A.npy`, uncompressed, so that it can be memory-mapped.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bolide import _core
from bolide._support.progress import Advance
from bolide._version import __version__
from bolide.errors import ResourceError
from bolide.resources import formats, mythes, princeton, thesauri, wordfreq
from bolide.resources.catalogue import Entry, Part
from bolide.resources.distribution import Distribution
from bolide.resources.formats import PackArrays
from bolide.resources.manifest import Manifest, PackFile

Compiled = tuple[PackArrays, dict[str, int]]


def compile_pack(distribution: Distribution, entry: Entry, folder: Path, advance: Advance) -> Manifest:
    """Compiles every part of the distribution into the folder, which must exist and be empty.

    Only paraphrases may be missing. The manifest lists the parts that exist.
    """
    files: dict[str, PackFile] = {}
    counts: dict[str, int] = {}
    parts = [part for part in entry.parts if part.key != "paraphrases" or distribution.has(part.files[0])]
    for part in parts:
        arrays, part_counts = compile_part(distribution, part, advance)
        counts |= part_counts
        for name, array in arrays.items():
            files[f"{part.key}.{name}.npy"] = write_array(folder / f"{part.key}.{name}.npy", array)
        for licence in filter(distribution.has, part.licence_files):
            name = Path(licence).name
            files[name] = write_file(folder / name, distribution.read(licence))
    return Manifest(
        language=entry.language,
        bolide=__version__,
        folder=folder.name,
        origin=distribution.origin,
        sources={name: distribution.digests[name] for part in parts for name in part.files},
        licences={part.key: part.licence for part in parts},
        counts=counts,
        files=files,
    )


def compile_part(distribution: Distribution, part: Part, advance: Advance) -> Compiled:
    """Returns the arrays of one part, and the number of entries of each kind."""
    return _COMPILERS[part.key](distribution, part.files, advance)


def write_file(path: Path, data: bytes) -> PackFile:
    """Writes a new file and waits until it is on the disk."""
    with path.open("xb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())
    return PackFile(len(data), hashlib.sha256(data).hexdigest())


def write_array(path: Path, array: npt.NDArray[Any]) -> PackFile:
    with _HashingFile(path) as stream:
        np.lib.format.write_array(stream, np.ascontiguousarray(array), version=(1, 0), allow_pickle=False)
    return stream.file


class _HashingFile:
    """A new file whose size and checksum are known when it is closed, without reading it again."""

    def __init__(self, path: Path) -> None:
        self._stream = path.open("xb")
        self._digest = hashlib.sha256()
        self.file = PackFile(0, "")

    def write(self, data: bytes) -> int:
        self._digest.update(data)
        return self._stream.write(data)

    def __enter__(self) -> _HashingFile:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        with self._stream as stream:
            if error is None:
                stream.flush()
                os.fsync(stream.fileno())
                self.file = PackFile(stream.tell(), self._digest.hexdigest())


def _function_words(distribution: Distribution, files: tuple[str, ...], advance: Advance) -> Compiled:
    words = formats.function_words(distribution.read(files[0]), distribution.where(files[0]))
    return formats.word_arrays(words), {"function words": len(set(words))}


def _english_function_words(distribution: Distribution, files: tuple[str, ...], advance: Advance) -> Compiled:
    arrays, counts = _function_words(distribution, files, advance)
    return arrays, {"English function words": counts["function words"]}


def _prefixes(distribution: Distribution, files: tuple[str, ...], advance: Advance) -> Compiled:
    always, numeric = formats.prefixes(distribution.read(files[0]), distribution.where(files[0]))
    arrays = {
        **formats.named("always", formats.word_arrays(always)),
        **formats.named("numeric", formats.word_arrays(numeric)),
    }
    return arrays, {"nonbreaking prefixes": len(set(always)), "prefixes before numbers": len(set(numeric))}


def _synonyms(distribution: Distribution, files: tuple[str, ...], advance: Advance) -> Compiled:
    synsets, exceptions = (formats.lines(distribution.read(name), distribution.where(name)) for name in files)
    arrays = formats.synonyms(synsets, exceptions, tuple(map(distribution.where, files)))
    sizes = {"words with synsets": "offsets", "irregular forms": "exception_offsets"}
    return arrays, {label: len(arrays[name]) - 1 for label, name in sizes.items()}


def _paraphrases(distribution: Distribution, files: tuple[str, ...], advance: Advance) -> Compiled:
    builder = _core.PhraseTableBuilder()
    try:
        chunks = distribution.inflated_chunks(files[0], advance)
        for chunk in formats.checked_text(chunks, distribution.where(files[0])):
            builder.feed(chunk)
        entries = builder.entries
        return builder.finish(), {"paraphrases": entries}
    except ValueError as error:
        raise ResourceError(f"{distribution.where(files[0])}, {error}") from error


def _wordnet(distribution: Distribution, files: tuple[str, ...], advance: Advance) -> Compiled:
    arrays = princeton.compile_dictionary(distribution)
    sizes = {"words": "offsets", "synsets": "member_offsets", "irregular forms": "exception_offsets"}
    return arrays, {label: len(arrays[name]) - 1 for label, name in sizes.items()}


def _thesaurus(distribution: Distribution, files: tuple[str, ...], advance: Advance) -> Compiled:
    where = distribution.where(files[0])
    arrays = mythes.compile_thesaurus(distribution.read(files[0]), where, thesauri.not_synonyms())
    return arrays, {"words": len(arrays["offsets"]) - 1, "synsets": int(arrays["ids"].max()) + 1}


def _frequencies(distribution: Distribution, files: tuple[str, ...], advance: Advance) -> Compiled:
    data = distribution.read_inflated(files[0], advance)
    arrays = wordfreq.compile_frequencies(data, distribution.where(files[0]))
    return arrays, {"words": len(arrays["bits"])}


_COMPILERS: dict[str, Callable[[Distribution, tuple[str, ...], Advance], Compiled]] = {
    "function_words": _function_words,
    "english_function_words": _english_function_words,
    "prefixes": _prefixes,
    "synonyms": _synonyms,
    "paraphrases": _paraphrases,
    "wordnet": _wordnet,
    "thesaurus": _thesaurus,
    "frequencies": _frequencies,
}
