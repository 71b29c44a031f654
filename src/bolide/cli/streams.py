"""Standard input, output and error as all commands use them: always open, output always in UTF-8, and named
in error messages.
"""

from __future__ import annotations

import errno
import io
import os
import shutil
import sys
from contextlib import suppress
from typing import Any, TextIO

from bolide._support.outputs import NamedOutput
from bolide._support.platform import console, is_broken_pipe


def prepare() -> None:
    """Call it before anything is opened or printed."""
    # Python sets a closed stream to None. It is replaced by one that fails when it is used; messages to a
    # closed standard error are dropped. The replacements take the numbers of the closed streams, in order:
    # otherwise the first file that the command opens would get that number.
    if sys.stdin is None:
        unreadable = io.FileIO(os.open(os.devnull, os.O_WRONLY), closefd=False)
        sys.stdin = io.TextIOWrapper(io.BufferedReader(unreadable), encoding="utf-8")
    sys.stdout = _output(sys.stdout, "standard output", os.O_RDONLY)
    sys.stderr = _output(sys.stderr, "standard error", os.O_WRONLY)


def _output(stream: TextIO | None, name: str, replacement: int) -> TextIO:
    if stream is None:
        number, unbuffered = os.open(os.devnull, replacement), False
    elif stream in (sys.__stdout__, sys.__stderr__) and isinstance(stream, io.TextIOWrapper):
        with suppress(OSError):  # text of the program that started the command
            stream.flush()
        # Lines appear at once on a terminal, and wherever Python would not buffer.
        number, unbuffered = stream.fileno(), stream.line_buffering or stream.write_through
    else:  # chosen by the program that started the command
        return stream
    kind = _TerminalOutput if os.isatty(number) and name == "standard output" else io.TextIOWrapper
    raw = console(stream) or _StandardOutput(number, name, closefd=False)
    return kind(
        io.BufferedWriter(raw),
        encoding="utf-8",
        errors="backslashreplace",  # for file names with bytes that are not characters
        newline="\n",
        line_buffering=unbuffered,
    )


class _TerminalOutput(io.TextIOWrapper):
    """Standard output on a terminal."""

    def write(self, text: str, /) -> int:
        from bolide._support.visible import terminal_safe

        super().write(terminal_safe(text))
        return len(text)


class _StandardOutput(NamedOutput):
    """Standard output or error."""

    ignores_errors = False

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except OSError as error:
            if self.ignores_errors:
                return len(data)
            if is_broken_pipe(error):
                raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE), error.filename) from None
            raise


def tell(message: str) -> None:
    """Prints a message on standard error, if that is possible."""
    from bolide._support.visible import visible

    with suppress(OSError):
        print("\n".join(map(visible, f"bolide: {message}".split("\n"))), file=sys.stderr)


def columns() -> int:
    """The width of tables: that of the terminal, but at least the usual one. Where there is no terminal, the
    usual one, so that the same command always prints the same."""
    from bolide.comparison.reports.style import COLUMNS

    return max(COLUMNS, shutil.get_terminal_size().columns) if sys.stdout.isatty() else COLUMNS


def print_line(text: str) -> None:
    """Prints a line of text for programs: exactly, but on a terminal with control characters escaped."""
    from bolide._support.visible import visible

    print(visible(text) if sys.stdout.isatty() else text)


def finish() -> None:
    """Writes what is left, and from now on drops what cannot be written. The exit code is known: it must not
    depend on whether a thread, or a function called at exit, prints before or after this."""
    for stream in (sys.stdout, sys.stderr):
        raw = getattr(getattr(stream, "buffer", None), "raw", None)
        if isinstance(raw, _StandardOutput):
            raw.ignores_errors = True
        with suppress(OSError, ValueError):  # ValueError: closed
            stream.flush()
