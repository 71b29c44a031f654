"""Extracts a phrase table from word-aligned text, with probabilities and lexical weights in both directions.

The core extracts phrase pairs in batches of sentences (core/learning/phrase_pairs.hpp). DuckDB counts them,
and spills to disk. If a pair was extracted with different links, it gets the most frequent links, and their
lexical weights. Of equally frequent links, those with the smallest bit pattern are chosen.

    p(source | target) = count of the pair / count of the target phrase
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bolide import _core
from bolide._support import checks
from bolide._support.extras import extra
from bolide._support.progress import Advance, no_advance
from bolide.errors import ConfigurationError, InputError
from bolide.inputs.text_files import reading
from bolide.learning import engines, phrase_table

LONGEST_PHRASE = 7
BATCH = 1 << 12  # sentence pairs, about half a million phrase pairs

COUNTED = """
    create temp table pairs as
    select source, target, sum(times)::double as joint,
        arg_max(struct_pack(links := links, forward := forward, backward := backward),
                struct_pack(times := times, links := -links::hugeint)) as best
    from (
        select source, target, links, count(*) as times, any_value(forward) as forward,
            any_value(backward) as backward
        from extracted group by source, target, links
    ) group by source, target
"""
TABLE = """
    with sources as (select source, sum(joint) as count_source from pairs group by source),
        targets as (select target, sum(joint) as count_target from pairs group by target)
    select source, target, joint / count_target as p_source_given_target,
        best.forward as lex_source_given_target, joint / count_source as p_target_given_source,
        best.backward as lex_target_given_source, best.links as links, count_source, count_target,
        joint as count_joint
    from pairs join sources using (source) join targets using (target)
"""


@dataclass(frozen=True)
class PhraseCounts:
    """Numbers of sentence pairs, extracted phrase pairs, and different phrase pairs."""

    sentences: int
    extracted: int
    pairs: int


def extract(
    source: Path,
    target: Path,
    links: Path,
    output: Path,
    *,
    longest: int = LONGEST_PHRASE,
    threads: int | None = None,
    memory: str | None = None,
    temporary: Path | None = None,
    progress: Advance = no_advance,
) -> PhraseCounts:
    """Writes the phrase table of sentence pairs. `source` and `target` have words separated by single spaces,
    `links` has lines such as "0-0 1-2". What does not fit into `memory` ("4GB") goes to `temporary`."""
    check_longest(longest)
    threads = checks.threads(threads)
    aligned = _LinkedSentences((source, target, links), _core.PhraseExtractor(longest), threads, progress)
    aligned.count()
    with engines.opened("duckdb", threads=threads, memory=memory, temporary=temporary) as engine:
        connection = engine.connection.con  # type: ignore[attr-defined]
        connection.register("extracted", aligned.extracted())
        connection.execute(COUNTED)
        pairs = phrase_table.write(_finished(connection.sql(TABLE)), output)
    return PhraseCounts(aligned.sentences, aligned.rows, pairs)


def check_longest(words: int) -> None:
    if not 1 <= words <= _core.LONGEST_PHRASE:
        raise ConfigurationError(
            f"the longest phrase must have from 1 to {_core.LONGEST_PHRASE} words, not {words}"
        )


class _LinkedSentences:
    """Sentence pairs with their links, read twice: for the lexical weights, and for phrase pairs."""

    def __init__(
        self, files: tuple[Path, ...], extractor: _core.PhraseExtractor, threads: int, progress: Advance
    ) -> None:
        self.sentences = self.rows = 0
        self._files, self._extractor = files, extractor
        self._threads, self._progress = threads, progress

    def count(self) -> None:
        for lines in self._batches():
            self._guarded(self._extractor.count, *lines)
            self.sentences += len(lines[0])
        if not self.sentences:
            raise InputError(f"no sentence pairs to learn from: {self._files[0]} is empty")

    def extracted(self) -> Any:
        """Phrase pairs as an Arrow stream."""
        with extra("learning"):
            import pyarrow
        schema = pyarrow.schema(
            [("source", "string"), ("target", "string"), ("links", "uint64"),
             ("forward", "float64"), ("backward", "float64")]
        )  # fmt: skip
        return pyarrow.RecordBatchReader.from_batches(schema, self._extract(schema))

    def _extract(self, schema: Any) -> Iterator[Any]:
        import pyarrow

        done = 0
        for lines in self._batches():
            for source, target, links, *weights in self._guarded(
                self._extractor.extract, *lines, self._threads
            ):
                self.rows += len(links)
                numbers = [pyarrow.array(column) for column in (links, *weights)]
                yield pyarrow.record_batch([_strings(source), _strings(target), *numbers], schema=schema)
            done += len(lines[0])
            self._progress(done, self.sentences)

    def _batches(self) -> Iterator[list[_core.Lines]]:
        with ExitStack() as stack:
            readers = [stack.enter_context(reading(str(path))) for path in self._files]
            while True:
                self._first = readers[0].taken + 1
                lines = [reader.take(BATCH) for reader in readers]
                if len(set(map(len, lines))) > 1:
                    names = ", ".join(map(str, self._files))
                    raise InputError(f"these files differ in their number of lines: {names}")
                if not len(lines[0]):
                    return
                yield lines

    def _guarded(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """Adds the line to errors about a sentence pair."""
        try:
            return work(*arguments)
        except ValueError as error:
            number, _, problem = str(error).partition(": ")
            raise InputError(f"{self._files[2]}, line {self._first + int(number)}: {problem}") from None


def _strings(texts: Any) -> Any:
    import pyarrow

    data, offsets = texts
    buffers = (pyarrow.py_buffer(offsets), pyarrow.py_buffer(data))
    return pyarrow.StringArray.from_buffers(len(offsets) - 1, *buffers)


def _finished(result: Any) -> Iterator[Any]:
    """The rows of the result with the columns of a phrase table."""
    import pyarrow

    schema = phrase_table.schema()
    for batch in pyarrow.RecordBatchReader.from_stream(result):
        columns = {name: batch.column(name) for name in batch.schema.names}
        columns["alignment"] = _strings(_core.link_texts(columns.pop("links").to_numpy()))
        missing = pyarrow.nulls(batch.num_rows)
        arrays = [columns.get(field.name, missing).cast(field.type) for field in schema]
        yield pyarrow.record_batch(arrays, schema=schema)
