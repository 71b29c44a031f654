"""Files and folders that are of no use unless finished. A program that must end at once removes them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_paths: set[Path] = set()


@contextmanager
def unfinished(path: Path) -> Iterator[None]:
    """While this lasts the path is unfinished."""
    _paths.add(path)
    try:
        yield
    finally:
        _paths.discard(path)


def remove() -> None:
    """Removes whatever is unfinished."""
    for path in list(_paths):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
