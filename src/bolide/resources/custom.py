"""Packs made in memory from the user's files, as Java's options -s, -a, -d and -new do."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from bolide._support import progress
from bolide.errors import ResourceError
from bolide.language import languages
from bolide.resources.catalogue import Part
from bolide.resources.compile import compile_part
from bolide.resources.distribution import Distribution, Folder
from bolide.resources.formats import PackArrays
from bolide.resources.load import assemble
from bolide.resources.pack import Pack

_SYNONYM_FILES = ("english.synsets", "english.exceptions")
_PartFiles = tuple[tuple[str, tuple[Path, tuple[str, ...]]], ...]  # part, folder, files in it


def custom_pack(
    language: str,
    *,
    base: Pack | None = None,
    function_words: str | Path | None = None,
    paraphrases: str | Path | None = None,
    synonyms: str | Path | None = None,
) -> Pack:
    """Returns a pack with some parts from the user's files and the others from `base`, if given.

    `function_words` is a file with one word per line, `paraphrases` a gzip file in the format of Meteor's
    `paraphrase-en.gz`, and `synonyms` a folder with `english.synsets` and `english.exceptions`.
    """
    sources = check_custom_files(function_words, paraphrases, synonyms)
    code = languages.get(language).code
    pack, digest = _overlay(replace(base or Pack(code), language=code, path=None), sources)
    recipe = (_remake, (code, base, tuple(sources.items()), digest))
    return replace(pack, hash=digest, recipe=recipe)


def check_custom_files(
    function_words: str | Path | None = None,
    paraphrases: str | Path | None = None,
    synonyms: str | Path | None = None,
) -> dict[str, tuple[Path, tuple[str, ...]]]:
    """The folder and the files of each part. Raises an error if a file is missing."""
    sources: dict[str, tuple[Path, tuple[str, ...]]] = {}
    if function_words is not None:
        sources["function_words"] = _file(Path(function_words))
    if paraphrases is not None:
        sources["paraphrases"] = _file(Path(paraphrases))
    if synonyms is not None:
        sources["synonyms"] = (Path(synonyms).absolute(), _SYNONYM_FILES)
    for folder, files in sources.values():
        for name in files:
            if not (folder / name).is_file():
                raise ResourceError(f"{folder / name} does not exist")
    return sources


def _file(path: Path) -> tuple[Path, tuple[str, ...]]:
    path = path.absolute()
    return path.parent, (path.name,)


def _overlay(base: Pack, sources: dict[str, tuple[Path, tuple[str, ...]]]) -> tuple[Pack, str]:
    """Replaces parts of the base by those of the sources. Returns the pack and its hash."""
    parts: dict[str, PackArrays] = {}
    digest = hashlib.sha256(base.hash.encode())
    for key, (folder, files) in sources.items():
        distribution = Distribution(folder, [(Folder(folder), "")])
        with progress.bar(f"Compiling {files[0]}") as advance:
            parts[key], _ = compile_part(distribution, Part(key, key, files, ""), advance)
        digest.update("".join(f"{key} {distribution.digests[name]}\n" for name in files).encode())
    made = assemble(base.language, parts)
    if "function_words" in sources:  # the user's list replaces both lists
        base = replace(base, english_function_words=made.function_words)
    return replace(base, **{key: getattr(made, key) for key in sources}), digest.hexdigest()[:8]


@lru_cache(maxsize=4)  # a worker process gets the same pack with every task
def _remake(language: str, base: Pack | None, sources: _PartFiles, expected: str) -> Pack:
    """Makes an unpickled custom pack again, from the same files."""
    pack, digest = _overlay(replace(base or Pack(language), language=language, path=None), dict(sources))
    if digest != expected:
        changed = ", ".join(str(folder / name) for _, (folder, files) in sources for name in files)
        raise ResourceError(f"a file changed since this scorer was made ({changed}): make the scorer again")
    return replace(pack, hash=digest, recipe=(_remake, (language, base, sources, expected)))
