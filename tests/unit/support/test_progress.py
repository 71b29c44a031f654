"""What slow work shows on standard error."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import threading
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest

from bolide._support import progress
from bolide.cli.progress import reading, system_progress
from bolide.errors import ConfigurationError
from bolide.inputs.files import ZSTD, ReadMeter, Stream
from bolide.inputs.text_files import read_segments
from tests.support.processes import PATIENCE


class Stderr(io.StringIO):
    """Standard error without a terminal. `printed` is set by the first line."""

    def __init__(self) -> None:
        super().__init__()
        self.printed = threading.Event()

    def write(self, text: str) -> int:
        count = super().write(text)
        self.printed.set()
        return count


@pytest.fixture
def stderr(monkeypatch: pytest.MonkeyPatch) -> Stderr:
    found = Stderr()
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=found))  # pytest replaces sys.stderr itself
    monkeypatch.setenv(progress.PERIOD, "0.001")
    return found


def test_lines_where_there_is_no_terminal(stderr: Stderr) -> None:
    with progress.bars() as show:
        show("[red]decoding\x1b", 1, 4)
        assert stderr.printed.wait(PATIENCE)
    line = stderr.getvalue().splitlines()[0]
    assert line.startswith("bolide: [red]decoding\\x1b: 25% (1 of 4), ") and line.endswith(" left")


def test_work_that_reports_nothing_shows_its_time(stderr: Stderr) -> None:
    with progress.bar("waiting"):
        assert stderr.printed.wait(PATIENCE)
    assert stderr.getvalue().splitlines()[0] == "bolide: waiting: 0:00"


def test_no_lines_after_the_end(stderr: Stderr) -> None:
    threads = threading.active_count()
    with progress.status() as show:
        show("a", 0, None)
        assert stderr.printed.wait(PATIENCE)
    assert threading.active_count() == threads


@pytest.mark.parametrize("how", ["hidden", "period", "closed"])
def test_no_lines(stderr: Stderr, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if how == "period":
        monkeypatch.setenv(progress.PERIOD, "0")
    if how == "closed":
        monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=None))
    threads = threading.active_count()
    with progress.hidden(how == "hidden"), progress.bars() as show:
        show("work", 1, 2)
        assert threading.active_count() == threads
    assert not stderr.getvalue()


def test_hidden_ends(stderr: Stderr) -> None:
    with progress.hidden():
        pass
    with progress.bar("seen"):
        assert stderr.printed.wait(PATIENCE)


def test_nothing_is_shown_of_finished_work() -> None:
    work = progress.CurrentWork("steps")
    assert work.line(9.0) is None
    work("one", 2, 2)
    assert work.line(9.0) is None


def test_the_time_is_that_of_the_current_work(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("bolide._support.progress.time.monotonic", lambda: now[0])
    work = progress.CurrentWork("steps")
    for number in range(2):  # also when the same work begins again
        now[0] += 50
        work("search", 0, 10)
        work("search", 5, 10)
        assert work.line(now[0] + 10) == "search: 50% (5 of 10), 0.50/s, 0:10 left", number


@pytest.mark.parametrize("period", ["x", "-1", "nan", "inf"])
def test_a_wrong_period(stderr: Stderr, period: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(progress.PERIOD, period)
    with pytest.raises(ConfigurationError, match=f"BOLIDE_PROGRESS must be a number.*not '{period}'"):
        progress.bars().__enter__()


def zstd(data: bytes) -> bytes:
    compressed: bytes = import_module(ZSTD).compress(data)
    return compressed


@pytest.mark.parametrize(
    ("suffix", "compress"),
    [("", bytes), (".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress), (".zst", zstd)],
)
def test_bytes_on_the_disk(tmp_path: Path, suffix: str, compress: Callable[[bytes], bytes]) -> None:
    path = tmp_path / f"text{suffix}"
    path.write_bytes(compress(b"the cat\n" * 100_000))
    with Stream(str(path)) as stream:
        stream.read(1)  # before the meter
        counts: list[int] = []
        with ReadMeter(counts.append) as meter:
            stream.read_all()
        stream.read_all()
    assert counts == sorted(counts)
    assert meter.count == counts[-1] == path.stat().st_size


def test_bytes_of_several_files_read_ahead(tmp_path: Path, stderr: Stderr) -> None:
    """The count of a batch is shown when it is scored, not when it is read."""
    files = [str(tmp_path / name) for name in ("hyp", "ref")]
    for file in files:
        Path(file).write_text("the cat\n" * 10_000, encoding="utf-8")
    shown: list[tuple[int, int | None]] = []
    with system_progress("hyp", files) as watched:
        watched.show = lambda what, done, total: shown.append((done, total))
        batches = list(watched.watch(read_segments(files[0], files[1:], 1000)))
        assert not shown
        for _ in batches:
            watched.scored()
    total = 2 * 8 * 10_000
    assert len(shown) == len(batches) == 10
    assert shown[-1] == (total, total) and shown == sorted(shown)


def test_a_pipe_has_no_size(stderr: Stderr, tmp_path: Path) -> None:
    with system_progress("-", ["-"]) as found:
        assert found.total is None and found.title == "standard input"


def test_bytes_of_a_block(stderr: Stderr, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"one\n" * 100_000)
    with reading("counting", [path]), Stream(str(path)) as stream:
        stream.read(100_000)
        stderr.printed.clear()
        assert stderr.printed.wait(PATIENCE)
    assert "bolide: counting: " in stderr.getvalue() and " of 400.0 kB), " in stderr.getvalue()
