"""What a terminal shows while a command is at work. Elsewhere all of these show nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from bolide import inputs

Advance = Callable[[int], None]  # by how many
Show = Callable[[str, int, int], None]  # what, done, of how many


def _shown() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


@contextmanager
def counter(name: str, quiet: bool = False) -> Iterator[Advance]:
    """Counts the segments of a system."""
    if quiet or not _shown():
        yield lambda count: None
        return
    from rich.progress import MofNCompleteColumn, SpinnerColumn, TimeElapsedColumn

    with _bars(SpinnerColumn(), MofNCompleteColumn(), TimeElapsedColumn()) as bar:
        task = bar.add_task(inputs.shown(name), total=None)
        yield lambda count: bar.advance(task, count)


@contextmanager
def bars() -> Iterator[Show]:
    """Shows one bar per search."""
    if not _shown():
        yield lambda what, done, total: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TimeRemainingColumn

    with _bars(BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()) as found:
        tasks: dict[str, Any] = {}

        def show(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = found.add_task(what, total=total)
            found.update(tasks[what], completed=done, total=total)

        yield show


@contextmanager
def status() -> Iterator[Callable[[str], None]]:
    """Shows what is being done."""
    if not _shown():
        yield lambda what: None
        return
    from rich.console import Console
    from rich.text import Text

    with Console(stderr=True).status("reading") as found:
        yield lambda what: found.update(Text(what))  # not as markup: names may have brackets


def _bars(*columns: Any) -> Any:
    from rich.console import Console
    from rich.progress import Progress, TextColumn

    title = TextColumn("{task.description}", markup=False)  # names may have brackets
    return Progress(columns[0], title, *columns[1:], console=Console(stderr=True), transient=True)
