"""Atomic writing: a file or folder gets its final name only when it is complete.

`atomic_path` gives a path to write to, `atomic_text` an open text file. Both write in a staging folder beside
the target and rename at the end. If the block fails, the target stays as it was and nothing else is left. If
the process is killed, the target stays as it was too, and the next process removes the staging folder.

Devices and pipes are written to directly. A symbolic link is replaced, not followed: it may belong to another
user.
"""

from __future__ import annotations

import errno
import io
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from bolide._support.outputs import NamedOutput, unfinished
from bolide._support.platform import flush_file
from bolide._support.staging import Staging
from bolide.errors import OutputError


def check_target(target: str | os.PathLike[str]) -> None:
    """Fails early, before slow work, if a file could not be written."""
    folder = Path(target).parent
    with _naming(target):
        if _is_special(Path(target)):
            return
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


@contextmanager
def _staged(target: Path) -> Iterator[Path]:
    """Yields a path in a staging folder and moves it to `target` at the end."""
    with _naming(target):
        staging = None if _is_special(target) else Staging(target)
    if staging is None:
        yield target
        return
    with unfinished(staging.discard):
        try:
            with _naming(target):
                staging.make()
            yield staging.new
            with _naming(target):
                _flush(staging.new)
                staging.put_in_place()
        finally:
            try:
                staging.discard()
            except KeyboardInterrupt:  # only the first signal interrupts
                staging.discard()
                raise


def _is_special(target: Path) -> bool:
    """Whether it is a device or a pipe, such as /dev/null: renaming would replace it by a file."""
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        return False
    regular = stat.S_ISREG(mode) or stat.S_ISDIR(mode)
    if regular and _names_open_file(target):
        raise OSError(errno.EINVAL, "give the name of the file itself", os.fspath(target))
    return not regular


def _names_open_file(target: Path) -> bool:
    """Whether it is a name such as /dev/stdout or /dev/fd/3: nothing can be renamed to it. Folders in /dev,
    such as /dev/shm, have ordinary files."""
    folder = target.parent.resolve()
    return folder in (Path("/dev"), Path("/dev/fd")) or folder.is_relative_to("/proc")


def _flush(path: Path) -> None:
    """Waits until files are on the disk: a name must not be there before its contents."""
    for each in (path, *path.rglob("*")) if path.is_dir() else (path,):
        if each.is_file():
            flush_file(each)


@contextmanager
def _naming(target: str | os.PathLike[str]) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise _cannot_write(target, error) from None


def _cannot_write(target: str | os.PathLike[str], error: OSError) -> OutputError:
    return OutputError(f"cannot write {os.fspath(target)}: {error.strerror or ' '.join(str(error).split())}")
