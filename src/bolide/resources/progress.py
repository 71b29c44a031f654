"""Telling the user about slow work: a bar if standard error is a terminal, short notices, nothing more."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Advance = Callable[[int, int], None]  # (done, total)


def notice(text: str) -> None:
    """One line on standard error."""
    if sys.stderr is not None:
        print(text, file=sys.stderr, flush=True)


@contextmanager
def bar(title: str, unit: str = "bytes") -> Iterator[Advance]:
    """A progress bar while the block runs, of bytes or of steps; silent when standard error is not a
    terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    name = TextColumn("{task.description}", markup=False)
    done = DownloadColumn() if unit == "bytes" else MofNCompleteColumn()
    columns = (name, BarColumn(), done, TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(title, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
