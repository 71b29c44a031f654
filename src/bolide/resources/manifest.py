"""The manifest of a pack: its contents, their origin, and the size and checksum of each file.

A pack is a folder with a `manifest.toml`. The files are in the subfolder that the manifest names. An install
writes the manifest last, by one atomic rename: before it the old pack is in use, after it the new one.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bolide._support import toml as _toml
from bolide.errors import ResourceError
from bolide.resources import manifest_fields
from bolide.resources.home import home
from bolide.resources.pack_files import PackFiles, open_regular

# How a pack was learned: tables of texts, numbers, or tables of them.
Learned = Mapping[str, Mapping[str, Any]]

FORMAT = 3  # of the arrays; packs of other formats are refused
NAME = "manifest.toml"
LARGEST = 1 << 17  # bytes of a manifest. Those of official packs have 4,000.
_BARE = re.compile("[A-Za-z0-9_-]+")  # a key of TOML that needs no quotes


@dataclass(frozen=True)
class PackFile:
    """The size and checksum that a file of a pack must have."""

    bytes: int
    sha256: str


@dataclass(frozen=True)
class Manifest:
    """The contents of `manifest.toml`."""

    language: str
    bolide: str  # the version that compiled the pack
    folder: str
    origin: Mapping[str, str]  # "file" and "sha256" of the distribution
    sources: Mapping[str, str]  # the sha256 of each file read from it
    licences: Mapping[str, str]  # part to licence
    counts: Mapping[str, int]
    files: Mapping[str, PackFile]
    learned: Learned = field(default_factory=dict)

    @property
    def hash(self) -> str:
        """Identifies the data: equal for packs made from equal files. It does not depend on the format of the
        arrays, so that a signature still finds its pack when the format has changed."""
        return hashlib.sha256("\n".join(sorted(self.sources.values())).encode()).hexdigest()[:8]

    @property
    def bytes(self) -> int:
        return sum(file.bytes for file in self.files.values())

    def to_toml(self) -> str:
        lines = [f"format = {FORMAT}"]
        lines += [f"{key} = {_quote(getattr(self, key))}" for key in ("language", "bolide", "folder")]
        for title in ("origin", "sources", "licences"):
            table: Mapping[str, str] = getattr(self, title)
            lines += ["", f"[{title}]", *(f"{_quote(key)} = {_quote(value)}" for key, value in table.items())]
        lines += ["", "[counts]", *(f"{_quote(key)} = {value}" for key, value in self.counts.items())]
        lines += ["", "[files]"]
        for name, file in self.files.items():
            lines.append(f"{_quote(name)} = {_value({'bytes': file.bytes, 'sha256': file.sha256})}")
        for title, row in self.learned.items():
            lines += ["", f"[learned.{_key(title)}]", *(f"{_quote(key)} = {_value(row[key])}" for key in row)]
        return "\n".join(lines) + "\n"


def is_outdated(folder: Path, sha256: str) -> bool:
    """Whether an older bolide made the pack, in a format that this one cannot read, from the file with this
    checksum. Such a pack can be compiled again without asking."""
    try:
        table = _table(folder)
        return bool(table["format"] < FORMAT and table["origin"]["sha256"] == sha256)
    except (OSError, ValueError, KeyError, TypeError):
        return False


def read(folder: Path) -> Manifest:
    """Reads the manifest of a pack folder. FileNotFoundError if missing, ResourceError if unusable."""
    path = folder / NAME
    try:
        table = _table(folder)
        found = table.get("format")
        if type(found) is int and found != FORMAT:
            raise ResourceError(f"{path} has format {found}, this bolide reads {FORMAT}: {repair(folder)}")
        return _parse(table)
    except FileNotFoundError:
        raise
    except ValueError as error:  # not TOML, not UTF-8, or a field of the wrong type
        raise ResourceError(f"{path} is damaged ({error}): {repair(folder)}") from error
    except OSError as error:
        raise ResourceError(f"{path} cannot be read ({error.strerror}): {repair(folder)}") from error


def _table(folder: Path) -> dict[str, Any]:
    """The tables in the manifest. ValueError if it is not TOML."""
    with open_regular(folder / NAME) as stream:
        return _toml.parse(stream, LARGEST)


def read_existing(folder: Path) -> Manifest:
    """Reads the manifest of a pack folder. ResourceError also if it is missing."""
    try:
        return read(folder)
    except FileNotFoundError:
        raise missing(folder) from None


def files(folder: Path, found: Manifest) -> PackFiles:
    """The files of the pack in a folder, with this manifest."""
    return PackFiles(folder, found, repair(folder))


def missing(folder: Path, title: str = "") -> ResourceError:
    """The error for a folder without a manifest. For an official folder it names the install command."""
    if folder.parent != home() / "packs":
        return ResourceError(f"{folder} is not a language pack: it has no {NAME}")
    return ResourceError(f"the {title or folder.name} pack is not installed: run `{_command(folder.name)}`")


def exists(folder: Path) -> bool:
    """Whether there is a manifest. Also True for one without read permission: `read` reports that."""
    try:
        (folder / NAME).stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True


def repair(folder: Path) -> str:
    """The remedy for a damaged pack."""
    if folder.parent != home() / "packs":
        return "make or copy the pack again"
    if folder.name.endswith("-learned"):
        return f"learn it again with `{_command(folder.name)}`"
    return f"repair it with `{_command(folder.name)} --force`"


def _command(pack: str) -> str:
    """The command that makes the pack with this name."""
    language, dash, source = pack.rpartition("-")
    if source == "learned":
        return f"bolide learn language {language} SRC TGT"
    if source == "frequencies":
        return f"bolide resources install {language} --frequencies"
    wanted = f"{language} --synonyms {source}" if dash else pack
    return f"bolide resources install {wanted}"


def _parse(table: dict[str, Any]) -> Manifest:
    fields = manifest_fields.checked(table)
    del fields["format"]
    files = {name: PackFile(**row) for name, row in fields.pop("files").items()}
    return Manifest(**fields, files=files)


def _value(value: Any) -> str:
    """Writes a text, a number, true or false, or a table of them."""
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{_key(key)} = {_value(each)}' for key, each in value.items())} }}"
    return _quote(value) if isinstance(value, str) else json.dumps(value)


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _quote(key)


def _quote(text: str) -> str:
    # A JSON string is a TOML string, except for DEL, which must be escaped in TOML.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")
