"""The manifest of a pack: what it holds, where that came from, and how each file must look.

A pack is a folder with a `manifest.toml`; the files it lists stand in the sub-folder it names. The manifest
is the last thing an install writes, by one atomic rename: before it the old pack stands, after it the new.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bolide._support import toml as _toml
from bolide.errors import ResourceError
from bolide.resources.home import home

# Of a learned pack: tables of what it was learned from and how; values are texts, numbers, or tables of them.
Learned = Mapping[str, Mapping[str, Any]]

FORMAT = 3  # of the arrays; a pack of another format is refused, not guessed at
NAME = "manifest.toml"


@dataclass(frozen=True)
class PackFile:
    """One file of a pack as it must be."""

    bytes: int
    sha256: str


@dataclass(frozen=True)
class Manifest:
    """The contents of `manifest.toml`."""

    language: str
    bolide: str  # the version that compiled the pack
    folder: str
    origin: Mapping[str, str]  # "file" and "sha256" of the distribution
    sources: Mapping[str, str]  # each file read from it, with its sha256
    licences: Mapping[str, str]  # part to licence
    counts: Mapping[str, int]
    files: Mapping[str, PackFile]
    learned: Learned = field(default_factory=dict)

    @property
    def hash(self) -> str:
        """Names the data: equal for packs made from equal files. How the arrays look in this format does not
        count: a signature of today must find its pack when the format has changed."""
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
            lines += ["", f"[learned.{title}]", *(f"{_quote(key)} = {_value(row[key])}" for key in row)]
        return "\n".join(lines) + "\n"


def is_outdated(folder: Path, sha256: str) -> bool:
    """Whether the pack was made by an older bolide, in a format that this one does not read, from the file
    with this checksum: then it can be made again without asking."""
    try:
        table = _toml.load(folder / NAME)
        return bool(table["format"] < FORMAT and table["origin"]["sha256"] == sha256)
    except (OSError, ValueError, KeyError, TypeError):
        return False


def read(folder: Path) -> Manifest:
    """The manifest of a pack folder. FileNotFoundError if there is none, ResourceError if it is unusable."""
    path = folder / NAME
    try:
        table = _toml.load(path)
        found = table["format"]
        if found != FORMAT:
            raise ResourceError(f"{path} has format {found}, this bolide reads {FORMAT}: {repair(folder)}")
        return _parse(table)
    except FileNotFoundError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError) as error:  # ValueError: not TOML, not UTF-8
        raise ResourceError(f"{path} is damaged ({error}): {repair(folder)}") from error
    except OSError as error:
        raise ResourceError(f"{path} cannot be read ({error.strerror})") from error


def read_existing(folder: Path) -> Manifest:
    """The manifest of a pack folder; ResourceError also if there is none."""
    try:
        return read(folder)
    except FileNotFoundError:
        raise missing(folder) from None


def missing(folder: Path, title: str = "") -> ResourceError:
    """The error for a folder without a manifest; where packs are installed, with what installs this one."""
    if folder.parent != home() / "packs":
        return ResourceError(f"{folder} is no language pack: it has no {NAME}")
    return ResourceError(f"the {title or folder.name} pack is not installed: run `{_command(folder.name)}`")


def exists(folder: Path) -> bool:
    """Whether there is a manifest; also True for one that may not be read, which is for `read` to explain."""
    try:
        (folder / NAME).stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True


def repair(folder: Path) -> str:
    """What to do about a damaged pack."""
    if folder.parent != home() / "packs":
        return "make or copy the pack again"
    if folder.name.endswith("-learned"):
        return f"learn it again with `{_command(folder.name)}`"
    return f"repair it with `{_command(folder.name)} --force`"


def _command(pack: str) -> str:
    """What makes the pack of that name."""
    language, dash, source = pack.rpartition("-")
    if source == "learned":
        return f"bolide learn language {language} SRC TGT"
    wanted = f"{language} --synonyms {source}" if dash else pack
    return f"bolide resources install {wanted}"


def _parse(table: dict[str, Any]) -> Manifest:
    files = {name: PackFile(int(row["bytes"]), str(row["sha256"])) for name, row in table["files"].items()}
    return Manifest(
        language=table["language"],
        bolide=table["bolide"],
        folder=table["folder"],
        origin=dict(table["origin"]),
        sources=dict(table["sources"]),
        licences=dict(table["licences"]),
        counts=dict(table["counts"]),
        files=files,
        learned=dict(table.get("learned", {})),
    )


def _value(value: Any) -> str:
    """A text, a number, true or false, or a table of them."""
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{key} = {_value(each)}' for key, each in value.items())} }}"
    return _quote(value) if isinstance(value, str) else json.dumps(value)


def _quote(text: str) -> str:
    # A JSON string is a TOML string, but for DEL, which TOML wants escaped.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")
