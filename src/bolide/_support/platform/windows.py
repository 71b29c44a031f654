"""The implementation for Windows; `posix.py` says what each function does.

On Windows, an open file cannot be renamed or removed, even if another program has opened it, such as a virus
scanner. Folders cannot be opened, locked or exchanged.
"""

from __future__ import annotations

import errno
import os
import signal
import stat
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess
    from io import RawIOBase
    from pathlib import Path
    from typing import Any

# Names that only Windows has, with their values there.
SIGBREAK = getattr(signal, "SIGBREAK", 21)
CREATE_NEW_PROCESS_GROUP = 0x200
REPARSE_POINT = 0x400  # FILE_ATTRIBUTE_REPARSE_POINT: a link or a mount point
NO_DATA = 232  # ERROR_NO_DATA: the pipe is being closed
BROKEN = 109  # ERROR_BROKEN_PIPE

POLL_SECONDS = 0.1
# Together about two seconds: a virus scanner may keep a new file open for so long.
ATTEMPTS = 20
LONGEST_PATH = 247  # the limit for folders; longer paths need the form of `long_path`
LOCK = "lock"  # the file that is locked instead of its folder
# Errors when a file is opened that is being removed.
BEING_REMOVED = {errno.EACCES, errno.EPERM, errno.EINVAL}

_kept: list[object] = []  # sockets for signals, which must stay open

# ---- signals and processes -----------------------------------------------------------------------

# Windows sends SIGBREAK for Ctrl-Break. When the console is closed or the user logs off, it sends SIGBREAK,
# too, but may end the process before Python sees it: that is like a kill.
SIGNALS: tuple[int, ...] = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGBREAK") if hasattr(signal, name)
)

PASSED_ON = SIGNALS


def exit_code(number: int) -> int:
    return 128 + (signal.SIGTERM if number == SIGBREAK else number)


def wakeup() -> tuple[int, Callable[[], bytes]]:
    import socket

    reader, writer = socket.socketpair()  # a pipe cannot be made non-blocking
    writer.setblocking(False)
    _kept.extend((reader, writer))
    return writer.fileno(), lambda: reader.recv(1)


def after_fork(function: Callable[[], object]) -> None:
    """Windows has no forks."""


def own_group() -> dict[str, Any]:
    return {"creationflags": CREATE_NEW_PROCESS_GROUP}


def end_group(process: subprocess.Popen[bytes]) -> None:
    import subprocess

    # With its full name: Windows looks for programs in the current folder first.
    system = os.environ.get("SYSTEMROOT", "C:\\Windows")
    taskkill = os.path.join(system, "System32", "taskkill.exe")  # noqa: PTH118
    command = [taskkill, "/T", "/F", "/PID", str(process.pid)]
    with suppress(OSError, subprocess.TimeoutExpired):
        subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=10, check=False)
    process.kill()  # if it is still there


def wait(process: subprocess.Popen[bytes]) -> int:
    """Waits with a timeout, again and again, because waiting without one cannot be interrupted."""
    import subprocess

    while True:
        with suppress(subprocess.TimeoutExpired):
            return process.wait(POLL_SECONDS)


def from_terminal(number: int) -> bool:
    """Always: other programs cannot send such signals, and the console sends them to all its processes."""
    return True


def end_as(code: int) -> int:
    return code


def become(program: str, arguments: Sequence[str]) -> int:
    import subprocess

    return subprocess.call([program, *arguments])


def write_command(folder: Path, name: str, words: Sequence[str]) -> Path:
    """Writes a script for `cmd.exe`."""
    command = folder / f"{name}.cmd"
    text = " ".join(map(quoted, words)).replace("%", "%%")
    command.write_text(f"@{text} %*\r\n", encoding="utf-8", newline="")
    return command


def quoted(text: str) -> str:
    """Quotes for cmd.exe. (The names of files cannot contain quotation marks.)"""
    return f'"{text}"'


def end_with_parent() -> None:
    """Does nothing: Windows cannot do so."""


def available_cores() -> int:
    return os.cpu_count() or 1


# ---- memory --------------------------------------------------------------------------------------


def reset_peak_memory() -> None:
    """Does nothing: Windows always counts from the start of the process."""


def peak_memory() -> int:
    import ctypes

    # PROCESS_MEMORY_COUNTERS: its size, the number of page faults, and eight sizes. The first is the peak.
    class Counters(ctypes.Structure):
        _fields_ = (
            ("size", ctypes.c_uint32),
            ("faults", ctypes.c_uint32),
            ("peak", ctypes.c_size_t),
            ("others", ctypes.c_size_t * 7),
        )

    found = Counters()
    found.size = ctypes.sizeof(Counters)
    try:
        kernel: Any = ctypes.CDLL("kernel32")
        kernel.GetCurrentProcess.restype = ctypes.c_void_p
        process = ctypes.c_void_p(kernel.GetCurrentProcess())
        known = kernel.K32GetProcessMemoryInfo(process, ctypes.byref(found), found.size)
    except (OSError, AttributeError):
        return 0
    return int(found.peak) if known else 0


def peak_memory_of_children() -> int:
    """Always 0: Windows does not record it."""
    return 0


# ---- locks ---------------------------------------------------------------------------------------


def _lock_first_byte(descriptor: int) -> None:
    """Locks the first byte of a file, which may be empty. OSError if another process has locked it."""
    from importlib import import_module

    msvcrt: Any = import_module("msvcrt")
    os.lseek(descriptor, 0, os.SEEK_SET)
    msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)


def try_lock(descriptor: int) -> bool | None:
    try:
        _lock_first_byte(descriptor)
    except PermissionError:
        return False
    except (OSError, ImportError):  # a file system without locks
        return None
    return True


def wait_for_lock(descriptor: int) -> None:
    """Tries again and again, because Windows itself waits for only ten seconds."""
    while try_lock(descriptor) is False:
        time.sleep(POLL_SECONDS)


def open_lock(folder: Path) -> int:
    """Opens a file in the folder, because a folder cannot be opened. If another process is removing that
    file, it cannot be opened; the folder then counts as missing."""
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOINHERIT", 0)
    try:
        return os.open(folder / LOCK, flags, 0o600)
    except OSError as error:
        if error.errno not in BEING_REMOVED:
            raise
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), os.fspath(folder)) from error


def remove_lock(folder: Path) -> None:
    with suppress(OSError):
        (folder / LOCK).unlink()
        folder.rmdir()


# ---- files ---------------------------------------------------------------------------------------


def move(one: Path, two: Path) -> None:
    _patiently(lambda: _move(one, two), two)


def rename(one: Path, two: Path) -> None:
    _patiently(lambda: one.rename(two), two)


def _patiently(rename: Callable[[], object], new: Path) -> None:
    """Tries again while another program has a file open."""
    for attempt in range(ATTEMPTS):
        try:
            rename()
            return
        except PermissionError:
            if attempt == ATTEMPTS - 1 or _is_protected(new):
                raise
        time.sleep(POLL_SECONDS)


def _move(one: Path, two: Path) -> None:
    # In all these cases `replace` would raise PermissionError, as if a file were in use.
    if two.is_dir():
        number = errno.EEXIST if one.is_dir() else errno.EISDIR
    elif one.is_dir() and two.exists():
        number = errno.ENOTDIR
    else:
        one.replace(two)
        return
    raise OSError(number, os.strerror(number), os.fspath(two))


def _is_protected(path: Path) -> bool:
    """Whether a file has the read-only attribute, so that waiting does not help."""
    try:
        return not path.stat().st_mode & stat.S_IWRITE
    except OSError:
        return False


def exchange(one: str | os.PathLike[str], two: str | os.PathLike[str]) -> bool:
    return False


def keep_permissions(old: Path, new: Path) -> None:
    """Does nothing: a new file inherits the permissions of its folder, and a read-only file is not
    replaced."""


def flush_file(path: Path) -> None:
    with path.open("rb+") as stream:  # Windows flushes only files that are open for writing
        os.fsync(stream.fileno())


def flush_folder(folder: Path) -> None:
    """Does nothing: the file system of Windows writes names in the right order."""


def is_private(found: os.stat_result) -> bool:
    """Folders inside the user's own folders are private, unless they are links or mount points."""
    return not getattr(found, "st_file_attributes", 0) & REPARSE_POINT


def long_path(path: Path) -> Path:
    """Adds the prefix \\\\?\\, which removes the limit, if the path is too long. Not all programs know it."""
    full = os.path.abspath(path)  # noqa: PTH100
    if len(full) <= LONGEST_PATH or full.startswith("\\\\?\\"):
        return path
    return type(path)(extended(full))


def extended(full: str) -> str:
    """The long form of a full path.

    >>> print(extended("C:\\\\x"), extended("\\\\\\\\server\\\\share\\\\x"))
    \\\\?\\C:\\x \\\\?\\UNC\\server\\share\\x
    """
    return "\\\\?\\UNC" + full[1:] if full.startswith("\\\\") else "\\\\?\\" + full


# ---- streams -------------------------------------------------------------------------------------


def console(stream: object) -> RawIOBase | None:
    """Python has a special class for consoles, which take UTF-16."""
    raw = getattr(getattr(stream, "buffer", None), "raw", None)
    return raw if type(raw).__name__ == "_WindowsConsoleIO" else None


def is_broken_pipe(error: OSError) -> bool:
    """Windows may report a broken pipe as an invalid argument."""
    known = getattr(error, "winerror", None) in (NO_DATA, BROKEN)
    return known or isinstance(error, BrokenPipeError) or error.errno == errno.EINVAL
