"""Reads SGML as Java does: sets of documents with segments, by system or reference.

    <tstset setid="newstest" srclang="any" trglang="en">
    <doc sysid="system" docid="document">
    <seg id="1"> The hypothesis. </seg>

Like Java's, this reader works on lines, not on SGML. A line may open a set, a document and one segment. A
segment continues over lines, joined without a space, up to the *last* `</seg>` of the line that has one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NoReturn

from bolide.errors import InputError
from bolide.inputs.entities import without_entities
from bolide.java.files import lines, trim

# segment → text; document → segments; system or reference → documents; set → systems
SgmlDocument = dict[str, str]
SgmlSystem = dict[str, SgmlDocument]
SgmlCollection = dict[str, dict[str, SgmlSystem]]

SET = re.compile(r"<\s*(tst|ref)set", re.IGNORECASE)
DOCUMENT = re.compile(r"<\s*doc", re.IGNORECASE)
SEGMENT = re.compile(r"<\s*seg\s+id\s*=", re.IGNORECASE)
BLANKS = re.compile(r"\s*")
END_OF_SEGMENT = re.compile(r"<\s*/seg\s*>", re.IGNORECASE)
SET_ID = re.compile(r'setid\s*=\s*"([^"]+)"', re.IGNORECASE)
DOCUMENT_ID = re.compile(r'docid\s*=\s*"([^"]+)"', re.IGNORECASE)
SYSTEM_ID = re.compile(r'(?:sysid|refid)\s*=\s*"([^"]+)"', re.IGNORECASE)


def read(name: str) -> SgmlCollection:
    """Reads all sets of a file."""
    reader = _SgmlReader(name)
    for number, line in reader.numbered:
        reader.take(number, line)
    return reader.found


@dataclass
class _SgmlReader:
    """The state of the reader: the open set, its system if it names one, and the open document."""

    name: str
    found: SgmlCollection = field(default_factory=dict)
    systems: dict[str, SgmlSystem] | None = None
    system_of_set: str | None = None
    document: SgmlDocument | None = None

    def __post_init__(self) -> None:
        self.numbered = enumerate(lines(self.name), 1)

    def take(self, number: int, line: str) -> None:
        if SET.search(line):
            self._open_set(number, line)
        if DOCUMENT.search(line):
            self._open_document(number, line)
        if start := segment_start(line):
            if self.document is None:
                self._fail(number, "a segment before the first <doc>")
            name, end = start
            self.document[name] = trim(without_entities(self._text(number, line[end:])))

    def _open_set(self, number: int, line: str) -> None:
        identity = SET_ID.search(line)
        if identity is None:
            self._fail(number, 'Set ID (setid="...") required')
        self.systems = self.found.setdefault(identity[1], {})
        system = SYSTEM_ID.search(line)
        self.system_of_set = system[1] if system else None

    def _open_document(self, number: int, line: str) -> None:
        if self.systems is None:
            self._fail(number, "a document before the first <tstset> or <refset>")
        identity, system = DOCUMENT_ID.search(line), SYSTEM_ID.search(line)
        if identity is None:
            self._fail(number, 'Doc ID (docid="...") required')
        name = system[1] if system else self.system_of_set
        if name is None:
            self._fail(number, 'System ID (sysid="..." or refid="...") required in either Set or Doc header')
        self.document = self.systems.setdefault(name, {}).setdefault(identity[1], {})

    def _text(self, number: int, text: str) -> str:
        """The text of a segment: the rest of its line, and as many lines as it takes."""
        done: list[str] = []  # text up to the last >
        tail: list[str] = []  # and after it: a tag may begin in one line and end in another
        while True:
            tail.append(text)
            if ">" in text:
                joined = "".join(tail)
                if ends := list(END_OF_SEGMENT.finditer(joined)):
                    return "".join([*done, joined[: ends[-1].start()]])
                place = joined.rindex(">") + 1
                done.append(joined[:place])
                tail = [joined[place:]]
            following = next(self.numbered, None)
            if following is None:
                self._fail(number, "a segment without </seg>")
            text = following[1]

    def _fail(self, number: int, what: str) -> NoReturn:
        raise InputError(f"{self.name}, line {number}: {what}")


def segment_start(text: str) -> tuple[str, int] | None:
    r"""The name of the first segment that starts in a text, and where its own text begins.

    This is Java's pattern `<\s*seg\s+id\s*=\s*"?([^">]+?)"?\s*>`, in linear time.
    """
    end, closed = -1, False
    quotes: list[int] = []
    for tag in SEGMENT.finditer(text):
        start = tag.end()
        if end < start:  # otherwise the end and its quotes are those of the tag before
            end = text.find(">", start)
            if end < 0:
                return None
            quotes = _last_quotes(text, start, end)
            closed = bool(quotes) and not text[quotes[-1] + 1 : end].strip()
        name = _name(text, start, end, [quote for quote in quotes if quote >= start], closed)
        if name is not None:
            return name, end + 1
    return None


def _last_quotes(text: str, start: int, end: int) -> list[int]:
    """The places of the last quotes, at most three, in the order of the text."""
    quotes: list[int] = []
    while len(quotes) < 3 and (quote := text.rfind('"', start, quotes[0] if quotes else end)) >= 0:
        quotes.insert(0, quote)
    return quotes


def _name(text: str, start: int, end: int, quotes: list[int], closed: bool) -> str | None:
    """The name between an = and a >, with or without quotes. None if it is not a name. `closed`: only blanks
    follow the last quote."""
    first = BLANKS.match(text, start).end()  # type: ignore[union-attr]  # it always matches
    if not quotes:
        return text[first:end].rstrip() or text[start:end][-1:] or None
    if first == quotes[0]:
        if len(quotes) == 1:  # a quote that is not closed; the name may be a space, even one before the quote
            name = text[first + 1 : end]
            return name.rstrip() or name[:1] or text[start:first][-1:] or None
        first += 1
        quotes = quotes[1:]
    return (text[first : quotes[0]] or None) if closed and len(quotes) == 1 else None


def suspicious(collection: SgmlCollection) -> Iterator[str]:
    """Names of segments that contain others, because two were on one line."""
    for set_id, systems in collection.items():
        for system, documents in systems.items():
            for document, texts in documents.items():
                for segment, text in texts.items():
                    if segment_start(text):
                        yield f"[{set_id}][{system}][{document}][{segment}]"
