"""The progress of commands that read files, in bytes (see also _support/progress.py)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from bolide._support.progress import Advance, Progress, bar, bars, hidden, no_progress, status
from bolide.cli.option_groups import info
from bolide.inputs.files import ReadMeter, shown
from bolide.inputs.segments import Segments

__all__ = ["QuietOption", "SystemProgress", "bar", "bars", "hidden", "reading", "status", "system_progress"]

QuietOption = Annotated[bool, info(None, "Show no progress.", "--quiet", "-q")]


@dataclass
class SystemProgress:
    """Shows how many bytes of the files of a system are read and scored. Batches may be read ahead."""

    title: str
    total: int | None
    show: Progress = no_progress
    _places: deque[int] = field(default_factory=deque)

    def watch(self, batches: Iterator[Segments]) -> Iterator[Segments]:
        """The same batches."""
        with ReadMeter() as meter:
            for batch in batches:
                self._places.append(meter.count)
                yield batch

    def scored(self) -> None:
        """The next of the batches is scored."""
        self.show(self.title, self._places.popleft(), self.total)


@contextmanager
def system_progress(title: str, files: Sequence[str] | None) -> Iterator[SystemProgress]:
    """The progress of a system in these files. None: they have been read before, in part or whole."""
    found = SystemProgress(shown(title), None if files is None else size(files))
    with bars("bytes") as found.show:
        found.show(found.title, 0, found.total)
        yield found


@contextmanager
def reading(title: str, files: Sequence[str | Path]) -> Iterator[None]:
    """Shows how many bytes of the files are read while the block runs."""
    total = size([str(file) for file in files])
    with bar(title) as advance, ReadMeter(lambda count: _advance(advance, count, total)):
        yield


def _advance(advance: Advance, count: int, total: int | None) -> None:
    advance(count, total)  # type: ignore[arg-type]  # unknown


def size(files: Sequence[str]) -> int | None:
    """The size of files together; None if one is a pipe, or missing."""
    try:
        return sum(Path(file).stat().st_size for file in files if _is_file(file))
    except (OSError, ValueError):
        return None


def _is_file(name: str) -> bool:
    if not Path(name).is_file():
        raise OSError
    return True
