"""Files and folders that are of no use unless finished. A program that must end at once removes them."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bolide.errors import BolideError

_paths: set[Path] = set()


@contextmanager
def unfinished(path: Path) -> Iterator[None]:
    """While this lasts the path is unfinished."""
    _paths.add(path)
    try:
        yield
    finally:
        _paths.discard(path)


@contextmanager
def written(place: Path) -> Iterator[Path]:
    """The path to write a file to, or a folder: one beside `place`, which takes that name, whole, when the
    block ends. If it fails, nothing is left, and what was there before is still there."""
    try:
        folder = Path(tempfile.mkdtemp(dir=place.parent, prefix=f".{place.name}."))
        with unfinished(folder):
            try:
                new = folder / place.name
                yield new
                _flush(new)
                if place.is_dir() and new.is_dir():
                    place.rename(folder / "old")
                new.replace(place)
            finally:
                shutil.rmtree(folder, ignore_errors=True)
    except OSError as error:
        reason = error.strerror or " ".join(str(error).split())
        raise BolideError(f"cannot write {place}: {reason}") from None


def _flush(path: Path) -> None:
    """Waits until a file is on the disk: its name must not be there before its contents."""
    if path.is_file():
        with path.open("rb") as stream:
            os.fsync(stream.fileno())


def remove() -> None:
    """Removes whatever is unfinished."""
    for path in list(_paths):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
