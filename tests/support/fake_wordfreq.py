"""Small lists of words for tests, in the format and the wheel of wordfreq."""

from __future__ import annotations

import gzip
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bolide.resources import frequencies

HEADER = {"format": "cB", "version": 1}
# By centibels: 10 bits are 301 centibels.
WORDS: Mapping[int, Sequence[str]] = {
    120: ["the"],
    301: ["boat", "well"],
    400: ["0000", "00", "0"],
    602: ["known", "strasse", "été"],
    799: ["zyzzyva"],
}


def packed(value: Any) -> bytes:
    """The msgpack of a value. Lists and texts may have any length."""
    if isinstance(value, int):
        return bytes([value])
    if isinstance(value, str):
        data = value.encode("utf-8", "surrogateescape")
        return _start(len(data), 0xA0, 31, (0xD9, 0xDA, 0xDB)) + data
    if isinstance(value, dict):
        return bytes([0x80 + len(value)]) + b"".join(packed(each) for row in value.items() for each in row)
    return _start(len(value), 0x90, 15, (0, 0xDC, 0xDD)) + b"".join(map(packed, value))


def _start(length: int, short: int, longest: int, longer: tuple[int, int, int]) -> bytes:
    if length <= longest:
        return bytes([short + length])
    for kind, size in zip(longer, (1, 2, 4), strict=True):
        if kind and length < 1 << 8 * size:
            return bytes([kind]) + length.to_bytes(size, "big")
    raise ValueError(length)


def lists(words: Mapping[int, Sequence[str]] = WORDS) -> list[list[str]]:
    return [list(words.get(number, ())) for number in range(max(words) + 1)]


def cbpack(words: Mapping[int, Sequence[str]] = WORDS) -> bytes:
    """An unpacked list."""
    return packed([HEADER, *lists(words)])


def wheel(parent: Path, files: Mapping[str, bytes] | None = None) -> Path:
    """A wheel with the lists of English and German, its licences, and code that must never run."""
    package = frequencies.wheel()
    both = {
        "large_en.msgpack.gz": gzip.compress(cbpack(), mtime=0),
        "large_de.msgpack.gz": gzip.compress(cbpack({150: ["der"]}), mtime=0),
    }
    members = {package.folder + name: data for name, data in {**both, **(files or {})}.items()}
    members |= {
        frequencies.licence_folder() + "LICENSE.txt": b"Do what you like.\n",
        frequencies.licence_folder() + "METADATA": b"Metadata-Version: 2.1\nName: wordfreq\nVersion: 3.1.1\n",
        frequencies.licence_folder() + "WHEEL": b"Wheel-Version: 1.0\nTag: py3-none-any\n",
        "wordfreq/__init__.py": b"raise SystemExit('this must not run')\n",
    }
    parent.mkdir(parents=True, exist_ok=True)
    path = parent / package.file
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path
