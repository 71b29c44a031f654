"""The command line: a thin shell over the public API, one file a command."""

from __future__ import annotations

import gc
import io
import os
import sys

from bolide.cli import interruption
from bolide.cli.interruption import INTERRUPTED, TERMINATED, Terminated

# Without this, NumPy's library of matrix products has a thread spin for each core. The only products there
# are (significance.py) are no faster with several: random numbers take longer, and are drawn meanwhile.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

BROKEN_PIPE = 141


def main() -> None:
    """The command `bolide`."""
    try:
        interruption.watch()
        _print_anything()
        gc.disable()  # a program that ends soon, and makes no cycles to speak of
        code = run(sys.argv[1:])
        if code not in (INTERRUPTED, TERMINATED):
            sys.exit(code)
    except KeyboardInterrupt:  # at the last moment
        code = INTERRUPTED
    os._exit(code)  # without waiting for threads at work


def _print_anything() -> None:
    """What a terminal's encoding lacks is shown as an escape, not as an error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="backslashreplace")


def run(arguments: list[str]) -> int:
    """Runs a command; its exit code: 0 fine, 1 the job failed, 2 wrong usage, and as shells have it where a
    signal ends a program: 130 interrupted, 141 nobody reads the output any more, 143 terminated."""
    try:
        return _run(arguments)
    except KeyboardInterrupt:
        return INTERRUPTED
    except Terminated:
        return TERMINATED


def _run(arguments: list[str]) -> int:
    from bolide.errors import BolideError

    try:
        if arguments[:1] == ["java"]:  # has its own options, and must start fast
            from bolide.cli import java

            code = java.main(arguments[1:])
        else:
            from bolide.cli.application import application

            code = application(arguments)
        sys.stdout.flush()
    except BolideError as error:
        print(f"bolide: {error}", file=sys.stderr)
        return error.exit_code
    except MemoryError:
        print(
            "bolide: not enough memory: use a narrower beam, fewer threads or shorter segments",
            file=sys.stderr,
        )
        return 1
    except BrokenPipeError:  # the reader of our output has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except OSError as error:  # such as a full disk behind standard output
        print(f"bolide: {error.strerror or error}", file=sys.stderr)
        return 1
    return code
