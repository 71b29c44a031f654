"""Engines for the queries of pivot.py: DuckDB in this process, with spilling to disk, or Spark."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from bolide._support import checks
from bolide._support.extras import extra
from bolide.distributed.spark import quiet, sentence, session
from bolide.errors import BolideError, ClusterError, LearningError

NAMES = ("duckdb", "spark")
ROWS = 1 << 16  # of a batch
ROWS_OF_A_JOIN = 8_000_000  # this many need 3.5 GB of memory


class Engine(Protocol):
    folder: Path  # for temporary files

    def read(self, path: Path) -> Any:
        """Opens a Parquet file, or a folder of them, as an Ibis table."""

    def keep(self, table: Any, name: str) -> Any:
        """Computes a table once and keeps it."""

    def parts(self, rows: int) -> int:
        """The best number of parts for the join of a table with itself, by its number of rows."""

    def keep_all(self, tables: Sequence[Any], name: str) -> Any:
        """Computes tables one by one, and keeps their rows as one table."""

    def value(self, expression: Any) -> Any:
        """Computes a single value, or the rows of a small table as dictionaries."""

    def batches(self, table: Any) -> Iterator[Any]:
        """Yields the rows of a table as record batches."""


@contextmanager
def opened(
    name: str,
    *,
    master: str | None = None,
    threads: int | None = None,
    memory: str | None = None,
    temporary: str | Path | None = None,
) -> Iterator[Engine]:
    """Opens an engine, with a temporary folder that is removed at the end."""
    checks.choice("engine", name, NAMES)
    with extra("learning"):
        import ibis  # noqa: F401
    folder = _folder(temporary)
    try:
        make = _duckdb(folder, threads, memory) if name == "duckdb" else _spark(folder, master, memory)
        with quiet(), make as engine:
            yield engine
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _folder(parent: str | Path | None) -> Path:
    try:
        return Path(tempfile.mkdtemp(prefix="bolide-", dir=parent))
    except OSError as error:
        raise LearningError(f"cannot create a temporary folder in {parent}: {error.strerror}") from None


class _Ibis:
    """What both engines share."""

    def __init__(self, connection: Any, folder: Path) -> None:
        self.connection = connection
        self.folder = folder

    def read(self, path: Path) -> Any:
        return self.connection.read_parquet(str(path))

    def value(self, expression: Any) -> Any:
        found = expression.to_pyarrow()
        return found.to_pylist() if hasattr(found, "to_pylist") else found.as_py()

    def batches(self, table: Any) -> Iterator[Any]:
        yield from table.to_pyarrow_batches(chunk_size=ROWS)


# ---- DuckDB --------------------------------------------------------------------------------------


class DuckDB(_Ibis):
    def keep(self, table: Any, name: str) -> Any:
        """Stores the table in the file of the database, compressed, not in memory."""
        return self.connection.create_table(name, table)

    def parts(self, rows: int) -> int:
        """Joins and aggregations spill to disk, but keep a block in memory for each of their many partitions.
        All these blocks together can fill a few gigabytes, so large joins are divided."""
        return max(1, -(-rows // ROWS_OF_A_JOIN))

    def keep_all(self, tables: Sequence[Any], name: str) -> Any:
        kept = self.keep(tables[0], name)
        for table in tables[1:]:
            self.connection.insert(name, table)
        return kept

    def batches(self, table: Any) -> Iterator[Any]:
        """Bypasses Ibis, which uses a method that DuckDB 2 no longer has."""
        found = self.connection.con.sql(self.connection.compile(table))
        yield from (getattr(found, "to_arrow_reader", None) or found.fetch_arrow_reader)(ROWS)


@contextmanager
def _duckdb(folder: Path, threads: int | None, memory: str | None) -> Iterator[DuckDB]:
    with extra("learning"):
        import duckdb
        import ibis
    settings: dict[str, Any] = {
        "temp_directory": str(folder / "spilled"),
        "preserve_insertion_order": False,  # rows are sorted where their order matters
        "autoinstall_known_extensions": False,
    }
    settings |= {} if memory is None else {"memory_limit": memory}
    settings |= {} if threads is None else {"threads": threads}
    try:
        connection = ibis.duckdb.connect(folder / "work.duckdb", **settings)
        try:
            yield DuckDB(connection, folder)
        finally:
            connection.disconnect()
    except duckdb.Error as error:
        raise LearningError(f"DuckDB: {sentence(error)}{_remedy(error)}") from None


def _remedy(error: Exception) -> str:
    text = str(error).lower()
    if "no space left" in text or "disk" in text:
        return "; free space there, or name a folder on another disk (temporary)"
    return "; allow more memory, or fewer threads" if "out of memory" in text or "memory" in text else ""


# ---- Spark ---------------------------------------------------------------------------------------


class Spark(_Ibis):
    def __init__(self, connection: Any, folder: Path) -> None:
        super().__init__(connection, folder)
        self._kept: list[Any] = []

    def keep(self, table: Any, name: str) -> Any:
        """Lets the executors cache the table, on their disks if necessary."""
        self._kept.append(table.cache())
        return self._kept[-1]

    def parts(self, rows: int) -> int:
        """Spark divides joins by itself."""
        return 1

    def keep_all(self, tables: Sequence[Any], name: str) -> Any:
        (table,) = tables
        return self.keep(table, name)


@contextmanager
def _spark(folder: Path, master: str | None, memory: str | None) -> Iterator[Spark]:
    import ibis

    with session(master, memory) as found:
        try:
            yield Spark(ibis.pyspark.connect(found), folder)
        except BolideError:
            raise
        except Exception as error:
            if not type(error).__module__.startswith(("pyspark", "py4j")):
                raise
            raise ClusterError(f"Spark: {sentence(error)}") from None
