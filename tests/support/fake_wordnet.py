"""A small WordNet and a small thesaurus for tests, in the formats of the real ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

Synsets = Mapping[str, Sequence[str]]  # by part of speech: each synset is its words, separated by spaces
Exceptions = Mapping[str, Sequence[str]]  # by part of speech: lines

SYNSETS: Synsets = {
    "noun": ["ship boat Argo", "leaf leafage", "boat gravy_boat", "axis", "ax axe", "news", "go turn"],
    "verb": ["go travel move", "leave depart", "boat", "ship send", "better improve"],
    "adj": ["good", "better(a)", "fast quick", "well"],
    "adv": ["well good", "fast", "better"],
}
EXCEPTIONS: Exceptions = {
    "noun": ["axes ax axis", "leaves nothing", "leaves leaf", "geese goose"],
    "verb": ["went go", "gone go"],
    "adj": ["better good well"],
    "adv": ["better well"],
}
_LETTER = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
_HEAD = "  1 Made up for tests; no WordNet 3.0 Copyright is concerned.\n"

THESAURUS = """\
UTF-8
haus|2
-|Haus|Heim|trautes Heim
(noun)|Gebäude (ugs.)|Bau|Bauwerk (Oberbegriff)
heim|1
-|Haus|Heim
groß|1
(Antonym)|klein
zu Hause|1
|daheim|heim (geh.)
bank|0
"""


def folder(path: Path, synsets: Synsets = SYNSETS, exceptions: Exceptions = EXCEPTIONS) -> Path:
    """The files of a WordNet, in a form that NLTK can read too."""
    path.mkdir(parents=True, exist_ok=True)
    for part, letter in _LETTER.items():
        data, index = _HEAD, dict[str, list[int]]()
        for words in (synset.split() for synset in synsets.get(part, ())):
            offset = len(data.encode())
            for word in words:
                index.setdefault(word.partition("(")[0].lower(), []).append(offset)
            listed = "".join(f"{word} 0 " for word in words)
            data += f"{offset:08d} 03 {letter} {len(words):02x} {listed}000 | made up  \n"
        rows = (
            f"{word} {letter} {len(offsets)} 1 @ {len(offsets)} 0 {' '.join(f'{k:08d}' for k in offsets)}  \n"
            for word, offsets in sorted(index.items())
        )
        (path / f"data.{part}").write_text(data, encoding="utf-8", newline="")
        (path / f"index.{part}").write_text(_HEAD + "".join(rows), encoding="utf-8", newline="")
        lines = "".join(f"{line}\n" for line in exceptions.get(part, ()))
        (path / f"{part}.exc").write_text(lines, encoding="utf-8", newline="")
    lexnames = "".join(f"{number:02d}\tfile.{number}\t1\n" for number in range(4))
    for name, text in {"lexnames": lexnames, "index.sense": "", "LICENSE": "Do what you like.\n"}.items():
        (path / name).write_text(text, encoding="utf-8", newline="")
    return path


def thesaurus(path: Path, text: str = THESAURUS, encoding: str = "utf-8") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode(encoding))
    return path
