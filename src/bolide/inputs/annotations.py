"""Files with what a user knows about segments and words: tags, labels, frequencies, alignments.

    tags         one line per segment: values separated by tabs, one column per subject
    labels       one line per segment: labels separated by spaces, one per word; parts of a label by "|"
    frequencies  lines "word TAB count"
    alignment    one line per segment: links "i-j" of word i of the source and word j of the reference, from 0

Files of tags and labels may begin with a header, the names of the columns or parts. It is recognized by the
number of lines, which is then one more than that of the segments.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from bolide._support.plurals import counted
from bolide.errors import InputError
from bolide.inputs.files import shown
from bolide.inputs.text_files import read_lines

PART = "|"
LARGEST = 10**15  # sums of larger frequencies might not be exact
_DIGITS = 100  # of a frequency, with leading zeros


@dataclass(frozen=True)
class WordLabels:
    """Labels of the words of one text per segment. `lines` has the labels of each segment, `names` the names
    of their parts. The file and the line of the first segment are for messages."""

    names: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    file: str | None = None
    first: int = 1

    def where(self, segment: int) -> str:
        """The place of a segment (counted from 0), for messages."""
        return f"segment {segment + 1}" if self.file is None else f"{self.file}, line {self.first + segment}"


Link = tuple[int, int]


@dataclass(frozen=True)
class WordLinks:
    """Links between the words of each source and of a reference, counted from 0."""

    lines: tuple[tuple[Link, ...], ...]
    file: str | None = None

    def where(self, segment: int) -> str:
        """The place of a segment (counted from 0), for messages."""
        return f"segment {segment + 1}" if self.file is None else f"{self.file}, line {segment + 1}"


def read_tags(name: str, segments: int) -> dict[str, list[str]]:
    """The columns of a file of tags, by name: the value of each segment, which may be empty."""
    lines = _lines(name, segments)
    rows = [line.split("\t") for line in lines]
    header = rows.pop(0) if len(rows) > segments else None
    width = len(rows[0]) if rows else 0
    for number, row in enumerate(rows, 1 + (header is not None)):
        if len(row) != width:
            raise InputError(
                f"{shown(name)}, line {number} has {counted(len(row), 'columns')}, but the first segment has "
                f"{width}; give every segment all columns, empty ones too"
            )
    if header is not None and len(header) != width:
        raise InputError(
            f"{shown(name)}: the header has {counted(len(header), 'columns')}, but the segments have {width}"
        )
    titles = [title.strip() for title in header or [""] * width]
    titles = [title or ("tag" if width == 1 else f"tag {k}") for k, title in enumerate(titles, 1)]
    if twice := [title for title, count in Counter(titles).items() if count > 1]:
        raise InputError(f"{shown(name)} has two columns '{twice[0]}'; give each column a name of its own")
    return {title: [row[k].strip() for row in rows] for k, title in enumerate(titles)}


def read_labels(name: str, segments: int) -> WordLabels:
    """The labels in a file."""
    lines = _lines(name, segments)
    header = lines.pop(0) if len(lines) > segments else None
    first = 1 + (header is not None)
    names = tuple(part.strip() for part in (header or "").split(PART) if part.strip())
    return WordLabels(names, tuple(tuple(line.split()) for line in lines), shown(name), first)


def read_frequencies(name: str) -> dict[str, int]:
    """The frequencies in a file."""
    found: Counter[str] = Counter()
    for number, line in enumerate(read_lines(name, whole=True), 1):
        word, tab, count = line.rpartition("\t")
        if not line.strip():
            continue
        count = count.strip()
        # int() refuses numbers with thousands of digits.
        if not tab or not count.isdecimal() or len(count) > _DIGITS or int(count) > LARGEST:
            raise InputError(
                f"{shown(name)}, line {number} is not a word, a tab and a count: '{line[:40]}'; make such "
                "a file with: tr ' ' '\\n' < TEXT | sort | uniq -c | awk '{print $2 \"\\t\" $1}'"
            )
        found[word.strip()] += int(count)
    if not found:
        raise InputError(f"{shown(name)} has no frequencies; each line must be a word, a tab and a count")
    return dict(found)


def read_alignment(name: str, segments: int) -> WordLinks:
    """The links in a file, as word aligners write them: `0-0 1-2 2-1`."""
    lines = list(read_lines(name, whole=True))
    if len(lines) != segments:
        raise InputError(
            f"{shown(name)} has {len(lines)} lines for {segments} segments; give each segment one"
        )
    return word_links(lines, shown(name))


def word_links(lines: Sequence[str | Sequence[Link]], file: str | None = None) -> WordLinks:
    """The links of each segment: a text, or pairs of numbers.

    >>> word_links(["0-0 1-2", [(2, 1)]]).lines
    (((0, 0), (1, 2)), ((2, 1),))
    """
    empty = WordLinks((), file)
    found = []
    for k, line in enumerate(lines):
        pairs = [tuple(link.split("-")) for link in line.split()] if isinstance(line, str) else line
        for link in pairs:
            if len(link) != 2 or not all(_is_place(place) for place in link):
                text = "-".join(map(str, link))[:40]
                raise InputError(
                    f"{empty.where(k)}: '{text}' is not a link; write i-j for word i of the source and "
                    "word j of the reference, counted from 0"
                )
        found.append(tuple((int(i), int(j)) for i, j in pairs))
    return WordLinks(tuple(found), file)


def _is_place(place: object) -> bool:
    text = str(place)
    return text.isascii() and text.isdecimal() and len(text) < 10


def _lines(name: str, segments: int) -> list[str]:
    """The lines of a file with one line per segment, and perhaps a header."""
    lines = list(read_lines(name, whole=True))
    if len(lines) not in (segments, segments + 1):
        raise InputError(
            f"{shown(name)} has {counted(len(lines), 'lines')} for {counted(segments, 'segments')}; "
            "it must have one line per segment, and may have a header before them"
        )
    return lines


def check_labels(labels: WordLabels, texts: Sequence[Sequence[str]], what: str) -> None:
    """Fails if a segment has not as many labels as words."""
    if len(labels.lines) != len(texts):
        where = "" if labels.file is None else f"{labels.file}: "
        raise InputError(f"{where}there are labels of {len(labels.lines)} segments for {len(texts)} segments")
    for k, (line, words) in enumerate(zip(labels.lines, texts, strict=True)):
        if len(line) != len(words):
            raise InputError(
                f"{labels.where(k)} has {counted(len(line), 'labels')}, but {what} has "
                f"{counted(len(words), 'words')}: {' '.join(words[:12])}{' …' if len(words) > 12 else ''}; "
                "label the words as the metric sees them (bolide normalize FILE)"
            )
