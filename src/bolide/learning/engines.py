"""What runs the queries: DuckDB in this process, out of core, or Spark. Both run the same (pivot.py)."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from bolide._support.extras import extra
from bolide.distributed.spark import quiet, sentence, session
from bolide.errors import BolideError, ClusterError, LearningError, unknown

NAMES = ("duckdb", "spark")
ROWS = 1 << 16  # of a batch
ROWS_OF_A_JOIN = 8_000_000  # 3.5 GB of memory suffice for as many


class Engine(Protocol):
    folder: Path  # for what is only needed meanwhile

    def read(self, path: Path) -> Any:
        """A Parquet file, or a folder of them, as a table of Ibis."""

    def keep(self, table: Any, name: str) -> Any:
        """The table, computed once."""

    def parts(self, rows: int) -> int:
        """Into how many parts a join of a table with so many rows with itself is best divided."""

    def keep_all(self, tables: Sequence[Any], name: str) -> Any:
        """The tables one below the other, computed once, and one by one."""

    def value(self, expression: Any) -> Any:
        """A single value, or the rows of a small table as dictionaries."""

    def batches(self, table: Any) -> Iterator[Any]:
        """The rows of a table as record batches."""


@contextmanager
def opened(
    name: str,
    *,
    master: str | None = None,
    threads: int | None = None,
    memory: str | None = None,
    temporary: str | Path | None = None,
) -> Iterator[Engine]:
    """An engine, with a temporary folder of its own that is removed in the end."""
    if name not in NAMES:
        raise unknown("engine", name, NAMES)
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
        raise LearningError(f"cannot make a temporary folder in {parent}: {error.strerror}") from None


class _Ibis:
    """What is the same with both."""

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
        """In the database's file, compressed, and not in memory."""
        return self.connection.create_table(name, table)

    def parts(self, rows: int) -> int:
        """Join and aggregation go to the disk when memory ends; but each keeps a block for each of its many
        partitions, and with them all a few gigabytes can be full."""
        return max(1, -(-rows // ROWS_OF_A_JOIN))

    def keep_all(self, tables: Sequence[Any], name: str) -> Any:
        kept = self.keep(tables[0], name)
        for table in tables[1:]:
            self.connection.insert(name, table)
        return kept

    def batches(self, table: Any) -> Iterator[Any]:
        """Without Ibis, which asks in a way that DuckDB 2 has no more."""
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
        """Cached by the executors, on their disks if need be."""
        self._kept.append(table.cache())
        return self._kept[-1]

    def parts(self, rows: int) -> int:
        """Spark divides by itself."""
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
