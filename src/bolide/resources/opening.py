"""Opens packs by language, and installs them on first use.

`load` opens packs that are there, and `installation` installs them. `installation` is imported on the first
install only, because it is slow to import.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

from bolide.resources import catalogue, frequencies, load, manifest, thesauri
from bolide.resources import learned as learned_packs
from bolide.resources.pack import Pack


def open_pack(language: str, *, learned: bool = True) -> Pack:
    """Opens the pack of a language: the learned one if it is installed and `learned` is true, else the
    official one. Packs are cached for the process.

    The official pack is installed on first use, and again if an older bolide made it in another format,
    unless `BOLIDE_OFFLINE` is set. Languages without official resources share the pack `other`.
    """
    found = learned_packs.installed(language) if learned else None
    return _open(found or catalogue.find(language))


def open_synonyms(source: str, language: str) -> Pack:
    """Opens the pack of synonyms from a source, "wordnet" or "mythes". It is installed on first use. Matchers
    use its `synonyms` or `thesaurus`."""
    return _open(thesauri.find(source, language))


def open_frequencies(language: str) -> Pack | None:
    """Opens the pack of word frequencies of a language. It is installed on first use. None if there are no
    frequencies for the language (`has_frequencies`)."""
    entry = frequencies.find(language)
    return None if entry is None else _open(entry)


def is_installed(language: str, source: str = "") -> bool:
    """Whether a pack can be opened without a download: the language pack, or with a source ("wordnet",
    "mythes", "frequencies") that one. True if there is no such pack."""
    entry: catalogue.Entry | None
    if not source:
        entry = learned_packs.installed(language) or catalogue.find(language)
    elif source == frequencies.SOURCE:
        entry = frequencies.find(language)
    else:
        entry = thesauri.find(source, language)
    return entry is None or not load.needs_install(entry)


def reload_installed(name: str, expected: str) -> Pack:
    """Opens an unpickled pack that was opened by its language. The new process may run on another machine,
    with another home, so the pack is found by its name again, and installed on first use."""
    entry = thesauri.find_pack(name)
    if not manifest.exists(entry.folder):
        _install(entry)
    return load.reload(entry.folder, expected, _load_installed)


def _open(entry: catalogue.Entry) -> Pack:
    return load.cached(entry.folder, _load_installed, partial(_install_on_first_use, entry))


def _load_installed(folder: Path) -> Pack:
    """The pack in a folder of the home, to be pickled by its name."""
    pack = load.load_pack(folder)
    return replace(pack, recipe=(reload_installed, (folder.name, pack.hash)))


def _install_on_first_use(entry: catalogue.Entry) -> None:
    if load.needs_install(entry):
        _install(entry)


def _install(entry: catalogue.Entry) -> None:
    from bolide.resources import installation

    if not entry.source:
        installation.install(entry.title, announce=True)  # the title: the language that was asked for
    elif entry.source == frequencies.SOURCE:
        installation.install_frequencies(entry.language, announce=True)
    elif entry.source in thesauri.SOURCES:  # a learned pack cannot be installed
        installation.install_synonyms(entry.language, entry.source, announce=True)
