"""Staging folders: where files are written before they get their final name.

A staging folder is in the same folder as its target, and is locked while its process runs. If a process is
killed, the next process that writes to the same folder removes the staging folder.

    .report.html.3f09a2b1.unfinished/
      new/report.html     the file or folder that is written
      old/report.html     a folder that is being replaced, on systems that cannot exchange two folders
      lock                on systems that cannot lock the folder itself
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import stat
from contextlib import suppress
from pathlib import Path

from bolide._support.platform import (
    exchange,
    is_private,
    keep_permissions,
    long_path,
    move,
    open_lock,
    remove_lock,
    rename,
    try_lock,
)

SHOWN = 40  # characters of the target's name in that of the staging folder
NAME = re.compile(r"\..{1,40}\.[0-9a-f]{8}\.unfinished", re.DOTALL)
ATTEMPTS = 100
# Errors if another process has put its folder in place in the meantime.
TAKEN = {errno.ENOTEMPTY, errno.EEXIST}


class Staging:
    """A staging folder, once `make` has made it. `new` is the path to write to.

    Its name is known before it exists, so that an interrupt at any moment finds it."""

    def __init__(self, target: Path) -> None:
        self._process = os.getpid()
        self._target = long_path(target)
        self._descriptor = -1
        self._choose_name()

    def _choose_name(self) -> None:
        name = f".{self._target.name[:SHOWN]}.{os.urandom(4).hex()}.unfinished"
        self.new = long_path(self._target.parent / name / "new" / self._target.name)
        self._folder = self.new.parents[1]
        self._old = self._folder / "old" / self._target.name

    def make(self) -> None:
        """Makes the folder and locks it. The system releases the lock after a kill."""
        remove_leftovers(self._target.parent)
        for _ in range(ATTEMPTS):
            try:
                self._folder.mkdir(mode=0o700)
                if self._lock():
                    self.new.parent.mkdir()
                    return
            except FileExistsError:
                pass
            except FileNotFoundError:  # another process took it for a leftover before it was locked
                if not self._target.parent.exists():
                    raise
            self._choose_name()
        raise FileNotFoundError(
            errno.ENOENT, "other processes remove its temporary folders", os.fspath(self._target)
        )

    def _lock(self) -> bool:
        """Whether the folder is locked, or cannot be, and is still there."""
        try:
            self._descriptor = open_lock(self._folder)
        except FileNotFoundError:
            raise
        except OSError:  # a file system that does not open folders
            return True
        if try_lock(self._descriptor) is not False and self._folder.exists():
            return True
        descriptor, self._descriptor = self._descriptor, -1
        os.close(descriptor)
        return False

    def put_in_place(self) -> None:
        """Gives the new file or folder its final name, and the permissions of what it replaces."""
        new, target = self.new, self._target
        if target.exists() and not target.is_symlink():
            keep_permissions(target, new)
        while True:
            if new.is_dir() and target.is_dir():
                if exchange(new, target):
                    return
                if self._old.exists():  # another process has put a newer folder in place
                    shutil.rmtree(self._old)
                self._old.parent.mkdir(exist_ok=True)
                rename(target, self._old)
            try:
                move(new, target)
            except OSError as error:
                if error.errno not in TAKEN:
                    raise
            else:
                return

    def discard(self) -> None:
        """Removes the staging folder. A process that was forked meanwhile leaves it to its owner."""
        if self._process != os.getpid():
            return
        _remove(self._folder)
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)
            _remove(self._folder)  # where an open lock cannot be removed


def remove_leftovers(parent: Path) -> None:
    """Removes the staging folders of killed processes."""
    with suppress(OSError):
        for path in parent.iterdir():
            if NAME.fullmatch(path.name):
                _remove_leftover(path)


def _remove_leftover(folder: Path) -> None:
    with suppress(OSError):
        if not _is_own_folder(folder):
            return
        descriptor = open_lock(folder)
        try:
            if not try_lock(descriptor):
                return
            _remove(folder)
        finally:
            os.close(descriptor)
        remove_lock(folder)


def _is_own_folder(path: Path) -> bool:
    """Whether it is a folder that only its owner, this user, may enter, as `Staging` makes them. Anything
    else with such a name was put there by somebody else, for example by an archive."""
    found = os.lstat(path)
    return stat.S_ISDIR(found.st_mode) and is_private(found)


def _remove(folder: Path) -> None:
    """Removes a staging folder. A target that was moved away but not replaced is moved back first."""
    kept = folder / "old"
    for old in kept.iterdir() if kept.is_dir() and not kept.is_symlink() else ():
        if not os.path.lexists(folder.parent / old.name):
            try:
                rename(old, folder.parent / old.name)
            except OSError:  # keep it: it is the only copy
                return
    shutil.rmtree(folder, ignore_errors=True)
