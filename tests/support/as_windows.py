"""Makes this process behave as on Windows, as far as Python code can see: for tests on Linux.

Call `pretend` before bolide is imported. Functions and modules that Windows lacks are removed, and some of
its rules hold: a file that is open or mapped can be neither renamed, replaced nor removed; a folder cannot be
opened; only a file that is open for writing can be flushed. The paths stay those of Linux.

Windows itself imports this module, too, for its lists.
"""

from __future__ import annotations

import errno
import os
import shutil
import signal
import stat
import subprocess  # noqa: F401 - needs some of what is removed
import sys
import types
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

MODULES = ("fcntl", "grp", "pty", "pwd", "resource", "syslog", "termios", "tty")
# What Python's documentation marks as "Availability: Unix", "not Windows", or not there before Python 3.12.
_OS = """
    O_CLOEXEC O_DIRECTORY O_DSYNC O_NOATIME O_NOFOLLOW O_NONBLOCK O_SYNC WNOHANG chown chroot
    ctermid fchdir fchmod fchown fork forkpty getegid geteuid getgid getgroups getloadavg getpgid
    getpgrp getpriority getresuid getsid getuid initgroups killpg lchown lockf mkfifo mknod nice
    openpty pipe2 posix_fadvise posix_fallocate posix_spawn pread preadv pwrite pwritev readv
    register_at_fork sched_getaffinity sched_setaffinity sched_yield sendfile set_blocking setegid
    seteuid setgid setpgid setpriority setsid setuid statvfs sync tcgetpgrp tcsetpgrp ttyname wait
    wait3 wait4 waitid writev
"""
_SIGNAL = """
    SIGALRM SIGBUS SIGCHLD SIGCONT SIGHUP SIGKILL SIGPIPE SIGQUIT SIGTSTP SIGUSR1 SIGUSR2 alarm
    getitimer pause pthread_kill pthread_sigmask setitimer siginterrupt sigpending sigwait
"""
FUNCTIONS = {os: _OS.split(), signal: _SIGNAL.split()}
# Methods that objects have only on systems with forks; they cannot be removed here.
METHODS = ("_at_fork_reinit",)
_PROTECTED = {"os.rename": 2, "os.remove": 1}  # number of paths in each event
_readlink, _listdir, _stat = os.readlink, os.listdir, os.stat
SIGBREAK: int = getattr(signal, "SIGUSR1", 21)  # 21 on Windows


def pretend() -> None:
    """From now on this process lacks what Windows lacks."""
    msvcrt, fsync = _msvcrt(), _fsync()  # with `fcntl`
    for name in MODULES:
        sys.modules[name] = None  # type: ignore[assignment]
    for module, names in FUNCTIONS.items():
        for name in names:
            if hasattr(module, name):
                delattr(module, name)
    sys.modules["msvcrt"] = msvcrt
    setattr(signal, "SIGBREAK", SIGBREAK)  # noqa: B010
    setattr(shutil, "_use_fd_functions", False)  # noqa: B010 - `rmtree` opens no folders on Windows
    setattr(os, "fsync", fsync)  # noqa: B010
    sys.addaudithook(_refuse)
    # The default encoding is not UTF-8 on Windows (for Python's option -X warn_default_encoding).
    warnings.filterwarnings("error", category=EncodingWarning, module="bolide")


def _msvcrt() -> types.ModuleType:
    import fcntl

    def locking(descriptor: int, mode: int, size: int) -> None:
        assert (mode, size) == (2, 1)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise PermissionError(errno.EACCES, "Permission denied") from None

    found = types.ModuleType("msvcrt")
    vars(found).update(LK_NBLCK=2, locking=locking)
    return found


def _fsync() -> Callable[[int], None]:
    import fcntl

    flush = os.fsync

    def fsync(descriptor: int) -> None:
        if fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        flush(descriptor)

    return fsync


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    """An audit hook. It is called before the operation, and an exception prevents that."""
    if event == "open" and isinstance(arguments[0], (str, os.PathLike)):
        if not os.fspath(arguments[0]).startswith("/proc") and _is_folder(os.fspath(arguments[0])):
            raise PermissionError(errno.EACCES, "folders cannot be opened", os.fspath(arguments[0]))
    elif event in _PROTECTED:
        in_use = _files_in_use()
        for path in map(os.fsdecode, arguments[: _PROTECTED[event]]):
            full = os.path.abspath(path)  # noqa: PTH100
            if any(each == full or each.startswith(f"{full}/") for each in in_use):
                raise PermissionError(errno.EACCES, "in use", path)


def _is_folder(path: str) -> bool:
    try:
        return stat.S_ISDIR(_stat(path).st_mode)
    except OSError:
        return False


def _files_in_use() -> set[str]:
    found = set()
    for number in _listdir("/proc/self/fd"):
        try:
            found.add(_readlink(f"/proc/self/fd/{number}"))
        except OSError:
            continue
    mapped = Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace").splitlines()
    return found | {line.split(maxsplit=5)[5] for line in mapped if len(line.split(maxsplit=5)) == 6}
