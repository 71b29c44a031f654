"""Progress of slow work, on standard error: bars on a terminal; elsewhere one line every few seconds, and no
line if the work takes less. Also short notices.

The environment variable BOLIDE_PROGRESS is the number of seconds between lines; 0 means no lines.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from threading import Event, Thread
from typing import Any

from bolide._support.visible import visible
from bolide.errors import ConfigurationError

Advance = Callable[[int, int], None]  # done, total
Progress = Callable[[str, int, int | None], None]  # name of the work, done, total (None if it is not known)

PERIOD = "BOLIDE_PROGRESS"
SECONDS = 5.0
_hidden: ContextVar[bool] = ContextVar("hidden", default=False)


def no_advance(done: int, total: int) -> None:
    """An `Advance` that shows nothing."""


def no_progress(what: str, done: int, total: int | None) -> None:
    """A `Progress` that shows nothing."""


def named(progress: Progress, what: str) -> Advance:
    """The progress of one piece of work."""
    return lambda done, total: progress(what, done, total)


def notice(text: str) -> None:
    """Prints one line on standard error."""
    if sys.stderr is not None:
        print(visible(text), file=sys.stderr, flush=True)


@contextmanager
def hidden(wanted: bool = True) -> Iterator[None]:
    """Shows no progress while the block runs."""
    before = _hidden.set(wanted)
    try:
        yield
    finally:
        _hidden.reset(before)


@contextmanager
def bar(title: str, unit: str = "bytes") -> Iterator[Advance]:
    """Shows one bar while the block runs, in bytes or in steps."""
    with bars(unit) as show:
        show(title, 0, None)  # the bar moves before the total is known
        yield named(show, title)


@contextmanager
def bars(unit: str = "steps") -> Iterator[Progress]:
    """Shows the progress of each piece of work while the block runs."""
    if _hidden.get() or sys.stderr is None:
        yield no_progress
    elif sys.stderr.isatty():
        with _terminal_bars(unit) as progress:
            yield progress
    else:
        with _lines(unit) as progress:
            yield progress


@contextmanager
def status() -> Iterator[Progress]:
    """The same for many short pieces of work: a terminal shows the current one only."""
    if _hidden.get() or sys.stderr is None or not sys.stderr.isatty():
        with bars() as progress:
            yield progress
        return
    from rich.console import Console
    from rich.text import Text

    work = CurrentWork("steps")
    with Console(stderr=True).status("reading") as found:

        def show(what: str, done: int, total: int | None) -> None:
            work(what, done, total)
            found.update(Text(visible(work.line(time.monotonic()) or what)))  # names may have brackets

        yield show


@contextmanager
def _terminal_bars(unit: str) -> Iterator[Progress]:
    from rich import progress as rich
    from rich.console import Console

    title = rich.TextColumn("{task.description}", markup=False)
    sizes = (rich.DownloadColumn(), rich.TransferSpeedColumn())
    counts = sizes if unit == "bytes" else (rich.MofNCompleteColumn(),)
    columns = (title, rich.BarColumn(), *counts, rich.TimeElapsedColumn(), rich.TimeRemainingColumn())
    with rich.Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        tasks: dict[str, Any] = {}

        def progress(what: str, done: int, total: int | None) -> None:
            if what not in tasks:
                tasks[what] = shown.add_task(visible(what), total=total)
            shown.update(tasks[what], completed=done, total=total)

        yield progress


# ---- lines ---------------------------------------------------------------------------------------


@contextmanager
def _lines(unit: str) -> Iterator[Progress]:
    """Prints a line about the current work from time to time. A thread does it, because some work does not
    report anything until it has finished."""
    seconds = _period()
    work, end = CurrentWork(unit), Event()

    def repeat() -> None:
        while not end.wait(seconds):
            line = work.line(time.monotonic())
            if line is not None:
                with suppress(OSError, ValueError):  # ValueError: closed
                    notice(f"bolide: {line}")

    thread = Thread(target=repeat, daemon=True)
    if seconds:
        with suppress(RuntimeError):  # no more threads are allowed
            thread.start()
    try:
        yield work
    finally:
        end.set()
        if thread.is_alive():
            thread.join()


def _period() -> float:
    text = os.environ.get(PERIOD, "")
    try:
        seconds = float(text) if text else SECONDS
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= 86400:
        raise ConfigurationError(f"{PERIOD} must be a number of seconds, or 0 for no lines, not '{text}'")
    return seconds


@dataclass
class CurrentWork:
    """A `Progress` that remembers the last piece of work."""

    unit: str
    what: str | None = None
    done: int = 0
    total: int | None = None
    started: float = field(default_factory=time.monotonic)

    def __call__(self, what: str, done: int, total: int | None) -> None:
        if what != self.what or done < self.done:
            self.started = time.monotonic()
        self.what, self.done, self.total = what, done, total

    def line(self, now: float) -> str | None:
        """What is done; None if there is nothing to do.

        >>> work = CurrentWork("bytes", "a.txt", 30_000_000, 120_000_000, started=100.0)
        >>> work.line(110.0)
        'a.txt: 25% (30.0 MB of 120.0 MB), 3.0 MB/s, 0:30 left'
        >>> CurrentWork("steps", "decoding, run 1", 0, 1, 100.0).line(3790.0)
        'decoding, run 1: 1:01:30'
        """
        done, total = self.done, self.total
        if self.what is None or done == total:
            return None
        seconds = max(now - self.started, 1e-9)
        speed = f"{amount(done / seconds, self.unit)}/s"
        if not done:
            shown = duration(seconds)
        elif total is None:
            shown = f"{amount(done, self.unit)}, {speed}"
        else:
            of = f"{amount(done, self.unit)} of {amount(total, self.unit)}"
            left = duration(seconds * (total - done) / done)
            shown = f"{100 * done // total}% ({of}), {speed}, {left} left"
        return f"{self.what}: {shown}"


def amount(number: float, unit: str) -> str:
    """A number of bytes or steps.

    >>> amount(1_234_567, "bytes"), amount(999, "bytes"), amount(1_234_567, "steps"), amount(0.25, "steps")
    ('1.2 MB', '999 bytes', '1,234,567', '0.25')
    """
    if unit != "bytes":
        return f"{number:,.2f}" if number < 10 and number != int(number) else f"{number:,.0f}"
    for name, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if number >= size:
            return f"{number / size:,.1f} {name}"
    return f"{number:.0f} bytes"


def duration(seconds: float) -> str:
    """
    >>> duration(59.7), duration(3600 * 25)
    ('0:59', '25:00:00')
    """
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
