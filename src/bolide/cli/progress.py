"""What a terminal shows while a command is at work (see also _support/progress.py). Elsewhere nothing is
shown.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from bolide._support.visible import visible
from bolide.inputs.files import shown

Count = Callable[[int], None]  # the number of segments that were scored


def _shown() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


@contextmanager
def counter(name: str, quiet: bool = False) -> Iterator[Count]:
    """Counts the segments of a system."""
    if quiet or not _shown():
        yield lambda count: None
        return
    from rich.console import Console
    from rich.progress import MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    title = TextColumn("{task.description}", markup=False)  # names may have brackets
    columns = (SpinnerColumn(), title, MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(visible(shown(name)), total=None)
        yield lambda count: bar.advance(task, count)


@contextmanager
def status() -> Iterator[Callable[[str], None]]:
    """Shows what is being done."""
    if not _shown():
        yield lambda what: None
        return
    from rich.console import Console
    from rich.text import Text

    with Console(stderr=True).status("reading") as found:
        yield lambda what: found.update(Text(visible(what)))  # not as markup: names may have brackets
