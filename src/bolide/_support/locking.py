"""Locks on open files, which the system releases even if the process is killed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bolide.errors import InputError


def try_lock(descriptor: int) -> bool | None:
    """Locks a file. False if another process has locked it; None if the system has no such locks."""
    try:
        import fcntl
    except ImportError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return None
    return True


def wait_for_lock(descriptor: int) -> None:
    """Waits until no other process has locked the file, and locks it."""
    import fcntl

    fcntl.flock(descriptor, fcntl.LOCK_EX)


@contextmanager
def locked_work(folder: Path) -> Iterator[None]:
    """Locks a work folder, which must exist. A second process fails at once."""
    try:
        stream = (folder / "lock").open("ab")
    except OSError as error:
        raise InputError(f"cannot write {folder / 'lock'}: {error.strerror}") from None
    with stream:
        if try_lock(stream.fileno()) is False:
            raise InputError(
                f"another process works in {folder}: wait for it, or name another folder with --work"
            )
        yield
