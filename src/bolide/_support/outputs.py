"""Outputs in progress: their names in error messages, and what to remove if the program must end at once.

The command line imports this module before all others: keep its imports few.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

# How to discard each unfinished file or folder.
_unfinished: list[Callable[[], None]] = []


class NamedOutput(io.FileIO):
    """A file, by path or descriptor, whose write errors carry a name for messages."""

    def __init__(self, file: str | int, title: str, *, closefd: bool = True) -> None:
        super().__init__(file, "w", closefd=closefd)
        self._title = title

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except OSError as error:
            raise OSError(error.errno, error.strerror, self._title) from None


@contextmanager
def unfinished(discard: Callable[[], None]) -> Iterator[None]:
    """While the block runs, `remove_unfinished` calls `discard`."""
    _unfinished.append(discard)
    try:
        yield
    finally:
        _unfinished.remove(discard)


def remove_unfinished() -> None:
    """Discards all unfinished files and folders."""
    for discard in list(_unfinished):
        discard()
