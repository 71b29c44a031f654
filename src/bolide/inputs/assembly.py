"""Combines hypotheses, references and documents from files of any format into systems.

    for system in read_systems(["wmt.xml"], [], InputOptions(doc_column="doc")):
        for segments in system.segments():
            …

Record k of each file is segment k. Files whose segments have names (SGML, XML) are matched by these names.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain, islice

import numpy as np

from bolide._support.plurals import counted
from bolide.errors import ConfigurationError, InputError, SegmentError
from bolide.inputs import text_files
from bolide.inputs.comparable import GIVEN, OWN, ComparableSystems, Trace
from bolide.inputs.files import check_readable, shown
from bolide.inputs.keyed import Keyed, shown_key
from bolide.inputs.line_reader import MOST
from bolide.inputs.options import InputOptions
from bolide.inputs.plain_text import PlainText
from bolide.inputs.segments import Segments, batch_sizes
from bolide.inputs.table import Record, Table, Wanted

ENOUGH = 1 << 26  # characters of a batch of records: a batch of long ones has fewer
PIECE = 16  # records that are read before their characters are counted


def read_systems(
    hypotheses: Sequence[str], references: Sequence[str], options: InputOptions | None = None
) -> list[InputSystem]:
    """Returns the systems in files of hypotheses. References come from the same files or from others.

    Fails before anything is scored if a file cannot be read or an option does not fit.
    """
    options = options or InputOptions()
    if options.docs is not None and options.doc_column is not None:
        raise ConfigurationError("give documents with --docs or with --doc-column, not with both")
    if options.ref_separator == "":
        raise ConfigurationError("the separator of references must not be empty")
    tables = [options.table(name) for name in hypotheses]
    others = options.reference_tables(references)
    if not others and any(type(table) is PlainText for table in tables):
        raise ConfigurationError(_references_missing(hypotheses))
    check_readable(hypotheses, [])
    columns = [(table, column) for table in tables for column in table.systems(options.hyp_columns)]
    _check_times(columns, others, options)
    counts = Counter(table.name for table, _ in columns)
    named = next((table for table, _ in columns if isinstance(table, Keyed)), None)
    ordering = [other for other in others if isinstance(other, Keyed)]
    if named is not None and not others:
        ordering = [named]
    shared = len(columns) > 1 and (not others or named is not None)
    comparable = ComparableSystems(GIVEN if others else OWN) if shared else None
    return [
        InputSystem(
            f"{table.name}:{column}" if counts[table.name] > 1 and column else table.name,
            table,
            column,
            tuple(others),
            options,
            tuple(ordering),
            comparable,
        )
        for table, column in columns
    ]


def _references_missing(hypotheses: Sequence[str]) -> str:
    problem = "references are missing: give them with --reference FILE (-r)"
    if len(hypotheses) < 2:
        return problem
    return f"{problem}; if {hypotheses[-1]} is the reference, write -r {shlex.quote(hypotheses[-1])}"


def _check_times(columns: list[tuple[Table, str]], others: list[Table], options: InputOptions) -> None:
    """Checks that pipes are read only once. Keyed tables are read once; all others once per system."""
    times = len(columns)
    names = list({id(table): table.name for table, _ in columns if table.keyed}.values())
    names += [table.name for table, _ in columns if not table.keyed]
    names += [other.name for other in others for _ in range(1 if other.keyed else times)]
    names += [] if options.docs is None else [options.docs] * times
    check_readable(names, [])


@dataclass
class InputSystem:
    """One column of hypotheses, with references from the same file or from others."""

    name: str
    table: Table
    column: str
    others: tuple[Table, ...]
    options: InputOptions
    ordering: tuple[Keyed, ...] = ()  # tables that give the order of named segments
    comparable: ComparableSystems | None = None  # None if all systems certainly have the same references
    skipped: int = field(default=0, init=False)  # number of segments left out for lack of references

    @property
    def files(self) -> list[str]:
        docs = [] if self.options.docs is None else [self.options.docs]
        return [self.table.name, *(other.name for other in self.others), *docs]

    @property
    def _sources(self) -> tuple[Table, ...]:
        """The tables that are read for references only. In a keyed table, references are separate records,
        so the table of hypotheses is one of them; in all other tables they are in the same records."""
        return self.others or ((self.table,) if self.table.keyed else ())

    @property
    def _plain(self) -> bool:
        """Whether all files are plain text: the usual case, with a faster reader."""
        o = self.options
        asked = o.ref_separator or o.drop_empty_references or o.doc_column or o.ref_columns
        return not asked and all(type(table) is PlainText for table in (self.table, *self.others))

    def segments(self, size: int | None = None) -> Iterator[Segments]:
        """Yields batches of segments, all of the same size if `size` is given."""
        self.skipped, empty = 0, True
        names = [other.name for other in self.others]
        lines = text_files.read_segments(self.table.name, names, size, documents=self.options.docs)
        for batch in lines if self._plain else self._records(size):
            empty = False
            yield batch
        if empty:
            files = ", ".join(map(shown, self.files))
            what = "no segment has a reference" if self.skipped else "these files are empty"
            raise InputError(f"nothing to score: {what}: {files}")

    @contextmanager
    def naming(self) -> Iterator[None]:
        """Turns errors about a segment into errors about a place in a file."""
        names = [other.name for other in self.others]
        if self._plain:
            with text_files.naming_lines(self.table.name, names):
                yield
            return
        try:
            yield
        except SegmentError as error:
            of = " of those with a reference" if self.skipped else ""
            where = f"{', '.join(map(shown, self.files))}: segment {error.segment}{of} ({error.side})"
            raise InputError(f"{where}: {error.problem}") from None

    def _records(self, size: int | None) -> Iterator[Segments]:
        streams, documents = self._streams()
        trace = Trace(self.table.name, self.table.keyed)
        read, scored, names = 0, 0, self._names()
        for count in batch_sizes(size):
            first, is_enough = _taken(streams[0], count, names[0], MOST if size else ENOUGH)
            wanted = len(first) if is_enough else count
            rest = zip(streams[1:], names[1:], strict=True)
            batch = [first, *(_taken(stream, wanted, name)[0] for stream, name in rest)]
            if len({len(records) for records in batch}) > 1:
                raise self._unequal(read, batch, streams)
            if not batch[0]:
                break
            ids = None if documents is None else [record.document for record in batch[documents]]
            made = self._made(batch, ids, read, scored, trace)
            read += len(batch[0])
            scored += len(made)
            if len(made):
                yield made
        if self.comparable is not None:
            self.comparable.check(trace)

    def _made(
        self, batch: list[list[Record]], documents: list[str] | None, read: int, scored: int, trace: Trace
    ) -> Segments:
        """Builds segments from the records of all streams. The first stream has the hypotheses."""
        hypotheses, references, counts, kept = [], [], [], []
        for k, records in enumerate(zip(*batch, strict=True)):
            found = [text for record in records for text in self._references(record)]
            if not found:
                self._leave_out(read + k + 1, records[0])
                continue
            hypotheses.append(records[0].hypothesis)
            references += found
            counts.append(len(found))
            kept.append(k)
            if self.comparable is not None:
                trace.add(read + k + 1, records[0].key, found)
        ids = None if documents is None else [documents[k] for k in kept]
        return Segments(hypotheses, references, np.array(counts, dtype=np.int32), False, scored + 1, ids)

    def _references(self, record: Record) -> Iterable[str]:
        found: Iterable[str] = record.references
        if separator := self.options.ref_separator:
            found = [part for text in found for part in text.split(separator)]
        if self.options.drop_empty_references:
            found = [text for text in found if text.strip()]
        return found

    def _leave_out(self, number: int, record: Record) -> None:
        if not self.options.skip_unreferenced:
            which = f"segment {number}" if record.key is None else shown_key(record.key)
            raise InputError(
                f"{', '.join(map(shown, self.files))}: {which} has no reference; give it one, or leave out "
                "such segments with --skip-unreferenced"
            )
        self.skipped += 1

    # ---- records of several files side by side -----------------------------------------------------

    def _streams(self) -> tuple[list[Iterator[Record]], int | None]:
        """Returns streams of records, and which of them has the documents. Record k of each stream belongs
        to the same segment. The streams are hypotheses, references, and a file of documents if there is one.
        """
        o, holder = self.options, self._holder()
        sources = self._sources
        own = None if sources else o.ref_columns
        first = self.table.records(Wanted(self.column, own, o.doc_column if holder is self.table else None))
        streams, documents = [first], 0 if holder is self.table else None
        hypotheses = self._in_order(first) if self.table.keyed else []
        if hypotheses:
            streams = [iter(hypotheses)]
        for source in sources:
            elsewhere = holder is source and source is not self.table
            if elsewhere:
                documents = len(streams)
            wanted = Wanted(None, o.ref_columns, o.doc_column if elsewhere else None)
            if isinstance(source, Keyed) and self.table.keyed:
                streams.append(self._matched(hypotheses, source, wanted))
            else:
                streams.append(source.records(wanted))
        if o.docs is not None:
            documents = len(streams)
            streams.append(Record(document=line) for line in text_files.read_lines(o.docs))
        return streams, documents

    def _holder(self) -> Table | None:
        """The table with the column of documents."""
        if self.options.doc_column is None:
            return None
        for table in (self.table, *self.others):
            if type(table) is not PlainText:
                return table
        raise ConfigurationError(
            "plain text has no columns: give documents with --docs FILE, one line per segment"
        )

    def _in_order(self, hypotheses: Iterable[Record]) -> list[Record]:
        """Sorts named hypotheses into the order of the named references, so that systems can be compared
        segment by segment. If each system has its own references, the first system gives the order."""
        found = {record.key: record for record in hypotheses}
        wanted = dict.fromkeys(key for table in self.ordering for key in table.content.order)
        return [found[key] for key in dict.fromkeys((*wanted, *found)) if key in found]

    def _matched(self, hypotheses: list[Record], source: Keyed, wanted: Wanted) -> Iterator[Record]:
        """Yields the references of each hypothesis, matched by the names of the segments."""
        references = source.references(wanted.references)
        missing = references.keys() - {record.key for record in hypotheses}
        if missing:
            first = next(key for key in references if key in missing)
            where = f"{shown(self.table.name)} ({self.column})"
            raise InputError(
                f"{where} lacks {counted(len(missing), 'segments')} of {shown(source.name)}, such as "
                f"{shown_key(first)}; every system must have every segment"
            )
        for record in hypotheses:
            assert record.key is not None
            yield Record("", references.get(record.key, ()), record.document)

    def _unequal(self, read: int, batch: list[list[Record]], streams: list[Iterator[Record]]) -> InputError:
        counts, sizes = [], []
        for records, stream in zip(batch, streams, strict=True):
            counts.append(read)
            sizes.append(set[int]())  # of the lists of references
            for record in chain(records, stream):  # one by one: a file may have millions
                counts[-1] += 1
                sizes[-1].add(len(list(self._references(record))))
        names = self._names()
        for name, count, own in zip(names[1:], counts[1:], sizes[1:], strict=True):
            if own == {counts[0]} and not read and counts[0] > 1:
                return InputError(
                    f"{shown(name)} is transposed: it has {count} lists of {counts[0]} references for "
                    f"{counts[0]} hypotheses; list k must have the references of segment k, or give each "
                    "reference translation as a separate file (-r FILE -r FILE)"
                )
        return text_files.unequal(names, counts, len(self._sources), "segments")

    def _names(self) -> list[str]:
        """The files of the streams."""
        docs = [] if self.options.docs is None else [self.options.docs]
        return [self.table.name, *(source.name for source in self._sources), *docs]


def _taken(stream: Iterator[Record], count: int, name: str, enough: int = MOST) -> tuple[list[Record], bool]:
    """The next `count` records of a stream. Fewer at the end, and as soon as they have more characters than
    `enough`: then also True. Fails if they are too large to be read together."""
    found: list[Record] = []
    length = 0
    while piece := list(islice(stream, min(count - len(found), PIECE))):
        found += piece
        length += sum([len(text) for record in piece for text in (record[0], *record[1])])
        if length > MOST:
            raise InputError(
                f"{shown(name)}: {len(found):,} segments that follow one another have more than {MOST:,} "
                "characters; is it text with one segment per record?"
            )
        if length > enough:
            return found, True
    return found, False
