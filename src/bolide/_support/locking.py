"""Locks on work folders, which the system releases even if the process is killed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bolide._support.platform import try_lock
from bolide._support.staging import remove_leftovers
from bolide.errors import InputError


@contextmanager
def locked_work(folder: Path) -> Iterator[None]:
    """Locks a work folder, which must exist. A second process fails at once. Removes what killed processes
    left: if all work is done, no file is written, which would remove it."""
    try:
        stream = (folder / "lock").open("ab")
    except OSError as error:
        raise InputError(f"cannot write {folder / 'lock'}: {error.strerror}") from None
    with stream:
        if try_lock(stream.fileno()) is False:
            raise InputError(
                f"another process works in {folder}: wait for it, or name another folder with --work"
            )
        remove_leftovers(folder)
        yield
