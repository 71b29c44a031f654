"""The command line: a thin shell over the public API, one file a command."""

from __future__ import annotations

import gc
import os
import sys

from bolide.cli import interruption, streams
from bolide.cli.interruption import INTERRUPTED, TERMINATED

# Without this, NumPy's library of matrix products has a thread spin for each core. The only products there
# are (significance.py) are no faster with several: random numbers take longer, and are drawn meanwhile.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

BROKEN_PIPE = 141


def main() -> None:
    """The command `bolide`, for those who start it from Python and may go on afterwards."""
    before = sys.stdin, sys.stdout, sys.stderr, gc.isenabled()
    with interruption.watched_for_a_while():
        code = command()
    sys.stdin, sys.stdout, sys.stderr, collects = before
    if collects:
        gc.enable()
    sys.exit(code)


def command() -> int:
    """The command `bolide`; its exit code. What was printed has been written."""
    streams.prepare()
    interruption.watch()
    gc.disable()  # a program that ends soon, and makes no cycles to speak of
    code = interruption.exit_code(lambda: run(sys.argv[1:]))
    if code in (INTERRUPTED, TERMINATED):
        os._exit(code)  # without waiting for threads at work
    return code


def run(arguments: list[str]) -> int:
    """Runs a command; its exit code: 0 fine, 1 the job failed, 2 wrong usage, and as shells have it where a
    signal ends a program: 130 interrupted, 141 nobody reads the output any more, 143 terminated."""
    from bolide.errors import BolideError

    try:
        code = _run(arguments)
        sys.stdout.flush()
        return code
    except BolideError as error:
        streams.tell(str(error))
        code = error.exit_code
    except MemoryError:
        streams.tell("not enough memory: use a narrower beam, fewer threads or shorter segments")
        code = 1
    except BrokenPipeError:  # the reader of our output has enough
        code = BROKEN_PIPE
    except OSError as error:  # such as a full disk behind standard output
        where = "" if error.filename is None else f"{error.filename}: "
        streams.tell(f"{where}{error.strerror or error}")
        code = 1
    streams.give_up()
    return code


def _run(arguments: list[str]) -> int:
    if arguments[:1] == ["java"]:  # has its own options, and must start fast
        from bolide.cli import java

        return java.main(arguments[1:])
    from bolide.cli.application import application

    return application(arguments)
