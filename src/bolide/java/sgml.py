"""Scores SGML: every system of every set. Scores of segments, documents and systems are written to three
files.

Systems are printed in the order of Java's hash tables; the files are sorted. Missing documents and segments
are skipped or scored as empty, with Java's warnings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TextIO

import numpy as np

from bolide import _core
from bolide._support.arrays import Floats, Statistics
from bolide._support.writing import atomic_text, check_target
from bolide.errors import InputError, SegmentError
from bolide.formula.statistics import aggregate, evaluate
from bolide.inputs.segments import by_segment
from bolide.java import output
from bolide.java.options import JavaOptions
from bolide.java.order import hash_set_order, hashtable_order, number_order, text_order
from bolide.java.settings import JavaSettings, resources_for
from bolide.java.sgml_reader import SgmlCollection, SgmlSystem, read, suspicious
from bolide.scoring.meteor import Meteor


@dataclass(frozen=True)
class ScorableSegment:
    """A segment with at least one reference."""

    document: str
    segment: str
    hypothesis: str
    references: list[str]


@dataclass(frozen=True)
class SystemResult:
    """The segments of a system with their statistics and scores."""

    items: list[ScorableSegment]
    rows: Statistics
    values: Floats
    alignments: list[str]
    bounded: int  # number of segments whose alignment reached the work limit


def score(options: JavaOptions, settings: JavaSettings, stdout: TextIO, stderr: TextIO) -> None:
    """Scores the systems of the test file."""
    systems = _systems(*_read(options, stderr), stderr)
    for name in _names(options).values():
        check_target(name)
    meteor = settings.meteor(resources_for(options, settings))
    results: dict[tuple[str, str], SystemResult] = {}
    with _files(options) as files:
        if not (options.quiet or options.statistics):
            stdout.write(output.header(settings, "SGML"))
        for (set_id, name), items in systems.items():
            with _naming_segments(options, (set_id, name), items):
                results[set_id, name] = found = _scored(meteor, (set_id, name), items, options.alignments)
            if not options.quiet:
                stderr.write(output.bounded(f"[{set_id}][{name}]", found.bounded))
            if not options.statistics:
                row = aggregate(found.rows)
                table = output.system(row, evaluate(row, meteor.parameters)[0].tolist(), settings)
                stdout.write(f"[{set_id}][{name}] \n{table}\n")
        _write(options, meteor, results, files)


def _read(options: JavaOptions, stderr: TextIO) -> tuple[SgmlCollection, SgmlCollection]:
    tests, references = read(options.test), read(options.reference)
    for name, mine, theirs in ((options.test, tests, references), (options.reference, references, tests)):
        if not mine:
            raise InputError(f"{name} has no <tstset> or <refset>: is it SGML?")
        for set_id in mine:
            if set_id not in theirs:
                raise InputError(f"set [{set_id}] of {name} is not in the other file: use the same setid")
        for segment in suspicious(mine):
            stderr.write(f"Warning: {name}: segment {segment} contains another: both are on one line\n")
    return tests, references


def _systems(
    tests: SgmlCollection, references: SgmlCollection, stderr: TextIO
) -> dict[tuple[str, str], list[ScorableSegment]]:
    """The segments to score of each system, in Java's order."""
    found: dict[tuple[str, str], list[ScorableSegment]] = {}
    for set_id in hash_set_order(hashtable_order(tests)):
        for name in hashtable_order(tests[set_id]):
            items = _items(set_id, name, tests[set_id][name], references[set_id], stderr)
            if not items:
                raise InputError(f"no segment of system [{set_id}][{name}] has a reference: nothing to score")
            found[set_id, name] = items
    return found


def _items(
    set_id: str, name: str, system: SgmlSystem, references: dict[str, SgmlSystem], stderr: TextIO
) -> list[ScorableSegment]:
    """The segments to score of a system. Prints warnings about the others."""
    items: list[ScorableSegment] = []
    ordered = {reference: references[reference] for reference in hashtable_order(references)}
    for document in _in_java_order(system, *ordered.values()):
        where = f"document [{set_id}][{document}]"
        if document not in system:
            stderr.write(f"Warning: no data for system [{name}] on {where} - skipping this document\n")
            continue
        usable = {reference: texts[document] for reference, texts in ordered.items() if document in texts}
        _warn_of_missing(list(ordered), list(usable), where, "document", stderr)
        for segment in _in_java_order(system[document], *usable.values()) if usable else ():
            where = f"segment [{set_id}][{document}][{segment}]"
            hypothesis = system[document].get(segment)
            if hypothesis is None:
                stderr.write(f"Warning: no data for system [{name}] on {where} - scoring empty segment\n")
            texts = {reference: found[segment] for reference, found in usable.items() if segment in found}
            _warn_of_missing(list(usable), list(texts), where, "segment", stderr)
            if texts:
                items.append(ScorableSegment(document, segment, hypothesis or "", list(texts.values())))
    return items


def _in_java_order(*tables: Mapping[str, object]) -> list[str]:
    """All keys, in the order of a Java set filled from hash tables."""
    return hash_set_order(key for table in tables for key in hashtable_order(table))


def _warn_of_missing(references: list[str], usable: list[str], where: str, what: str, stderr: TextIO) -> None:
    for reference in references:
        if reference not in usable:
            stderr.write(f"Warning: no data for reference [{reference}] on {where}\n")
    if not usable:
        stderr.write(f"Warning: no usable references for {where} - skipping this {what}\n")


def _scored(
    meteor: Meteor, system: tuple[str, str], items: list[ScorableSegment], alignments: bool
) -> SystemResult:
    segments = by_segment([item.hypothesis for item in items], [item.references for item in items])
    measured = meteor.measure(segments)
    rows, bounded = measured.statistics, int(np.count_nonzero(measured.flags & _core.BOUNDED))
    values = evaluate(rows, meteor.parameters)
    aligned = meteor.align_all(segments) if alignments else []
    records = [
        output.alignment([*system, item.document, item.segment], found, scores)
        for item, found, scores in zip(items, aligned, values.tolist(), strict=False)
    ]
    return SystemResult(items, rows, values, records, bounded)


@contextmanager
def _naming_segments(
    options: JavaOptions, system: tuple[str, str], items: list[ScorableSegment]
) -> Iterator[None]:
    """Adds the names of the segment and the file to errors."""
    try:
        yield
    except SegmentError as error:
        file = options.reference if error.reference else options.test
        item = items[error.segment - 1]
        where = "".join(f"[{name}]" for name in (*system, item.document, item.segment))
        raise InputError(f"{file}, segment {where}: {error.problem}") from None


@contextmanager
def _files(options: JavaOptions) -> Iterator[dict[str, TextIO]]:
    """Opens the files to write, by kind."""
    with ExitStack() as stack:
        yield {kind: stack.enter_context(atomic_text(name)) for kind, name in _names(options).items()}


def _names(options: JavaOptions) -> dict[str, str]:
    names = {kind: f"{options.prefix}-{kind}.scr" for kind in ("seg", "doc", "sys")}
    return {**names, "align": f"{options.prefix}-align.out"} if options.alignments else names


def _write(
    options: JavaOptions,
    meteor: Meteor,
    results: dict[tuple[str, str], SystemResult],
    files: dict[str, TextIO],
) -> None:
    for set_id in text_order({key[0] for key in results}):
        for name in text_order(key[1] for key in results if key[0] == set_id):
            _write_system(options, meteor, (set_id, name), results[set_id, name], files)


def _write_system(
    options: JavaOptions,
    meteor: Meteor,
    system: tuple[str, str],
    found: SystemResult,
    files: dict[str, TextIO],
) -> None:
    def shown(rows: Statistics) -> list[str]:
        if options.statistics:
            return output.statistics(rows)
        values = evaluate(rows, meteor.parameters).tolist()
        return [output.scores(row, verbose=options.verbose) for row in values]

    def write(kind: str, *fields: str) -> None:
        files[kind].write("\t".join([*system, *fields]) + "\n")

    # With -vOut, Java sorts segments as text.
    in_order = text_order if options.verbose and not options.statistics else number_order
    segments = shown(found.rows)
    write("sys", *shown(aggregate(found.rows)))
    for document, places in _documents(found).items():
        write("doc", document, *shown(aggregate(found.rows[list(places.values())])))
        for segment in in_order(places):
            write("seg", document, segment, segments[places[segment]])
        if options.alignments:
            files["align"].writelines(found.alignments[places[segment]] for segment in number_order(places))


def _documents(found: SystemResult) -> dict[str, dict[str, int]]:
    """The index of each segment in the result, by document."""
    documents: dict[str, dict[str, int]] = {}
    for place, item in enumerate(found.items):
        documents.setdefault(item.document, {})[item.segment] = place
    return {document: documents[document] for document in text_order(documents)}
