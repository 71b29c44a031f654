"""Opens packs in milliseconds: large arrays are memory-mapped, not read.

The sizes of all files are checked, and the checksums of small files. The checksums of large files are checked
once and remembered (verified.py).
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bolide import _core
from bolide._support.platform import after_fork
from bolide.errors import ResourceError
from bolide.language.dictionary import PARTS, DictionaryArrays
from bolide.language.frequencies import WordFrequencies
from bolide.language.wordnet import SynonymArrays, SynsetArrays
from bolide.resources import catalogue, manifest, verified
from bolide.resources.formats import PackArrays, words_of
from bolide.resources.manifest import Manifest
from bolide.resources.pack import Pack
from bolide.resources.pack_files import MissingFileError, PackFiles

_NO_WORDNET = "the arrays do not form a WordNet"
# Files up to this size, in bytes, are read and their checksums are checked each time. This takes 0.2 ms for
# the English pack. Larger files are mapped.
SMALL = 1 << 16
# The header of a .npy file, version 1.0: its length, and the type and number of the elements.
_HEADER = re.compile(
    rb"\x93NUMPY\x01\x00(..)\{'descr': '([<>|][iu][1248])', 'fortran_order': False, "
    rb"'shape': \(([0-9]{1,18}),\), \} *\n",
    re.DOTALL,
)
_LONGEST_HEADER = 256
_lock = threading.Lock()
_opened: dict[Path, Pack] = {}  # by folder


def _after_fork() -> None:
    """Makes a new lock: the thread that holds the old one does not exist in a forked process."""
    global _lock
    _lock = threading.Lock()


after_fork(_after_fork)


def load_pack(folder: str | Path) -> Pack:
    """Opens the pack in a folder."""
    folder = Path(folder).absolute()
    found = manifest.read_existing(folder)
    while True:
        try:
            return _load(folder, found)
        except MissingFileError:
            # Another process may have installed a new pack, with a new manifest: try again.
            seen, found = found, manifest.read_existing(folder)
            if found == seen:
                raise


def reload(folder: Path, expected: str, load: Callable[[Path], Pack] = load_pack) -> Pack:
    """Opens an unpickled pack. It must have the same data as before, or scores would mix."""
    with _lock:
        pack = _opened.get(folder)
        if pack is None or pack.hash != expected:
            pack = _opened[folder] = load(folder)
    if pack.hash != expected:
        raise ResourceError(
            f"{folder} was replaced ({expected} before, {pack.hash} now): make the scorer again"
        )
    return pack


def cached(folder: Path, load: Callable[[Path], Pack], prepare: Callable[[], None]) -> Pack:
    """The pack in a folder, from the cache of the process. If it is not there, `prepare` is called, which may
    install it, and then `load`. Other threads wait."""
    with _lock:
        if folder not in _opened:
            prepare()
            _opened[folder] = load(folder)
        return _opened[folder]


def forget(folder: Path) -> None:
    """Removes a pack from the cache, so that the next `open_pack` opens the newly installed one."""
    _opened.pop(folder, None)


def needs_install(entry: catalogue.Entry) -> bool:
    """Whether an official pack is missing, or was made by an older bolide in another format."""
    return not manifest.exists(entry.folder) or manifest.is_outdated(entry.folder, catalogue.wheel().sha256)


def _load(folder: Path, found: Manifest) -> Pack:
    files = manifest.files(folder, found)
    names = [name for name in found.files if name.endswith(".npy")]
    small = {name: files.read(name) for name in names if found.files[name].bytes <= SMALL}
    large = {name: _mapped(files, name) for name in names if name not in small}
    _check_large(files, found, {name: state for name, (_, state) in large.items()})
    parts: dict[str, PackArrays] = {}
    for name in names:
        part, _, array = name.removesuffix(".npy").partition(".")
        buffer = small[name] if name in small else large[name][0]
        parts.setdefault(part, {})[array] = _array(files, name, buffer)
    try:
        pack = assemble(found.language, parts)
    except (KeyError, ValueError, TypeError) as error:
        raise ResourceError(
            f"the arrays in {folder} are damaged ({error}): {manifest.repair(folder)}"
        ) from error
    return replace(pack, path=folder, hash=found.hash, recipe=(reload, (folder, found.hash)))


def assemble(language: str, parts: dict[str, PackArrays]) -> Pack:
    """Makes a pack from the arrays of its parts (compile.py)."""
    words = frozenset(_words(parts, "function_words", ""))
    english = frozenset(_words(parts, "english_function_words", ""))
    # English and learned packs have one list for all profiles.
    one_list = "english_function_words" not in parts
    return Pack(
        language=language,
        function_words=words,
        english_function_words=words if one_list else english,
        prefixes=tuple(_words(parts, "prefixes", "always.")),
        numeric_prefixes=tuple(_words(parts, "prefixes", "numeric.")),
        synonyms=_synonyms(parts),
        paraphrases=_paraphrases(parts["paraphrases"]) if "paraphrases" in parts else None,
        thesaurus=SynsetArrays(**_synsets(parts["thesaurus"])) if "thesaurus" in parts else None,
        frequencies=_frequencies(parts["frequencies"]) if "frequencies" in parts else None,
    )


def _words(parts: dict[str, PackArrays], part: str, prefix: str) -> list[str]:
    arrays = parts.get(part)
    return words_of(arrays[prefix + "bytes"], arrays[prefix + "offsets"]) if arrays else []


def _synonyms(parts: dict[str, PackArrays]) -> SynonymArrays | None:
    if "wordnet" in parts:
        return _dictionary(parts["wordnet"])
    if "synonyms" not in parts:
        return None
    found = SynonymArrays(**_wordnet(parts["synonyms"]))
    _ = found.look_up  # checks that the arrays fit
    return found


def _synsets(arrays: PackArrays) -> dict[str, Any]:
    """The fields of `SynsetArrays`."""
    _check_lists(arrays["offsets"], len(arrays["ids"]))
    return {"words": _index(arrays, "words"), "offsets": arrays["offsets"], "ids": arrays["ids"]}


def _wordnet(arrays: PackArrays) -> dict[str, Any]:
    """The fields of `SynonymArrays`."""
    _check_lists(arrays["exception_offsets"], len(arrays["exception_bases"]))
    _check_numbers(arrays["exception_bases"], len(arrays["bases.offsets"]) - 1)
    return {
        **_synsets(arrays),
        "exceptions": _index(arrays, "exceptions"),
        "exception_offsets": arrays["exception_offsets"],
        "exception_bases": arrays["exception_bases"],
        "bases": _index(arrays, "bases"),
    }


def _dictionary(arrays: PackArrays) -> DictionaryArrays:
    synsets = len(arrays["member_offsets"]) - 1
    if len(arrays["part_starts"]) != len(PARTS) + 1:
        raise ValueError(_NO_WORDNET)
    _check_lists(arrays["part_starts"], synsets)
    _check_lists(arrays["member_offsets"], len(arrays["members"]))
    _check_numbers(arrays["ids"], synsets)
    _check_numbers(arrays["members"], len(arrays["names.offsets"]) - 1)
    if len(arrays["exception_parts"]) != len(arrays["exception_bases"]):
        raise ValueError(_NO_WORDNET)
    found = DictionaryArrays(
        **_wordnet(arrays),
        part_starts=arrays["part_starts"],
        exception_parts=arrays["exception_parts"],
        names=_index(arrays, "names"),
        member_offsets=arrays["member_offsets"],
        members=arrays["members"],
    )
    _ = found.native  # checks the rest
    return found


def _frequencies(arrays: PackArrays) -> WordFrequencies:
    return WordFrequencies(_index(arrays, "words"), arrays["bits"])


def _check_numbers(numbers: npt.NDArray[Any], count: int) -> None:
    """Indices into a list must be below its length."""
    if len(numbers) and not 0 <= numbers.min() <= numbers.max() < count:
        raise ValueError(_NO_WORDNET)


def _check_lists(offsets: npt.NDArray[Any], count: int) -> None:
    """Offsets must divide `count` values into lists, or lookups would read other memory."""
    if len(offsets) == 0 or offsets[0] != 0 or offsets[-1] != count or (offsets[1:] < offsets[:-1]).any():
        raise ValueError(_NO_WORDNET)


def _index(arrays: PackArrays, name: str) -> _core.WordIndex:
    return _core.WordIndex(arrays[f"{name}.bytes"], arrays[f"{name}.offsets"])


def _paraphrases(arrays: PackArrays) -> _core.PhraseTable:
    names = ("words.bytes", "words.offsets", "nodes", "starts", "entries")
    return _core.PhraseTable(*(arrays[name] for name in names))


def _check_large(files: PackFiles, found: Manifest, states: dict[str, os.stat_result]) -> None:
    """Checks the checksums of large files, unless it was done before (verified.py)."""
    when = verified.mode()
    if when == "never" or not states:
        return
    record = verified.record((found.files[name].sha256, state) for name, state in states.items())
    if when == "always" or not verified.exists(record):
        for name in states:
            files.check(name)
        verified.remember(record, states.values())


def _mapped(files: PackFiles, name: str) -> tuple[Any, os.stat_result]:
    """The bytes of a file in memory that processes share, and the state of the file."""
    with files.open(name) as stream:
        state = os.fstat(stream.fileno())
        if not state.st_size:
            return b"", state
        return _core.map_file(stream.fileno(), state.st_size), state


def _array(files: PackFiles, name: str, buffer: Any) -> npt.NDArray[Any]:
    """The array in the bytes of a .npy file, without a copy. The header must be as NumPy writes it."""
    header = _HEADER.match(bytes(buffer[:_LONGEST_HEADER]))
    if header is None:
        raise files.damaged(name, " (its header is wrong)")
    length, kind, count = header.groups()
    start, dtype = 10 + int.from_bytes(length, "little"), np.dtype(kind.decode())
    if start != header.end() or start + int(count) * dtype.itemsize != len(buffer):
        raise files.damaged(name, " (its header and its size differ)")
    return np.frombuffer(buffer, dtype, offset=start) if int(count) else np.empty(0, dtype)
