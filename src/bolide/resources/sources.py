"""Finds or fetches the files of packs that are not language packs (WordNet, MyThes, wordfreq)."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

from bolide._support.progress import Advance
from bolide.errors import ConfigurationError, ResourceError
from bolide.resources import fetch, frequencies, princeton, thesauri
from bolide.resources.catalogue import Entry
from bolide.resources.distribution import Container, Distribution, Folder, open_container, reading
from bolide.resources.home import offline
from bolide.resources.thesauri import MythesThesaurus

_PATIENCE_SECONDS = 180


def recognise(given: str | Path, language: str) -> tuple[Entry, Path | None]:
    """Interprets `--synonyms`: the name of a source, or a path to WordNet's files or to a thesaurus."""
    if str(given) in thesauri.SOURCES:
        return thesauri.find(str(given), language), None
    path = Path(given).absolute()
    if not path.is_file() and not path.is_dir():
        known = ", ".join(thesauri.SOURCES)
        raise ConfigurationError(f"give {known}, or a file or folder of synonyms; there is no {given}")
    is_thesaurus = path.is_file() and path.suffix == ".dat"
    return thesauri.find("mythes" if is_thesaurus else "wordnet", language), path


@contextmanager
def open_source(entry: Entry, path: Path) -> Iterator[tuple[Entry, Distribution]]:
    """Opens the files of a source. Yields them and the entry with their names."""
    with ExitStack() as stack:
        if entry.source == frequencies.SOURCE:
            with reading(path):
                container = open_container(path, stack)
            yield entry, _wordfreq(path, container, entry)
        elif entry.source == "wordnet":
            with reading(path):
                container = open_container(path, stack)
            yield entry, Distribution(path, [(container, _wordnet_folder(path, container))])
        else:
            [part] = entry.parts
            # The licence in Debian's packages.
            documents = path.parent.parent / "doc" / thesauri.thesauri()[entry.language].package
            layers: list[tuple[Container, str]] = [(Folder(path.parent), ""), (Folder(documents), "")]
            yield (replace(entry, parts=(replace(part, files=(path.name,)),)), Distribution(path, layers))


def _wordfreq(path: Path, container: Container, entry: Entry) -> Distribution:
    """wordfreq's lists and licences, in its wheel or where it is installed."""
    folders = (frequencies.wheel().folder, frequencies.licence_folder())
    found = Distribution(path, [(container, folder) for folder in folders])
    if not all(map(found.has_part, entry.parts)):
        [file] = entry.parts[0].files
        raise ResourceError(
            f"{path} has no {folders[0]}{file}: give the wheel {frequencies.wheel().file}, or its folder"
        )
    return found


def _wordnet_folder(path: Path, container: Container) -> str:
    """The folder with WordNet's files: the pinned one, or the complete one nearest to the top."""
    names = set(container.names())
    folders = {name.removesuffix("index.noun") for name in names if name.endswith("index.noun")}
    for folder in sorted(folders, key=lambda name: (name != thesauri.sdist().folder, name.count("/"), name)):
        lacking = [name for name in princeton.FILES if folder + name not in names]
        if not lacking:
            return folder
        raise ResourceError(f"{path} has no {folder}{lacking[0]}: give a folder with all of WordNet's files")
    raise ResourceError(f"{path} is not a WordNet: give the folder with index.noun, data.noun and noun.exc")


def needs_fetching(entry: Entry) -> bool:
    return from_index(entry) or thesauri.thesauri()[entry.language].installed() is None


def from_index(entry: Entry) -> bool:
    """Whether the source is a package on a package index."""
    return entry.source != "mythes"


def download(entry: Entry) -> str:
    """What a download takes, for messages."""
    if not from_index(entry):
        return "a package of Debian"
    return f"{fetch.package_of(entry).bytes / 1e6:.0f} MB"


def obtain(entry: Entry, folder: Path, advance: Advance) -> Path:
    """The file of a source, fetched into the folder if it is not on this computer."""
    if from_index(entry):
        return fetch.fetch_package(folder, entry, advance)
    thesaurus = thesauri.thesauri()[entry.language]
    return thesaurus.installed() or _fetch_debian(thesaurus, entry, folder)


def _fetch_debian(thesaurus: MythesThesaurus, entry: Entry, folder: Path) -> Path:
    """Fetches Debian's package and unpacks it in the folder. This does not need root."""
    file = thesaurus.file
    remedy = f"install Debian's package {thesaurus.package}, or give its file with `--synonyms {file}`"
    if offline():
        raise ResourceError(f"the {entry.title} must be fetched, and BOLIDE_OFFLINE forbids it: {remedy}")
    if not shutil.which("apt-get") or not shutil.which("dpkg-deb"):
        raise ResourceError(f"the {entry.title} is not on this computer: {remedy}")
    if not _run(["apt-get", "download", thesaurus.package], folder):
        raise ResourceError(f"apt-get could not fetch {thesaurus.package}: run `apt-get update`, or {remedy}")
    [package, *_] = [*folder.glob("*.deb"), Path()]
    path = folder / "unpacked" / "usr" / "share" / "mythes" / file
    if not _run(["dpkg-deb", "-x", str(package), "unpacked"], folder) or not path.is_file():
        raise ResourceError(f"Debian's package {thesaurus.package} has no {file}: {remedy}")
    return path


def _run(command: list[str], folder: Path) -> bool:
    """Runs a program in a folder, without output. Returns whether it succeeds."""
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PATIENCE_SECONDS,
            env={**os.environ, "LC_ALL": "C"},
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
