"""Standard input, output and error, as every command has them: open, and the last two of UTF-8 in every
locale, and named if something is wrong with them.
"""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from typing import TextIO

from bolide._support.writing import NamedOutput


def prepare() -> None:
    """To be called before anything is opened or printed."""
    # Python has None for a stream that is closed. In its place comes one that cannot be read or written, an
    # error like any other as soon as somebody tries; only messages go nowhere. Opened one after the other
    # they get the numbers of those that are closed, which the command's own files would get otherwise.
    if sys.stdin is None:
        nowhere = io.FileIO(os.open(os.devnull, os.O_WRONLY), closefd=False)
        sys.stdin = io.TextIOWrapper(io.BufferedReader(nowhere), encoding="utf-8")
    sys.stdout = _output(sys.stdout, "standard output", os.O_RDONLY)
    sys.stderr = _output(sys.stderr, "standard error", os.O_WRONLY)


def _output(stream: TextIO | None, name: str, instead: int) -> TextIO:
    if stream is None:
        number, at_once = os.open(os.devnull, instead), False
    elif stream in (sys.__stdout__, sys.__stderr__) and isinstance(stream, io.TextIOWrapper):
        stream.flush()
        # A terminal has whole lines, and so has what Python would write unbuffered.
        number, at_once = stream.fileno(), stream.line_buffering or stream.write_through
    else:  # of whoever has started the command from Python
        return stream
    return io.TextIOWrapper(
        io.BufferedWriter(NamedOutput(number, name, closefd=False)),
        encoding="utf-8",
        errors="backslashreplace",  # of the bytes in names of files that are no characters
        newline="\n",
        line_buffering=at_once,
    )


def tell(message: str) -> None:
    """A sentence on standard error, if it can be written there."""
    with suppress(OSError):
        print(f"bolide: {message}", file=sys.stderr)


def give_up() -> None:
    """Forgets what cannot be written any more, so that it does not fail once more when Python ends."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
