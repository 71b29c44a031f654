"""Exchanges two names in one system call, so that neither is ever missing."""

from __future__ import annotations

import errno
import os
import sys

EXCHANGE = 2  # RENAME_EXCHANGE of Linux, RENAME_SWAP of macOS
HERE = -100  # AT_FDCWD of Linux: relative paths start in the current folder
# The system or the file system cannot exchange names.
CANNOT = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EXDEV, errno.EPERM}


def exchange(one: str | os.PathLike[str], two: str | os.PathLike[str]) -> bool:
    """Exchanges two existing files or folders. False if this system cannot."""
    import ctypes  # slow to import, and only needed for folders

    first, second = os.fsencode(one), os.fsencode(two)
    try:
        library = ctypes.CDLL(None, use_errno=True)
        if sys.platform == "darwin":
            failed = library.renamex_np(first, second, ctypes.c_uint(EXCHANGE))
        else:
            failed = library.renameat2(HERE, first, HERE, second, ctypes.c_uint(EXCHANGE))
    except (AttributeError, OSError, TypeError):  # another system, or an old C library
        return False
    if failed:
        number = ctypes.get_errno()
        if number in CANNOT:
            return False
        raise OSError(number, os.strerror(number), os.fspath(one), None, os.fspath(two))
    return True
