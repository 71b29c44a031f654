"""A small Meteor distribution for tests: the layout of the official one, with words written for the tests."""

from __future__ import annotations

import gzip
import hashlib
import io
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

from bolide import resources
from bolide.resources import Pack, manifest

WHEEL = "pycocoevalcap-1.2-py3-none-any.whl"
PARAPHRASES = [("a small boat", "a dinghy"), ("a small boat", "the little ship"), ("quick", "in a hurry")]

Files = dict[str, bytes]


def jar_files(*extra_words: str) -> Files:
    """The contents of the jar; `extra_words` makes another version of it."""
    words = {
        "english": ["the", "of", ".", *extra_words],
        "german": ["der", "über"],
        "czech": ["a", "že"],
        "french": ["le"],
        "spanish": ["el"],
        "russian": ["и"],
        "italian": [],
    }
    files = {f"function/{name}.words": _lines(*rows) for name, rows in words.items()}
    for name in ("english", "german", "french", "spanish"):
        files[f"nonbreaking/{name}.prefixes"] = _lines(
            "# titles", "Capt", "", "Adm ", "Fig #NUMERIC_ONLY# ", "Fig"
        )
    files["nonbreaking/czech.prefixes"] = _lines("#Nothing")
    files["nonbreaking/russian.prefixes"] = "г\r\nул\r\n".encode()
    files["synonym/english.synsets"] = _lines(
        "ship", "0012 7", "boat", "12", "über-boat", "0099", "geese_day", "5"
    )
    files["synonym/english.exceptions"] = _lines("goose", "geese", "gander", "geese", "mouse", "mice meece")
    files["synonym/english.relations"] = _lines("ship", "1 2 3")
    files["synonym/COPYING.WORDNET"] = _lines("You may use these made-up words.")
    files["META-INF/MANIFEST.MF"] = _lines("Main-Class: Nothing")
    return files


def paraphrase_file(*pairs: tuple[str, str]) -> bytes:
    rows = [row for left, right in pairs or PARAPHRASES for row in ("0.5", left, right)]
    return gzip.compress(_lines(*rows), mtime=0)


def jar(path: Path, files: Mapping[str, bytes] | None = None) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(_zip(files or jar_files()))
    return path


def folder(path: Path, *languages: str, files: Mapping[str, bytes] | None = None) -> Path:
    """A distribution folder with paraphrases for the given languages (Meteor's codes)."""
    for name, data in _distribution(languages or ("en",), files).items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(data)
    return path


def tar_gz(path: Path, *languages: str) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for name, data in _distribution(languages or ("en",), None).items():
            member = tarfile.TarInfo(f"meteor-1.5/{name}")
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return path


def wheel(parent: Path, files: Mapping[str, bytes] | None = None) -> Path:
    """A wheel with Meteor, another metric's jar, and code that must never run."""
    members = {f"pycocoevalcap/meteor/{name}": data for name, data in _distribution(("en",), files).items()}
    members |= {
        "pycocoevalcap/__init__.py": b"raise SystemExit('imported!')",
        "pycocoevalcap/meteor-1.5.jar": b"not this one",
        "pycocoevalcap-1.2.dist-info/METADATA": b"Metadata-Version: 2.1\nName: pycocoevalcap\nVersion: 1.2\n",
        "pycocoevalcap-1.2.dist-info/WHEEL": b"Wheel-Version: 1.0\nTag: py3-none-any\n",
        "pycocoevalcap-1.2.dist-info/RECORD": b"",
    }
    parent.mkdir(parents=True, exist_ok=True)
    (parent / WHEEL).write_bytes(_zip(members))
    return parent / WHEEL


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _distribution(languages: tuple[str, ...], files: Mapping[str, bytes] | None) -> Files:
    tables = {f"data/paraphrase-{language}.gz": paraphrase_file() for language in languages}
    return {"meteor-1.5.jar": _zip(files or jar_files()), **tables}


def _zip(files: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data)
    return buffer.getvalue()


def _lines(*rows: str) -> bytes:
    return "".join(f"{row}\n" for row in rows).encode()


def installed(place: Path) -> Pack:
    """Install the English pack from a distribution in this folder."""
    resources.install("en", folder(place / "meteor-1.5"))
    return resources.open_pack("en")


def arrays(pack: Pack) -> Path:
    """The folder of the pack's files."""
    assert pack.path is not None
    return pack.path / manifest.read(pack.path).folder
