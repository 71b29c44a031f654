"""Reads texts to score: the outputs of systems and their references.

Files are as for `bolide score`, one per system; the name of a system is the name of its file without folder
and suffixes. Or one table has all systems, in columns system, segid and hyp (references: segid and ref).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bolide._support.plurals import counted
from bolide.errors import InputError
from bolide.evaluation import formats
from bolide.inputs.assembly import read_systems
from bolide.inputs.files import shown, uncompressed
from bolide.inputs.formats import format_of
from bolide.inputs.options import InputOptions
from bolide.inputs.table import HYPOTHESIS, REFERENCE, pick
from bolide.inputs.text_files import read_lines


@dataclass(frozen=True)
class Texts:
    """The hypotheses of each system, and the references of each segment."""

    segments: tuple[str, ...]
    hypotheses: dict[str, list[str]]
    references: list[list[str]]

    @property
    def systems(self) -> tuple[str, ...]:
        return tuple(self.hypotheses)

    def only(self, systems: Sequence[str]) -> Texts:
        """Only the texts of these systems. Others need not be scored."""
        kept = {name: texts for name, texts in self.hypotheses.items() if name in systems}
        return Texts(self.segments, kept or self.hypotheses, self.references)


def read_texts(
    hypotheses: Sequence[str], references: Sequence[str], options: InputOptions | None = None
) -> Texts:
    """Reads hypotheses, with references from the same files or from others."""
    if len(hypotheses) == 1 and _has_systems(hypotheses[0]):
        return _long(hypotheses[0], references)
    found: dict[str, list[str]] = {}
    first: list[list[str]] = []
    for system in read_systems(hypotheses, references, options):
        name = system.column or system_name(system.table.name)
        if name in found:
            raise InputError(f"two systems are called '{name}'; rename a file")
        texts: list[str] = []
        own: list[list[str]] = []
        for batch in system.segments():
            texts += list(batch.hypotheses)
            flat, start = list(batch.references), 0
            for count in batch.counts.tolist():
                own.append(flat[start : start + count])
                start += count
        if first and len(own) != len(first):
            raise InputError(
                f"system '{name}' has {counted(len(own), 'segments')}, the first has {len(first)}"
            )
        found[name], first = texts, first or own
    return Texts(tuple(str(k) for k in range(1, len(first) + 1)), found, first)


def system_name(file: str) -> str:
    """The name of the system that a file of hypotheses belongs to.

    >>> system_name("out/online-A.txt.gz"), system_name("newstest.en-de.tsv")
    ('online-A', 'newstest.en-de')
    """
    return uncompressed(file).stem


def _has_systems(file: str) -> bool:
    if format_of(file) not in ("tsv", "csv"):
        return False
    source = formats.table(file)
    return any(name in formats.SYSTEM for name in formats.Header(source, source.rows()).names)


def _long(file: str, references: Sequence[str]) -> Texts:
    """Reads a table with one row per segment and system."""
    source = formats.table(file)
    rows = source.rows()
    header = formats.Header(source, rows)
    system, segment = header.column(formats.SYSTEM), header.column(formats.SEGMENT)
    hypothesis = header.names.index(pick(file, HYPOTHESIS, header.names, ())[0])
    own = [] if references else [header.names.index(name) for name in pick(file, REFERENCE, header.names, ())]
    outputs: dict[str, dict[str, str]] = {}
    of_segment: dict[str, list[str]] = {}
    for row in header.checked(rows):
        texts = outputs.setdefault(row[system], {})
        if row[segment] in texts:
            source.fail(f"segment {row[segment]} of system '{row[system]}' occurs twice")
        texts[row[segment]] = row[hypothesis]
        if own:
            of_segment[row[segment]] = [row[k] for k in own]
    for name in references:
        for key, text in _references(name).items():
            of_segment.setdefault(key, []).append(text)
    for name, texts in outputs.items():
        missing = [key for key in of_segment if key not in texts] or [k for k in texts if k not in of_segment]
        if missing:
            raise InputError(
                f"{shown(file)}: hypothesis or reference of segment {missing[0]} is missing for '{name}'"
            )
    return Texts(
        tuple(of_segment),
        {name: [texts[key] for key in of_segment] for name, texts in outputs.items()},
        list(of_segment.values()),
    )


def _references(file: str) -> dict[str, str]:
    """Reads references: a table with segid and ref, or lines, of which the first is segment 1."""
    if format_of(file) not in ("tsv", "csv"):
        return {str(k): line for k, line in enumerate(read_lines(file, whole=True), 1)}
    source = formats.table(file)
    rows = source.rows()
    header = formats.Header(source, rows)
    segment = header.column(formats.SEGMENT)
    reference = header.names.index(pick(file, REFERENCE, header.names, ())[0])
    return {row[segment]: row[reference] for row in header.checked(rows)}
