"""Filters the paraphrases of a pack for one test set (Java's FilterParaphrase).

A paraphrase can match only if one phrase occurs in a reference and the other in a hypothesis. So entries are
left out if neither phrase occurs in any reference. Scores do not change, and the pack is small enough to be
published with a paper.

Java's program normalizes references as English, without punctuation. Here they are normalized in their
language and in every possible way, so that the pack is valid for all of them.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from bolide import _core
from bolide._support.writing import atomic_path
from bolide._version import __version__
from bolide.errors import ResourceError
from bolide.inputs.files import OPENERS, Stream
from bolide.inputs.text_files import read_lines
from bolide.learning.phrase_table_text import open_to_write
from bolide.resources import distribution, formats, load, manifest, thesauri
from bolide.resources.compile import write_array, write_file
from bolide.resources.manifest import Manifest
from bolide.scoring.meteor import Meteor

# All normalizations of texts. Those that keep case look phrases up in lower case.
NORMALIZATIONS = ("keep-punctuation", "no-punctuation", "lower")
PART = "paraphrases."
_CHUNK = 1 << 20


def filter_pack(
    pack: str | os.PathLike[str],
    corpora: Sequence[str | os.PathLike[str]],
    place: str | os.PathLike[str],
    *,
    normalize: Iterable[str] = NORMALIZATIONS,
) -> Manifest:
    """Writes a pack to the folder `place`, with the paraphrases that the corpora can need, and all other
    parts. The pack is given by its name or folder; corpora are text files with one segment per line.
    """
    folder = thesauri.pack_folder(pack)
    _refuse_to_overwrite(Path(place), folder)
    opened = load.load_pack(folder)
    if opened.paraphrases is None:
        raise ResourceError(f"{folder} has no paraphrases: there is nothing to filter")
    scorers = [
        Meteor(language=opened.language, modules=["exact"], normalize=name, resources=opened)
        for name in normalize
    ]
    phrases = _phrases(scorers, corpora)
    digest, builder = hashlib.sha256(), _core.PhraseTableBuilder()
    reader = _core.PhraseTableReader(opened.paraphrases)
    while entries := reader.read(_CHUNK):
        kept = phrases.keep(entries)
        digest.update(kept)
        builder.feed(kept)
    with atomic_path(Path(place)) as new:
        new.mkdir()
        made = _write(folder, builder, digest.hexdigest(), new)
        _refuse_to_overwrite(Path(place), folder)  # again: the work may have taken minutes
    return made


def filter_file(
    paraphrases: str | os.PathLike[str],
    corpora: Sequence[str | os.PathLike[str]],
    place: str | os.PathLike[str],
    *,
    language: str = "en",
    normalize: Iterable[str] = NORMALIZATIONS,
) -> int:
    """Filters a file such as Meteor's `paraphrase-en.gz`, with probabilities, for Java's option -a. Returns
    the number of entries kept."""
    scorers = [Meteor(language=language, modules=["exact"], normalize=name) for name in normalize]
    phrases, lines = _phrases(scorers, corpora), 0
    with atomic_path(Path(place)) as new, open_to_write(new) as stream:
        for entries in _entries(str(paraphrases)):
            kept = phrases.keep(entries)
            lines += kept.count(b"\n")
            stream.write(kept)
    return lines // 3


def _refuse_to_overwrite(place: Path, pack: Path) -> None:
    """Only an empty folder or another pack may be replaced."""
    if not place.is_dir():
        return
    if place.resolve() == pack.resolve():
        raise ResourceError(f"{place} is the pack to filter; name another folder")
    if any(place.iterdir()) and not _is_only_a_pack(place):
        raise ResourceError(f"{place} has other files, which would be lost; name another folder")


def _is_only_a_pack(place: Path) -> bool:
    """Whether a folder has nothing but a pack."""
    try:
        found = manifest.read_existing(place)
        allowed = {place / manifest.NAME, place / found.folder}
        allowed |= {place / found.folder / name for name in found.files}
        return allowed.issuperset(place.rglob("*"))
    except (ResourceError, OSError):
        return False


def _phrases(scorers: Sequence[Meteor], corpora: Sequence[str | os.PathLike[str]]) -> _core.PhraseFilter:
    """The phrases of the texts, normalized by each scorer."""
    found = _core.PhraseFilter()
    for text in _texts(corpora):
        for tokens in dict.fromkeys(scorer.normalized(text) for scorer in scorers):
            found.add(tokens)
    return found


def _texts(corpora: Sequence[str | os.PathLike[str]]) -> Iterator[str]:
    for corpus in corpora:
        yield from read_lines(os.fspath(corpus))


def _entries(name: str) -> Iterator[bytes]:
    """Yields complete entries, of three lines each."""
    rest, number, unpacked = b"", 0, 0
    packed = Path(name).stat().st_size if Path(name).suffix in OPENERS and Path(name).is_file() else None
    with Stream(name) as stream:
        while data := stream.read(_CHUNK):
            rest += data
            unpacked += len(data)
            if packed is not None and distribution.is_too_dense(packed, unpacked):
                raise ResourceError(f"{name}, line {number + 1}: {distribution.TOO_DENSE}")
            end = len(rest)
            for _ in range(rest.count(b"\n") % 3 + 1):
                end = rest.rfind(b"\n", 0, end)
            if end >= 0:
                number += rest.count(b"\n", 0, end + 1)
                yield rest[: end + 1]
                rest = rest[end + 1 :]
            if len(rest) - rest.rfind(b"\n") > formats.LONGEST:
                raise formats.too_long(name, number + rest.count(b"\n") + 1)
    if rest and rest.count(b"\n", 0, -1) != 2:
        raise ResourceError(f"{name}, line {number + 1}: the file ends inside an entry")
    if rest:
        yield rest.removesuffix(b"\n") + b"\n"


def _write(folder: Path, builder: _core.PhraseTableBuilder, digest: str, new: Path) -> Manifest:
    """Writes the pack in the folder with another table of paraphrases."""
    old = manifest.read(folder)
    arrays = new / "arrays"
    arrays.mkdir()
    files = {name: file for name, file in old.files.items() if not name.startswith(PART)}
    originals = manifest.files(folder, old)
    for name in files:
        write_file(arrays / name, originals.read(name))
    count = builder.entries
    for name, array in builder.finish().items():
        files[f"{PART}{name}.npy"] = write_array(arrays / f"{PART}{name}.npy", array)
    sources = {name: sha for name, sha in old.sources.items() if not Path(name).name.startswith("paraphrase")}
    made = replace(
        old,
        bolide=__version__,
        folder=arrays.name,
        origin={**old.origin, "file": f"{old.origin.get('file', folder.name)}, filtered"},
        sources={**sources, "paraphrases, filtered": digest},
        counts={**old.counts, "paraphrases": count},
        files=files,
    )
    write_file(new / manifest.NAME, made.to_toml().encode("utf-8"))
    return made
