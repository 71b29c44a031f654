"""Scores on a cluster with Spark:

    from bolide.distributed.spark import corpus_score, score

    score(table, hypothesis="output", references="reference")         # the table with a column "meteor"
    corpus_score(table, hypothesis="output", references="reference")  # the score of all rows together

References are a column of texts, a column of lists of texts, or several columns. The table can be any that
Spark reads. The executors score rows in Arrow batches, with the same scorer as on one machine. A corpus score
is computed from sums of integer statistics per partition, so it does not depend on the partitions. (Only if
the corpus score of a profile is the mean of its segments, partitions may change the rounding.)

The executors need bolide and the pack: installed on each (`bolide resources install en`, in the image), on a
shared file system (`Meteor(resources=FOLDER)`), or sent with `ship=True`. The arrays are memory-mapped, so
all processes of a machine share one copy. An executor with another pack or version is an error.
"""

from __future__ import annotations

import math
import os
import pickle
import re
import signal
import sys
import tempfile
import warnings
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from threading import current_thread, main_thread
from typing import Any

import numpy as np

from bolide._core import StatisticsLayout
from bolide._support.extras import extra
from bolide.compat.columns import TextColumn, named, segments_of
from bolide.errors import BolideError, ClusterError, ConfigurationError, ResourceError
from bolide.formula.statistics import scores
from bolide.inputs.segments import Segments
from bolide.resources import Pack, load_pack, manifest
from bolide.scoring.corpus import Corpus, Partial
from bolide.scoring.measured import MeasuredSegments
from bolide.scoring.meteor import Meteor
from bolide.scoring.score import CorpusScore

# Number of segments that `Cluster.measure` passes to Spark at a time.
PIECE = 1 << 18
# Settings for a master on this machine: no other machine connects, and few cores need few tasks.
LOCAL = {
    "spark.ui.enabled": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.sql.shuffle.partitions": "16",
}
DETAILS = "struct<statistics:array<int>,flags:tinyint,references:int>"
PARTIAL = (
    "statistics array<bigint>, segments bigint, bounded bigint, unproven bigint, "
    "fewest int, most int, total double"
)
ROWS = "statistics array<int>, flags tinyint"

Batches = Iterator[Any]  # Arrow record batches


def score(
    table: Any,
    hypothesis: str = "hypothesis",
    references: str | Sequence[str] = "reference",
    *,
    meteor: Meteor | None = None,
    column: str | None = "meteor",
    statistics: str | None = None,
    ship: bool = False,
    threads: int = 1,
) -> Any:
    """The table with the score of each row in a new `column`. The default scorer is profile 1.5 for English.

    `statistics` names another new column, with the statistics for `corpus_score`. Spark computes the columns
    when they are needed. `threads` is the number of threads per task, as `spark.task.cpus`.
    """
    texts = _columns(table, hypothesis, references)
    added = [(name, kind) for name, kind in ((column, "double"), (statistics, DETAILS)) if name is not None]
    if not added:
        raise ConfigurationError("name a column for the scores, or for the statistics")
    for name, _ in added:
        if name in table.columns:
            raise ConfigurationError(f"the table already has a column '{name}'; name another")
    schema = table.limit(0).selectExpr("*", *(f"cast(null as {kind}) as `{name}`" for name, kind in added))
    recipe = _recipe(table.sparkSession, meteor, ship, threads)
    work = _Scored(recipe, texts, column is not None, statistics is not None)
    with quiet():
        return table.mapInArrow(work, schema.schema)


def corpus_score(
    table: Any,
    hypothesis: str = "hypothesis",
    references: str | Sequence[str] = "reference",
    *,
    meteor: Meteor | None = None,
    statistics: str | None = None,
    ship: bool = False,
    threads: int = 1,
) -> CorpusScore:
    """The score of all rows together. If the table has a column of `statistics` from `score`, the texts are
    not read."""
    scorer = meteor or Meteor()
    recipe = _recipe(table.sparkSession, scorer, ship, threads)
    corpus = Corpus(scorer.settings)
    if statistics is None:
        wanted = _columns(table, hypothesis, references)
        work: Callable[[Batches], Batches] = _Summed(recipe, wanted)
    else:
        named(table.columns, statistics, [])
        wanted, work = (statistics,), _Added(recipe, statistics)
    with _telling():
        rows = (
            table.select(*(f"`{name}`" for name in dict.fromkeys(wanted))).mapInArrow(work, PARTIAL).collect()
        )
    totals = math.fsum(row["total"] for row in rows)
    for number, row in enumerate(rows):
        known = (row["fewest"], row["most"]) if row["segments"] else None
        total = 0.0 if number else totals  # one exact sum, so that the order does not matter
        corpus.add_partial(
            Partial(tuple(row["statistics"]), row["segments"], row["bounded"], row["unproven"], known, total)
        )
    return corpus.score()


class Cluster:
    """Scores segments of this process, such as those of files, on Spark."""

    def __init__(self, session: Any, meteor: Meteor, *, ship: bool = False) -> None:
        self._session = session
        self._recipe = _recipe(session, meteor, ship, 1)

    def measure(self, segments: Segments) -> MeasuredSegments:
        """The result of `Meteor.measure`, in the same order."""
        import pyarrow

        ends = np.concatenate(([0], np.cumsum(segments.counts)))
        lists = pyarrow.ListArray.from_arrays(
            pyarrow.array(ends, pyarrow.int32()), pyarrow.array(list(segments.references), pyarrow.string())
        )
        numbers = np.arange(segments.first, segments.first + len(segments))
        columns = [numbers, pyarrow.array(list(segments.hypotheses), pyarrow.string()), lists]
        rows = pyarrow.table(columns, names=["number", "hypothesis", "references"])
        with _telling():
            work = _ScoredRows(self._recipe, segments.pretokenized)
            found = self._session.createDataFrame(rows).mapInArrow(work, f"number bigint, {ROWS}").toArrow()
        found = found.sort_by("number")
        width = StatisticsLayout(self._recipe.scorer.modules).width
        flat = found.column("statistics").combine_chunks().flatten().to_numpy(zero_copy_only=False)
        flags = found.column("flags").to_numpy().astype(np.uint8)
        rows = flat.reshape(-1, width).astype(np.int32)
        return MeasuredSegments(rows, flags, segments.counts, segments.documents)


@contextmanager
def cluster(master: str, meteor: Meteor) -> Iterator[Cluster]:
    """A cluster at a master. Sends the pack of the scorer, unless the master is on this machine."""
    with session(master) as running:
        yield Cluster(running, meteor, ship=not _is_local(master))


# ---- on the executors ----------------------------------------------------------------------------


@dataclass(frozen=True)
class ScorerRecipe:
    """How an executor makes the scorer, and the expected signature."""

    pickled: bytes  # its class and settings
    archives: tuple[
        tuple[str, str], ...
    ]  # the packs that were sent: the setting, and the name of the archive
    signature: str

    @property
    def scorer(self) -> Meteor:
        """The scorer. Each process keeps one, with its cached words."""
        return _made(self)


@lru_cache(maxsize=4)
def _made(recipe: ScorerRecipe) -> Meteor:
    kind, settings = pickle.loads(recipe.pickled)
    if recipe.archives:
        from pyspark import SparkFiles

        sent = {name: load_pack(SparkFiles.get(archive)) for name, archive in recipe.archives}
        settings = replace(settings, **sent)
    found: Meteor = kind.from_settings(settings)
    if (signature := found.get_signature()) != recipe.signature:
        raise ResourceError(
            f"an executor has other settings than the driver: {signature} instead of {recipe.signature}; "
            "install the same bolide and the same pack on it, or send the pack with ship=True"
        )
    return found


def _read(batch: Any, names: tuple[str, ...]) -> Segments:
    """The texts of a batch."""
    first, *others = (
        TextColumn(
            name, batch.column(name).is_null().to_numpy(zero_copy_only=False), batch.column(name).to_pylist()
        )
        for name in names
    )
    return segments_of(first, others)


def _list_column(rows: Any, kind: Any) -> Any:
    """The rows of an array as lists."""
    import pyarrow

    offsets = np.arange(0, rows.size + 1, rows.shape[1], dtype=np.int32)
    return pyarrow.ListArray.from_arrays(offsets, pyarrow.array(rows.reshape(-1), kind))


@dataclass(frozen=True)
class _Scored:
    """Adds columns to rows."""

    recipe: ScorerRecipe
    names: tuple[str, ...]
    score: bool
    statistics: bool

    def __call__(self, batches: Batches) -> Batches:
        import pyarrow

        scorer = self.recipe.scorer
        for batch in batches:
            segments = _read(batch, self.names)
            measured = scorer.measure(segments)
            columns = batch.columns
            if self.score:
                columns.append(pyarrow.array(scores(measured.statistics, scorer.parameters)))
            if self.statistics:
                parts = {
                    "statistics": _list_column(measured.statistics, pyarrow.int32()),
                    "flags": pyarrow.array(measured.flags.astype(np.int8)),
                    "references": pyarrow.array(segments.counts),
                }
                columns.append(pyarrow.StructArray.from_arrays(list(parts.values()), list(parts)))
            names = [*batch.schema.names, *(f"new {k}" for k in range(len(columns) - batch.num_columns))]
            yield pyarrow.record_batch(columns, names)


@dataclass(frozen=True)
class _Summed:
    """Sums up the rows of a partition in one row."""

    recipe: ScorerRecipe
    names: tuple[str, ...]

    def __call__(self, batches: Batches) -> Batches:
        scorer = self.recipe.scorer
        corpus = Corpus(scorer.settings)
        for batch in batches:
            if batch.num_rows:
                corpus.add(scorer.measure(_read(batch, self.names)))
        yield _partial_row(corpus)


@dataclass(frozen=True)
class _Added:
    """Sums up a column of statistics in one row per partition."""

    recipe: ScorerRecipe
    name: str

    def __call__(self, batches: Batches) -> Batches:
        corpus = Corpus(self.recipe.scorer.settings)
        for batch in batches:
            parts = batch.column(self.name)
            flat, flags, counts = (
                values.to_numpy(zero_copy_only=False)
                for values in (parts.field(0).flatten(), parts.field(1), parts.field(2))
            )
            rows = flat.reshape(len(flags), -1).astype(np.int32)
            corpus.add(MeasuredSegments(rows, flags.astype(np.uint8), counts.astype(np.int32)))
        yield _partial_row(corpus)


@dataclass(frozen=True)
class _ScoredRows:
    """Computes the statistics and flags of numbered segments."""

    recipe: ScorerRecipe
    pretokenized: bool

    def __call__(self, batches: Batches) -> Batches:
        import pyarrow

        scorer = self.recipe.scorer
        for batch in batches:
            numbers, hypotheses, lists = batch.columns
            segments = Segments(
                hypotheses.to_pylist(),
                lists.flatten().to_pylist(),
                lists.value_lengths().to_numpy(zero_copy_only=False).astype(np.int32),
                self.pretokenized,
                numbers[0].as_py() if len(numbers) else 1,
            )
            measured = scorer.measure(segments)
            statistics = _list_column(measured.statistics, pyarrow.int32())
            rows = [numbers, statistics, pyarrow.array(measured.flags.astype(np.int8))]
            yield pyarrow.record_batch(rows, ["number", "statistics", "flags"])


def _partial_row(corpus: Corpus) -> Any:
    import pyarrow

    part = corpus.partial()
    fewest, most = part.references or (0, 0)
    row = [[list(part.statistics)], part.segments, part.bounded, part.unproven, fewest, most, part.total]
    names = ["statistics", "segments", "bounded", "unproven", "fewest", "most", "total"]
    kinds = [
        pyarrow.list_(pyarrow.int64()), *[pyarrow.int64()] * 3, *[pyarrow.int32()] * 2, pyarrow.float64()
    ]  # fmt: skip
    arrays = [
        pyarrow.array(value if isinstance(value, list) else [value], kind)
        for value, kind in zip(row, kinds, strict=True)
    ]
    return pyarrow.record_batch(arrays, names)


# ---- on the driver -------------------------------------------------------------------------------


@contextmanager
def session(master: str | None, memory: str | None = None) -> Iterator[Any]:
    """The running Spark session, or a new one that ends with the block."""
    with extra("spark"):
        from pyspark.sql import SparkSession
    running = SparkSession.getActiveSession()
    if running is not None:
        yield running
        return
    # Failures are raised here as well, so no log is needed.
    quietly = {"spark.ui.showConsoleProgress": "false", "spark.log.level": "FATAL"}
    settings = {"spark.app.name": "bolide", **quietly}
    settings |= {} if master is None else {"spark.master": master}
    if _is_local(master):
        settings |= LOCAL
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # has bolide; "python3" may not
    settings |= {} if memory is None else {"spark.driver.memory": memory.lower().rstrip("b")}
    on_interrupt = signal.getsignal(signal.SIGINT)
    try:
        with quiet(), _silent():
            started = SparkSession.builder.config(map=settings).getOrCreate()
    except Exception as error:  # any error of py4j and the Java virtual machine
        raise ClusterError(
            f"Spark cannot be started: {sentence(error)}; it needs Java 17 or later on the path, and a "
            "master such as local[2] or spark://HOST:7077"
        ) from None
    try:
        yield started
    finally:
        started.stop()
        # PySpark's own handler needs the session that has just ended.
        if on_interrupt is not None and current_thread() is main_thread():
            signal.signal(signal.SIGINT, on_interrupt)


@contextmanager
def _silent() -> Iterator[None]:
    """Hides the messages of a Java virtual machine that starts in this block. Failures raise exceptions."""
    kept = os.dup(2)
    try:
        with Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _is_local(master: str | None) -> bool:
    return (master or "").startswith("local")


@contextmanager
def quiet() -> Iterator[None]:
    """Hides warnings of Ibis, DuckDB and PySpark about each other's versions."""
    with warnings.catch_warnings():
        for category in (DeprecationWarning, FutureWarning):
            warnings.filterwarnings("ignore", category=category)
        yield


def sentence(error: Exception) -> str:
    """The first meaningful line of an error of an engine; for an error in Python, the last line."""
    if python := re.findall(r"^\w+(?:Error|Exception): .+$", str(error), re.MULTILINE):
        return str(python[-1])
    lines = (line.strip().removeprefix(": ") for line in str(error).splitlines())
    useful = (line for line in lines if line and not line.startswith("An error occurred while calling"))
    return next(useful, type(error).__name__)


@contextmanager
def _telling() -> Iterator[None]:
    """Reduces an error of an executor to one sentence."""
    try:
        with quiet():
            yield
    except BolideError:
        raise
    except Exception as error:
        if not type(error).__module__.startswith(("pyspark", "py4j")):
            raise
        ours = re.findall(r"^bolide\.errors\.\w+: (.+)$", str(error), re.MULTILINE)
        raise ClusterError(f"Spark: {ours[-1] if ours else sentence(error)}") from None


def _columns(table: Any, hypothesis: str, references: str | Sequence[str]) -> tuple[str, ...]:
    names = named(table.columns, hypothesis, references)
    if len(names) < 2:
        raise ConfigurationError("no column of references; name at least one")
    return tuple(names)


def _recipe(session: Any, meteor: Meteor | None, ship: bool, threads: int) -> ScorerRecipe:
    scorer = meteor or Meteor()
    settings = replace(scorer.settings, threads=threads)
    archives = {}
    if ship:
        packs = {name: getattr(settings, name) for name in ("pack", "synonyms", "frequencies")}
        archives = {name: _sent(session, pack) for name, pack in packs.items() if pack is not None}
        empty: dict[str, Any] = dict.fromkeys(archives, Pack(settings.language.code))
        settings = replace(settings, **empty)
    return ScorerRecipe(
        pickle.dumps((type(scorer), settings)), tuple(archives.items()), scorer.get_signature()
    )


def _sent(session: Any, pack: Pack) -> str:
    """Sends a pack to the executors, once per session. Returns its name there."""
    if pack.path is None:
        raise ConfigurationError(
            "only a pack in a folder can be sent to the executors, not one made in memory"
        )
    name = f"bolide-{pack.language}-{pack.hash}"
    context = session.sparkContext
    if not any(name in sent for sent in context.listArchives):
        archive = Path(_folder().name) / f"{name}.zip"
        _write_archive(pack.path, archive)
        context.addArchive(f"{archive}#{name}")
    return name


def _write_archive(folder: Path, archive: Path) -> None:
    """Writes the manifest of a pack and the files that it lists, and nothing else that is in the folder."""
    found = manifest.read_existing(folder)
    files = manifest.files(folder, found)
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as target:
        target.writestr(manifest.NAME, found.to_toml())
        for name in found.files:
            target.writestr(f"{found.folder}/{name}", files.read(name))


@lru_cache(maxsize=1)
def _folder() -> tempfile.TemporaryDirectory[str]:
    """The folder of archives. Executors may request them as long as the driver runs."""
    return tempfile.TemporaryDirectory(prefix="bolide-")
