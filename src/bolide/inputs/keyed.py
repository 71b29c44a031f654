"""Tables whose segments have names: SGML and XML. The name is a document and a segment id.

A column is a system or a translator. Segments of several files are matched by their names, so their order may
differ, and a reference file may lack some of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NoReturn

from bolide.errors import InputError
from bolide.inputs.files import shown
from bolide.inputs.table import DOCUMENT, HYPOTHESIS, REFERENCE, Record, Role, SegmentKey, Table, Wanted

KeyedTexts = dict[SegmentKey, str]

# The role of the segments in each element. Sources (None) are not scored.
ROLES: dict[str, Role | None] = {
    "tstset": HYPOTHESIS,
    "refset": REFERENCE,
    "srcset": None,
    "hyp": HYPOTHESIS,
    "ref": REFERENCE,
    "src": None,
}
# Attributes that name a document, and a system or translator.
DOCUMENT_NAMES = ("docid", "id")
COLUMN_NAMES = ("sysid", "refid", "system", "translator")


class KeyedBuilder:
    """Collects the elements of a file. `columns` maps a role and the name of a system or translator to texts
    by key."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.columns: dict[Role, dict[str, KeyedTexts]] = {HYPOTHESIS: {}, REFERENCE: {}}
        self.order: dict[SegmentKey, None] = {}  # keys in the order of the file, sources included
        self.role: Role | None = None
        self.known = False  # whether an element that gives a role is open
        self.of_set = self.column = ""
        self.document: str | None = None

    def open(self, tag: str, attributes: Mapping[str, str], line: int) -> None:
        """Opens a set, a document, or the part of a document by one system or translator."""
        name = next((attributes[k] for k in COLUMN_NAMES if k in attributes), None)
        if tag == "doc":
            self.document = next((attributes[k] for k in DOCUMENT_NAMES if k in attributes), None)
            if self.document is None:
                self.fail(line, 'a document without a name; write <doc docid="…">')
            self.column = name or self.of_set
        else:
            self.known, self.role = True, ROLES[tag]
            self.of_set = self.column = name or tag
            if tag.endswith("set"):
                self.document = None

    def close(self, tag: str) -> None:
        if tag == "doc":
            self.document = None
        elif tag in ROLES:
            self.known, self.role = False, None

    def segment(self, name: str | None, text: str, line: int) -> None:
        if not self.known:
            self.fail(line, f"a segment outside {', '.join(f'<{tag}>' for tag in ROLES)}")
        if self.document is None:
            self.fail(line, "a segment outside a document; put it into <doc>")
        if name is None:
            self.fail(line, 'a segment without a name; write <seg id="…">')
        key = self.document, name
        self.order.setdefault(key)
        if self.role is not None:
            texts = self.columns[self.role].setdefault(self.column, {})
            if key in texts:
                self.fail(line, f"{shown_key(key)} occurs twice in '{self.column}'; each must be unique")
            texts[key] = text.strip()

    def fail(self, line: int, problem: str) -> NoReturn:
        raise InputError(f"{shown(self.name)}, line {line}: {problem}")


class Keyed(Table):
    keyed = True

    def read(self, builder: KeyedBuilder) -> None:
        """Passes the elements of the file to the builder."""
        raise NotImplementedError

    @cached_property
    def content(self) -> KeyedBuilder:
        """The contents of the file, read once for all its systems."""
        builder = KeyedBuilder(self.name)
        self.read(builder)
        if not any(builder.columns.values()):
            raise InputError(
                f"{shown(self.name)} has no segments of systems or references; if its format is another, "
                "name it with --input-format"
            )
        return builder

    def systems(self, names: Sequence[str]) -> Sequence[str]:
        return self._chosen(HYPOTHESIS, names)

    def records(self, wanted: Wanted) -> Iterator[Record]:
        if wanted.document and not DOCUMENT.usual.fullmatch(wanted.document):
            raise InputError(
                f"{shown(self.name)} has no column '{wanted.document}'; documents are in 'docid'"
            )
        texts: KeyedTexts = {}
        if wanted.hypothesis is not None:
            texts = self.content.columns[HYPOTHESIS][self._chosen(HYPOTHESIS, [wanted.hypothesis])[0]]
        references = self.references(wanted.references)
        asked = texts if wanted.hypothesis is not None else references
        # All systems of a file have the same order, so that they can be compared segment by segment.
        for key in self.content.order:
            if key in asked:
                yield Record(texts.get(key, ""), references.get(key, ()), key[0], key)

    def references(self, names: tuple[str, ...] | None) -> dict[SegmentKey, list[str]]:
        """Returns the references of each segment."""
        found: dict[SegmentKey, list[str]] = {}
        for column in () if names is None else self._chosen(REFERENCE, names):
            for key, text in self.content.columns[REFERENCE][column].items():
                found.setdefault(key, []).append(text)
        return found

    def _chosen(self, role: Role, names: Sequence[str]) -> list[str]:
        there = self.content.columns[role]
        listed = ", ".join(there)
        if not there:
            others = ", ".join(other.what for other, columns in self.content.columns.items() if columns)
            raise InputError(f"{shown(self.name)} has no {role.what}, only {others}")
        for name in names:
            if name not in there:
                raise InputError(
                    f"{shown(self.name)} has no '{name}' among its {role.what}; choose one of: {listed}"
                )
        return list(names) or list(there)


def shown_key(key: SegmentKey) -> str:
    return f"segment {key[1]} of document {key[0]}"
