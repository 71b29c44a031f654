"""Compare scoring on Spark with `bolide score`, in one run: the cost of a million segments.

    python -m bench.cluster [--segments 1000000] [--master 'local[2]']

The input is WMT12's system outputs (or generated sentences), repeated as often as needed, as a Parquet file
of 16 row groups. Spark reads it, scores it with one thread per task, and writes it with a column of scores.
Then Spark computes the corpus score from the texts. `bolide score` reads the same file. All results must be
equal. Processor time is that of all processes, including Java. Memory is proportional set size: shared pages
are divided among the processes that share them. Needs java and the extra `spark`.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from bench import corpus
from bolide import Meteor
from bolide.distributed import spark

TICK = os.sysconf("SC_CLK_TCK")
PARTITIONS = 16


@dataclass
class Taken:
    """Resources used by a program and its child processes, by process id."""

    seconds: float = 0.0
    cpu: dict[int, float] = field(default_factory=dict)
    memory: dict[int, float] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)

    def look(self, root: int) -> None:
        family = {root}
        rows = [row for path in Path("/proc").glob("[0-9]*") if (row := _stat(path)) is not None]
        for pid, name, parent, cpu in sorted(rows):  # a child usually has a larger id than its parent
            if pid in family or parent in family:
                family.add(pid)
                self.cpu[pid], self.names[pid] = cpu, "driver" if pid == root else name
                self.memory[pid] = max(self.memory.get(pid, 0.0), _pss(pid))

    def line(self, label: str, segments: int, before: float = 0.0) -> str:
        millions = segments / 1e6
        cpu = sum(self.cpu.values()) - before
        each: dict[str, float] = {}
        for pid, name in self.names.items():
            each[name] = max(each.get(name, 0.0), self.memory[pid])
        memory = ", ".join(f"{name} {size:,.0f} MB" for name, size in sorted(each.items()) if size >= 1)
        return f"| {label} | {self.seconds / millions:.1f} | {cpu / millions:.1f} | {memory} |"


def _stat(path: Path) -> tuple[int, str, int, float] | None:
    with suppress(OSError):
        head, _, tail = (path / "stat").read_text().rpartition(")")
        fields = tail.split()
        return (
            int(path.name),
            head.partition("(")[2],
            int(fields[1]),
            (int(fields[11]) + int(fields[12])) / TICK,
        )
    return None


def _pss(pid: int) -> float:
    """Proportional set size in megabytes: shared pages are divided among their users."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) / 1024
    return 0.0


@contextmanager
def watched(root: int) -> Iterator[Taken]:
    taken, ended, start = Taken(), threading.Event(), time.perf_counter()

    def watch() -> None:
        while not ended.wait(0.5):
            taken.look(root)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield taken
    finally:
        ended.set()
        watcher.join()
        taken.look(root)
        taken.seconds = time.perf_counter() - start


def written(folder: Path, count: int) -> tuple[Path, str]:
    import pyarrow
    from pyarrow import parquet

    hypotheses, references, what = corpus.default(100_000)
    times = -(-count // len(hypotheses))
    table = pyarrow.table(
        {"hypothesis": (hypotheses * times)[:count], "reference": (references * times)[:count]}
    )
    parquet.write_table(table, folder / "texts.parquet", row_group_size=-(-count // PARTITIONS))
    return folder / "texts.parquet", what


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--segments", type=int, default=1_000_000)
    parser.add_argument("--master", default="local[2]")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        texts, what = written(folder, options.segments)
        print(f"{options.segments:,} segments, {what}, {options.master}; per million segments:\n")
        print("| | seconds | processor seconds | most memory of a process |\n|---|---|---|---|")
        command = [sys.executable, "-m", "bolide", "score", str(texts), "-q", "--width", "17"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        with watched(process.pid) as taken:
            alone = float(process.communicate()[0])
        print(taken.line("`bolide score`, no Spark", options.segments), flush=True)
        with spark.session(options.master) as session:
            session.conf.set("spark.sql.files.maxPartitionBytes", str(texts.stat().st_size // PARTITIONS))
            table, meteor = session.read.parquet(str(texts)), Meteor()
            spark.corpus_score(
                table.limit(100), meteor=meteor
            )  # starts Java and loads the pack in the executors
            base = Taken()
            base.look(os.getpid())
            before = sum(base.cpu.values())
            with watched(os.getpid()) as taken:
                spark.score(table, meteor=meteor, statistics="statistics").write.parquet(
                    str(folder / "scored")
                )
            print(
                taken.line("a column of scores and one of statistics", options.segments, before), flush=True
            )
            before = sum(taken.cpu.values())
            with watched(os.getpid()) as taken:
                found = spark.corpus_score(table, meteor=meteor)
            print(taken.line("the corpus score", options.segments, before), flush=True)
            before = sum(taken.cpu.values())
            with watched(os.getpid()) as taken:
                scored = session.read.parquet(str(folder / "scored"))
                again = spark.corpus_score(scored, statistics="statistics", meteor=meteor)
            print(taken.line("the same from the statistics", options.segments, before), flush=True)
            parts = table.rdd.getNumPartitions()
        if not alone == found.score == again.score:
            sys.exit(f"scores differ: {alone}, {found.score}, {again.score}")
        print(f"\n{parts} partitions; METEOR {alone!r} by all of them.")


if __name__ == "__main__":
    main()
