"""Atomic writing: a file or folder gets its final name only when it is complete.

`atomic_path` gives a path to write to, `atomic_text` an open text file. Both write in a temporary folder
beside the target and rename at the end. If the block fails, the target stays as it was and nothing else is
left. A program that must end at once calls `remove_unfinished` first.
"""

from __future__ import annotations

import io
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TextIO

from bolide.errors import OutputError

# Unfinished paths. For a temporary folder of this module, also the target.
_unfinished: dict[Path, Path | None] = {}


def check_target(target: str | os.PathLike[str]) -> None:
    """Fails early, before slow work, if a file could not be written."""
    folder = Path(target).parent
    if not folder.is_dir():
        problem = f"there is no folder {folder}"
    elif Path(target).is_dir():
        problem = "it is a folder"
    elif not os.access(folder, os.W_OK):
        problem = f"the folder {folder} is not writable"
    else:
        return
    raise OutputError(f"cannot write {os.fspath(target)}: {problem}")


@contextmanager
def atomic_path(target: str | os.PathLike[str]) -> Iterator[Path]:
    """Yields the path of a file or folder to create; it becomes `target` when the block ends."""
    with _staged(Path(target)) as new, _naming(target):
        yield new


@contextmanager
def atomic_text(target: str | os.PathLike[str]) -> Iterator[TextIO]:
    """Yields a text file to write; it becomes `target` when the block ends.

    Only this file's errors are reported as errors of `target`, so several files can be open at a time.
    """
    name = os.fspath(target)
    with _staged(Path(target)) as new:
        with _naming(target):
            raw = NamedOutput(str(new), name)
        stream = io.TextIOWrapper(io.BufferedWriter(raw), encoding="utf-8", newline="\n")
        try:
            yield stream
            stream.close()
        except BaseException as error:
            with suppress(OSError):
                stream.close()
            if isinstance(error, OSError) and error.filename == name:
                raise _cannot_write(target, error) from None
            raise


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
def unfinished(path: Path, target: Path | None = None) -> Iterator[None]:
    """Registers a path for `remove_unfinished` while the block runs."""
    _unfinished[path] = target
    try:
        yield
    finally:
        del _unfinished[path]


def remove_unfinished() -> None:
    """Removes all unfinished paths. A folder that was about to be replaced gets its name back."""
    for path, target in list(_unfinished.items()):
        _discard(path, target)


@contextmanager
def _staged(target: Path) -> Iterator[Path]:
    """Yields a path in a temporary folder and moves it to `target` at the end."""
    with _naming(target):
        folder = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}."))
    with unfinished(folder, target):
        try:
            new = folder / target.name
            yield new
            with _naming(target):
                _flush(new)
                if target.is_dir() and new.is_dir():
                    target.rename(_old(folder, target))
                new.replace(target)
        finally:
            _discard(folder, target)


def _discard(path: Path, target: Path | None) -> None:
    """Removes an unfinished path. If the target had been moved away but not replaced, moves it back."""
    if target is not None and not target.exists():
        with suppress(OSError):
            _old(path, target).rename(target)
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _old(folder: Path, target: Path) -> Path:
    """Where a target that is a folder is kept until the new one is in its place."""
    return folder / f"{target.name}.old"


def _flush(path: Path) -> None:
    """Waits until a file is on the disk: its name must not be there before its contents."""
    if path.is_file():
        with path.open("rb") as stream:
            os.fsync(stream.fileno())


@contextmanager
def _naming(target: str | os.PathLike[str]) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise _cannot_write(target, error) from None


def _cannot_write(target: str | os.PathLike[str], error: OSError) -> OutputError:
    return OutputError(f"cannot write {os.fspath(target)}: {error.strerror or ' '.join(str(error).split())}")
