"""Progress of slow work, on standard error: bars on a terminal, and short notices."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from bolide._support.visible import visible

Advance = Callable[[int, int], None]  # done, total
Progress = Callable[[str, int, int], None]  # name of the work, done, total


def no_advance(done: int, total: int) -> None:
    """An `Advance` that shows nothing."""


def no_progress(what: str, done: int, total: int) -> None:
    """A `Progress` that shows nothing."""


def notice(text: str) -> None:
    """Prints one line on standard error."""
    if sys.stderr is not None:
        print(visible(text), file=sys.stderr, flush=True)


@contextmanager
def bar(title: str, unit: str = "bytes") -> Iterator[Advance]:
    """Shows one bar while the block runs, in bytes or in steps."""
    with bars(unit) as show:
        show(title, 0, None)  # type: ignore[arg-type]  # the bar moves before the total is known
        yield lambda done, total: show(title, done, total)


@contextmanager
def bars(unit: str = "steps") -> Iterator[Progress]:
    """Shows one bar per piece of work while the block runs, if standard error is a terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield no_progress
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as RichProgress

    title = TextColumn("{task.description}", markup=False)
    count = DownloadColumn() if unit == "bytes" else MofNCompleteColumn()
    columns = (title, BarColumn(), count, TimeRemainingColumn())
    with RichProgress(*columns, console=Console(stderr=True), transient=True) as shown:
        tasks: dict[str, Any] = {}

        def progress(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = shown.add_task(visible(what), total=total)
            shown.update(tasks[what], completed=done, total=total)

        yield progress
