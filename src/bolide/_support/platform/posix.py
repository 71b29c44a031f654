"""The implementation for Linux, macOS and other POSIX systems."""

from __future__ import annotations

import errno
import fcntl
import os
import signal
import stat
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess
    from io import RawIOBase
    from pathlib import Path
    from typing import Any

PR_SET_PDEATHSIG = 1
EXCHANGE = 2  # RENAME_EXCHANGE of Linux, RENAME_SWAP of macOS
HERE = -100  # AT_FDCWD of Linux: relative paths start in the current folder
# The system or the file system cannot exchange names.
CANNOT_EXCHANGE = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EXDEV, errno.EPERM}

# ---- signals and processes -----------------------------------------------------------------------

# The signals that end a command.
SIGNALS: tuple[int, ...] = (signal.SIGINT, signal.SIGTERM)
# The signals that `bolide run` passes on to its program.
PASSED_ON: tuple[int, ...] = (
    *(signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT),
    *(signal.SIGUSR1, signal.SIGUSR2),
)


def exit_code(number: int) -> int:
    """The exit code with which shells report that a signal ended a program."""
    return 128 + number


def wakeup() -> tuple[int, Callable[[], bytes]]:
    """A descriptor for `signal.set_wakeup_fd`, and a function that waits for the next signal there."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    return writer, lambda: os.read(reader, 1)


def after_fork(function: Callable[[], object]) -> None:
    """Registers a function that every new process calls first after a fork."""
    os.register_at_fork(after_in_child=function)


def own_group() -> dict[str, Any]:
    """Arguments of `subprocess.Popen` for a process that does not receive Ctrl-C, and that `end_group` can
    end."""
    return {"start_new_session": True}


def end_group(process: subprocess.Popen[bytes]) -> None:
    """Ends a process and all processes that it has started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)


def wait(process: subprocess.Popen[bytes]) -> int:
    """Waits for the end of a process, and returns its exit code. Signals interrupt the waiting."""
    return process.wait()


def from_terminal(number: int) -> bool:
    """Whether a signal seems to come from the terminal, which sends it to all processes in the foreground."""
    if number not in (signal.SIGINT, signal.SIGQUIT):
        return False
    try:
        terminal = os.open(os.ctermid(), os.O_RDONLY | os.O_NOCTTY)
    except OSError:  # the process has no terminal
        return False
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:
        return False
    finally:
        os.close(terminal)


def end_as(code: int) -> int:
    """The exit code for a program that ended with `code`. If a signal ended it (a negative code), the same
    signal ends this process, so that its parent sees the same."""
    if code < 0:
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
        with suppress(OSError, ValueError):  # SIGKILL has no handler
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    return exit_code(-code) if code < 0 else code


def become(program: str, arguments: Sequence[str]) -> int:
    """Replaces this process by a program. If the system cannot do so, runs the program and returns its exit
    code."""
    os.execv(program, [program, *arguments])


def write_command(folder: Path, name: str, words: Sequence[str]) -> Path:
    """Writes a command that runs `words` and then its own arguments; returns its path."""
    command = folder / name
    command.write_text(f'#!/bin/sh\nexec {" ".join(map(quoted, words))} "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    return command


def quoted(text: str) -> str:
    """A text as one word of a shell command."""
    import shlex

    return shlex.quote(text)


def end_with_parent() -> None:
    """Asks the system to end this process when its parent ends, if the system can do so."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() == 1:
            sys.exit(1)


def available_cores() -> int:
    """The number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# ---- memory --------------------------------------------------------------------------------------


def reset_peak_memory() -> None:
    """Resets `peak_memory` to the current memory, if the system can do so."""
    with suppress(OSError), open("/proc/self/clear_refs", "w", encoding="ascii") as stream:  # noqa: PTH123
        stream.write("5")  # only Linux has this file


def peak_memory() -> int:
    """The largest memory of this process so far, in bytes."""
    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as stream:  # noqa: PTH123
            return 1024 * int(next(line for line in stream if line.startswith("VmHWM:")).split()[1])
    except (OSError, StopIteration):  # not Linux
        return _resident("RUSAGE_SELF")


def peak_memory_of_children() -> int:
    """The largest memory of a process that this one has started and waited for, in bytes."""
    return _resident("RUSAGE_CHILDREN")


def _resident(who: str) -> int:
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    return unit * resource.getrusage(getattr(resource, who)).ru_maxrss


# ---- locks ---------------------------------------------------------------------------------------


def try_lock(descriptor: int) -> bool | None:
    """Locks a file. False if another process has locked it; None if the file system has no locks. The system
    releases the lock when the file is closed, and when the process is killed."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return None
    return True


def wait_for_lock(descriptor: int) -> None:
    """Waits until no other process has locked the file, and locks it."""
    fcntl.flock(descriptor, fcntl.LOCK_EX)


def open_lock(folder: Path) -> int:
    """Opens the file that stands for the lock of a folder: here the folder itself. Does not follow links."""
    return os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_NONBLOCK)


def remove_lock(folder: Path) -> None:
    """Call it after the lock was closed: removes the file that `open_lock` has made, and the folder if it is
    empty. If another process has locked the folder again, both stay. On POSIX there is no such file.
    """


# ---- files ---------------------------------------------------------------------------------------


def move(one: Path, two: Path) -> None:
    """Renames a file or folder. A file replaces an existing file. A folder replaces only an empty folder;
    otherwise OSError with EEXIST or ENOTEMPTY."""
    one.replace(two)


def rename(one: Path, two: Path) -> None:
    """Renames a file or folder to a name that is free."""
    one.rename(two)


def exchange(one: str | os.PathLike[str], two: str | os.PathLike[str]) -> bool:
    """Exchanges the names of two existing files or folders in one step, so that neither is ever missing.
    False if this system cannot do so."""
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
        if number in CANNOT_EXCHANGE:
            return False
        raise OSError(number, os.strerror(number), os.fspath(one), None, os.fspath(two))
    return True


def keep_permissions(old: Path, new: Path) -> None:
    """Gives the new file the permissions of the file that it replaces."""
    new.chmod(stat.S_IMODE(old.stat().st_mode))


def flush_file(path: Path) -> None:
    """Waits until the contents of a file are on the disk."""
    with path.open("rb") as stream:
        os.fsync(stream.fileno())


def flush_folder(folder: Path) -> None:
    """Waits until the list of names in a folder is on the disk."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:  # a file system that does not open folders
        return
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def is_private(found: os.stat_result) -> bool:
    """Whether a folder belongs to this user, and no other user may enter it."""
    return found.st_uid == os.getuid() and not found.st_mode & 0o077


def long_path(path: Path) -> Path:
    """The path in a form without the usual limit of its length."""
    return path


# ---- streams -------------------------------------------------------------------------------------


def console(stream: object) -> RawIOBase | None:
    """The raw stream of a text stream, if it is a console that does not accept bytes of UTF-8; else None."""
    return None


def is_broken_pipe(error: OSError) -> bool:
    """Whether a write failed because the other end of a pipe is closed."""
    return isinstance(error, BrokenPipeError)
