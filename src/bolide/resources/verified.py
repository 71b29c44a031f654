"""Remembers which large files of packs have been checked, so that they are hashed once and not at each start.

`BOLIDE_VERIFY` chooses when the checksums of large files are checked:

    once     the default: when a pack is opened for the first time since the computer was started, or since
             one of its files was changed
    always   whenever a pack is opened
    never    only by `bolide resources verify`

A record is an empty file in the user's cache. Its name is a hash of the identity of the files: device, inode,
size, times of modification and change, and checksum. If the cache cannot be written, files are hashed each
time.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path

from bolide._support.folders import user_folder
from bolide.errors import unknown

MODES = ("once", "always", "never")
MOST = 256  # records that are kept
SETTLED = 2.0  # seconds; no file system has coarser times
_BOOT = Path("/proc/sys/kernel/random/boot_id")

Identity = tuple[str, os.stat_result]  # sha256 and state of a file


def mode() -> str:
    """When to check large files."""
    chosen = os.environ.get("BOLIDE_VERIFY", "").strip().lower() or MODES[0]
    if chosen not in MODES:
        raise unknown("BOLIDE_VERIFY", chosen, MODES)
    return chosen


@cache
def boot() -> str:
    """Identifies the start of the computer; "" on systems that do not tell it."""
    try:
        return _BOOT.read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return ""


def folder() -> Path:
    """The folder of the records."""
    return user_folder("cache") / "verified"


def record(files: Iterable[Identity]) -> Path:
    """The record of these files. It exists if they have been checked."""
    rows = [
        (sha256, state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns)
        for sha256, state in files
    ]
    return folder() / hashlib.sha256(repr((boot(), rows)).encode()).hexdigest()


def exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # no permission
        return False


def remember(path: Path, states: Iterable[os.stat_result]) -> None:
    """Writes a record, and removes old ones. Does nothing if the cache cannot be written, or if a file was
    changed just now: then another change may leave its times as they are."""
    now = time.time()
    # On Windows, st_ctime is when the file was made.
    if any(abs(now - moment) < SETTLED for state in states for moment in (state.st_ctime, state.st_mtime)):
        return
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        records = sorted(path.parent.iterdir(), key=lambda each: each.stat().st_mtime_ns)
        for old in records[:-MOST]:
            old.unlink(missing_ok=True)
